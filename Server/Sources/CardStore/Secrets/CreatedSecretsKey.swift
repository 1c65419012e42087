/// A key for secrets that was created because there was none when a store was opened.
public struct CreatedSecretsKey: Sendable, Hashable {
    /// The file that has it.
    public let file: String
    /// The key's id.
    public let key: String
    /// The id of the key that the database named and that was missing; `nil` where it had none.
    public let replaced: String?
}
