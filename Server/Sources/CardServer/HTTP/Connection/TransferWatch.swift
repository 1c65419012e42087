/// Sees that bytes keep coming, or keep going, at some rate.
///
/// Time is cut into windows. A transfer that is not over by the end of a window must have moved as many bytes in it as
/// the rate demands: so nobody gets far with much at first and nothing then, nor with a byte now and then.
struct TransferWatch: Sendable, Equatable {
    /// The speed that is demanded of a transfer.
    struct Demand: Sendable, Equatable {
        /// The length of a window, in seconds.
        var window: Double
        /// The bytes a second that have to be moved in each window, on average.
        var rate: Double
    }

    let demand: Demand
    private var start: Double
    private var bytes = 0.0

    init(_ demand: Demand, at now: Double) {
        self.demand = demand
        start = now
    }

    /// The end of the window.
    var deadline: Double { start + demand.window }

    /// Counts bytes.
    mutating func add(_ count: Int) { bytes += Double(count) }

    /// Begins a new window where one has ended, and returns whether the transfer was too slow in it.
    mutating func isTooSlow(at now: Double) -> Bool {
        guard now >= deadline else { return false }
        let isTooSlow = bytes < demand.rate * demand.window
        self = TransferWatch(demand, at: now)
        return isTooSlow
    }
}
