import WireJSON

/// The ids that no new campaign, segment or content block gets, since most clients and proxies take them out of a path.
public enum ReservedID {
    private static let names = [".", ".."]

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
        throw ModelError(.fieldInvalid, at: path, "No name is . or .., which mean something else in an address.")
    }
}
