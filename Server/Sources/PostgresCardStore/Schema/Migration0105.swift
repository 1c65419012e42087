import CardStore

/// Folds the texts in which users are looked for again, as names are found without their accents.
enum Migration0105 {
    static let migration = SchemaMigration(identifier: "0105-folded-names", statements: [], fill: fill)

    /// Goes through the users whose text isn't plain ASCII: all others are folded as before.
    ///
    /// A user that a node of the version before changes at the same time keeps what that node has written.
    private static func fill(_ connection: PostgresConnection) throws {
        var last = ""
        var folder = FoldedText.Folder()
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
            let former = try rows.map { try $0.text("folded") }
            // What was in lower case is folded as what was written is.
            let texts = former.map { folder.folded($0) }
            try connection.execute(
                """
                UPDATE users SET folded = new.folded
                FROM unnest($1::TEXT[], $2::TEXT[], $3::TEXT[]) AS new (id, folded, former)
                WHERE users.id = new.id AND users.folded = new.former
                """,
                [ids, texts, former]
            )
            last = end
        }
    }
}
