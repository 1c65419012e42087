import CardStore

extension SavedFilter.List {
    /// Returns the part of a query that a filter keeps, always in the same order: neither a page nor a notice.
    func query(_ query: FormData) -> String {
        var kept = FormData()
        func keep(_ field: FormField, _ value: String?) {
            if let value, !value.isEmpty { kept.append(field.rawValue, value) }
        }
        switch self {
        case .campaigns:
            keep(.status, query[.status].flatMap(CampaignTab.init)?.rawValue)
            keep(.q, query.text(.q))
            keep(.tag, query.text(.tag))
            let sort = CampaignSort(query)
            keep(.sort, sort == .standard ? nil : sort.text)
        case .users: keep(.q, query.text(.q))
        }
        return kept.encoded
    }

    /// Returns the facts that a filter's query asks for, in people's words.
    func facts(of query: String) -> [SavedFilterPages.FilterDetail] {
        let query = FormData(urlEncoded: query)
        let sort = CampaignSort(query)
        let facts = [
            (localized("Status"), query[.status].flatMap(CampaignTab.init)?.name),
            (localized("Search"), query.text(.q)),
            (localized("Tag"), query.text(.tag)),
            (localized("Sort by"), self == .users || sort == .standard ? nil : sort.title),
        ]
        return facts.compactMap { name, value in value.map { SavedFilterPages.FilterDetail(name: name, value: $0) } }
    }
}
