import WireJSON

extension Occurrences {
    /// Adds what another user did; of the times of both, the latest are kept, and the nearest that are to come.
    ///
    /// - Returns: For each of ``recent``, its place among the former times of this value and then those of the other.
    @discardableResult
    mutating func merge(_ other: Occurrences, at now: UnixTime) -> [Int] {
        // safe: each of them took a request
        count += other.count
        first = min(first, other.first)
        last = max(last, other.last)
        let times = recent + other.recent
        let sorted = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
        let kept = Self.kept(of: sorted.map { times[$0] }, now: now)
        // safe: a range of their places
        let places = Array(sorted[kept])
        recent = places.map { times[$0] }
        return places
    }

    /// Takes back an occurrence that another user has too.
    ///
    /// What is left is added to that user's, so ``first`` and ``last`` stay.
    ///
    /// - Parameter place: Its place among ``recent``, or `nil` where it is too old to be one.
    mutating func removeRepeated(at place: Int?) {
        // safe: it was counted
        count -= 1
        if let place { recent.remove(at: place) }
    }
}

extension PurchaseRecord {
    /// Adds what another user bought.
    mutating func merge(_ other: PurchaseRecord, at now: UnixTime) {
        revenue += other.revenue
        let amounts = recentAmounts + other.recentAmounts
        // safe: one amount for each time
        recentAmounts = occurrences.merge(other.occurrences, at: now).map { amounts[$0] }
    }

    /// Takes back a purchase that another user has too.
    mutating func removeRepeated(_ amount: Amount, at time: UnixTime) {
        revenue -= amount
        let time = Occurrences.rounded(time)
        let places = occurrences.recent.indices.filter { occurrences.recent[$0] == time }
        // safe: one amount for each time
        let place = places.last { recentAmounts[$0] == amount } ?? places.last
        occurrences.removeRepeated(at: place)
        if let place { recentAmounts.remove(at: place) }
    }
}
