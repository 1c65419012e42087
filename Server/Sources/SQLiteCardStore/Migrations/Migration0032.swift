import GRDB

/// Room for secrets that are encrypted: second factors, the webhook's secret, and what the store itself keeps secret.
///
/// A migration has no key. What stood there readable is encrypted when the store is opened with one; until then it stays
/// in the old columns, which are empty afterwards.
enum Migration0032: StoreMigration {
    static let identifier = "0032-secrets"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE store ADD COLUMN secrets_key BLOB;
                ALTER TABLE members ADD COLUMN sealed_code_secret BLOB;
                ALTER TABLE members ADD COLUMN recovery_hashes BLOB NOT NULL DEFAULT x'';
                ALTER TABLE webhooks ADD COLUMN sealed_secret BLOB;

                CREATE TABLE sealed_values (
                    name TEXT PRIMARY KEY NOT NULL,
                    value BLOB NOT NULL
                ) WITHOUT ROWID;
                """
        )
    }
}
