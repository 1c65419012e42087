import CardModel
import CardStore

/// The drafts without dates that a search finds: some of them, and how many there are.
struct UndatedDrafts {
    /// The most drafts that are listed.
    static let limit = 20

    struct DraftLink {
        let name: String
        let address: String
    }

    /// The drafts that are listed, those changed last first.
    private(set) var drafts: [DraftLink] = []
    private(set) var count = 0
    /// Whether there are drafts that weren't looked at.
    var isPartial = false

    /// Counts a draft, and lists it while there is room.
    mutating func add(_ draft: Campaign) {
        count += 1
        guard drafts.count < Self.limit else { return }
        drafts.append(DraftLink(name: draft.content.name, address: CampaignPages.address(of: draft.id)))
    }

    /// The list as the page shows it, or `nil` where there is no such draft.
    func view(of filter: CampaignFilter) -> UndatedView? {
        guard count > 0 else { return nil }
        return UndatedView(
            text: text,
            drafts: drafts,
            address: Self.address(of: filter, status: CampaignTab.draft.rawValue)
        )
    }

    /// The number of drafts, and how many of them are listed.
    private var text: String {
        let all = PageFormatter.counted(Int64(count), .draft)
        let number = isPartial ? localized("At least \(all)") : all
        guard count > drafts.count else { return localized("\(number) with neither a start nor an end.") }
        let listed = PageFormatter.count(Int64(drafts.count))
        return localized("\(number) with neither a start nor an end; the \(listed) changed last are listed.")
    }

    /// The address of the list of campaigns with the search of the calendar.
    static func address(of filter: CampaignFilter, status: String?) -> String {
        var fields = FormData()
        func add(_ field: FormField, _ value: String?) {
            if let value, !value.isEmpty { fields.append(field.rawValue, value) }
        }
        add(.status, status)
        add(.q, filter.text)
        add(.tag, filter.tag)
        return fields.fields.isEmpty ? "/dashboard/campaigns" : "/dashboard/campaigns?\(fields.encoded)"
    }
}

extension UndatedDrafts {
    struct UndatedView {
        let text: String
        let drafts: [DraftLink]
        /// The address of the list of campaigns that has all drafts of the search.
        let address: String
    }
}
