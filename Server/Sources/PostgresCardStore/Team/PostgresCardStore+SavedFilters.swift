public import CardModel
public import CardStore

extension PostgresCardStore {
    /// Reads the filters of a member and those that are shared.
    public func savedFilters(of email: String) async throws -> [SavedFilter] {
        try await read { connection in
            try connection.rows(
                "SELECT * FROM saved_filters WHERE owner = $1 OR shared ORDER BY name, id",
                [email]
            ).map(SavedFilter.init)
        }
    }

    /// Reads one filter, or returns `nil`.
    public func savedFilter(_ id: String) async throws -> SavedFilter? {
        try await read { try SavedFilterRow.find(id, in: $0) }
    }

    /// Adds a filter.
    public func insertSavedFilter(_ filter: SavedFilter, by actor: Actor) async throws {
        try await writer.writeAlone { session in
            let connection = session.connection
            // Whoever counts filters or members on another node waits until the commit.
            try MemberRow.lockAll(connection)
            guard try SavedFilterRow.hasMember(filter.owner, in: connection) else { throw StoreError.noFilterOwner }
            guard try SavedFilterRow.find(filter.id, in: connection) == nil else { throw StoreError.savedFilterExists }
            try SavedFilterRow.checkRoom(for: filter, after: nil, in: connection)
            try SavedFilterRow.insert(filter, into: connection)
            if let action = filter.auditAction(after: nil) {
                session.audit(action, of: filter.name, at: filter.createdAt, by: actor)
            }
        }
    }

    /// Saves the name of a filter and whether it is shared.
    public func updateSavedFilter(_ filter: SavedFilter, by actor: Actor) async throws {
        try await writer.writeAlone { session in
            try MemberRow.lockAll(session.connection)
            guard let previous = try SavedFilterRow.find(filter.id, in: session.connection) else {
                throw StoreError.noSavedFilter
            }
            try SavedFilterRow.checkRoom(for: filter, after: previous, in: session.connection)
            try session.connection.execute(
                "UPDATE saved_filters SET name = $1, shared = $2, updated_at = $3 WHERE id = $4",
                [filter.name, filter.isShared, filter.updatedAt, filter.id]
            )
            if let action = filter.auditAction(after: previous) {
                session.audit(action, of: filter.name, at: filter.updatedAt, by: actor)
            }
        }
    }

    /// Deletes a filter.
    public func deleteSavedFilter(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await writer.writeAlone { session in
            try MemberRow.lockAll(session.connection)
            guard let filter = try SavedFilterRow.find(id, in: session.connection) else { return false }
            try session.connection.execute("DELETE FROM saved_filters WHERE id = $1", [id])
            if filter.isShared { session.audit("filter.delete", of: filter.name, at: now, by: actor) }
            return true
        }
    }
}

/// A saved filter as a row keeps it.
private enum SavedFilterRow {
    static func find(_ id: String, in connection: PostgresConnection) throws -> SavedFilter? {
        try connection.row("SELECT * FROM saved_filters WHERE id = $1", [id]).map(SavedFilter.init)
    }

    static func hasMember(_ email: String, in connection: PostgresConnection) throws -> Bool {
        try connection.row("SELECT 1 AS found FROM members WHERE email = $1", [email]) != nil
    }

    static func checkRoom(
        for filter: SavedFilter,
        after previous: SavedFilter?,
        in connection: PostgresConnection
    ) throws {
        let row = try connection.row(
            """
            SELECT count(*) FILTER (WHERE owner = $1) AS own, count(*) FILTER (WHERE shared) AS all_shared
            FROM saved_filters WHERE owner = $1 OR shared
            """,
            [filter.owner]
        )
        try filter.checkRoom(
            own: row?.integer("own") ?? 0,
            shared: row?.integer("all_shared") ?? 0,
            after: previous
        )
    }

    static func insert(_ filter: SavedFilter, into connection: PostgresConnection) throws {
        try connection.execute(
            """
            INSERT INTO saved_filters (id, list, owner, shared, name, query, created_at, updated_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            [
                filter.id, filter.list.rawValue, filter.owner, filter.isShared, filter.name, filter.query,
                filter.createdAt, filter.updatedAt,
            ]
        )
    }
}
