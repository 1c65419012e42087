/// Adds the accounts at OpenID providers with which members sign in.
enum Migration0068 {
    static let migration = SchemaMigration(
        identifier: "0068-identities",
        statements: [
            "ALTER TABLE members ADD COLUMN identity_issuer \(ColumnType.text)",
            "ALTER TABLE members ADD COLUMN identity_subject \(ColumnType.text)",
            "CREATE UNIQUE INDEX members_by_identity ON members (identity_issuer, identity_subject)",
        ]
    )
}
