import CardModel
import CardStore
import Dispatch

/// Keeps the partitions of the log: when the store is opened, and from time to time.
///
/// Every node does; whichever takes the lock first does the work.
final class PartitionKeeper: Sendable {
    /// Partitions are created days ahead, so nothing depends on when exactly that is.
    private static let interval = Duration.seconds(1_800)

    let settings: ConnectionSettings
    private let now: @Sendable () -> UnixTime
    private let queue = DispatchQueue(label: "placard.postgres.partitions")

    init(_ settings: ConnectionSettings, now: @escaping @Sendable () -> UnixTime) {
        self.settings = settings
        self.now = now
    }

    /// Creates what is missing, and drops what the settings don't keep, until it is cancelled.
    func start() -> Task<Void, Never> {
        Task { [self] in
            while true {
                // Randomly, so that all nodes don't come at once.
                do { try await Task.sleep(for: Self.interval * Double.random(in: 0.75...1.25)) } catch { return }
                // What fails is tried again the next time, and `placard doctor` sees it.
                _ = try? await run { job in try Self.keep(job, at: self.now()) }
            }
        }
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
