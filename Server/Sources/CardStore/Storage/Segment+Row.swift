package import CardModel
import WireJSON

extension Segment {
    /// The content as a row holds it.
    package var storedContent: String { JSONValue.object(content.json).text }

    /// Restores a segment from its row.
    package init(_ row: some StoredRow) throws {
        guard let json = try? JSONValue(parsing: row.text("content")), let content = try? SegmentContent(json: json)
        else {
            throw StoreError.unreadable("segment", try row.text("id"))
        }
        self.init(
            id: SegmentID(rawValue: try row.text("id")),
            content: content,
            isArchived: try row.flag("archived"),
            version: try row.integer("version"),
            createdAt: try row.double("created_at"),
            updatedAt: try row.double("updated_at")
        )
    }
}
