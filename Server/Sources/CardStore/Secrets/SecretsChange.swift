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
