import CardStore

/// A tag among those by which a list of campaigns is filtered.
struct TagChoice {
    let name: String
    let isChosen: Bool

    /// Makes the choices of a filter.
    static func all(_ tags: [String], of filter: CampaignFilter) -> [TagChoice] {
        tags.map { TagChoice(name: $0, isChosen: $0 == filter.tag) }
    }
}
