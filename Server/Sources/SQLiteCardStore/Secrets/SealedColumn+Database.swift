import CardStore
import Foundation
import GRDB

extension Database: SecretsRegistry {
    package func registeredKey() throws -> [UInt8]? {
        try Data.fetchOne(self, sql: "SELECT secrets_key FROM store WHERE id = 1").map(Array.init)
    }

    package func register(_ key: SecretsKey) throws {
        try execute(sql: "UPDATE store SET secrets_key = ? WHERE id = 1", arguments: [Data(key.id)])
    }

    package var isShared: Bool { false }

    package func isAnySealed() throws -> Bool {
        try SealedColumn.all.contains { column in
            try Bool.fetchOne(
                self,
                sql: "SELECT EXISTS (SELECT 1 FROM \(column.table) WHERE \(column.name) IS NOT NULL)"
            ) ?? false
        }
    }
}

extension SealedColumn {
    // MARK: All secrets

    /// Encrypts with the key in use what was encrypted with another.
    ///
    /// - Returns: How many secrets there are.
    static func resealAll(in database: Database, with secrets: StoreSecrets) throws -> Int {
        var count = 0
        for column in all {
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT CAST(\(column.identity) AS TEXT) AS identity, \(column.name) AS secret FROM \(column.table)
                    WHERE \(column.name) IS NOT NULL
                    """
            )
            for row in rows {
                let (identity, stored): (String, Data) = (row["identity"], row["secret"])
                let secret = try secrets.open(Array(stored), for: column.place(identity), exactly: true)
                let sealed = try secrets.seal(secret, for: column.place(identity), in: database)
                try column.set(sealed, of: identity, in: database)
            }
            count += rows.count
        }
        return count
    }

    private func set(_ sealed: [UInt8], of row: String, in database: Database) throws {
        try database.execute(
            sql: "UPDATE \(table) SET \(name) = ? WHERE CAST(\(identity) AS TEXT) = ?",
            arguments: [Data(sealed), row]
        )
    }

    // MARK: What older versions left

    /// Whether secrets stand in the database as they are.
    static func isAnyReadable(in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (SELECT 1 FROM members WHERE code_secret IS NOT NULL)
                    OR EXISTS (SELECT 1 FROM webhooks WHERE secret <> '')
                """
        ) ?? false
    }

    /// Encrypts the secrets that stand in the database as they are.
    ///
    /// - Returns: Whether there were any.
    static func sealReadable(in database: Database, with secrets: StoreSecrets) throws -> Bool {
        guard try isAnyReadable(in: database) else { return false }
        let members = try Row.fetchAll(
            database,
            sql: "SELECT email, code_secret FROM members WHERE code_secret IS NOT NULL"
        )
        for row in members {
            let (email, secret): (String, Data) = (row["email"], row["code_secret"])
            let sealed = try secrets.seal(Array(secret), for: codeSecret.place(email), in: database)
            try codeSecret.set(sealed, of: email, in: database)
        }
        if let secret = try String.fetchOne(database, sql: "SELECT secret FROM webhooks WHERE secret <> ''") {
            let sealed = try secrets.seal(Array(secret.utf8), for: webhookSecret.place("1"), in: database)
            try webhookSecret.set(sealed, of: "1", in: database)
        }
        try database.execute(
            sql: """
                UPDATE members SET code_secret = NULL WHERE code_secret IS NOT NULL;
                UPDATE webhooks SET secret = '' WHERE secret <> '';
                """
        )
        return true
    }
}
