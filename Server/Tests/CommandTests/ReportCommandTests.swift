import Foundation
import Testing
import WireJSON

@testable import PlacardCommands

/// The report of a campaign as a person reads it.
struct ReportCommandTests {
    private static let variants: JSONValue = [
        [
            "id": "a", "delivered": 1_000, "impressions": 900, "unique_impressions": 500, "clicks": 70,
            "unique_clicks": 50, "dismissals": 5,
            "conversions": [
                [
                    "name": "Bought", "users": 500, "unique_conversions": 25,
                    "rate": ["rate": 0.05, "low": 0.034, "high": 0.073],
                    "amounts": [["amount": 99.5, "currency": "EUR"], ["amount": 7, "currency": "JPY"]],
                ]
            ],
        ],
        ["id": "control", "control": true, "delivered": 0],
    ]

    private static func report(_ others: JSONObject = [:]) -> JSONValue {
        var members: JSONObject = [
            "campaign_id": "spring", "name": "Spring", "status": "active", "variants": variants,
            "totals": ["delivered": 1_000, "unique_impressions": 500],
        ]
        members.merge(others) { _, last in last }
        return .object(members)
    }

    @Test func `Counts stand under their columns, and a share of nothing is a dash`() {
        let lines = ReportTable(Self.report()).text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0] == "Spring (spring), active" && lines[1].isEmpty)
        func cells(_ line: Int) -> [String] { lines[line].split(separator: " ").map(String.init) }
        #expect(
            cells(3) == [
                "a", "1000", "900", "500", "50.0", "%", "70", "50", "10.0", "%", "5", "1.0", "%",
            ]
        )
        #expect(cells(4) == ["control", "(control)", "0", "0", "0", "–", "0", "0", "–", "0", "–"])
        #expect(cells(5)[0] == "total")
        // All rows end at the same column.
        #expect(Set(lines[2...5].map(\.count)).count == 1)
    }

    @Test func `Conversions have their interval and amounts in each currency`() throws {
        let text = ReportTable(Self.report()).text
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("Bought") })
        let cells = line.split(separator: " ").joined(separator: " ")
        #expect(cells == "Bought a 500 25 5.0 % 3.4 % to 7.3 % 99.5 EUR, 7 JPY")
        let bare = ReportTable(["name": "N", "variants": [["id": "a"]]]).text
        #expect(!bare.contains("CONVERSION") && !bare.contains("COMPARED BY"))
    }

    private static func comparison(
        _ pValue: JSONValue,
        _ lift: JSONValue = 0.25,
        verdict: JSONValue = "not_clear"
    ) -> String {
        let finding: JSONValue = [
            "metric": ["type": "click_rate"], "variant_id": "b", "baseline_id": "a", "lift": lift,
            "lift_interval": ["low": -0.05, "high": 0.5], "p_value": pValue, "verdict": verdict,
        ]
        let report = report(["experiment": ["comparisons": [finding]]])
        let lines = ExperimentTable(report).lines.joined(separator: "\n").split(separator: "\n")
        return (lines.last ?? "").split(separator: " ").joined(separator: " ")
    }

    @Test(
        "A comparison ends in the words of the field",
        arguments: [
            ("no_difference_yet", "0.5000 inconclusive"), ("not_enough_data", "0.5000 not enough data"),
            ("higher", "0.5000 higher"),
        ]
    )
    func outcomes(_ verdict: String, _ words: String) {
        #expect(Self.comparison(0.5, verdict: .string(verdict)).hasSuffix(words))
    }

    @Test(
        "A p-value has four decimals, whatever a server says",
        arguments: [
            (0.0123, "0.0123"), (0.00004, "< 0.0001"), (0.0001, "0.0001"), (1, "1.0000"), (0.99996, "1.0000"),
            (0, "< 0.0001"), (-3, "< 0.0001"), (1e300, "1.0000"), (2, "1.0000"),
        ] as [(Double, String)]
    )
    func pValues(_ value: Double, _ text: String) {
        #expect(Self.comparison(.number(value)) == "click_rate b a +25.0 % −5.0 % to +50.0 % \(text) not clear")
    }

    @Test(
        "A lift has its sign, one decimal, and no limit",
        arguments: [
            (-0.5, "−50.0 %"), (0, "+0.0 %"), (0.0004, "+0.0 %"), (12, "+1200.0 %"), (1e300, "+1e+302 %"),
        ] as [(Double, String)]
    )
    func lifts(_ value: Double, _ text: String) {
        #expect(Self.comparison(0.5, .number(value)).hasPrefix("click_rate b a \(text) −5.0 %"))
    }

    @Test func `A result with nothing to compare says nothing`() {
        let silent = Self.report(["experiment": ["verdict": ["code": "nothing_to_compare", "message": "Nothing."]]])
        #expect(!ReportTable(silent).text.contains("Nothing."))
        let said = Self.report([
            "experiment": [
                "verdict": ["code": "winner", "message": "B wins."], "sample_ratio": ["p_value": 0.5],
            ]
        ])
        #expect(ReportTable(said).text.hasSuffix("\n\nB wins. Sample ratio: p 0.5000."))
    }

    @Test(
        "A share has one decimal, also of counts beyond those of a double",
        arguments: [
            (1, 3, "33.3 %"), (2, 3, "66.7 %"), (0, 5, "0.0 %"), (5, 5, "100.0 %"), (7, 5, "140.0 %"),
            (0, 0, "–"), (5, -1, "–"), (.max, .max, "100.0 %"), (1, .max, "0.0 %"),
        ] as [(Int64, Int64, String)]
    )
    func shares(_ part: Int64, _ whole: Int64, _ text: String) {
        #expect(ReportTable.rate(part, of: whole) == text)
    }

    @Test func `The report of a server is a table, or JSON with the days`() async throws {
        try await CommandServer.run { server in
            let card = "{type: classic, title: T, description: D}"
            let text = "id: spring\nname: Spring\nvariants: [{id: a, card: \(card)}, {id: c, control: true}]\n"
            let file = try server.folder.write(text, to: "spring.yaml")
            _ = await server.run("campaign", "apply", file, "--launch")
            let table = await server.run("report", "spring")
            #expect(table.status == 0 && table.output.hasPrefix("Spring (spring), active\n\nVARIANT"))
            let json = await server.run("report", "spring", "--json")
            #expect(json.json["campaign_id"] == "spring" && json.json["variants"]?.array?.count == 2)
            #expect(await server.run("report", "nope").status == 1)
        }
        try await CommandServer.run([.read]) { server in
            let refused = await server.run("report", "spring")
            #expect(refused.status == 1 && refused.message.hasSuffix("`placard key list` shows what each key may do."))
        }
    }
}
