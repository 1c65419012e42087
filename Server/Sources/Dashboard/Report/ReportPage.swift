import CardModel
import CardServer
import CardStore
import Hummingbird
import Statistics

/// The page of a campaign with its report.
enum ReportPage {
    struct ReportTile {
        let name: String
        let value: String
        let detail: String
    }

    struct FunnelStep {
        let name: String
        let width: String
        let figures: String
        let rate: String?

        /// The width of a bar in thousandths.
        static func width(_ count: Int64, of most: Int64) -> String {
            String(Int64(nearest: min(1, Double(count) / Double(max(1, most))) * 1_000))
        }

        /// Bars for some numbers, each with its rate of a whole, which is that of the first.
        static func list(_ steps: [(name: String, count: Int64)], of whole: Int64) -> [FunnelStep] {
            let most = max(1, steps.map(\.count).max() ?? 1)
            return steps.enumerated().map { index, step in
                FunnelStep(
                    name: step.name,
                    width: width(step.count, of: most),
                    figures: PageFormatter.count(step.count),
                    rate: index > 0 ? PageFormatter.rate(step.count, of: whole) : nil
                )
            }
        }
    }

    struct VariantRow {
        let name: String
        let letter: String
        let share: String
        let isControl: Bool
        /// Whether the name does not already say that it is the control.
        let isMarked: Bool
        let delivered: String
        let impressions: String
        let uniques: String
        let clicks: String
        let clickRate: String
        let interval: String?
        let dismissals: String
    }

    struct DecodingErrorRow {
        let variant: String
        let classType: String?
        let field: String?
        let message: String
        let count: String
        let last: TimeView
    }

    struct ReportView {
        let id: String
        let name: String
        let address: String
        let status: StatusView
        let summary: CampaignSummary
        let approvalNotice: ApprovalNotice?
        let range: ReportDays
        let tags: [String]
        let canLaunch: Bool
        let launchText: String
        let canPause: Bool
        let canStop: Bool
        let canArchive: Bool
        let canRestore: Bool
        let canChange: Bool
        let changed: TimeView
        let tiles: [ReportTile]
        /// The text that says what is counted in the days that are asked for, and what isn't; `nil` where all is since
        /// the launch.
        let rangeText: String?
        let funnel: [FunnelStep]
        let converted: [FunnelStep]
        let hasConverted: Bool
        let chart: String
        let rateChart: String
        let legend: [Legend]
        let days: [ReportDay]
        let hasNumbers: Bool
        let changes: [PeriodChange]
        let hasChanges: Bool
        let compared: String
        /// Whether the comparison leaves today out, which isn't over.
        let leavesOutToday: Bool
        let rows: [VariantRow]
        let verdict: String?
        let isMismatched: Bool
        let findings: [Finding]
        let hasFindings: Bool
        let moreFindings: [Finding]
        let moreCount: String
        let hasMoreFindings: Bool
        let problems: [DecodingErrorRow]
        let hasProblems: Bool
        let withheld: [Withheld]
        let hasWithheld: Bool
        let conversions: [VariantConversions]
        let variantNames: [String]
        let hasConversions: Bool
    }

    struct Legend {
        let name: String
        let colour: Int
        let pattern: Int
    }

    /// The counts in some days and in as many days before them.
    struct PeriodChange {
        let name: String
        let now: String
        let before: String
        /// The difference in per cent of what was before.
        let difference: String
        let isUp: Bool
        let isDown: Bool

        init(name: String, now: Int64, before: Int64) {
            self.name = name
            self.now = PageFormatter.count(now)
            self.before = PageFormatter.count(before)
            isUp = now > before
            isDown = now < before
            let part = before > 0 ? Double(now) / Double(before) - 1 : nil
            difference = part.map { PageFormatter.change($0) } ?? "–"
        }
    }

    struct ReportDay {
        let day: String
        let delivered: String
        let impressions: String
        let clicks: String
        /// The click-through rates of the variants with a card.
        let rates: [String]
    }

    @Sendable static func show(_ context: PageContext) async throws -> Response {
        let view = try await view(context)
        if context.query[.part] == "numbers" { return try context.part("report-numbers", view) }
        return try context.page("report", title: view.name, in: .campaigns, view)
    }

    /// The report of the campaign that the path names, and what was counted by the days of the workspace.
    static func report(
        _ context: PageContext
    ) async throws -> (report: CampaignReport, counts: [Day: [VariantID: CampaignCounts]]) {
        guard let id = CampaignID(checking: try context.parameter("id")),
            let report = try await context.store.campaignReport(of: id)
        else { throw DashboardError.notFound }
        return (report, report.dailyCounts(by: \.local))
    }

    private static func view(_ context: PageContext) async throws -> ReportView {
        let (report, counts) = try await report(context)
        let (campaign, totals) = (report.campaign, report.totals)
        let id = campaign.id.rawValue
        let isNeeded = try await context.ask { server, caller in try server.approvals.isNeeded(by: caller) }
        let today = DayClock(zone: context.timeZone).day(of: context.now)
        let range = try await days(of: campaign, until: today, context)
        let numbers = ReportNumbers(campaign.content.variants, counts, range, today: today)
        let isInRange = range.isChosen && range.problem == nil
        let experiment = Experiment(report)
        let findings = Findings(experiment, campaign.content)
        let converted = converted(report.conversionTotals)
        return ReportView(
            id: id,
            name: campaign.content.name,
            address: "/dashboard/campaigns/\(FormData.escape(part: id))",
            status: StatusView(campaign, at: context.now),
            summary: try await CampaignSummary(campaign, context),
            approvalNotice: try await ApprovalNotice.of(campaign, context),
            range: range,
            tags: campaign.content.tags,
            canLaunch: [.draft, .paused, .stopped].contains(campaign.status),
            launchText: isNeeded ? localized("Request approval") : Self.launchText(campaign),
            canPause: campaign.status == .active,
            canStop: [.active, .paused].contains(campaign.status),
            canArchive: [.draft, .stopped].contains(campaign.status),
            canRestore: campaign.status == .archived,
            canChange: campaign.status != .archived,
            changed: TimeView(campaign.updatedAt, for: context),
            tiles: isInRange ? tiles(of: numbers.sums) : tiles(totals),
            rangeText: isInRange ? rangeText(numbers) : nil,
            funnel: funnel(totals),
            converted: converted,
            hasConverted: !converted.isEmpty,
            chart: numbers.counts.svg,
            rateChart: numbers.rates.svg,
            legend: numbers.rates.series.map { Legend(name: $0.name, colour: $0.colour, pattern: $0.pattern) },
            days: numbers.rows,
            hasNumbers: !numbers.rows.isEmpty,
            changes: numbers.changes,
            hasChanges: !numbers.changes.isEmpty,
            compared: PageFormatter.counted(Int64(numbers.comparedDays), .day),
            leavesOutToday: numbers.leavesOutToday,
            rows: campaign.content.variants.map { row($0, of: report) },
            verdict: ResultFormatter.text(experiment, campaign),
            isMismatched: experiment.sampleRatio?.isMismatch ?? false,
            findings: findings.main,
            hasFindings: !findings.main.isEmpty,
            moreFindings: findings.others,
            moreCount: String(findings.others.count),
            hasMoreFindings: !findings.others.isEmpty,
            problems: report.problems.map { DecodingErrorRow($0, of: campaign, context) },
            hasProblems: !report.problems.isEmpty,
            withheld: Withheld.list(report, hidesPersonalData: context.hidesPersonalData),
            hasWithheld: !report.withheld.isEmpty,
            conversions: VariantConversions.list(report),
            variantNames: campaign.content.variants.map(\.displayName),
            hasConversions: !campaign.content.conversions.isEmpty
        )
    }

    private static func launchText(_ campaign: Campaign) -> String {
        campaign.status == .draft ? localized("Launch") : localized("Resume")
    }

    private static func rangeText(_ numbers: ReportNumbers) -> String {
        guard let (first, last) = numbers.bounds else {
            return localized("The tiles and charts show the chosen days. All else is since the launch.")
        }
        let (start, end) = (PageFormatter.date(first), PageFormatter.date(last))
        return localized("The tiles and charts show \(start) to \(end). All else is since the launch.")
    }

    private static func tiles(_ totals: CampaignCounts) -> [ReportTile] {
        let seen = totals.uniqueImpressions
        return [
            ReportTile(
                name: localized("Delivered"),
                value: PageFormatter.short(totals.delivered),
                detail: localized("cards, without control")
            ),
            ReportTile(
                name: localized("Impressions"),
                value: PageFormatter.short(totals.impressions),
                detail: PageFormatter.counted(totals.uniqueImpressions, .user)
            ),
            ReportTile(
                name: localized("Clicks"),
                value: PageFormatter.short(totals.clicks),
                detail: PageFormatter.counted(totals.uniqueClicks, .user)
            ),
            ReportTile(
                name: localized("Click rate"),
                value: PageFormatter.rate(totals.uniqueClicks, of: seen),
                detail: localized("of users who saw the card")
            ),
            ReportTile(
                name: localized("Dismissed"),
                value: PageFormatter.rate(totals.dismissals, of: seen),
                detail: PageFormatter.counted(totals.dismissals, .user)
            ),
        ]
    }

    /// Returns the tiles of some days.
    ///
    /// Who saw a card for the first time in them isn't who clicked in them, so that shares of users would say nothing.
    static func tiles(of days: CampaignCounts) -> [ReportTile] {
        func tile(_ name: String, _ count: Int64) -> ReportTile {
            ReportTile(name: name, value: PageFormatter.short(count), detail: localized("in this period"))
        }
        return [
            tile(localized("Delivered"), days.delivered), tile(localized("Impressions"), days.impressions),
            tile(localized("Clicks"), days.clicks),
            ReportTile(
                name: localized("Click rate"),
                value: PageFormatter.rate(days.clicks, of: days.impressions),
                detail: localized("of impressions in this period")
            ),
            tile(localized("Dismissed"), days.dismissals),
        ]
    }

    static func funnel(_ totals: CampaignCounts) -> [FunnelStep] {
        let delivered = totals.recipients > 0 ? totals.recipients : totals.delivered
        let steps = [
            (localized("Delivered"), delivered), (localized("Viewed"), totals.uniqueImpressions),
            (localized("Clicked"), totals.uniqueClicks),
        ]
        return FunnelStep.list(steps, of: delivered)
    }

    /// The users who converted, of those who were eligible to: they needn't have clicked, so this is no step.
    static func converted(_ conversions: [ConversionSummary]) -> [FunnelStep] {
        let most = max(1, conversions.map(\.users).max() ?? 1)
        return conversions.map { summary in
            let converted = summary.counts.uniqueConversions
            return FunnelStep(
                name: summary.conversion.displayName,
                width: FunnelStep.width(converted, of: most),
                figures: PageFormatter.count(converted),
                rate: PageFormatter.rate(converted, of: summary.users)
            )
        }
    }

    private static func row(_ variant: Campaign.Variant, of report: CampaignReport) -> VariantRow {
        let counts = report.counts(of: variant.id)
        let total = report.campaign.content.variants.reduce(Int64(0)) { $0.addingClamped(Int64($1.weight)) }
        let clicked = Proportion(successes: counts.uniqueClicks, trials: counts.uniqueImpressions)
        func shown(_ text: String) -> String { variant.isControl ? "–" : text }
        return VariantRow(
            name: variant.displayName,
            letter: String(variant.id.rawValue.prefix(1)),
            share: PageFormatter.rate(Int64(variant.weight), of: total),
            isControl: variant.isControl,
            isMarked: variant.isControl && variant.name.lowercased() != "control"
                && variant.name != localized("Control"),
            delivered: PageFormatter.count(counts.delivered),
            impressions: PageFormatter.count(counts.impressions),
            uniques: PageFormatter.count(counts.uniqueImpressions),
            clicks: shown(PageFormatter.count(counts.uniqueClicks)),
            clickRate: shown(PageFormatter.rate(counts.uniqueClicks, of: counts.uniqueImpressions)),
            interval: variant.isControl ? nil : clicked.interval.map(PageFormatter.interval),
            dismissals: shown(PageFormatter.count(counts.dismissals))
        )
    }
}

extension ReportPage.DecodingErrorRow {
    init(_ problem: CampaignReport.DecodingErrorCount, of campaign: Campaign, _ context: PageContext) {
        self.init(
            variant: campaign.content.variantName(problem.variant),
            classType: problem.classType,
            field: problem.field,
            // An app writes what it could not decode, which may be anything of its user.
            message: context.hidesPersonalData ? PersonalData.hidden : problem.message,
            count: PageFormatter.count(problem.count),
            last: TimeView(problem.lastAt, for: context)
        )
    }
}
