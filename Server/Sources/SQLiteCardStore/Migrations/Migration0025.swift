import GRDB

/// Attempts at what can be guessed, by hashes of who tries what, in place of failures by what strangers have typed.
enum Migration0025: StoreMigration {
    static let identifier = "0025-attempts"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE attempts (
                    subject BLOB PRIMARY KEY NOT NULL,
                    count INTEGER NOT NULL,
                    last_at REAL NOT NULL
                ) WITHOUT ROWID;
                CREATE INDEX attempts_by_time ON attempts (last_at);

                DROP TABLE sign_in_failures;
                -- Some were to be kept for as long as their sender said.
                DELETE FROM spent_forms;
                """
        )
    }
}
