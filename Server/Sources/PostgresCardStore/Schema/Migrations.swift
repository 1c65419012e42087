/// One step from one schema to the next.
///
/// Once released it never changes.
struct SchemaMigration: Sendable {
    /// The name under which the database remembers that the step was done; begins with its number.
    let identifier: String
    /// The statements, run in one transaction.
    let statements: [String]
    /// The work that is done after them in the same transaction, where statements can't do it.
    var fill: (@Sendable (PostgresConnection) throws -> Void)?
}

/// The tables that the first version begins with.
enum Baseline {
    static let migration = SchemaMigration(
        identifier: "0001-baseline",
        statements: [users, campaigns, cards, events, counts, team]
    )
}

/// The schema of the database, and the way from one of an older version.
enum Schema {
    static let migrations = [
        Baseline.migration, Migration0060.migration, Migration0061.migration, Migration0062.migration,
        Migration0063.migration, Migration0064.migration, Migration0065.migration,
        Migration0066.migration, Migration0067.migration, Migration0068.migration,
        Migration0090.migration, Migration0091.migration, Migration0092.migration,
        Migration0097.migration, Migration0099.migration, Migration0100.migration,
        Migration0103.migration, Migration0105.migration,
    ]

    /// The oldest server that has everything that is used: `server_version_num` of PostgreSQL 15.
    static let oldestServer: Int64 = 150_000
}
