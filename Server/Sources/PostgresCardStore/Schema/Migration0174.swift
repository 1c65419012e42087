/// Adds indexes that have the users whose address a backend set before those who claim it, so that a look at an address
/// reads no more of those than are considered.
///
/// Whether it is claimed is said as ``UserLookup`` says it: the planner compares the texts.
enum Migration0174 {
    static let migration = SchemaMigration(
        identifier: "0174-claimed-addresses",
        statements: [
            """
            CREATE INDEX users_found_by_email ON users
                (folded_email, (strpos(standard, '"email_from_device":true') > 0), id)
            WHERE folded_email IS NOT NULL
            """,
            """
            CREATE INDEX users_found_by_phone ON users
                (phone, (strpos(standard, '"phone_from_device":true') > 0), id)
            WHERE phone IS NOT NULL
            """,
            // Last: whoever reads users waits from here to the end of the transaction.
            "DROP INDEX users_by_phone",
        ]
    )
}
