import CardModel
import Testing
import WireJSON

@testable import Dashboard

@Suite("Dashboard: numbers in full width")
struct TypedNumberTests {
    @Test(
        "Digits and signs in full width are read as those of ASCII",
        arguments: [
            ("１００", "100"), ("１，０００", "1,000"), ("１、０００", "1,000"), ("－１．５", "-1.5"), ("＋５０％", "+50%"),
            ("1０", "10"), ("①", "①"), ("〇", "〇"), ("ａ１", "ａ1"), ("", ""),
        ]
    )
    func ascii(typed: String, expected: String) { #expect(TypedNumber.ascii(typed) == expected) }

    @Test("A field of a number has the value of its ASCII form, and what is no number stays as it was typed")
    func values() {
        #expect(TypedNumber.json("１４") == 14 && TypedNumber.json("－１．５") == TypedNumber.json("-1.5"))
        for text in ["５０％", "１、０００", "０１", "＋１", "十"] { #expect(TypedNumber.json(text) == .string(text)) }
        #expect(SettingsForm.number("３、６５０") == 3_650 && SettingsForm.number("　１２．５　") == 12.5)
        for text in ["１、００", "５０％", "１，０００．５"] { #expect(SettingsForm.number(text) == .string(text)) }
        #expect(DurationFields.seconds(["number": "１．５", "unit": "minutes"])?.double == 90)
        #expect(DurationFields.seconds(["number": "１分", "unit": "minutes"]) == "１分")
        var traffic = TrafficForm()
        traffic.controlShare = "２０"
        #expect(traffic.controlPercent == 20)
        traffic.controlShare = "２０％"
        #expect(traffic.controlPercent == nil)
    }

    private static let form = [
        "split": "percent", "c.name": "Split", "c.delivery.kind": "action",
        "c.delivery.delay.number": "３０", "c.delivery.delay.unit": "minutes", "c.rules.again": "after",
        "c.rules.days": "１４", "c.variants[0].card.priority": "７", "c.variants[0].card.image_aspect_ratio": "１．５",
        "c.variants[0].id": "a", "c.variants[1].id": "b", "c.variants[0].weight": "７０", "c.variants[1].weight": "　３０",
    ]

    @Test("A campaign in whose fields numbers are typed in full width is the one of their ASCII forms")
    func campaign() throws {
        func draft(_ fields: [String: String]) -> CampaignDraft {
            CampaignDraft(form: FormData(fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }), timeZone: "UTC")
        }
        let wide = draft(Self.form)
        let plain = draft(Self.form.mapValues(TypedNumber.ascii))
        #expect(wide.campaign == plain.campaign)
        #expect(wide.trafficProblems.isEmpty && wide.isSplitInPercent)
        let variants = try #require(wide.campaign["variants"]?.array)
        #expect(variants.map { $0["weight"] } == [70, 30])
        #expect(variants.first?["card"]?["priority"] == 7 && wide.campaign["rules"]?["reeligible_after_days"] == 14)
        #expect(wide.campaign["delivery"]?["delay"]?.double == 1_800)
        let wrong = draft(Self.form.merging(["c.variants[1].weight": "３０％"]) { $1 })
        #expect(wrong.campaign["variants"]?.array?.last?["weight"] == "３０％")
    }

    @Test("Days and counts of audiences are read as well, and values of attributes stay texts")
    func audience() {
        let times = DraftTimes(zone: "UTC")
        let history = HistoryFields(times: times).json(
            ["name": "buy", "test": "count:equals", "value": "１０", "days": "３０"],
            kind: "event"
        )
        #expect(history["value"] == 10 && history["within_days"] == 30)
        let comparison: JSONValue = ["comparison": "equals", "value": "１０"]
        var members: JSONObject = [:]
        ComparisonFields(times: times).write(comparison, to: &members)
        #expect(members["value"] == "１０")
    }
}
