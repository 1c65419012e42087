import ArgumentParser
import CardStore
import CommandSettings

/// The database, for commands that work on it directly.
struct DatabaseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The database (default: sqlite:placard.sqlite).", valueName: "sqlite:path|postgres://url")
    )
    var database: String?

    @Option(
        help: ArgumentHelp(
            "The key that secrets are encrypted with (default: the database's path and .key; see PLACARD_SECRETS_KEY).",
            valueName: "file"
        ),
        completion: .file()
    )
    var secretsKeyFile: String?

    @OptionGroup var configuration: ConfigurationOptions

    func location() throws -> DatabaseLocation {
        try configuration.values().value(of: .database, flag: database).map(DatabaseLocation.init) ?? .standard
    }

    /// Returns the source of the keys for the database's secrets, or `nil` for the file beside it.
    func secretsKey() throws -> SecretsKeySource? {
        if let given = try givenSecretsKey() { return given }
        guard case .postgres = try location() else { return nil }
        return DatabaseLocation.postgresKey(settings: configuration.path())
    }

    /// Returns the source of the keys that a flag or a setting names, or `nil` for the usual file.
    func givenSecretsKey() throws -> SecretsKeySource? {
        let values = try configuration.values()
        if secretsKeyFile == nil, let key = try values.value(of: .secretsKey) {
            guard let keyring = SecretsKeyring(text: key.text) else {
                throw ConfigurationError(
                    "\(key.origin): 32 random bytes in base 64 are expected, as `openssl rand -base64 32` writes them."
                )
            }
            return .keyring(keyring)
        }
        return try values.value(of: .secretsKeyFile, flag: secretsKeyFile).map { .file(path: $0.text) }
    }

    /// The access of a command to a database that a server may be using.
    enum Access {
        /// It only reads, and leaves the file as it is.
        case reading
        /// It changes what is in it.
        case writing
    }

    /// Throws for a PostgreSQL database, saying what to use instead.
    func requireFile(_ advice: String) throws {
        guard case .sqlite = try location() else { throw CommandError(advice) }
    }

    /// The path of the database, which has to be a file that is there.
    func existingPath() throws -> String { try location().existingPath() }

    /// Opens the database, lets `body` use it and closes it, whatever happens.
    ///
    /// It has to be there and of the current version. Works without the key for its secrets.
    func withStore<Result>(
        for access: Access,
        _ body: (any CardStore) async throws -> Result
    ) async throws -> Result {
        let store = try await location().openStore(for: access, secretsKey: secretsKey(), needsSecrets: false)
        return try await Self.closing(store) { try await body(store) }
    }

    /// Opens a database as ``withStore(for:_:)`` does, to change how its secrets are encrypted; `needsSecrets` says
    /// whether they have to be readable.
    ///
    /// Of several databases the home has all secrets.
    func withSecretsStore<Result>(
        needsSecrets: Bool = false,
        _ body: (any SecretsStore) async throws -> Result
    ) async throws -> Result {
        let store = try await location().openSecretsStore(secretsKey: secretsKey(), needsSecrets: needsSecrets)
        return try await Self.closing(store) {
            guard let store = store as? any SecretsStore else { throw CommandError("Its secrets have no key.") }
            return try await body(store)
        }
    }

    private static func closing<Result>(
        _ store: any CardStore,
        after body: () async throws -> Result
    ) async throws -> Result {
        do {
            let result = try await body()
            try await store.close()
            return result
        } catch {
            try? await store.close()
            throw error
        }
    }
}
