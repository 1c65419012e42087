import CardModel
import CardStore
import Hummingbird

extension Section {
    static let overview = Section(
        "overview",
        in: .cards,
        icon: """
            <rect x='1.8' y='1.8' width='5' height='6.5' rx='1.2'/>\
            <rect x='9.2' y='1.8' width='5' height='3.5' rx='1.2'/>\
            <rect x='1.8' y='10.7' width='5' height='3.5' rx='1.2'/>\
            <rect x='9.2' y='7.7' width='5' height='6.5' rx='1.2'/>
            """
    ) { localized("Overview") }
}

extension PageDescriptor {
    static let overview = PageDescriptor(
        .overview,
        templates: [
            "overview": PackageResources.overview_mustache,
            "overview-numbers": PackageResources.overview_numbers_mustache,
        ]
    ) { routes in
        routes.open(.get, "/") { _ in { _, _ in Response.seeOther("/dashboard") } }
        routes.get("/dashboard", .viewer, OverviewPage.show)
    }
}

/// The page that shows how things are: the last 30 days, what is on, and what needs a look.
enum OverviewPage {
    static let dayCount: Int32 = 30
    /// The changes that are shown.
    private static let changeCount = 7
    /// The entries of the audit log that are read at a time, and how often at most.
    private static let (auditStep, auditSteps) = (40, 5)

    struct OverviewTile {
        let name: String
        let value: String
        let detail: String
        /// The change of the full days from as many days before them, or `nil` where there is nothing to compare.
        let trend: String?
        let isUp: Bool
    }

    /// The counts in the days that are shown, in those of them that are over, and in as many days before these.
    struct Sums {
        let shown: CampaignCounts
        let full: CampaignCounts
        let before: CampaignCounts

        init(_ totals: [Day: CampaignCounts], until today: Day) {
            func sum(_ days: Range<Int32>) -> CampaignCounts {
                // safe: the days of a few weeks
                days.reduce(into: CampaignCounts()) { $0 += totals[Day(number: today.number - $1)] ?? CampaignCounts() }
            }
            shown = sum(0..<OverviewPage.dayCount)
            // A day that isn't over would look like a fall.
            full = sum(1..<OverviewPage.dayCount)
            before = sum(OverviewPage.dayCount..<2 * OverviewPage.dayCount - 1)
        }
    }

    struct SetupStep {
        let text: String
        let address: String
        let isDone: Bool
    }

    /// A request that waits for approval.
    struct Waiting {
        let name: String
        let address: String
        let text: String
        let when: TimeView
    }

    struct OverviewView {
        let waiting: [Waiting]
        let hasWaiting: Bool
        let tiles: [OverviewTile]
        let chart: String
        let table: [OverviewDay]
        let campaigns: [CampaignLine]
        let activity: [AuditPage.EntryView]
        let steps: [SetupStep]
        let hasSteps: Bool
        let hasNumbers: Bool
        /// The shards whose numbers are missing, in a sentence; `nil` where all answer.
        var absent: String?
    }

    struct OverviewDay {
        let day: String
        let impressions: String
        let clicks: String
    }

    @Sendable static func show(_ context: PageContext) async throws -> Response {
        let (found, shards) = try await PartialReads.permitted { try await Self.view(context) }
        var view = found
        view.absent = MissingShards.sentence(shards)
        if context.query[.part] == "numbers" { return try context.part("overview-numbers", view) }
        return try context.page("overview", title: localized("Overview"), in: .overview, view)
    }

    private static func view(_ context: PageContext) async throws -> OverviewView {
        let today = DayClock(zone: context.timeZone).day(of: context.now)
        let totals = try await context.store.dayTotals(from: Day(number: 0))
        let all = sum(Array(totals.values))
        // safe: the days of a few weeks
        let days = (0..<dayCount).map { Day(number: today.number - dayCount + 1 + $0) }
        let present = days.map { totals[$0] ?? CampaignCounts() }
        let campaigns = try await CampaignsPage.campaigns(context, .active, CampaignFilter(), after: nil, limit: 6)
        let lines = try await CampaignLine.lines(of: campaigns, context)
        let done = try await changes(context)
        let names = try await NameBook(done, context)
        let users = try await context.store.userCount()
        let statuses = try await context.store.campaignCountsByStatus()
        let steps = try await steps(context, all, users, statuses)
        let waiting = try await waiting(context)
        return OverviewView(
            waiting: waiting,
            hasWaiting: !waiting.isEmpty,
            tiles: tiles(context, Sums(totals, until: today), all, users, drafts: statuses[.draft] ?? 0),
            chart: chart(days, present),
            table: table(days, present),
            campaigns: lines,
            activity: done.map { AuditPage.EntryView($0, names, context) },
            steps: steps,
            hasSteps: showsSteps(steps, without: PartialReads.current?.absentShards ?? []),
            hasNumbers: present.contains { !$0.isZero }
        )
    }

    /// The numbers of the chart, whose last day isn't over.
    static func table(_ days: [Day], _ counts: [CampaignCounts]) -> [OverviewDay] {
        zip(days, counts).map { day, counts in
            let name = PageFormatter.day(day)
            return OverviewDay(
                day: day == days.last ? localized("\(name), so far") : name,
                impressions: PageFormatter.count(counts.impressions),
                clicks: PageFormatter.count(counts.clicks)
            )
        }
    }

    /// The latest changes, looked for among the newest entries of the audit log, a few at a time: nearly always the
    /// first of them have enough.
    private static func changes(_ context: PageContext) async throws -> [AuditEntry] {
        var found: [AuditEntry] = []
        var place: Int64?
        // safe: a constant
        for _ in 0..<auditSteps where found.count < changeCount {
            let entries = try await context.store.latestAuditEntries(before: place, limit: auditStep)
            found += entries.filter { isChange($0.action) }
            guard entries.count == auditStep, let last = entries.last else { break }
            place = last.position
        }
        return Array(found.prefix(changeCount))
    }

    /// The requests that wait the longest.
    private static func waiting(_ context: PageContext) async throws -> [Waiting] {
        let approvals = try await context.store.pendingApprovals(limit: 10)
        guard !approvals.isEmpty else { return [] }
        let campaigns = try await NameBook(campaigns: approvals.map(\.campaign), context)
        let people = try await NameBook([], context)
        return approvals.map { approval in
            Waiting(
                name: campaigns.campaign(approval.campaign),
                address: "\(CampaignPages.address(of: approval.campaign))/approval",
                text: ApprovalWords.asked(approval, people),
                when: TimeView(approval.requestedAt, for: context)
            )
        }
    }

    private static func sum(_ counts: [CampaignCounts]) -> CampaignCounts {
        counts.reduce(into: CampaignCounts()) { $0 += $1 }
    }

    private static func tiles(
        _ context: PageContext,
        _ sums: Sums,
        _ all: CampaignCounts,
        _ users: Int64,
        drafts: Int
    ) -> [OverviewTile] {
        let live = context.site.server.liveCount()
        return [
            OverviewTile(localized("Impressions"), sums, \.impressions),
            OverviewTile(localized("Clicks"), sums, \.clicks),
            OverviewTile(
                name: localized("Click rate"),
                // Who clicks in some days may have seen the card before them.
                value: PageFormatter.rate(all.uniqueClicks, of: all.uniqueImpressions),
                detail: localized("of all users who saw a card"),
                trend: nil,
                isUp: true
            ),
            OverviewTile(
                name: localized("Users"),
                value: PageFormatter.short(users),
                // safe: a count of connections
                detail: localized("\(PageFormatter.counted(Int64(live), .device)) online"),
                trend: nil,
                isUp: true
            ),
            campaigns(drafts: drafts, context),
        ]
    }

    /// Returns the number of campaigns that are active, and of those that are still to be.
    private static func campaigns(drafts: Int, _ context: PageContext) -> OverviewTile {
        let states = context.site.server.activeCampaigns().map { CampaignState($0, at: context.now) }
        let scheduled = PageFormatter.count(Int64(states.count { $0 == .scheduled }))
        let drafts = PageFormatter.counted(Int64(drafts), .draft)
        return OverviewTile(
            name: localized("Campaigns"),
            value: PageFormatter.count(Int64(states.count { $0 == .active })),
            detail: states.contains(.scheduled)
                ? localized("active, \(scheduled) scheduled, \(drafts)") : localized("active, \(drafts)"),
            trend: nil,
            isUp: true
        )
    }

    /// Whether an action of the audit log changed something; sign-ins, reads and rejections are in the log itself.
    private static func isChange(_ action: String) -> Bool {
        guard !action.hasPrefix("session."), !action.hasPrefix("request."), action != "member.code" else {
            return false
        }
        return !(action.hasSuffix(".read") || action.hasSuffix(".list") || action.hasSuffix(".export"))
    }

    private static func chart(_ days: [Day], _ counts: [CampaignCounts]) -> String {
        SeriesChart(
            days: days,
            series: [
                SeriesChart.Series(
                    name: localized("Impressions"),
                    colour: 1,
                    values: counts.map { Double($0.impressions) }
                ),
                SeriesChart.Series(name: localized("Clicks"), colour: 2, values: counts.map { Double($0.clicks) }),
            ],
            label: localized("Impressions and clicks of the last 30 days; the table below has the numbers."),
            isLastDayPartial: true
        ).svg
    }

    /// Returns whether the first steps are shown, which numbers that lack a shard can't tell: a database that gave its
    /// users to another has none of its own.
    static func showsSteps(_ steps: [SetupStep], without shards: [Int]) -> Bool {
        shards.isEmpty && steps.contains { !$0.isDone }
    }

    /// The first steps of a new workspace; gone once all are done.
    private static func steps(
        _ context: PageContext,
        _ counts: CampaignCounts,
        _ users: Int64,
        _ statuses: [Campaign.Status: Int]
    ) async throws -> [SetupStep] {
        let hasApp = try await context.store.apiKeys().contains { $0.kind == .publishable && $0.revokedAt == nil }
        let launched = Campaign.Status.allCases.filter { $0 != .draft }.contains { statuses[$0] ?? 0 > 0 }
        return [
            SetupStep(
                text: localized("Create a publishable key for your app"),
                address: "/dashboard/keys",
                isDone: hasApp
            ),
            SetupStep(text: localized("Connect your app"), address: "/dashboard/users", isDone: users > 0),
            SetupStep(
                text: localized("Launch your first campaign"),
                address: "/dashboard/campaigns/new",
                isDone: launched
            ),
            SetupStep(
                text: localized("See the first impression"),
                address: "/dashboard/campaigns",
                isDone: counts.impressions > 0
            ),
        ]
    }
}

extension OverviewPage.OverviewTile {
    init(_ name: String, _ sums: OverviewPage.Sums, _ count: KeyPath<CampaignCounts, Int64>) {
        let (now, before) = (Double(sums.full[keyPath: count]), Double(sums.before[keyPath: count]))
        let change = before > 0 ? now / before - 1 : nil
        self.init(
            name: name,
            value: PageFormatter.short(sums.shown[keyPath: count]),
            detail: localized("in the last 30 days"),
            trend: change.map(Self.trend),
            isUp: (change ?? 0) >= 0
        )
    }

    /// A change in per cent; after a month with next to nothing its digits say nothing.
    private static func trend(_ change: Double) -> String {
        guard change < 9.995 else { return ">999%" }
        return PageFormatter.change(change, digits: 0)
    }
}
