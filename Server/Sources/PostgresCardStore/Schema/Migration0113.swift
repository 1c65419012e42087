import CardStore

/// Adds the folded texts of pictures, in which they are looked for; what a node of the version before adds has none.
enum Migration0113 {
    static let migration = SchemaMigration(
        identifier: "0113-media-texts",
        statements: ["ALTER TABLE media ADD COLUMN folded \(ColumnType.text)"],
        fill: fill
    )

    @Sendable private static func fill(_ connection: PostgresConnection) throws {
        for row in try connection.rows("SELECT id, name, alt FROM media") {
            let folded = MediaFilter.folded(name: try row.text("name"), alt: try row.text("alt"))
            try connection.execute("UPDATE media SET folded = $1 WHERE id = $2", [folded, try row.text("id")])
        }
    }
}
