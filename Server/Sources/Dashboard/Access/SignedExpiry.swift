import CardModel

/// The end of something that was signed, in whole Unix seconds.
///
/// Who holds the key may sign any number: before there is a session, forms are signed with a key that the browser
/// itself keeps. An expiry is therefore an integer of the range that times have, and nothing is valid for longer than
/// it is ever issued for.
struct SignedExpiry: Sendable, Equatable {
    /// Whether something that was signed can still be used.
    enum State: Equatable {
        case valid
        /// It was valid once.
        case over
        /// It ends later than anything that was issued by now can.
        case forged
    }

    /// The difference that the clocks of nodes can have, in seconds.
    private static let skew: Int64 = 300
    // safe: the year 9999
    private static let range = 0...Int64(nearest: Timestamp.range.upperBound)

    let seconds: Int64

    /// Creates the expiry of something that is issued now.
    init(_ lifetime: Int64, after now: UnixTime) {
        let end = Int64(nearest: now.rounded(.down)).addingClamped(lifetime)
        seconds = min(max(end, Self.range.lowerBound), Self.range.upperBound)
    }

    /// Creates an expiry of a decimal number, or returns `nil` if there can be no such time.
    init?(decimal text: some StringProtocol) {
        guard let seconds = Int64(text), Self.range.contains(seconds) else { return nil }
        self.seconds = seconds
    }

    /// Creates an expiry of eight bytes, the most significant first, or returns `nil` if there can be no such time.
    init?(bytes: ArraySlice<UInt8>) {
        let number = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard bytes.count == 8, let seconds = Int64(exactly: number), Self.range.contains(seconds) else { return nil }
        self.seconds = seconds
    }

    /// The eight bytes, the most significant first.
    var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: seconds >> (56 - 8 * $0)) } }

    /// The moment as the store keeps it.
    var time: UnixTime { UnixTime(seconds) }

    /// Returns whether what ends then and is issued for at most `lifetime` seconds is valid.
    func state(at now: UnixTime, lifetime: Int64) -> State {
        let latest = SignedExpiry(lifetime, after: now).seconds.addingClamped(Self.skew)
        return seconds > latest ? .forged : time > now ? .valid : .over
    }
}
