import CardModel
import CardStore

/// A search for pictures, the newest first, by their folded texts and by what campaigns name.
struct MediaQuery: Sendable {
    let filter: MediaFilter
    let offset: Int
    let limit: Int

    func run(_ connection: PostgresConnection) throws -> [MediaItem] {
        let isUnused = """
            NOT EXISTS (
                SELECT 1 FROM content_names n
                WHERE n.kind = $3 AND n.name = media.id AND (n.is_present OR n.is_launched)
            ) AND id <> ALL ($2)
            """
        return try connection.rows(
            """
            SELECT * FROM media
            WHERE deleted_at IS NULL AND coalesce(folded, lower(name || ' ' || alt)) LIKE ALL ($1)
                AND \(filter.unusedBut == nil ? "$2::TEXT[] IS NULL AND $3::TEXT IS NOT NULL" : isUnused)
            ORDER BY created_at DESC, id DESC LIMIT $4 OFFSET $5
            """,
            [filter.patterns, filter.unusedBut?.sorted(), ContentName.ContentNameKind.picture.rawValue, limit, offset]
        ).map(MediaItem.init)
    }
}
