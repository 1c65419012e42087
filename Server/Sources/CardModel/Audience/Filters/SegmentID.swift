public import WireJSON

/// Names a saved segment: `seg_` and 22 letters and digits, or what the caller chose at creation.
public struct SegmentID: Identifier {
    /// The bytes by which the id is compared.
    public let bytes: ByteString

    /// Takes an id that was checked before.
    public init(rawValue: String) { bytes = ByteString(rawValue) }

    /// Takes an id from outside: 1 to 64 letters, digits, `_`, `-` and `.`.
    public init?(checking text: String) {
        guard Slug.isValid(text) else { return nil }
        bytes = ByteString(text)
    }
}

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
