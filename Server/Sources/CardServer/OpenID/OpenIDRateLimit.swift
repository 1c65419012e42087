import CardModel

/// A limit on how often one address can have the provider asked: 60 times at once, and then twice a second.
///
/// Nothing but a request is needed for it, so what a stranger can make the server do is bounded in time, and what is
/// counted is bounded in number. Members who share an address sign in with two visits each.
struct OpenIDRateLimit: Sendable {
    private static let rate = DeviceLimits.Rate(burst: 60, perSecond: 2)

    private let buckets = TokenBuckets(capacity: 1 << 14)
    private let uptime: @Sendable () -> Double

    /// Creates the counts.
    ///
    /// - Parameter uptime: Seconds of a clock that never goes back.
    init(uptime: @escaping @Sendable () -> Double) { self.uptime = uptime }

    /// Counts an opened page.
    ///
    /// - Returns: The seconds until there is room for it, or `nil` where there was; then it is counted.
    func wait(of client: ClientConnection) -> Double? {
        guard let key = client.key else { return nil }
        return buckets.take(BucketKey(.address, key), Self.rate, at: uptime())
    }
}
