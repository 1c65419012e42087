public import WireJSON

/// How often something happened and when, in little room: the count, the first and last time, and the latest times.
public struct Occurrences: Sendable, Hashable {
    /// How many of the latest times are kept.
    public static let recentLimit = 100

    /// How often it happened; never 0.
    public internal(set) var count: Int64
    /// When it happened first.
    public internal(set) var first: UnixTime
    /// When it happened last.
    public internal(set) var last: UnixTime
    /// The latest times to the millisecond, the oldest first.
    public internal(set) var recent: [UnixTime]

    /// Makes the first occurrence.
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
    /// - Returns: Its place among ``recent`` and whether the oldest of them left, or `nil` where it is too old to be one.
    @discardableResult
    public mutating func add(_ time: UnixTime) -> (place: Int, dropsOldest: Bool)? {
        // safe: each of them took a request
        count += 1
        first = min(first, time)
        last = max(last, time)
        let time = Self.rounded(time)
        let later = recent.reversed().prefix { $0 > time }.count
        let place = recent.count - later
        let isFull = recent.count >= Self.recentLimit
        if isFull, place == 0 { return nil }
        recent.insert(time, at: place)
        if isFull { recent.removeFirst() }
        return (place, isFull)
    }

    static func rounded(_ time: UnixTime) -> UnixTime { (time * 1000).rounded() / 1000 }
}

/// What a user bought of one product in one currency.
public struct PurchaseRecord: Sendable, Hashable {
    /// How often and when; one purchase of several pieces counts once.
    public internal(set) var occurrences: Occurrences
    /// What was paid in all.
    public internal(set) var revenue: Amount
    /// What was paid at each time of ``Occurrences/recent``.
    public internal(set) var recentAmounts: [Amount]

    /// Makes the first purchase.
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

    /// Adds a purchase, which need not be the latest.
    public mutating func add(_ amount: Amount, at time: UnixTime) {
        revenue += amount
        guard let change = occurrences.add(time) else { return }
        recentAmounts.insert(amount, at: change.place)
        // safe: one was put in
        if change.dropsOldest { recentAmounts.removeFirst() }
    }
}
