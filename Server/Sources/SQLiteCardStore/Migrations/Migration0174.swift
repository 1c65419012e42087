import GRDB

/// Adds indexes that have the users whose address a backend set before those who claim it, so that a look at an address
/// reads no more of those than are considered.
enum Migration0174: StoreMigration {
    static let identifier = "0174-claimed-addresses"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE INDEX users_found_by_email ON users (
                    lower(json_extract(standard, '$.email')),
                    json_extract(standard, '$.email_from_device') IS NOT NULL,
                    id
                ) WHERE json_extract(standard, '$.email') IS NOT NULL;
                CREATE INDEX users_found_by_phone ON users (
                    json_extract(standard, '$.phone'),
                    json_extract(standard, '$.phone_from_device') IS NOT NULL,
                    id
                ) WHERE json_extract(standard, '$.phone') IS NOT NULL;
                DROP INDEX users_by_phone;
                """
        )
    }
}
