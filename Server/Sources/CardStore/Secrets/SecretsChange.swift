public import CardModel

/// A store whose secrets can be encrypted with another key.
public protocol SecretsStore: CardStore {
    /// Encrypts every secret with another key.
    func rotateSecretsKey(
        forgettingOldKeys forgetsOldKeys: Bool,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> SecretsChange

    /// Gives up every secret whose key is lost: removes second factors, and replaces the webhook's secret.
    func resetSecrets(webhookSecret: String, at now: UnixTime, by actor: Actor) async throws -> SecretsChange
}

/// What was changed of the secrets in a store with their key.
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
