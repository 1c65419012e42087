package import CardModel

/// Texts as searches compare them: ASCII letters in lower case, all others as they are.
package enum SearchText {
    /// The separator between the parts of a user's text; no search has it.
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

    /// Returns a text in the orders in which names are written, and in the cases that folding doesn't take for the
    /// same.
    package static func spellings(of text: String) -> [String] {
        let orders = orders(of: text)
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return orders }
        return Set(orders.flatMap { [$0, $0.lowercased(), $0.uppercased(), $0.capitalized] }).sorted()
    }

    /// The longest name that is looked for without the space between its parts, in characters.
    private static let longestJoinedName = 8

    /// Returns a text as it is, and as a given name with a space and a family name, which is how users have theirs.
    ///
    /// In Japan and elsewhere the family name comes first, with a space of the usual or the full width, or with none.
    package static func orders(of text: String) -> [String] {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        var orders = [text]
        if words.count == 2 {
            orders += ["\(words[0]) \(words[1])", "\(words[1]) \(words[0])"]
        } else if words.count == 1, let word = words.first, isJoined(word) {
            // safe: a joined name has two characters or more
            for length in 1..<word.count {
                let (first, rest) = (word.prefix(length), word.dropFirst(length))
                orders += ["\(first) \(rest)", "\(rest) \(first)"]
            }
        }
        var known: Set<String> = []
        return orders.filter { known.insert($0).inserted }
    }

    /// Whether a word may be a whole name, in a script that has no spaces.
    private static func isJoined(_ word: String) -> Bool {
        guard (2...longestJoinedName).contains(word.count) else { return false }
        return word.unicodeScalars.allSatisfy { scalar in
            // Hiragana and katakana, ideographs with their iteration mark, and hangul.
            [0x3005...0x3007, 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0x20000...0x3FFFF]
                .contains { $0.contains(scalar.value) }
        }
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
