import WireJSON

/// The filter for the users of a saved segment; what a segment has stands in it, so that ``Audience`` knows it apart.
enum SegmentSyntax: FilterSyntax {
    static let shapes = [FilterShape("segment", label: "Segment", .other(FilterSchema.text))]

    static func audience(from json: JSONValue, named name: String, at path: String) throws(ModelError) -> Audience {
        guard let id = json.string.flatMap(SegmentID.init(checking:)) else {
            throw ModelError(.fieldInvalid, at: path, "The id of a saved segment is expected.")
        }
        return .segment(id)
    }
}
