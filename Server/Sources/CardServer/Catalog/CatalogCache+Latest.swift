import CardModel
import CardStore
import Synchronization

/// Nodes hear of each other's changes a moment later. Whoever was told of a change by one of them, and asks another,
/// must not find an older catalog there.
extension CatalogCache {
    /// The read that all share who need what others have changed.
    struct SharedReload {
        var running: Task<Void, any Error>?
        /// The time at which the last one failed.
        var failedAt: ContinuousClock.Instant?
    }

    /// The maximum number of times that the store is read until it has what it had at the beginning: once by another
    /// reader who began before, and once for that.
    private static let rounds = 4
    /// The time for which nobody tries again what has failed: whoever asks is told at once.
    private static let pause = Duration.seconds(1)

    /// Returns what is true now, read again first where other nodes share the store and it has newer campaigns than
    /// this process knows.
    ///
    /// Many that ask at the same time share one read of the campaigns.
    ///
    /// - Throws: What kept the store from reading; older campaigns than the store had when it was asked are never
    ///   returned.
    func latest() async throws -> Snapshot {
        guard isShared else { return current }
        let newest = try await reading.generation()
        let epoch = reading.epoch()
        for _ in 0..<Self.rounds where !current.isCurrent(newest, in: epoch) { try await reloadTogether() }
        let snapshot = current
        // What was just read from a server that another one has taken the place of can't be compared.
        guard snapshot.source.epoch != epoch || snapshot.isCurrent(newest, in: epoch) else { throw Self.behind }
        return snapshot
    }

    private static var behind: StoreError {
        StoreError(.unavailable, "The campaigns can't be read as they are by now.")
    }

    /// Reads the store again, or waits for whoever does so already.
    private func reloadTogether() async throws {
        let task = try sharedReload.withLock { state in
            if let running = state.running { return running }
            if let failedAt = state.failedAt, failedAt.duration(to: reading.now()) < Self.pause { throw Self.behind }
            let new = Task { [self] in
                do {
                    try await reload(isOfRequest: true)
                    sharedReload.withLock { $0 = SharedReload() }
                } catch {
                    sharedReload.withLock { $0 = SharedReload(failedAt: reading.now()) }
                    throw error
                }
            }
            state.running = new
            return new
        }
        try await task.value
    }
}

extension Services {
    /// Returns a catalog that has what a device was told of by another node.
    ///
    /// Nothing is read where this node has it, and next to nothing where a device only says so.
    ///
    /// - Parameters:
    ///   - generation: The generation that the device was told of.
    ///   - known: The catalog as it was when the request came.
    /// - Returns: That catalog, or the store's where it is older.
    /// - Throws: `RequestError` with 503 where the store can't be read.
    func catalog(
        from generation: CatalogGeneration,
        _ known: CatalogCache.Snapshot
    ) async throws(RequestError) -> CatalogCache.Snapshot {
        guard known.catalog.generation < generation else { return known }
        do {
            let latest = try await catalog.latest()
            guard latest.areSettingsKnown else { throw RequestError.unavailable }
            return latest
        } catch {
            logger.error(
                "Devices that know newer campaigns get no answer: they can't be read",
                metadata: ["error": "\(error)", "known": "\(known.catalog.generation)"]
            )
            throw .unavailable
        }
    }
}
