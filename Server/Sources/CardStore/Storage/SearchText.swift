package import CardModel

/// Texts as searches compare them.
package enum SearchText {
    /// The separator between the parts of a user's text; no search has it.
    private static let separator = "\u{1F}"

    /// Returns a text with its ASCII letters in lower case and all others as they are, as addresses are compared.
    package static func lowercased(_ text: String) -> String {
        String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// Returns a text that is greater than all that begin with this one.
    package static func end(of text: String) -> String { text + "\u{10FFFF}" }

    /// Returns a text with what `LIKE` takes for a pattern made plain.
    package static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if "%_\\".unicodeScalars.contains(scalar) { escaped.append("\\") }
            escaped.append(scalar)
        }
        return String(escaped)
    }

    /// The words of a text that are looked for, at most.
    private static let wordLimit = 8

    /// Returns the folded words of a text, of which a folded text has to have each to be found.
    ///
    /// Control characters, which no name has, are between words: SQLite's `LIKE` ends at the first that is NUL.
    package static func words(of text: String) -> [String] {
        func isBetween(_ character: Character) -> Bool {
            character.isWhitespace || character.unicodeScalars.contains { $0.value < 0x20 }
        }
        return FoldedText.folded(text).split(whereSeparator: isBetween).prefix(wordLimit).map(String.init)
    }

    /// Returns what folded texts of users are searched for: the text in the orders in which names are written.
    ///
    /// None is empty; there are none where no user can have the text, because it has no letter that counts, or would
    /// reach beyond one part.
    package static func patterns(of text: String) -> [String] {
        guard !text.contains(separator) else { return [] }
        return orders(of: FoldedText.folded(text)).filter { !$0.isEmpty }
    }

    /// Returns what those texts of users are searched for that a node of version 1.0.0-beta.1 or before has written.
    ///
    /// They have nothing but ASCII in lower case. There are none where the folded text is the same.
    package static func formerPatterns(of text: String) -> [String] {
        guard !text.contains(separator), FoldedText.folded(text) != lowercased(text) else { return [] }
        return orders(of: lowercased(text)).filter { !$0.isEmpty }
    }

    /// The longest name that is looked for without the space between its parts, in characters.
    private static let longestJoinedName = 8

    /// Returns a text as it is, and as a given name with a space and a family name, which is how users have theirs.
    ///
    /// In Japan and elsewhere the family name comes first, with a space of the usual or the full width, or with none.
    private static func orders(of text: String) -> [String] {
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

    /// Returns the texts in which a user is looked for, folded: id, name and e-mail address.
    package static func folded(of profile: UserProfile) -> String {
        func attribute(_ name: StandardAttribute) -> String { profile.standard[name]?.string ?? "" }
        let name = "\(attribute(.firstName)) \(attribute(.lastName))"
        return FoldedText.folded([profile.id.rawValue, name, attribute(.email)].joined(separator: separator))
    }
}
