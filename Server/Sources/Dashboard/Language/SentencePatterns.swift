import CardModel

/// The sentences of the rules and the server that a catalog translates.
///
/// They come as English text with values in it, for the API says the same; a pattern such as
/// `The card expired at {1}.` finds the values again.
struct SentencePatterns: Sendable {
    private struct Pattern {
        let key: String
        let words: [String]

        init(_ key: String) {
            self.key = key
            words = key.split(separator: /\{\d\}/, omittingEmptySubsequences: false).map(String.init)
        }

        /// The values of a sentence, or `nil` where it is another one.
        func values(in sentence: String) -> [String]? {
            guard words.count > 1, let first = words.first, let last = words.last, sentence.hasPrefix(first) else {
                return nil
            }
            var rest = sentence.dropFirst(first.count)
            var values: [String] = []
            for word in words.dropFirst().dropLast() {
                guard let range = rest.firstRange(of: word) else { return nil }
                values.append(String(rest[..<range.lowerBound]))
                rest = rest[range.upperBound...]
            }
            guard rest.hasSuffix(last) else { return nil }
            return values + [String(rest.dropLast(last.count))]
        }
    }

    private let whole: Set<String>
    /// Those with values, the ones that say most first.
    private let patterns: [Pattern]

    /// Creates the patterns of a catalog.
    ///
    /// - Parameter keys: The sentences in English.
    init(_ keys: some Sequence<String>) {
        let all = keys.sorted().map(Pattern.init)
        whole = Set(all.filter { $0.words.count == 1 }.map(\.key))
        func length(_ pattern: Pattern) -> Int { pattern.words.joined().count }
        patterns = all.filter { $0.words.count > 1 }.sorted { length($0) > length($1) }
    }

    /// The phrase that a sentence is, or `nil` for one that no catalog has.
    func phrase(of sentence: String) -> Phrase? {
        if whole.contains(sentence) { return Phrase(key: sentence, words: [sentence], values: []) }
        for pattern in patterns {
            if let values = pattern.values(in: sentence) {
                return Phrase(key: pattern.key, words: pattern.words, values: values)
            }
        }
        return nil
    }
}
