import Synchronization

/// A log of a store's groups of changes since it was opened: how large, how long they waited, and how long they took.
///
/// A store writes all changes that wait in one transaction, so these say whether the disk or the database keeps up.
public final class GroupCommitLog: Sendable {
    /// One group.
    public struct Group: Sendable, Hashable {
        /// The number of changes in it.
        public let changes: Int
        /// The time that the first of them had waited.
        public let wait: Duration
        /// The time until it was durable, or had failed.
        public let duration: Duration
    }

    /// A count of numbers by bounds that they are at most.
    public struct Histogram: Sendable, Hashable {
        /// The bounds, in ascending order.
        public let bounds: [Double]
        /// The number of numbers above the bound before and at most this one; the last ones were above all bounds.
        public private(set) var counts: [UInt64]
        /// The sum of the numbers.
        public private(set) var sum = 0.0

        init(_ bounds: [Double]) {
            self.bounds = bounds
            counts = bounds.map { _ in 0 } + [0]
        }

        // safe: every number has its place, and counts go up by one
        mutating func add(_ number: Double) {
            counts[bounds.firstIndex { number <= $0 } ?? bounds.count] += 1
            sum += number
        }
    }

    /// The counts of groups.
    public struct Counts: Sendable, Hashable {
        /// The numbers of changes in the groups.
        public fileprivate(set) var changes = Histogram([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024])
        /// The times that the first change of each waited, in seconds.
        public fileprivate(set) var waits = Histogram(GroupCommitLog.seconds)
        /// The times that each took, in seconds.
        public fileprivate(set) var durations = Histogram(GroupCommitLog.seconds)

        /// Creates counts of no groups.
        public init() {}
    }

    private struct State {
        var counts = Counts()
        var observer: (@Sendable (Group) -> Void)?
    }

    private static let seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

    private let state = Mutex(State())

    /// Creates a log of no groups.
    public init() {}

    /// The counts so far.
    public var counts: Counts { state.withLock(\.counts) }

    /// Has every group from now on told to a body, which has to return at once.
    public func observe(_ body: @escaping @Sendable (Group) -> Void) { state.withLock { $0.observer = body } }

    /// Runs a body that writes a group, and counts it.
    ///
    /// - Parameters:
    ///   - changes: How many changes it has.
    ///   - start: When the first of them was asked for.
    ///   - body: Writes the group.
    package func measure(_ changes: Int, since start: ContinuousClock.Instant, _ body: () -> Void) {
        let begin = ContinuousClock.now
        body()
        note(Group(changes: changes, wait: start.duration(to: begin), duration: begin.duration(to: .now)))
    }

    /// Counts a group.
    package func note(_ group: Group) {
        let observer = state.withLock { state in
            state.counts.changes.add(Double(group.changes))
            state.counts.waits.add(group.wait / .seconds(1))
            state.counts.durations.add(group.duration / .seconds(1))
            return state.observer
        }
        observer?(group)
    }
}
