import CardStore
import Foundation
import GRDB

/// A column that holds encrypted secrets; all of them, so that a change of the key forgets none.
struct SealedColumn {
    let table: String
    let name: String
    /// The column that tells the table's rows apart.
    let identity: String

    static let codeSecret = SealedColumn(table: "members", name: "sealed_code_secret", identity: "email")
    static let webhookSecret = SealedColumn(table: "webhooks", name: "sealed_secret", identity: "id")
    static let value = SealedColumn(table: "sealed_values", name: "value", identity: "name")
    static let all = [codeSecret, webhookSecret, value]

    /// Where the secret of a row belongs.
    func place(_ row: String) -> SecretPlace { SecretPlace(table: table, column: name, row: row) }

    // MARK: The key in use

    /// The id of the key that secrets are encrypted with, or `nil` where none ever was.
    static func registeredKey(in database: Database) throws -> [UInt8]? {
        try Data.fetchOne(database, sql: "SELECT secrets_key FROM store WHERE id = 1").map(Array.init)
    }

    static func register(_ key: SecretsKey, in database: Database) throws {
        try database.execute(sql: "UPDATE store SET secrets_key = ? WHERE id = 1", arguments: [Data(key.id)])
    }

    static func isAnySealed(in database: Database) throws -> Bool {
        try all.contains { column in
            try Bool.fetchOne(
                database,
                sql: "SELECT EXISTS (SELECT 1 FROM \(column.table) WHERE \(column.name) IS NOT NULL)"
            ) ?? false
        }
    }

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
                let secret = try secrets.open(stored, for: column.place(identity), exactly: true)
                let sealed = try secrets.seal(secret, for: column.place(identity), in: database)
                try column.set(sealed, of: identity, in: database)
            }
            count += rows.count
        }
        return count
    }

    private func set(_ sealed: Data?, of row: String, in database: Database) throws {
        try database.execute(
            sql: "UPDATE \(table) SET \(name) = ? WHERE CAST(\(identity) AS TEXT) = ?",
            arguments: [sealed, row]
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
