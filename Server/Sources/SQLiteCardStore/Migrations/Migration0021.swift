import GRDB

/// Which campaigns there are, of what version, without reading what they say.
///
/// With thousands of campaigns, a change of one of them then reads that one and not all.
enum Migration0021: StoreMigration {
    static let identifier = "0021-many-campaigns"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE INDEX campaigns_launched ON campaigns (launched_at, id, version) WHERE launched_at IS NOT NULL;

                CREATE INDEX campaigns_converting ON campaigns (id, version)
                WHERE launched_at IS NOT NULL AND status <> 'archived'
                    AND json_array_length(content, '$.conversions') > 0;
                """
        )
    }
}
