import CardModel
import CardStore
import GRDB

/// A segment as a row keeps it: what a person wrote as JSON, the rest as columns.
enum SegmentRow {
    static func find(_ id: SegmentID, in database: Database) throws -> Segment? {
        try Row.fetchOne(database, sql: "SELECT * FROM segments WHERE id = ?", arguments: [id.rawValue])
            .map(Segment.init)
    }

    /// The audiences of all segments that can be read, and whose parts can be.
    static func audiences(_ database: Database) throws -> [SegmentID: Audience] {
        SegmentAudiences(try all(database)).audiences
    }

    static func all(_ database: Database) throws -> [Row] { try Row.fetchAll(database, sql: "SELECT * FROM segments") }

    static func save(_ segment: Segment, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO segments (id, content, archived, version, created_at, updated_at)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET content = excluded.content, archived = excluded.archived,
                    version = excluded.version, updated_at = excluded.updated_at
                """,
            arguments: [
                segment.id.rawValue, segment.storedContent, segment.isArchived, segment.version,
                segment.createdAt, segment.updatedAt,
            ]
        )
    }
}

extension Segment {
    /// Reads segments, those last changed first.
    static func page(
        archived: Bool,
        limit: Int,
        offset: Int,
        in database: Database
    ) throws -> [Segment] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT * FROM segments WHERE ?1 OR NOT archived
                ORDER BY updated_at DESC, id LIMIT ?2 OFFSET ?3
                """,
            arguments: [archived, PageLimit.clamp(limit), max(0, offset)]
        ).map(Segment.init)
    }
}
