import CardModel
import CardStore

/// The store's own row: what all nodes share of the catalog and the settings.
enum StoreRow {
    static func generation(_ connection: PostgresConnection) throws -> CatalogGeneration {
        try connection.row("SELECT generation FROM store WHERE id = 1")?.integer("generation") ?? 0
    }

    static func settings(_ connection: PostgresConnection) throws -> Settings {
        try Settings(stored: settingsText(connection))
    }

    static func settingsText(_ connection: PostgresConnection) throws -> String {
        try connection.row("SELECT settings FROM store WHERE id = 1")?.text("settings") ?? "{}"
    }

    static func userCount(_ connection: PostgresConnection) throws -> Int64 {
        try connection.row("SELECT coalesce(sum(users), 0)::BIGINT AS users FROM user_counts")?.integer("users") ?? 0
    }
}

extension WriteSession {
    /// Keeps other nodes from changing the catalog until the commit, where it has the generation that is expected.
    ///
    /// Content blocks and segments are locked after the store's row only, and never before it.
    func checkGeneration(_ expected: CatalogGeneration?) throws {
        let row = try connection.row("SELECT generation FROM store WHERE id = 1 FOR NO KEY UPDATE")
        guard let expected else { return }
        guard try row?.integer("generation") == expected else { throw StoreError.catalogChanged }
    }

    /// Gives the catalog the next generation.
    ///
    /// The row stays locked until the commit, so that generations are in the order in which changes become visible.
    func advanceGeneration() throws -> CatalogGeneration {
        let rows = try connection.changing(
            "UPDATE store SET generation = generation + 1 WHERE id = 1 RETURNING generation"
        )
        guard let row = rows.first else { throw StoreError.unreadable("no row of its own") }
        changes.catalog = true
        forgetStore()
        return try row.integer("generation")
    }

    /// Gives the catalog the next generation where campaigns may count otherwise since.
    func advanceCatalog() throws -> CatalogGeneration {
        changes.readsConversionRules = true
        return try advanceGeneration()
    }

    /// Reads the settings, and keeps other nodes from changing them until the commit.
    fileprivate func lockSettings() throws -> String {
        try connection.row("SELECT settings FROM store WHERE id = 1 FOR UPDATE")?.text("settings") ?? "{}"
    }

    /// Keeps others from changing the settings until the commit, where they are what they were.
    func check(_ expected: Settings) throws {
        try expected.check(Settings(stored: lockSettings()))
    }

    func save(_ settings: Settings, at now: UnixTime, by actor: Actor) throws {
        guard let change = try SettingsChange(of: lockSettings(), to: settings) else { return }
        try connection.execute("UPDATE store SET settings = $1 WHERE id = 1", [change.text])
        forgetStore()
        audit("settings.update", of: "settings", details: change.details, at: now, by: actor)
        // What a user may have depends on the settings, so devices have to ask again.
        _ = try advanceGeneration()
        // Events later in this group count in the new time zone.
        changes.readsSettings = true
    }

    func save(_ keys: JSONWebKeySet, of url: String, at now: UnixTime) throws -> Bool {
        guard let settings = try Settings(stored: lockSettings()).taking(keys, of: url) else { return false }
        try save(settings, at: now, by: .server)
        return true
    }
}
