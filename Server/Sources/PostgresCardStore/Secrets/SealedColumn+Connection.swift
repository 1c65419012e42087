import CardStore

extension PostgresConnection: SecretsRegistry {
    package func registeredKey() throws -> [UInt8]? {
        try row("SELECT secrets_key FROM store WHERE id = 1")?.optionalBytes("secrets_key")
    }

    /// Returns the id of the key in use, and keeps others from registering another one until the transaction ends.
    func lockedKey() throws -> [UInt8]? {
        try row("SELECT secrets_key FROM store WHERE id = 1 FOR UPDATE")?.optionalBytes("secrets_key")
    }

    package func register(_ key: SecretsKey) throws {
        try execute("UPDATE store SET secrets_key = $1 WHERE id = 1", [key.id])
    }

    package var isShared: Bool { true }

    package func isAnySealed() throws -> Bool {
        try SealedColumn.all.contains { column in
            let row = try row(
                "SELECT EXISTS (SELECT 1 FROM \(column.table) WHERE \(column.name) IS NOT NULL) AS found"
            )
            return try row?.flag("found") ?? false
        }
    }
}

extension SealedColumn {
    /// Encrypts with the key in use what was encrypted with another.
    ///
    /// - Returns: The number of secrets.
    static func resealAll(in connection: PostgresConnection, with secrets: StoreSecrets) throws -> Int {
        var count = 0
        for column in all {
            let rows = try connection.rows(
                """
                SELECT \(column.identity)::TEXT AS identity, \(column.name) AS secret FROM \(column.table)
                WHERE \(column.name) IS NOT NULL ORDER BY \(column.identity) FOR UPDATE
                """
            )
            for row in rows {
                let (identity, stored) = (try row.text("identity"), try row.bytes("secret"))
                let secret = try secrets.open(stored, for: column.place(identity), exactly: true)
                let sealed = try secrets.seal(secret, for: column.place(identity), in: connection)
                try connection.execute(
                    "UPDATE \(column.table) SET \(column.name) = $1 WHERE \(column.identity)::TEXT = $2",
                    [sealed, identity]
                )
            }
            count += rows.count
        }
        return count
    }
}
