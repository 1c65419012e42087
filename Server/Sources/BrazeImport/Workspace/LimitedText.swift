import CardModel
import WireJSON

/// Texts as objects of a workspace can have them.
enum LimitedText {
    private static let maximumTags = 50
    private static let maximumCharacters = 255

    /// The beginning of a name, on one line.
    static func of(_ text: String, maximumCharacters: Int = Self.maximumCharacters) -> String {
        let line = IdentityText.spacing(text)
        // As many bytes as so many letters of any script can have.
        let isShort = line.utf8.count <= maximumCharacters && line.count <= maximumCharacters
        return isShort ? line : String(String.UnicodeScalarView(line.unicodeScalars.prefix(maximumCharacters)))
    }

    /// The tags that can be kept, and how many can't.
    static func tags(_ json: JSONValue?) -> (kept: [String], left: Int) {
        let tags = json?.array ?? []
        var kept: [String] = []
        var left = 0
        for tag in tags {
            let text = tag.string ?? ""
            if kept.contains(where: { $0.hasSameBytes(as: text) }) { continue }
            if kept.count < maximumTags, IdentityText.isValid(text) { kept.append(text) } else { left += 1 }
        }
        return (kept, left)
    }
}
