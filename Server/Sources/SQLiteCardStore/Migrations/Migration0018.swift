import GRDB

/// Who gets what a backend scheduled.
///
/// A send is put off or called off by its id alone, while its triggers lie with their users; a broadcast is found by its
/// own key.
enum Migration0018: StoreMigration {
    static let identifier = "0018-schedules"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE schedules (
                    campaign_id TEXT NOT NULL,
                    trigger_id TEXT NOT NULL,
                    users TEXT NOT NULL,
                    until REAL NOT NULL,
                    PRIMARY KEY (campaign_id, trigger_id)
                ) WITHOUT ROWID;
                CREATE INDEX schedules_by_end ON schedules (until);
                """
        )
    }
}
