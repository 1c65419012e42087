public import CardModel
public import CardStore
import GRDB

extension SQLiteCardStore {
    /// Reads the filters of a member and those that are shared.
    public func savedFilters(of email: String) async throws -> [SavedFilter] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM saved_filters WHERE owner = ? OR shared ORDER BY name, id",
                arguments: [email]
            ).map(SavedFilter.init)
        }
    }

    /// Reads one filter, or returns `nil`.
    public func savedFilter(_ id: String) async throws -> SavedFilter? {
        try await read { try SavedFilterRow.find(id, in: $0) }
    }

    /// Adds a filter.
    public func insertSavedFilter(_ filter: SavedFilter, by actor: Actor) async throws {
        try await writer.write { session in
            let database = session.database
            guard try SavedFilterRow.hasMember(filter.owner, in: database) else { throw StoreError.noFilterOwner }
            guard try SavedFilterRow.find(filter.id, in: database) == nil else { throw StoreError.savedFilterExists }
            try SavedFilterRow.checkRoom(for: filter, after: nil, in: database)
            try SavedFilterRow.insert(filter, into: database)
            if let action = filter.auditAction(after: nil) {
                try session.audit(action, of: filter.name, at: filter.createdAt, by: actor)
            }
        }
    }

    /// Saves the name of a filter and whether it is shared.
    public func updateSavedFilter(_ filter: SavedFilter, by actor: Actor) async throws {
        try await writer.write { session in
            guard let previous = try SavedFilterRow.find(filter.id, in: session.database) else {
                throw StoreError.noSavedFilter
            }
            try SavedFilterRow.checkRoom(for: filter, after: previous, in: session.database)
            try session.database.execute(
                sql: "UPDATE saved_filters SET name = ?, shared = ?, updated_at = ? WHERE id = ?",
                arguments: [filter.name, filter.isShared, filter.updatedAt, filter.id]
            )
            if let action = filter.auditAction(after: previous) {
                try session.audit(action, of: filter.name, at: filter.updatedAt, by: actor)
            }
        }
    }

    /// Deletes a filter.
    public func deleteSavedFilter(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await writer.write { session in
            guard let filter = try SavedFilterRow.find(id, in: session.database) else { return false }
            try session.database.execute(sql: "DELETE FROM saved_filters WHERE id = ?", arguments: [id])
            if filter.isShared { try session.audit("filter.delete", of: filter.name, at: now, by: actor) }
            return true
        }
    }
}

/// A saved filter as a row keeps it.
private enum SavedFilterRow {
    static func find(_ id: String, in database: Database) throws -> SavedFilter? {
        try Row.fetchOne(database, sql: "SELECT * FROM saved_filters WHERE id = ?", arguments: [id])
            .map(SavedFilter.init)
    }

    static func hasMember(_ email: String, in database: Database) throws -> Bool {
        try Row.fetchOne(database, sql: "SELECT 1 FROM members WHERE email = ?", arguments: [email]) != nil
    }

    static func checkRoom(for filter: SavedFilter, after previous: SavedFilter?, in database: Database) throws {
        func count(_ condition: String, _ arguments: StatementArguments) throws -> Int64 {
            let sql = "SELECT count(*) FROM saved_filters WHERE \(condition)"
            return try Int64.fetchOne(database, sql: sql, arguments: arguments) ?? 0
        }
        try filter.checkRoom(
            own: count("owner = ?", [filter.owner]),
            shared: count("shared", []),
            after: previous
        )
    }

    static func insert(_ filter: SavedFilter, into database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO saved_filters (id, list, owner, shared, name, query, created_at, updated_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                filter.id, filter.list.rawValue, filter.owner, filter.isShared, filter.name, filter.query,
                filter.createdAt, filter.updatedAt,
            ]
        )
    }
}
