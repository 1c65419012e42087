/// A search for a text in campaigns' names and ids, in any case, with accents or without.
package struct CampaignTextSearch {
    private let words: [String]
    private var folder = FoldedText.Folder()

    /// Creates a search for the text of a filter, or returns `nil` where it has none.
    package init?(_ filter: CampaignFilter) {
        guard let text = filter.text else { return nil }
        words = SearchText.words(of: text)
    }

    /// Returns whether a campaign's name and id have every word of the text; nothing has a text without a letter that
    /// counts.
    package mutating func finds(name: String, id: String) -> Bool {
        let folded = folder.folded("\(name) \(id)")
        return !words.isEmpty && words.allSatisfy { FoldedText.contains(folded, anyOf: [$0]) }
    }
}
