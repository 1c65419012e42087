public import CardModel

/// A store whose secrets can be encrypted with another key.
public protocol SecretsStore: CardStore {
    /// Writes a new key in front of the others in the key file, and encrypts nothing with it yet.
    ///
    /// So that every node of a database can have the key before it is used.
    ///
    /// - Returns: The key's id; one that was prepared before and isn't in use yet is kept.
    /// - Throws: `StoreError.notFound` where keys aren't kept in a file.
    func prepareSecretsKey() async throws -> String

    /// Encrypts every secret with another key.
    func rotateSecretsKey(
        to choice: SecretsKeyChoice,
        forgettingOldKeys forgetsOldKeys: Bool,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> SecretsChange

    /// Gives up every secret whose key is lost: removes second factors, and replaces the webhook's secret.
    func resetSecrets(webhookSecret: String, at now: UnixTime, by actor: Actor) async throws -> SecretsChange
}

/// The key that secrets are encrypted with from now on.
public enum SecretsKeyChoice: Sendable, Hashable {
    /// One that is created for it; of keys that are kept elsewhere, the first.
    case new
    /// The one that was prepared, which every node has by now.
    case prepared
}

/// The secrets in a store that were changed with their key.
public struct SecretsChange: Sendable, Hashable {
    /// The key in use from now on, by its id.
    public let key: String
    /// The number of secrets that are encrypted with it.
    public let count: Int
    /// The webhook's secret where it was replaced.
    public var webhookSecret: String?
    /// The members whose second factor was removed.
    public var members: [String] = []

    /// Creates a change.
    public init(key: String, count: Int) {
        self.key = key
        self.count = count
    }
}
