import CardModel
import CardStore

/// A database that is ready to be used: up to date, and with what a store reads of it once.
struct StorePreparation {
    /// The names of the steps by which the database was brought up to date.
    let migration: [String]
    let secrets: StoreSecrets
    let pseudonyms: UserPseudonyms
    /// The shards that the home knows, where the options ask for them.
    let shards: KnownShards?
    /// The part that the database has where users are spread over several.
    let role: ShardRole?
    /// The connection, for whoever needs the first one; `nil` where a new one would show something else.
    let connection: PostgresConnection?

    /// Brings a database up to date, creating its tables where there are none, and reads it.
    init(
        _ source: ConnectionSource,
        _ settings: ConnectionSettings,
        _ epoch: StoreEpoch,
        _ options: PostgresCardStore.Options,
        _ partitions: PartitionKeeper
    ) throws {
        var source = source
        let connection = try source.connect()
        var migrator = Migrator(connection: connection, settings: settings)
        migrator.onWait = options.onMigrationWait
        migration = try migrator.migrate(isAllowed: options.migrates)
        guard let row = try connection.row("SELECT epoch, user_hash_key FROM store WHERE id = 1") else {
            throw StoreError.unreadable("no row of its own")
        }
        epoch.follow(own: try row.integer("epoch"))
        pseudonyms = UserPseudonyms(key: try row.bytes("user_hash_key"))
        // The table may have been created after the connection was, by another node as well.
        let history = PostgresConnection.identity(of: connection.handle)?.history
        if let history { epoch.follow(history) }
        // A server that can't do it now does it later; until then events go where nothing is dropped as a whole.
        if options.migrates { partitions.keep(on: connection) }
        secrets = try Self.openSecrets(options, settings, connection)
        if let homeRole = options.homeRole {
            try PostgresCardStore.requireHome(on: connection)
            let known = try KnownShards.read(on: connection, secrets)
            (shards, role) = (known, homeRole(known))
        } else {
            (shards, role) = (nil, options.shard)
        }
        let isAsNew = migration.isEmpty && history == connection.history && !connection.isInTransaction
        self.connection = isAsNew && connection.isOpen ? connection : nil
    }

    private static func openSecrets(
        _ options: PostgresCardStore.Options,
        _ settings: ConnectionSettings,
        _ connection: PostgresConnection
    ) throws -> StoreSecrets {
        let secrets = try StoreSecrets(
            options.secretsKey ?? .keyring(SecretsKeyring()),
            isRequired: options.requiresSecretsKey && options.secretsKey != nil
        )
        guard secrets.isRequired else { return secrets }
        try connection.simple("\(ConnectionSettings.begin); \(settings.transactionSettings)")
        // Two nodes that open a new database must agree on the key.
        _ = try connection.row("SELECT epoch FROM store WHERE id = 1 FOR NO KEY UPDATE")
        try secrets.prepare(connection)
        try connection.commit()
        return secrets
    }
}
