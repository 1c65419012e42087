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
