package import CardModel

extension ContentBlock {
    /// Restores a content block from its row.
    package init(_ row: some StoredRow) throws {
        self.init(
            name: try row.text("name"),
            content: try row.text("content"),
            description: try row.text("description"),
            updatedAt: try row.double("updated_at")
        )
    }
}
