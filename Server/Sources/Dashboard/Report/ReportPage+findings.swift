import WireJSON

extension ReportPage {
    /// Two variants compared by one metric, in words.
    struct Finding {
        let metric: String
        let variant: String
        let baseline: String
        let lift: String
        let interval: String
        let bar: String?
        let p: String
        let verdict: String
        let tone: String
    }

    /// The comparisons of a report: those by the first metric are what the experiment is about.
    struct Findings {
        let main: [Finding]
        let others: [Finding]
        /// The variants' names by their ids.
        let names: [String: String]

        init(_ report: JSONValue) {
            let all = report["experiment"]?["comparisons"]?.array ?? []
            let variants = report["variants"]?.array ?? []
            let names = Dictionary(
                variants.map { ($0["id"]?.string ?? "", $0["name"]?.string ?? "") },
                uniquingKeysWith: { first, _ in first }
            )
            let metrics = Self.metricNames(report["totals"] ?? [:])
            self.names = names
            main = all.filter { $0["metric"] == all.first?["metric"] }.map { Finding($0, names, metrics) }
            others = all.filter { $0["metric"] != all.first?["metric"] }.map { Finding($0, names, metrics) }
        }

        private static func metricNames(_ totals: JSONValue) -> [String: String] {
            Dictionary(
                (totals["conversions"]?.array ?? []).map { ($0["id"]?.string ?? "", $0["name"]?.string ?? "") },
                uniquingKeysWith: { first, _ in first }
            )
        }
    }
}

extension ReportPage.Finding {
    fileprivate init(_ json: JSONValue, _ names: [String: String], _ metrics: [String: String]) {
        let lift = json["lift"]?.double
        let (low, high) = (json["lift_interval"]?["low"]?.double, json["lift_interval"]?["high"]?.double)
        let verdict = json["verdict"]?.string ?? ""
        func name(_ member: String) -> String { json[member]?.string.map { names[$0] ?? $0 } ?? "" }
        self.init(
            metric: Self.title(of: json["metric"] ?? .null, metrics),
            variant: name("variant_id"),
            baseline: name("baseline_id"),
            lift: lift.map(Self.percent) ?? "–",
            interval: low.flatMap { low in high.map { "\(Self.percent(low)) to \(Self.percent($0))" } } ?? "",
            bar: low.flatMap { low in high.map { IntervalChart(low: low, value: lift ?? 0, high: $0).svg } },
            p: json["p_value"]?.double.map { $0 < 0.001 ? "< 0.001" : Wording.decimal($0, digits: 3) } ?? "–",
            verdict: verdict.replacing("_", with: " "),
            tone: ["higher": "good", "lower": "bad"][verdict] ?? ""
        )
    }

    private static func title(of metric: JSONValue, _ names: [String: String]) -> String {
        let conversion = metric["conversion_id"]?.string.map { names[$0] ?? $0 } ?? ""
        return switch metric["type"]?.string {
        case "conversion": conversion
        case "amount": "\(conversion): \(metric["currency"]?.string ?? "") a user"
        default: "Clicks"
        }
    }

    private static func percent(_ value: Double) -> String {
        (value < 0 ? "−" : "+") + Wording.decimal(abs(value) * 100, digits: 1) + "%"
    }
}
