public import CardStore
import Synchronization

/// A failure of the work that a sharded store does by itself; the work is tried again.
public struct HousekeepingFailure: Sendable, Hashable {
    /// The work.
    public let work: StoreTraffic.HousekeepingWork
    /// The number of the database that it was done for, or `nil` where it concerns all of them.
    public let shard: Int?
    /// The reason.
    public let error: StoreError
    /// The number of failures of the same work there that weren't told since the last one that was.
    public let omitted: Int
}

/// The failures of a store's housekeeping: all are counted, and some of them are to be told.
///
/// A look comes each second, and what fails once mostly fails for a while.
struct HousekeepingFailures {
    private struct FailurePlace: Hashable {
        let work: StoreTraffic.HousekeepingWork
        let shard: Int?
    }

    /// The time after which a failure of the same work in the same database is told again.
    static let window = Duration.seconds(600)

    /// The number of failures since the store was opened, by work.
    private(set) var counts: [StoreTraffic.HousekeepingWork: Int] = [:]
    private var told: [FailurePlace: (at: ContinuousClock.Instant, omitted: Int)] = [:]

    /// Counts a failure.
    ///
    /// - Returns: What is to be told of it, or `nil` where the same was told not long ago.
    mutating func note(
        _ error: StoreError,
        of work: StoreTraffic.HousekeepingWork,
        in shard: Int?,
        at now: ContinuousClock.Instant
    ) -> HousekeepingFailure? {
        // safe: counted one by one
        counts[work, default: 0] += 1
        let place = FailurePlace(work: work, shard: shard)
        if let last = told[place], now - last.at < Self.window {
            // safe: counted one by one
            told[place] = (at: last.at, omitted: last.omitted + 1)
            return nil
        }
        let omitted = told[place]?.omitted ?? 0
        told[place] = (at: now, omitted: 0)
        return HousekeepingFailure(work: work, shard: shard, error: error, omitted: omitted)
    }
}

/// Counts and tells what fails of a store's housekeeping.
final class HousekeepingLog: Sendable {
    private let failures = Mutex(HousekeepingFailures())
    private let report: @Sendable (HousekeepingFailure) -> Void

    /// Creates a log.
    ///
    /// - Parameter report: Told of failures, of the same ones now and then.
    init(_ report: @escaping @Sendable (HousekeepingFailure) -> Void = { _ in }) { self.report = report }

    /// The number of failures since the store was opened, by work.
    var counts: [StoreTraffic.HousekeepingWork: Int] { failures.withLock { $0.counts } }

    /// Does some work; what keeps it from being done is counted and told, and keeps no other work from being done.
    func run(
        _ work: StoreTraffic.HousekeepingWork,
        in shard: Int? = nil,
        at now: ContinuousClock.Instant = .now,
        _ body: () async throws -> Void
    ) async {
        do {
            try await body()
        } catch {
            // What was under way when the store was closed is no failure.
            guard !Task.isCancelled else { return }
            let reason = error as? StoreError ?? StoreError(.unavailable, "It failed: \(type(of: error)).")
            let failure = failures.withLock { $0.note(reason, of: work, in: shard, at: now) }
            if let failure { report(failure) }
        }
    }
}
