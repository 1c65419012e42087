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
        let tags: [String]
        let canLaunch: Bool
        let launchText: String
        let canPause: Bool
        let canStop: Bool
        let canArchive: Bool
        let changed: TimeView
        let tiles: [Tile]
        let funnel: [Step]
        let chart: String
        let rateChart: String
        let legend: [Legend]
        let days: [DayRow]
        let hasNumbers: Bool
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
        let json = try await visit.read("\(try CampaignPages.path(visit))/report")
        let id = try visit.parameter("id")
        guard let campaign = try await visit.store.campaign(CampaignID(rawValue: id)) else {
            throw DashboardError.notFound
        }
        let numbers = ReportNumbers(json, until: DayClock(zone: visit.timeZone).day(of: visit.now))
        let totals = json["totals"] ?? [:]
        let experiment = json["experiment"] ?? .null
        let findings = Findings(json)
        return View(
            id: id,
            name: campaign.content.name,
            address: "/dashboard/campaigns/\(FormData.escape(id))",
            status: StatusView(campaign, at: visit.now),
            tags: campaign.content.tags,
            canLaunch: [.draft, .paused, .stopped].contains(campaign.status),
            launchText: campaign.status == .draft ? "Launch" : "Resume",
            canPause: campaign.status == .active,
            canStop: [.active, .paused].contains(campaign.status),
            canArchive: [.draft, .stopped].contains(campaign.status),
            changed: TimeView(campaign.updatedAt, for: visit),
            tiles: tiles(totals),
            funnel: funnel(totals),
            chart: numbers.counts.svg,
            rateChart: numbers.rates.svg,
            legend: numbers.rates.series.map { Legend(name: $0.name, colour: $0.colour) },
            days: numbers.rows,
            hasNumbers: !numbers.rows.isEmpty,
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
            withheld: Withheld.list(json, findings.names),
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

    private static func funnel(_ totals: JSONValue) -> [Step] {
        let steps =
            [
                (
                    "Delivered",
                    number(totals, "recipients") > 0 ? number(totals, "recipients") : number(totals, "delivered")
                ),
                ("Viewed", number(totals, "unique_impressions")), ("Clicked", number(totals, "unique_clicks")),
            ]
            + (totals["conversions"]?.array ?? []).prefix(2).map {
                ($0["name"]?.string ?? "Converted", number($0, "unique_conversions"))
            }
        // safe: there are steps always
        let (given, most) = (steps[0].1, max(1, steps.map(\.1).max() ?? 1))
        return steps.enumerated().map { index, step in
            let rate = index > 0 ? Wording.rate(step.1, of: given) : nil
            return Step(
                name: step.0,
                width: String(Int64(nearest: Double(step.1) / Double(most) * 1_000)),
                figures: Wording.count(step.1),
                rate: rate
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
            message: json["message"]?.string ?? "",
            count: Wording.count(json["count"]?.integer ?? 0),
            last: TimeView(json["last_at"]?.double ?? 0, for: visit)
        )
    }
}
