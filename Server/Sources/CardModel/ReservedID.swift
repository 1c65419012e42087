import WireJSON

/// The ids that no new campaign, segment or content block gets, since their addresses are others' already.
///
/// A path with `.` or `..` is another path to most clients and proxies, and the dashboard has pages of the other names
/// beside those of campaigns and segments.
public enum ReservedID {
    private static let names = [".", "..", "check", "names", "new", "preview", "reshape"]

    /// Refuses such an id.
    ///
    /// - Throws: `ModelError` that says which ids they are.
    public static func check(_ id: some Identifier, at path: String = "id") throws(ModelError) {
        try check(id.rawValue, at: path)
    }

    /// Refuses such a name of a content block.
    ///
    /// - Throws: `ModelError` that says which names they are.
    public static func check(_ name: String, at path: String) throws(ModelError) {
        guard names.contains(where: { $0.hasSameBytes(as: name) }) else { return }
        let known = names.joined(separator: ", ")
        throw ModelError(.fieldInvalid, at: path, "This name is reserved, as are \(known). Choose another one.")
    }
}
