import CardModel
import CardStore
import Hummingbird
import WireJSON

extension Section {
    static let events = Section(
        "events",
        in: .people,
        icon: """
            <g stroke-linejoin='round'>\
            <path d='M1 8.5h3l2-6 3.5 11 2-5H15'/>\
            </g>
            """
    ) { localized("Event log") }
}

extension PageDescriptor {
    static let events = PageDescriptor(
        .events,
        templates: ["events": PackageResources.events_mustache, "events-lines": PackageResources.events_lines_mustache]
    ) { routes in
        routes.get("/dashboard/events", .viewer, EventPages.show)
    }
}

/// The log of events as they come in.
enum EventPages {
    private static let pageSize = 60
    /// The seconds between an event and its arrival that aren't worth a word.
    private static let promptness = 60.0

    struct EventLogLine {
        let time: TimeView
        /// The time at which it arrived, where that was later than it happened.
        let received: String?
        let type: String
        let isError: Bool
        let user: String
        /// The address at which the user is shown, or `nil` where the member isn't meant to see them.
        let userAddress: String?
        let campaign: String?
        let campaignAddress: String?
        let variant: String?
        /// The text beside its type, or `nil` for nothing.
        let detail: String?
    }

    struct EventView {
        let types: [FieldOption]
        let filterUser: String
        let filterCampaign: String
        let lines: [EventLogLine]
        let older: String?
        let isFirst: Bool
        let liveAddress: String
        let isSearching: Bool
        let isFiltered: Bool
        /// The problems of fields, by name.
        let wrong: [String: FieldMark]
    }

    /// Returns the time at which an event arrived, or `nil` where it was sent at once.
    static func lateArrival(of event: StoredEvent) -> UnixTime? {
        abs(event.receivedAt - event.at) > promptness ? event.receivedAt : nil
    }

    @Sendable static func show(_ context: PageContext) async throws -> Response {
        let query = context.query
        let typed = (user: context.hidesPersonalData ? nil : query.text(.user), campaign: query.text(.campaign))
        let filter = EventLogFilter(
            type: query.text(.type),
            user: typed.user.flatMap(UserID.init(checking:)),
            campaign: typed.campaign.flatMap(CampaignID.init(checking:))
        )
        let wrong = problems(of: filter, typed, query)
        let before = query.position(.before)
        if !context.hidesPersonalData {
            let action = filter.user == nil ? "event.list" : "user.read"
            try await context.site.server.reads.note(action, of: filter.user, by: context.actor)
        }
        // Without what can't be looked for, the filter would let every event through.
        let page =
            try await wrong.isEmpty
            ? context.store.searchEvents(matching: filter, before: before, limit: pageSize)
            : EventLogPage(events: [], searchedTo: nil)
        let names = try await NameBook(campaigns: page.events.compactMap(\.campaign), context)
        var link = FormData()
        for name in ["type", "user", "campaign"] { query.text(name).map { link.append(name, $0) } }
        let base = link.encoded
        let view = EventView(
            types: [FieldOption(value: "", name: localized("All types"), isChosen: filter.type == nil)]
                + AudienceView.choices(
                    EventFilter.typeNames.map { ($0, EventFormatter.type($0)) },
                    PageFormatter.shown(filter.type)
                ),
            filterUser: PageFormatter.shown(typed.user),
            filterCampaign: PageFormatter.shown(typed.campaign),
            lines: page.events.map { EventLogLine($0, names, context) },
            older: page.searchedTo.map { "/dashboard/events?\(base)\(base.isEmpty ? "" : "&")before=\($0)" },
            isFirst: before == nil,
            liveAddress: "/dashboard/events?\(base)\(base.isEmpty ? "" : "&")part=lines",
            isSearching: page.searchedTo != nil && page.events.count < pageSize,
            isFiltered: !base.isEmpty,
            wrong: wrong
        )
        if query[.part] == "lines" { return try context.part("events-lines", view) }
        return try context.page("events", title: localized("Event log"), in: .events, view)
    }

    /// Returns the problems of what was typed for a user and a campaign and can be the ID of neither.
    private static func problems(
        of filter: EventLogFilter,
        _ typed: (user: String?, campaign: String?),
        _ query: FormData
    ) -> [String: FieldMark] {
        var problems: [(name: String, problem: String)] = []
        if typed.user != nil, filter.user == nil {
            problems.append((FormField.user.rawValue, localized("Enter a valid user ID.")))
        }
        if typed.campaign != nil, filter.campaign == nil {
            let message = localized("Enter the campaign’s ID, not its name. It stands in the address of its page.")
            problems.append((FormField.campaign.rawValue, message))
        }
        return FieldMark.marks(problems, of: query)
    }
}

extension EventPages.EventLogLine {
    init(_ event: StoredEvent, _ names: NameBook, _ context: PageContext) {
        time = TimeView(event.at, for: context)
        received = EventPages.lateArrival(of: event).map { localized("Received \(TimeView($0, for: context).text)") }
        type = EventFormatter.type(event.type)
        isError = event.isDecodingError
        let isHidden = context.hidesPersonalData
        user = isHidden ? context.site.personalData.mask(event.user.rawValue) : event.user.rawValue
        userAddress = isHidden ? nil : "/dashboard/users/\(FormData.escape(part: event.user.rawValue))"
        campaign = event.campaign.map(names.campaign)
        campaignAddress = event.campaign.map { "/dashboard/campaigns/\(FormData.escape(part: $0.rawValue))" }
        variant = names.variant(of: event)
        let text = EventFormatter.detail(isHidden ? EventFormatter.impersonal(event.details) : event.details)
        detail = text.isEmpty ? nil : text
    }
}

/// A formatter of what an event says beside its type, in one line.
enum EventFormatter {
    private static let types: [String: Phrase] = [
        "impression": "impression", "click": "click", "dismissal": "dismissal", "custom": "custom",
        "purchase": "purchase", "session_start": "session start", "content_error": "decoding error",
        "attributes": "attributes",
    ]

    /// Returns the name of a type of events.
    static func type(_ name: String) -> String { types[name].map(localized) ?? name.replacing("_", with: " ") }

    /// Returns the part of an event's details that says nothing of the user: properties and attributes can.
    static func impersonal(_ details: JSONValue) -> JSONValue {
        let known = ["name", "product_id", "field"]
        return .object((details.object ?? [:]).filter { known.contains($0.key) })
    }

    static func detail(_ details: JSONValue) -> String {
        var parts: [String] = []
        for name in ["name", "product_id", "message", "field"] {
            if let text = details[name]?.string { parts.append(text) }
        }
        if let names = details["names"]?.array { parts.append(names.compactMap(\.string).joined(separator: ", ")) }
        if let properties = details["properties"] { parts.append(properties.text) }
        return parts.joined(separator: " · ")
    }
}
