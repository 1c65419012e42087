import CardModel
import CardServer
import CardStore
import HTTPTypes
import Hummingbird
import NIOCore
import WireJSON

/// The page of a campaign with its report.
enum ReportPage {
    struct Tile {
        let name: String
        let value: String
        let detail: String
    }

    struct Step {
        let name: String
        let width: String
        let figures: String
        let rate: String?

        /// The width of a bar in thousandths.
        static func width(_ count: Int64, of most: Int64) -> String {
            String(Int64(nearest: min(1, Double(count) / Double(max(1, most))) * 1_000))
        }

        /// Bars for some numbers, each with its rate of a whole, which is that of the first.
        static func list(_ steps: [(name: String, count: Int64)], of whole: Int64) -> [Step] {
            let most = max(1, steps.map(\.count).max() ?? 1)
            return steps.enumerated().map { index, step in
                Step(
                    name: step.name,
                    width: width(step.count, of: most),
                    figures: Wording.count(step.count),
                    rate: index > 0 ? Wording.rate(step.count, of: whole) : nil
                )
            }
        }
    }

    struct Row {
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

    struct Problem {
        let variant: String
        let classType: String
        let field: String
        let message: String
        let count: String
        let last: TimeView
    }

    struct View {
        let id: String
        let name: String
        let address: String
        let status: StatusView
        let summary: CampaignSummary
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
        let tiles: [Tile]
        let funnel: [Step]
        let converted: [Step]
        let hasConverted: Bool
        let chart: String
        let rateChart: String
        let legend: [Legend]
        let days: [DayRow]
        let hasNumbers: Bool
        let changes: [Change]
        let hasChanges: Bool
        let compared: String
        let rows: [Row]
        let verdict: String?
        let isMismatched: Bool
        let findings: [Finding]
        let hasFindings: Bool
        let moreFindings: [Finding]
        let moreCount: String
        let hasMoreFindings: Bool
        let problems: [Problem]
        let hasProblems: Bool
        let withheld: [Withheld]
        let hasWithheld: Bool
        let conversions: [ConversionView]
        let variantNames: [String]
        let hasConversions: Bool
    }

    struct Legend {
        let name: String
        let colour: Int
    }

    /// What was counted in some days and in as many days before them.
    struct Change {
        let name: String
        let now: String
        let before: String
        /// The difference in per cent of what was before, with its sign.
        let difference: String
        let isUp: Bool
        let isDown: Bool

        init(name: String, now: Int64, before: Int64) {
            self.name = name
            self.now = Wording.count(now)
            self.before = Wording.count(before)
            isUp = now > before
            isDown = now < before
            let part = before > 0 ? Double(now) / Double(before) - 1 : nil
            difference = part.map { ($0 > 0 ? "+" : "") + Wording.percent($0) } ?? "–"
        }
    }

    struct DayRow {
        let day: String
        let delivered: String
        let impressions: String
        let clicks: String
    }

    @Sendable static func show(_ visit: Visit) async throws -> Response {
        let view = try await view(visit)
        if visit.query["part"] == "numbers" { return try visit.part("report-numbers", view) }
        return try visit.page("report", title: view.name, in: .campaigns, view)
    }

    private static func view(_ visit: Visit) async throws -> View {
        let campaign = try await CampaignPages.campaign(visit)
        let id = campaign.id.rawValue
        let json = try await visit.read("\(try CampaignPages.path(visit))/report")
        let today = DayClock(zone: visit.timeZone).day(of: visit.now)
        let range = ReportDays(visit.query, until: today)
        let numbers = ReportNumbers(json, range, today: today)
        let totals = json["totals"] ?? [:]
        let experiment = json["experiment"] ?? .null
        let findings = Findings(json)
        return View(
            id: id,
            name: campaign.content.name,
            address: "/dashboard/campaigns/\(FormData.escape(id))",
            status: StatusView(campaign, at: visit.now),
            summary: CampaignSummary(campaign, visit),
            range: range,
            tags: campaign.content.tags,
            canLaunch: [.draft, .paused, .stopped].contains(campaign.status),
            launchText: campaign.status == .draft ? "Launch" : "Resume",
            canPause: campaign.status == .active,
            canStop: [.active, .paused].contains(campaign.status),
            canArchive: [.draft, .stopped].contains(campaign.status),
            canRestore: campaign.status == .archived,
            canChange: campaign.status != .archived,
            changed: TimeView(campaign.updatedAt, for: visit),
            tiles: tiles(totals),
            funnel: funnel(totals),
            converted: converted(totals),
            hasConverted: !converted(totals).isEmpty,
            chart: numbers.counts.svg,
            rateChart: numbers.rates.svg,
            legend: numbers.rates.series.map { Legend(name: $0.name, colour: $0.colour) },
            days: numbers.rows,
            hasNumbers: !numbers.rows.isEmpty,
            changes: numbers.changes,
            hasChanges: !numbers.changes.isEmpty,
            compared: Wording.counted(Int64(numbers.comparedDays), "day"),
            rows: rows(json),
            verdict: experiment["verdict"]?["message"]?.string,
            isMismatched: experiment["sample_ratio"]?["mismatch"]?.bool ?? false,
            findings: findings.main,
            hasFindings: !findings.main.isEmpty,
            moreFindings: findings.others,
            moreCount: String(findings.others.count),
            hasMoreFindings: !findings.others.isEmpty,
            problems: (json["decode_errors"]?.array ?? []).map { Problem($0, findings.names, visit) },
            hasProblems: !(json["decode_errors"]?.array ?? []).isEmpty,
            withheld: Withheld.list(json, findings.names, hidesPersonalData: visit.hidesPersonalData),
            hasWithheld: !(json["withheld"]?.array ?? []).isEmpty,
            conversions: ConversionView.list(json),
            variantNames: (json["variants"]?.array ?? []).map { $0["name"]?.string ?? "" },
            hasConversions: !(totals["conversions"]?.array ?? []).isEmpty
        )
    }

    private static func number(_ json: JSONValue, _ name: String) -> Int64 { json[name]?.integer ?? 0 }

    private static func tiles(_ totals: JSONValue) -> [Tile] {
        func count(_ name: String) -> String { Wording.short(number(totals, name)) }
        let seen = number(totals, "unique_impressions")
        return [
            Tile(name: "Delivered", value: count("delivered"), detail: "cards, without control"),
            Tile(
                name: "Impressions",
                value: count("impressions"),
                detail: Wording.counted(number(totals, "unique_impressions"), "user")
            ),
            Tile(
                name: "Clicks",
                value: count("clicks"),
                detail: Wording.counted(number(totals, "unique_clicks"), "user")
            ),
            Tile(
                name: "Click rate",
                value: Wording.rate(number(totals, "unique_clicks"), of: seen),
                detail: "of users who saw the card"
            ),
            Tile(
                name: "Dismissed",
                value: Wording.rate(number(totals, "dismissals"), of: seen),
                detail: Wording.counted(number(totals, "dismissals"), "user")
            ),
        ]
    }

    static func funnel(_ totals: JSONValue) -> [Step] {
        let steps =
            [
                (
                    "Delivered",
                    number(totals, "recipients") > 0 ? number(totals, "recipients") : number(totals, "delivered")
                ),
                ("Viewed", number(totals, "unique_impressions")), ("Clicked", number(totals, "unique_clicks")),
            ]
        return Step.list(steps, of: steps.first?.1 ?? 0)
    }

    /// The users who converted, of those who were eligible to: they needn't have clicked, so this is no step.
    static func converted(_ totals: JSONValue) -> [Step] {
        let conversions = totals["conversions"]?.array ?? []
        let most = max(1, conversions.map { number($0, "users") }.max() ?? 1)
        return conversions.map { conversion in
            let (users, converted) = (number(conversion, "users"), number(conversion, "unique_conversions"))
            return Step(
                name: conversion["name"]?.string ?? "Converted",
                width: Step.width(converted, of: most),
                figures: Wording.count(converted),
                rate: Wording.rate(converted, of: users)
            )
        }
    }

    private static func rows(_ json: JSONValue) -> [Row] {
        let variants = json["variants"]?.array ?? []
        let total = variants.reduce(Int64(0)) { $0.addingClamped(number($1, "weight")) }
        return variants.map { variant in
            let rate = variant["rates"]?["clicked"] ?? .null
            let interval = rate["low"]?.double.flatMap { low in
                rate["high"]?.double.map { "\(Wording.percent(low)) to \(Wording.percent($0))" }
            }
            let isControl = variant["control"]?.bool ?? false
            return Row(
                name: variant["name"]?.string ?? "",
                letter: String((variant["id"]?.string ?? "").prefix(1)),
                share: Wording.rate(number(variant, "weight"), of: total),
                isControl: isControl,
                isMarked: isControl && variant["name"]?.string?.lowercased() != "control",
                delivered: Wording.count(number(variant, "delivered")),
                impressions: Wording.count(number(variant, "impressions")),
                uniques: Wording.count(number(variant, "unique_impressions")),
                clicks: isControl ? "–" : Wording.count(number(variant, "unique_clicks")),
                clickRate: isControl
                    ? "–" : Wording.rate(number(variant, "unique_clicks"), of: number(variant, "unique_impressions")),
                interval: isControl ? nil : interval,
                dismissals: isControl ? "–" : Wording.count(number(variant, "dismissals"))
            )
        }
    }
}

extension ReportPage.Problem {
    init(_ json: JSONValue, _ names: [String: String], _ visit: Visit) {
        self.init(
            variant: names[json["variant_id"]?.string ?? ""] ?? "",
            classType: json["class_type"]?.string ?? "",
            field: json["field"]?.string ?? "",
            // An app writes what it could not decode, which may be anything of its user.
            message: visit.hidesPersonalData ? PersonalData.hidden : json["message"]?.string ?? "",
            count: Wording.count(json["count"]?.integer ?? 0),
            last: TimeView(json["last_at"]?.double ?? 0, for: visit)
        )
    }
}
