package import CardModel

/// Texts as searches compare them: ASCII letters in lower case, all others as they are.
package enum SearchText {
    /// What is between the parts of a user's text; no search has it.
    private static let separator = "\u{1F}"

    /// Returns a text with its ASCII letters in lower case.
    package static func folded(_ text: String) -> String {
        String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// Returns a text that is greater than all that begin with this one.
    package static func end(of text: String) -> String { text + "\u{10FFFF}" }

    /// Returns a text with what `LIKE` takes for a pattern made plain.
    package static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            if "%_\\".contains(character) { escaped.append("\\") }
            escaped.append(character)
        }
    }

    /// Returns a text in the cases that folding doesn't take for the same.
    package static func spellings(of text: String) -> [String] {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return [text] }
        return Set([text, text.lowercased(), text.uppercased(), text.capitalized]).sorted()
    }

    /// Returns the texts in which a user is looked for: id, name and e-mail address.
    package static func folded(of profile: UserProfile) -> String {
        func attribute(_ name: StandardAttribute) -> String { profile.standard[name]?.string ?? "" }
        let name = "\(attribute(.firstName)) \(attribute(.lastName))"
        return folded([profile.id.rawValue, name, attribute(.email)].joined(separator: separator))
    }

    /// Returns whether no user can have the text, because it would reach beyond one part.
    package static func isUnfindable(_ text: String) -> Bool { text.contains(separator) }
}
