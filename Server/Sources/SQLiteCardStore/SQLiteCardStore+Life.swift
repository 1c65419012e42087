public import CardStore
import GRDB

extension SQLiteCardStore {
    /// Tells of changes from now on, whichever process made them.
    public func changes() -> AsyncStream<StoreChange> { listeners.listen() }

    /// Checks that the store can be read and written, by doing both.
    public func checkHealth() async throws {
        let now = now()
        try await writer.write { session in
            try session.database.execute(sql: "UPDATE store SET checked_at = ? WHERE id = 1", arguments: [now])
        }
        let written = try await read { try Double.fetchOne($0, sql: "SELECT checked_at FROM store WHERE id = 1") }
        guard let written, written >= now else {
            throw StoreError(.unavailable, "What was written cannot be read back. See `doctor`.")
        }
    }

    /// Writes a copy of the whole store that is consistent in itself, with an epoch of its own.
    public func backUp(to path: String) async throws {
        try await Backup(source: pool, destination: path).run()
    }

    /// Finishes what is under way and closes the store.
    ///
    /// Closing it again does nothing.
    public func close() async throws {
        let task = closing.withLock { closing in
            let task = closing ?? Task { try await finish() }
            closing = task
            return task
        }
        try await task.value
    }

    private func finish() async throws {
        await stopWatching()
        listeners.close()
        await writer.close()
        readers.close()
        try translatingErrors {
            pool.writeWithoutTransaction { _ = try? $0.checkpoint(.truncate) }
            try pool.close()
        }
    }
}
