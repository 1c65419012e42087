import CardModel
import CardStore

/// Nodes hear of each other's changes a moment later. Whoever was told of a change by one of them, and asks another,
/// must not find an older catalog there.
extension CatalogCache {
    /// How often the store is read until it has what it had at the beginning: once by another reader who began before,
    /// and once for that.
    private static let catchUpAttempts = 4

    /// Returns what is true now, read again first where the store has newer campaigns than this process knows.
    ///
    /// Many that ask at the same time share one read of the campaigns.
    ///
    /// - Throws: What kept the store from reading; an older catalog is never returned.
    func latest() async throws -> Snapshot {
        let newest = try await reading.generation()
        for _ in 0..<Self.catchUpAttempts where current.catalog.generation < newest { try await reloadTogether() }
        let snapshot = current
        guard snapshot.catalog.generation >= newest else {
            throw StoreError(.unavailable, "The campaigns can't be read as they are by now.")
        }
        return snapshot
    }

    /// Reads the store again, or waits for whoever does so already.
    private func reloadTogether() async throws {
        let task = sharedReload.withLock { running in
            if let running { return running }
            let new = Task { [self] in
                defer { sharedReload.withLock { $0 = nil } }
                try await reload()
            }
            running = new
            return new
        }
        try await task.value
    }
}

extension Services {
    /// Returns the catalog as it is in the store where other nodes may have changed it, or else as it is known.
    func latestCatalog() async throws -> CatalogCache.Snapshot {
        store.isShared ? try await catalog.latest() : catalog.current
    }

    /// Returns a catalog that has what a device was told of by another node.
    ///
    /// Nothing is read where this node has it, and next to nothing where a device only says so.
    ///
    /// - Parameters:
    ///   - generation: The generation that the device was told of.
    ///   - known: The catalog as it was when the request came.
    /// - Returns: That catalog, or the store's where it is older.
    /// - Throws: What kept the store from reading.
    func catalog(
        from generation: CatalogGeneration,
        _ known: CatalogCache.Snapshot
    ) async throws -> CatalogCache.Snapshot {
        known.catalog.generation < generation ? try await latestCatalog() : known
    }
}
