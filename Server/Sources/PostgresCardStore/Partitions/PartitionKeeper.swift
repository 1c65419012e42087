import CardModel
import CardStore
import Dispatch
import Synchronization

/// Keeps the partitions of the log: when the store is opened, and from time to time.
///
/// Every node does; whichever takes the lock first does the work.
final class PartitionKeeper: Sendable {
    /// Partitions are created days ahead, so nothing depends on when exactly that is.
    private static let interval = Duration.seconds(1_800)

    let settings: ConnectionSettings
    private let now: @Sendable () -> UnixTime
    private let onFailure: @Sendable (StoreError) -> Void
    private let queue = DispatchQueue(label: "placard.postgres.partitions")
    private let failureCount = Atomic<Int>(0)

    /// The number of times that partitions couldn't be created or dropped.
    var failures: Int { failureCount.load(ordering: .relaxed) }

    init(
        _ settings: ConnectionSettings,
        now: @escaping @Sendable () -> UnixTime,
        onFailure: @escaping @Sendable (StoreError) -> Void = { _ in }
    ) {
        self.settings = settings
        self.now = now
        self.onFailure = onFailure
    }

    /// Creates what is missing, and drops what the settings don't keep, until it is cancelled.
    func start() -> Task<Void, Never> {
        Task { [self] in
            while true {
                // Randomly, so that all nodes don't come at once.
                do { try await Task.sleep(for: Self.interval * Double.random(in: 0.75...1.25)) } catch { return }
                await keep()
            }
        }
    }

    /// Creates what is missing, and drops what the settings don't keep; what fails is noted, and tried again the next
    /// time.
    func keep() async {
        do throws(StoreError) {
            try await run { job in try Self.keep(job, at: self.now()) }
        } catch {
            note(error)
        }
    }

    /// Does the same on a connection of the caller's, who waits for it.
    func keep(on connection: PostgresConnection) {
        do {
            try Self.keep(EventPartitionJob(connection: connection, settings: settings), at: now())
        } catch {
            note(StoreError(error))
        }
    }

    /// Counts and tells a failure.
    func note(_ failure: StoreError) {
        failureCount.add(1, ordering: .relaxed)
        onFailure(failure)
    }

    /// Runs a body on a connection of its own, which is closed afterwards: a table that is locked keeps no request
    /// waiting.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (EventPartitionJob) throws -> Value
    ) async throws(StoreError) -> Value {
        let settings = settings
        let result: Result<Value, StoreError> = await withUnsafeContinuation { continuation in
            queue.async {
                do {
                    let connection = try PostgresConnection(settings)
                    let job = EventPartitionJob(connection: connection, settings: settings)
                    continuation.resume(returning: .success(try body(job)))
                } catch {
                    continuation.resume(returning: .failure(StoreError(error)))
                }
            }
        }
        return try result.get()
    }

    /// Creates what is missing, and drops whole partitions that the settings don't keep.
    static func keep(_ job: EventPartitionJob, at now: UnixTime) throws {
        let days = try StoreRow.settings(job.connection).eventDays
        _ = try job.create(at: now, keeping: days)
        guard let days else { return }
        // A node whose clock is fast must not drop what is kept.
        _ = try job.drop(before: job.moment(now) - Double(days) * 86_400)
    }
}
