/// The record of an event on which the server fails: it is kept over launches, so that a restart does not begin again.
///
/// Batches are halved until the event stands alone. One that fails three times alone is set aside.
struct EventTrial: Sendable, Equatable {
    /// The number of times that an event can fail alone.
    static let patience = 3
    /// The most events that any request carries.
    static let largestBatch = 10_000

    /// The most events of a request; `nil` for as many as fit.
    var limit: Int?
    /// The event that failed alone.
    private(set) var sequence: UInt64 = 0
    /// The number of times it did.
    private(set) var failures = 0
    /// Whether it failed once more, and it is not known yet whether the server fails without it, too.
    private(set) var isSuspected = false

    init() {}

    /// Restores a trial from a file; what can't be meant counts as nothing.
    init(limit: Int?, sequence: UInt64, failures: Int, isSuspected: Bool) {
        self.limit = limit.flatMap { (1...Self.largestBatch).contains($0) ? $0 : nil }
        guard (0..<Self.patience).contains(failures) else { return }
        (self.sequence, self.failures, self.isSuspected) = (sequence, failures, isSuspected)
    }

    /// Notes that a request with an event alone failed.
    mutating func suspect(_ sequence: UInt64) {
        if self.sequence != sequence { failures = 0 }
        (self.sequence, isSuspected) = (sequence, true)
    }

    /// Notes that an event failed alone.
    ///
    /// Returns whether that was once too often.
    mutating func fail(_ sequence: UInt64) -> Bool {
        if self.sequence != sequence { failures = 0 }
        (self.sequence, isSuspected) = (sequence, false)
        // safe: it ends at three
        failures += 1
        guard failures >= Self.patience else { return false }
        (self.sequence, failures) = (0, 0)
        return true
    }

    /// Forgets what is over: the failures of an event that is not pending any more, and all of it where none is.
    mutating func settle(first: UInt64?) {
        guard let first else {
            self = EventTrial()
            return
        }
        if sequence < first { (sequence, failures, isSuspected) = (0, 0, false) }
    }
}
