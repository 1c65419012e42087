import Foundation

/// A limit on the refreshes of a device, as the server sets it.
struct RefreshLimit: Sendable, Hashable, Codable {
    /// The number of refreshes that can follow each other at once.
    var burst: Int
    /// The number of seconds after which one more is allowed.
    var seconds: TimeInterval

    static let standard = RefreshLimit(burst: 5, seconds: 180)

    /// The largest burst that makes sense; a server that says more is not understood.
    static let largestBurst = 1_000_000

    /// Whether a device can be held to it.
    var isUsable: Bool { (1...Self.largestBurst).contains(burst) && (0...1e9).contains(seconds) }
}
