/// A column that holds encrypted secrets; all of them, so that a change of the key forgets none.
package struct SealedColumn: Sendable {
    /// The table.
    package let table: String
    /// The column.
    package let name: String
    /// The column that tells the table's rows apart.
    package let identity: String

    /// The secrets of second factors.
    package static let codeSecret = SealedColumn(table: "members", name: "sealed_code_secret", identity: "email")
    /// The secret that the webhook is signed with.
    package static let webhookSecret = SealedColumn(table: "webhooks", name: "sealed_secret", identity: "id")
    /// Other secrets, by name.
    package static let value = SealedColumn(table: "sealed_values", name: "value", identity: "name")
    /// The content of messages to members, links to choose a password among it.
    package static let mailContent = SealedColumn(table: "mails", name: "sealed_content", identity: "id")
    /// Every column of them.
    package static let all = [codeSecret, webhookSecret, value, mailContent]

    /// Returns where the secret of a row belongs.
    package func place(_ row: String) -> SecretPlace { SecretPlace(table: table, column: name, row: row) }
}

/// A database that remembers which key its secrets are encrypted with.
package protocol SecretsRegistry {
    /// Returns the id of the key that secrets are encrypted with, or `nil` where none ever was.
    func registeredKey() throws -> [UInt8]?
    /// Remembers that secrets are encrypted with a key from now on.
    func register(_ key: SecretsKey) throws
    /// Whether other processes may use it at the same time, which have to have the same key.
    var isShared: Bool { get }
    /// Returns whether anything is encrypted.
    func isAnySealed() throws -> Bool
}
