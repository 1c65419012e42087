public import CardModel
public import CardStore
import GRDB

extension SQLiteCardStore {
    /// Reads on the caller's thread: the file is at hand, and writers do not keep readers waiting.
    public var immediateReads: (any ImmediateReads)? { readers }

    /// Reads the little of a user that tells whether anything has changed.
    public func userRevision(of user: UserID) async throws -> UserRevision? {
        try readers.userRevision(of: user)
    }

    /// Reads everything about a user that decides their feed.
    public func userState(
        of user: UserID,
        including parts: UserHistory.Parts,
        dueBy time: UnixTime
    ) async throws -> UserState? {
        try readers.userState(of: user, including: parts, dueBy: time)
    }

    /// Saves what was decided for a user, unless the user has changed since.
    public func saveFeed(_ change: FeedChange) async throws -> UserVersion? {
        try await writer.write { try $0.save(change) }
    }

    /// Notes what a device says of itself and that it was heard of.
    public func recordDevice(_ device: DeviceContext, of user: UserID, at now: UnixTime) async throws {
        try await writer.write { try $0.note(device, of: user, at: now) }
    }

    /// Counts events.
    public func recordEvents(_ batch: EventBatch) async throws -> EventOutcome {
        try await writer.write { try $0.record(batch) }
    }

    /// Reads a user's events, the newest first.
    public func userEvents(of user: UserID, limit: Int) async throws -> [StoredEvent] {
        try await read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    \(MergedLogRow.events())
                    WHERE position IN (
                        SELECT position FROM events WHERE user_id IN \(MergedLogRow.ids(of: "?1"))
                        ORDER BY position DESC LIMIT ?2
                    )
                    ORDER BY position DESC
                    """,
                arguments: [user.rawValue, PageLimit.clamp(limit)]
            )
            return try EventRows(rows).events
        }
    }

    /// Reads through GRDB: for what is not hot.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        do { return try await pool.read(body) } catch { throw StoreError(error) }
    }

    /// Reads what may take seconds, beside few others of the kind.
    func longRead<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await longReads.run { () async throws(StoreError) in try await read(body) }
    }
}
