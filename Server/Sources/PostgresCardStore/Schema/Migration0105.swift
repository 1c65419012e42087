import CardStore

/// Folds the texts in which users are looked for again, as names are found without their accents.
enum Migration0105 {
    static let migration = SchemaMigration(identifier: "0105-folded-names", statements: [], fill: fill)

    /// Goes through the users whose text isn't plain ASCII: all others are folded as before.
    private static func fill(_ connection: PostgresConnection) throws {
        var last = ""
        while true {
            let rows = try connection.rows(
                """
                SELECT id, folded FROM users WHERE id > $1 AND octet_length(folded) > char_length(folded)
                ORDER BY id LIMIT 1000
                """,
                [last]
            )
            let ids = try rows.map { try $0.text("id") }
            guard let end = ids.last else { return }
            // What was in lower case is folded as what was written is.
            let texts = try rows.map { FoldedText.folded(try $0.text("folded")) }
            try connection.execute(
                """
                UPDATE users SET folded = new.folded
                FROM unnest($1::TEXT[], $2::TEXT[]) AS new (id, folded) WHERE users.id = new.id
                """,
                [ids, texts]
            )
            last = end
        }
    }
}
