import WireJSON

/// Finds the language that suits a user best among those that there are.
public enum LanguageTag {
    /// Whether a text has the form of a BCP 47 tag: letters, then subtags of up to eight letters and digits.
    public static func isValid(_ text: String) -> Bool {
        let parts = text.split(at: "-", omittingEmptySubsequences: false)
        guard text.utf8.count <= 35, let language = parts.first, (2...8).contains(language.utf8.count),
            language.utf8.allSatisfy(Slug.isLetter)
        else { return false }
        return parts.dropFirst().allSatisfy { part in
            (1...8).contains(part.utf8.count)
                && part.utf8.allSatisfy { Slug.isLetter($0) || (0x30...0x39).contains($0) }
        }
    }

    /// The index of the tag that suits best, or `nil` where none is of the language.
    ///
    /// In order: the tag itself, the tag without its last parts (RFC 4647 lookup), the same language in the same
    /// script, and, but for Chinese, any tag of the language. Chinese without a script has that of its region.
    public static func bestMatch(for wanted: String, among tags: [String]) -> Int? {
        let wanted = subtags(wanted)
        guard let language = wanted.first else { return nil }
        let offers = tags.map(subtags)
        for length in stride(from: wanted.count, to: 0, by: -1) {
            // safe: from the count down to 1
            let prefix = Array(wanted.prefix(length))
            if length == 1, language == "zh" { break }
            if let index = offers.firstIndex(of: prefix) { return index }
        }
        let related = offers.indices.filter { offers[$0].first == language }
        let script = script(of: wanted)
        if let index = related.first(where: { self.script(of: offers[$0]) == script }) { return index }
        return language == "zh" ? nil : related.first
    }

    /// The parts in lower case, without what POSIX and Apple put after them, and without extensions: a letter by itself
    /// begins those, and what follows is no script (RFC 5646, section 2.2.6).
    private static func subtags(_ tag: String) -> [String] {
        let parts = tag.prefix(before: "@").prefix(before: ".").lowercased().split(atAnyOf: "-_")
        return parts.prefix { $0.utf8.count > 1 }.map(String.init)
    }

    /// The script that a tag names or, for Chinese, means; `nil` for the language's usual one.
    private static func script(of subtags: [String]) -> String? {
        if let script = subtags.dropFirst().first(where: { $0.utf8.count == 4 && $0.utf8.allSatisfy(Slug.isLetter) }) {
            return script
        }
        guard subtags.first == "zh" else { return nil }
        return subtags.dropFirst().contains { ["tw", "hk", "mo"].contains($0) } ? "hant" : "hans"
    }
}

extension UserProfile {
    /// The BCP 47 tag of what the user reads: what a backend set, with the device's region and script where the device
    /// speaks the same language, or else the device's locale.
    public var languageTag: String? {
        guard let set = standard[.language]?.string else { return device.locale }
        // characters: what joins a mark is no tag of a language
        guard let locale = device.locale, !set.contains(bytesOf: "-"),
            locale.lowercased().hasPrefix(set.lowercased()),
            locale.dropFirst(set.count).first.map({ "-_".contains($0) }) ?? true
        else { return set }
        return locale
    }
}
