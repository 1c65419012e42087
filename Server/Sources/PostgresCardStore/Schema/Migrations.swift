/// One step from one schema to the next.
///
/// Once released it never changes.
struct SchemaMigration: Sendable {
    /// The name under which the database remembers that the step was done; begins with its number.
    let identifier: String
    /// The statements, run in one transaction; none where there are parts, before each of which they would be run.
    let statements: [String]
    /// The work that is done after them in the same transaction, where statements can't do it.
    var fill: (@Sendable (PostgresConnection) throws -> Void)?
    /// A part of the work on rows that devices change as well, each done in a transaction of its own, so that nobody
    /// waits for all of them: it gets the place up to which the parts before it came, and returns its own or, once
    /// nothing is left, `nil`.
    ///
    /// The place is kept in the same transaction: whoever goes on after it, in this process or another, repeats
    /// nothing.
    var part: (@Sendable (_ connection: PostgresConnection, _ place: String?) throws -> String?)?
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
        Migration0103.migration, Migration0105.migration, Migration0108.migration,
        Migration0109.migration, Migration0110.migration, Migration0112.migration,
        Migration0113.migration, Migration0118.migration, Migration0119.migration,
        Migration0120.migration, Migration0125.migration, Migration0174.migration,
    ]

    /// The oldest server that has everything that is used: `server_version_num` of PostgreSQL 15.
    static let oldestServer: Int64 = 150_000
}
