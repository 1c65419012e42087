import Synchronization

/// Permits reads that add up what all databases have to go on without those that don't answer, and notes which.
///
/// It is for what people are shown together with that note: ``UserStore/userCount()``,
/// ``ReportStore/campaignTotals(of:)`` and ``ReportStore/dayTotals(from:)``. All other reads fail as ever, and so do
/// these where nothing permits it.
public final class PartialReads: Sendable {
    /// The permission that the running task has, or `nil` where nothing may be missing.
    @TaskLocal public static var current: PartialReads?

    private let absent = Mutex<Set<Int>>([])

    /// The databases that were missing, by their numbers.
    public var absentShards: [Int] { absent.withLock { $0.sorted() } }

    private init() {}

    /// Notes that a database is missing from what is read.
    public func note(_ shard: Int) { absent.withLock { _ = $0.insert(shard) } }

    /// Reads something from which databases that don't answer may be missing.
    ///
    /// - Parameter body: Reads it.
    /// - Returns: What it returns, and the numbers of the databases that are missing from it.
    /// - Throws: What it throws.
    public static func permitted<Value>(
        _ body: () async throws -> Value
    ) async rethrows -> (value: Value, absentShards: [Int]) {
        let reads = PartialReads()
        let value = try await $current.withValue(reads) { try await body() }
        return (value, reads.absentShards)
    }
}
