import ArgumentParser
import CardModel
import Terminal
import WireJSON

/// The command `placard report`.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Shows a campaign's report.",
        discussion: """
            placard report spring
            placard report spring --json

            Rates are of users: those who saw the card among those who were given it, and those who clicked or \
            dismissed it among those who saw it. The totals leave out the control, whose impressions nobody saw.

            The intervals of comparisons and their p-values hold however often you look. See docs/experiments.md.

            Needs a key with the permission `report`.
            """
    )

    @Argument(help: "The campaign's id.")
    var id: String

    @OptionGroup var server: ServerOptions

    @Flag(help: "Writes the whole report as JSON, with the days.")
    var json = false

    func run() async throws {
        let report = try await server.client().get("campaigns", id, "report")
        if json { return Console.write(report) }
        Console.write(ReportTable(report).text)
    }
}

/// A report as a person reads it.
struct ReportTable {
    private let report: JSONValue

    init(_ report: JSONValue) { self.report = report }

    var text: String {
        let id = report["campaign_id"]?.string ?? ""
        let heading = "\(report["name"]?.string ?? "") (\(id)), \(report["status"]?.string ?? "")"
        let experiment = ExperimentTable(report)
        return ([heading.printableLine, "", table.text] + experiment.lines + problems).joined(separator: "\n")
    }

    private var table: TextTable {
        var table = TextTable([
            .text("VARIANT"), .number("DELIVERED"), .number("IMPRESSIONS"), .number("UNIQUE"), .number("SEEN"),
            .number("CLICKS"), .number("UNIQUE"), .number("CLICKED"), .number("DISMISSALS"), .number("DISMISSED"),
        ])
        for variant in report["variants"]?.array ?? [] {
            let control = variant["control"]?.bool == true
            table.add(cells("\(variant["id"]?.string ?? "")\(control ? " (control)" : "")", variant))
        }
        if let totals = report["totals"] { table.add(cells("total", totals)) }
        return table
    }

    private func cells(_ name: String, _ counts: JSONValue) -> [String] {
        func count(_ name: String) -> Int64 { counts[name]?.integer ?? 0 }
        func rate(_ part: String, _ whole: String) -> String { Self.rate(count(part), of: count(whole)) }
        return [
            name, "\(count("delivered"))", "\(count("impressions"))", "\(count("unique_impressions"))",
            rate("unique_impressions", "delivered"), "\(count("clicks"))", "\(count("unique_clicks"))",
            rate("unique_clicks", "unique_impressions"), "\(count("dismissals"))",
            rate("dismissals", "unique_impressions"),
        ]
    }

    /// A share in per cent with one decimal, or a dash where there is nothing to have a share of.
    static func rate(_ part: Int64, of whole: Int64) -> String {
        guard whole > 0 else { return "–" }
        let permille = Int(exactly: (Double(part) * 1000 / Double(whole)).rounded()) ?? .max
        return "\(permille / 10).\(permille % 10) %"
    }

    private var problems: [String] {
        let problems = report["decode_errors"]?.array ?? []
        return problems.isEmpty ? [] : ["", "Extras that apps could not read:"] + problems.map(Self.line)
    }

    private static func line(_ problem: JSONValue) -> String {
        let place = [problem["class_type"]?.string, problem["field"]?.string].compactMap(\.self)
        let parts = [
            problem["variant_id"]?.string ?? "", place.joined(separator: "."), problem["message"]?.string ?? "",
        ]
        let times = Quantity.text(problem["count"]?.integer ?? 0, "time")
        return "  \(parts.joined(separator: ": ").printableLine) (\(times))"
    }
}
