/// Decides when a bucket isn't asked for objects, so that those who load pictures don't wait for what doesn't answer.
///
/// A pure value. A connection that fails begins a pause, and so do several answers in a row that the service failed. An
/// answer that refuses one object says nothing of others.
struct BucketPause: Sendable {
    /// The time for which nothing is asked, in seconds.
    static let length = 5.0
    /// The number of failed answers in a row that begin a pause.
    static let failures = 3

    private var failed = 0
    private var end = -Double.infinity

    /// Whether the bucket may be asked.
    ///
    /// - Parameter now: Seconds of a clock that never goes back.
    /// - Returns: Whether no pause goes on.
    func allowsRequest(at now: Double) -> Bool { now >= end }

    /// Notes how a request ended.
    ///
    /// - Parameters:
    ///   - error: What it failed with, or `nil` where it succeeded.
    ///   - now: Seconds of a clock that never goes back.
    mutating func note(_ error: BucketError?, at now: Double) {
        switch error {
        case nil, .missing, .refused, .unexpected: failed = 0
        case .paused: break
        case .unreachable:
            failed = 0
            end = now + Self.length
        case .failed:
            failed += 1
            guard failed >= Self.failures else { return }
            failed = 0
            end = now + Self.length
        }
    }
}
