import CardStore

/// Folds the texts in which users are looked for again, as names are found without their accents.
enum Migration0108 {
    static let migration = SchemaMigration(identifier: "0108-folded-texts", statements: [], part: part)

    /// The number of users whose texts are folded in one transaction, for which devices' requests may wait.
    static let users = 1_000

    /// Folds the texts of the next users whose text isn't plain ASCII: all others are folded as before.
    ///
    /// A user that a node of the version before changes at the same time keeps what that node has written.
    private static func part(_ connection: PostgresConnection, after place: String?) throws -> String? {
        let rows = try connection.rows(
            """
            SELECT id, folded FROM users WHERE id > $1 AND octet_length(folded) > char_length(folded)
            ORDER BY id LIMIT $2
            """,
            [place ?? "", users]
        )
        let ids = try rows.map { try $0.text("id") }
        let former = try rows.map { try $0.text("folded") }
        var folder = FoldedText.Folder()
        // What was in lower case is folded as what was written is.
        let texts = former.map { folder.folded(withoutSplitMarks($0)) }
        try connection.execute(
            """
            UPDATE users SET folded = new.folded
            FROM unnest($1::TEXT[], $2::TEXT[], $3::TEXT[]) AS new (id, folded, former)
            WHERE users.id = new.id AND users.folded = new.former AND new.folded <> new.former
            """,
            [ids, texts, former]
        )
        return ids.count < users ? nil : ids.last
    }

    /// Returns a text with its sound marks as they were written: folding once made a space with a mark of them.
    private static func withoutSplitMarks(_ text: String) -> String {
        text.replacing(" \u{3099}", with: "\u{309B}").replacing(" \u{309A}", with: "\u{309C}")
    }
}
