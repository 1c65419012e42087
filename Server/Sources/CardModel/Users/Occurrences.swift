public import WireJSON

/// The number of times and the times at which something happened, in little room: the count, the first and last time,
/// and the latest times.
public struct Occurrences: Sendable, Hashable {
    /// The number of the latest times that are kept, and beside them of those that are still to come.
    public static let recentLimit = 100

    /// The number of times it happened; never 0.
    public internal(set) var count: Int64
    /// The time at which it happened first.
    public internal(set) var first: UnixTime
    /// The time at which it happened last.
    public internal(set) var last: UnixTime
    /// The latest times to the millisecond, the oldest first, and after them the nearest of those that were to come.
    public internal(set) var recent: [UnixTime]

    /// Creates the first occurrence.
    public init(at time: UnixTime) {
        count = 1
        first = time
        last = time
        recent = [Self.rounded(time)]
    }

    /// Restores what a store kept.
    public init(count: Int64, first: UnixTime, last: UnixTime, recent: [UnixTime]) {
        self.count = count
        self.first = first
        self.last = last
        self.recent = recent
    }

    /// Adds an occurrence, which need not be the latest.
    ///
    /// - Parameters:
    ///   - time: When it happened.
    ///   - now: When it is known; what is dated ahead of that pushes out nothing that has happened.
    /// - Returns: Its place among ``recent``, and the places that are kept then.
    @discardableResult
    public mutating func add(_ time: UnixTime, now: UnixTime) -> (place: Int, kept: Range<Int>) {
        // safe: each of them took a request
        count += 1
        first = min(first, time)
        last = max(last, time)
        let time = Self.rounded(time)
        let later = recent.reversed().prefix { $0 > time }.count
        let place = recent.count - later
        recent.insert(time, at: place)
        let kept = Self.kept(of: recent, now: now)
        recent.keep(kept)
        return (place, kept)
    }

    /// The places of the latest times that have come, and of the nearest that have not.
    static func kept(of times: [UnixTime], now: UnixTime) -> Range<Int> {
        let now = rounded(now)
        let ahead = times.reversed().prefix { $0 > now }.count
        let come = times.count - ahead
        // safe: the start is at most what has come
        return max(0, come - recentLimit)..<come + min(ahead, recentLimit)
    }

    static func rounded(_ time: UnixTime) -> UnixTime { (time * 1000).rounded() / 1000 }
}

/// The purchases of one product in one currency by a user.
public struct PurchaseRecord: Sendable, Hashable {
    /// The number of purchases and their times; one purchase of several pieces counts once.
    public internal(set) var occurrences: Occurrences
    /// The amount that was paid in all.
    public internal(set) var revenue: Amount
    /// The amounts that were paid at each time of ``Occurrences/recent``.
    public internal(set) var recentAmounts: [Amount]

    /// Creates the first purchase.
    public init(of amount: Amount, at time: UnixTime) {
        occurrences = Occurrences(at: time)
        revenue = amount
        recentAmounts = [amount]
    }

    /// Restores what a store kept.
    public init(occurrences: Occurrences, revenue: Amount, recentAmounts: [Amount]) {
        self.occurrences = occurrences
        self.revenue = revenue
        self.recentAmounts = recentAmounts
    }

    /// Adds a purchase, which need not be the latest, and which is known at `now`.
    public mutating func add(_ amount: Amount, at time: UnixTime, now: UnixTime) {
        revenue += amount
        let change = occurrences.add(time, now: now)
        recentAmounts.insert(amount, at: change.place)
        recentAmounts.keep(change.kept)
    }
}

extension Array {
    /// Removes what is outside of a range, which is nearly always nothing.
    fileprivate mutating func keep(_ range: Range<Int>) {
        if range.upperBound < count { removeSubrange(range.upperBound...) }
        if range.lowerBound > 0 { removeSubrange(..<range.lowerBound) }
    }
}
