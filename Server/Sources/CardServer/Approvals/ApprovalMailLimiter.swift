import CardModel

/// A limit on the e-mails to administrators about one caller's requests for approval: 20 at once, then one in five
/// minutes.
///
/// Whoever may edit campaigns asks as often as they like, and each request replaces the one before. Without a limit
/// that would be thousands of messages to each administrator, behind which links for forgotten passwords wait.
struct ApprovalMailLimiter: Sendable {
    /// The rate at which administrators are told.
    static let rate = DeviceLimits.Rate(burst: 20, perSecond: 1.0 / 300)

    private let buckets = TokenBuckets(capacity: 1 << 12)
    private let uptime: @Sendable () -> Double

    /// Creates a limiter.
    ///
    /// - Parameter uptime: Returns the seconds of a clock that never goes back.
    init(uptime: @escaping @Sendable () -> Double) { self.uptime = uptime }

    /// Counts a request, and returns whether administrators are told of it.
    func takes(_ approval: Approval) -> Bool {
        let name = "\(approval.requesterKind) \(approval.requester)"
        return buckets.take(BucketKey(.key, name), Self.rate, at: uptime()) == nil
    }
}
