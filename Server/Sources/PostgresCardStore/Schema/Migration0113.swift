import CardStore

/// Adds the folded texts of pictures, in which they are looked for; what a node of the version before adds has none.
enum Migration0113 {
    static let migration = SchemaMigration(
        identifier: "0113-media-texts",
        statements: ["ALTER TABLE media ADD COLUMN folded \(ColumnType.text)"],
        fill: fill
    )

    /// The number of pictures whose texts are written by one statement.
    private static let pictures = 1_000

    /// Folds the texts of all pictures, by few statements: no picture can be read until the step is done.
    @Sendable private static func fill(_ connection: PostgresConnection) throws {
        var place = ""
        while true {
            let rows = try connection.rows(
                "SELECT id, name, alt FROM media WHERE id > $1 ORDER BY id LIMIT $2",
                [place, pictures]
            )
            let ids = try rows.map { try $0.text("id") }
            let texts = try rows.map { MediaFilter.folded(name: try $0.text("name"), alt: try $0.text("alt")) }
            try connection.execute(
                """
                UPDATE media SET folded = new.folded
                FROM unnest($1::TEXT[], $2::TEXT[]) AS new (id, folded) WHERE media.id = new.id
                """,
                [ids, texts]
            )
            guard ids.count == pictures, let last = ids.last else { return }
            place = last
        }
    }
}
