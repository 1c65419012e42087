/// Names of copies, in English.
package enum CopyName {
    /// Returns the name of a copy: that of the original with `(copy)` behind it.
    ///
    /// A long name loses its last characters, so that the copy's has 255 characters and 1,020 bytes at most, as names
    /// may have.
    package static func of(_ name: String) -> String {
        var name = name
        while case let copy = "\(name) (copy)", copy.count > 255 || copy.utf8.count > 1_020, !name.isEmpty {
            name.removeLast()
        }
        return "\(name) (copy)"
    }
}
