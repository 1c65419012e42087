import CardModel
import CardStore

/// A segment as a row holds it: what a person wrote as JSON, the rest as columns.
enum SegmentRow {
    static func find(_ id: SegmentID, in connection: PostgresConnection) throws -> Segment? {
        try connection.row("SELECT * FROM segments WHERE id = $1", [id.rawValue]).map(Segment.init)
    }

    /// Reads a segment, and keeps other nodes from changing it until the commit.
    static func lock(_ id: SegmentID, in connection: PostgresConnection) throws -> Segment? {
        try connection.row("SELECT * FROM segments WHERE id = $1 FOR UPDATE", [id.rawValue]).map(Segment.init)
    }

    /// The audiences of all segments that can be read, and whose parts can be.
    static func audiences(_ connection: PostgresConnection) throws -> [SegmentID: Audience] {
        SegmentAudiences(try all(connection)).audiences
    }

    static func all(_ connection: PostgresConnection) throws -> [PostgresRow] {
        try connection.rows("SELECT * FROM segments")
    }

    /// Inserts a segment, or returns `false` where there is one of that id.
    static func insert(_ segment: Segment, into connection: PostgresConnection) throws -> Bool {
        try connection.execute(
            """
            INSERT INTO segments (id, content, archived, version, created_at, updated_at)
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO NOTHING
            """,
            [
                segment.id.rawValue, segment.storedContent, segment.isArchived, segment.version, segment.createdAt,
                segment.updatedAt,
            ]
        ) > 0
    }

    static func update(_ segment: Segment, in connection: PostgresConnection) throws {
        try connection.execute(
            "UPDATE segments SET content = $2, archived = $3, version = $4, updated_at = $5 WHERE id = $1",
            [segment.id.rawValue, segment.storedContent, segment.isArchived, segment.version, segment.updatedAt]
        )
    }
}
