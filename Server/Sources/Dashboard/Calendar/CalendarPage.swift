import CardModel
import CardServer
import CardStore
import Hummingbird

extension Section {
    static let calendar = Section(
        "calendar",
        in: .cards,
        icon: """
            <g stroke-linecap='round'>\
            <rect x='1.8' y='3' width='12.4' height='11.2' rx='1.6'/>\
            <path d='M5 1.5v3M11 1.5v3M4.5 8h4M7.5 11h4'/>\
            </g>
            """
    ) { localized("Calendar") }
}

extension PageDescriptor {
    static let calendar = PageDescriptor(
        .calendar,
        templates: ["calendar": PackageResources.calendar_mustache]
    ) { routes in
        routes.get("/dashboard/calendar", .viewer, CalendarPage.show)
    }
}

/// The calendar of the campaigns that run: bars over a week, a month or a quarter.
enum CalendarPage {
    private static let address = "/dashboard/calendar"

    struct SpanTab {
        let name: String
        let address: String
        let isCurrent: Bool
    }

    /// A campaign, with a bar that says the same as its text.
    struct CalendarRow {
        let name: String
        let address: String
        let status: StatusView
        let when: String
        let bar: String
    }

    /// The look of a state in the key.
    struct Key {
        let name: String
        let sample: String
    }

    /// A button that leads to another range.
    struct RangeButton {
        let name: String
        let address: String
    }

    struct CalendarView {
        let title: String
        let zoneText: String
        let tabs: [SpanTab]
        let previous: RangeButton?
        let today: String
        let next: RangeButton?
        let span: String
        let from: String
        let text: String
        let tags: [TagChoice]
        let hasTags: Bool
        let isFiltered: Bool
        let unfilteredAddress: String
        let patterns: String
        let axis: String
        let grid: String
        let rows: [CalendarRow]
        let hasRows: Bool
        let keys: [Key]
        let notes: [String]
        /// The address of the list of campaigns with the same search, where some in the range have no bar.
        let listAddress: String?
        let undated: UndatedDrafts.UndatedView?
        let overlap: OverlapPanel
    }

    @Sendable static func show(_ context: PageContext) async throws -> Response {
        let query = context.query
        let clock = TimeZoneClock(named: context.timeZone) ?? .utc
        let today = Day(of: context.now, offset: clock.offset(at: context.now))
        let range = CalendarRange(query, today: today, clock: clock)
        let filter = CampaignFilter(tag: query.text(.tag), text: query.text(.q))
        let found = try await CalendarCampaigns.find(range, filter, context)
        let tags = try await context.store.campaignTags(limit: 200)
        let overlap = try await OverlapPanel.make(
            found.list,
            range,
            context,
            address: "\(address(query, range.span, range.first, asksForOverlap: true))#overlap"
        )
        // Another span is around today where that is shown.
        let middle = range.days.contains(today) ? today : range.first
        let (dates, drawing) = (CalendarDates(zone: context.timeZone), CalendarDrawing(range: range))
        let rows = found.list.byStart.map { row($0, dates, drawing, context) }
        let view = CalendarView(
            title: dates.title(of: range),
            zoneText: localized("Times are in \(context.timeZone), unless they are in users’ local time."),
            tabs: CalendarRange.Span.allCases.map { span in
                SpanTab(name: span.name, address: address(query, span, middle), isCurrent: span == range.span)
            },
            previous: range.previous.map {
                RangeButton(name: previousName(range.span), address: address(query, range.span, $0.first))
            },
            today: address(query, range.span, nil),
            next: range.next.map {
                RangeButton(name: nextName(range.span), address: address(query, range.span, $0.first))
            },
            span: range.span.rawValue,
            from: range.first.description,
            text: PageFormatter.shown(filter.text),
            tags: TagChoice.all(tags, of: filter),
            hasTags: !tags.isEmpty,
            isFiltered: filter.text != nil || filter.tag != nil,
            unfilteredAddress: address(.empty, range.span, range.first),
            patterns: CalendarDrawing.patterns,
            axis: drawing.axis(dates),
            grid: drawing.grid(at: context.now),
            rows: rows,
            hasRows: !rows.isEmpty,
            keys: keys(of: found.list.runs),
            notes: found.notes,
            listAddress: found.isCut ? UndatedDrafts.address(of: filter, status: nil) : nil,
            undated: found.undated.view(of: filter),
            overlap: overlap
        )
        return try context.page("calendar", title: localized("Calendar"), in: .calendar, view)
    }

    private static func row(
        _ run: CampaignRun,
        _ dates: CalendarDates,
        _ drawing: CalendarDrawing,
        _ context: PageContext
    ) -> CalendarRow {
        CalendarRow(
            name: run.campaign.content.name,
            address: CampaignPages.address(of: run.campaign.id),
            status: StatusView(run.campaign, at: context.now),
            when: dates.text(of: run),
            bar: drawing.bar(of: run)
        )
    }

    /// The states that are shown, and what a faint bar means where there is one.
    private static func keys(of runs: [CampaignRun]) -> [Key] {
        let states = Set(runs.map(\.state))
        let keys = CampaignState.allCases.filter(states.contains)
            .map { Key(name: $0.name, sample: CalendarDrawing.sample(of: $0)) }
        guard runs.contains(where: \.isLocal) else { return keys }
        let name = localized("Starts or ends in users’ local time: up to 26 hours apart")
        return keys + [Key(name: name, sample: CalendarDrawing.sample(of: .active, isFaint: true))]
    }

    private static func previousName(_ span: CalendarRange.Span) -> String {
        switch span {
        case .week: localized("Previous week")
        case .month: localized("Previous month")
        case .quarter: localized("Previous quarter")
        }
    }

    private static func nextName(_ span: CalendarRange.Span) -> String {
        switch span {
        case .week: localized("Next week")
        case .month: localized("Next month")
        case .quarter: localized("Next quarter")
        }
    }

    /// A range with the search of the query.
    private static func address(
        _ query: FormData,
        _ span: CalendarRange.Span,
        _ day: Day?,
        asksForOverlap: Bool = false
    ) -> String {
        var fields = FormData()
        func add(_ field: FormField, _ value: String?) {
            if let value, !value.isEmpty { fields.append(field.rawValue, value) }
        }
        add(.show, span == .month ? nil : span.rawValue)
        add(.from, day?.description)
        add(.q, query.text(.q))
        add(.tag, query.text(.tag))
        add(.overlap, asksForOverlap ? "1" : nil)
        return fields.fields.isEmpty ? address : "\(address)?\(fields.encoded)"
    }
}
