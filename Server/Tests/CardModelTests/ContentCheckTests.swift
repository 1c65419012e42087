import CardModel
import Testing
import WireJSON

@Suite("Campaigns are checked before their launch")
struct ContentCheckTests {
    private static let coupon = ContentSchema(json: [
        "class_type": "coupon_code",
        "fields": [
            ["name": "code", "type": "string"], ["name": "percent", "type": "integer"],
            ["name": "price", "type": "decimal", "required": false],
            ["name": "once", "type": "boolean", "required": false], ["name": "link", "type": "url", "required": false],
            ["name": "until", "type": "date", "required": false],
            ["name": "colour", "type": "enum", "values": ["red", "blue"], "required": false],
            ["name": "more", "type": "json", "required": false],
        ],
    ])

    private func checks(_ extras: [(String, String)], types: [ContentSchema] = [coupon]) -> [CampaignCheck] {
        var content = Sample.campaign("c").content
        for (name, text) in extras { content.variants[0].card?.extras[name] = text }
        return content.checks(types: types, at: 1_800_000_000)
    }

    private let good = [("class_type", "Coupon_Code"), ("code", "X"), ("percent", "20")]

    @Test("Extras that the app can read are well, whatever the case of the class type")
    func accepts() {
        let full =
            good + [
                ("price", " 1.5 "), ("once", "Yes"), ("link", "shop://x"), ("until", "2027-01-31"), ("colour", "red"),
                ("more", #"{"a":[1]}"#),
            ]
        #expect(checks(full).isEmpty)
        #expect(checks(full.map { $0.0 == "more" ? ("more", "red, blue") : $0 }).isEmpty)
        #expect(checks([("class_type", "other")], types: []).isEmpty)
        #expect(checks([]).isEmpty)
    }

    @Test(
        "What the app cannot read is an error at its field",
        arguments: [
            ("percent", "abc"), ("percent", "1.5"), ("percent", ""), ("price", "0x10"), ("price", "1,5"),
            ("once", "maybe"), ("link", " "), ("until", "tomorrow"), ("until", "2027-02-30"), ("colour", "Red"),
            ("more", "{]"),
        ]
    )
    func refuses(field: String, text: String) throws {
        let found = checks(good.filter { $0.0 != field } + [(field, text)])
        #expect(found.map(\.code) == ["content_field_invalid"])
        let check = try #require(found.first)
        #expect(check.path == "variants[0].card.extras.\(field)")
        #expect(check.severity == .error)
        #expect(!check.message.contains(text) || text.count < 2)
    }

    @Test(arguments: [
        "0", "-7", "+7", " 7\n", "7.0", "7e2", "9007199254740993", "9223372036854775807", "-9223372036854775808",
    ])
    func `A whole number is one up to the largest that an app can read`(text: String) {
        #expect(checks(good.filter { $0.0 != "percent" } + [("percent", text)]).isEmpty)
    }

    @Test(arguments: ["9223372036854775808", "1e19", "7.5", "7e-1", "\u{661}", "7 7", "0x7", "--7", "nan", "inf"])
    func `What an app can't read as a whole number is an error`(text: String) {
        let found = checks(good.filter { $0.0 != "percent" } + [("percent", text)])
        #expect(found.map(\.code) == ["content_field_invalid"])
    }

    @Test("A required extra that is missing is an error, and a class type that nobody published a warning")
    func missing() {
        let found = checks([("class_type", "coupon_code"), ("code", "X")])
        #expect(found.map(\.code) == ["content_field_missing"])
        #expect(found.map(\.path) == ["variants[0].card.extras.percent"])
        let unknown = checks([("class_type", "cupon_code")])
        #expect(unknown.map(\.code) == ["content_type_unknown"])
        #expect(unknown.map(\.severity) == [.warning])
    }

    @Test("Templates are judged on nobody's behalf", arguments: ["{{${percent}}}", "{% if a %}1{% endif %}"])
    func templates(text: String) {
        #expect(checks(good.filter { $0.0 != "percent" } + [("percent", text)]).isEmpty)
        #expect(checks([("class_type", text)]).isEmpty)
    }

    @Test("What spoils a comparison is a warning")
    func experiments() {
        var content = Sample.campaign("c", variants: [Sample.variant("a"), Sample.variant("b")]).content
        #expect(content.checks(types: [], at: 1_800_000_000).isEmpty)
        content.variants[1].card?.priority = 5
        #expect(content.checks(types: [], at: 1_800_000_000).map(\.code) == ["variants_in_different_places"])
        content.variants[1].card = nil
        #expect(content.checks(types: [], at: 1_800_000_000).map(\.code) == ["control_without_conversion"])
        content.conversions = [Campaign.Conversion(id: "x", goal: .sessionStart)]
        #expect(content.checks(types: [], at: 1_800_000_000).isEmpty)
    }

    @Test("Filters that were left blank are named once each, however deep they are")
    func blankFilters() {
        var content = Sample.campaign("c").content
        func found(_ audience: Audience) -> [String] {
            content.audience = audience
            return content.checks(types: [], at: 1_800_000_000).filter { $0.path == "audience" }.map(\.code)
        }
        let blank = Audience.attribute(AttributeClause(.standard(.country), .equals, " "))
        #expect(found(.all([.none([blank]), blank])) == ["audience_value_blank"])
        #expect(content.checks(types: [], at: 0).contains { $0.message == "The filter for country has a blank value." })
        #expect(found(.attribute(AttributeClause(.custom("plan"), .isAnyOf, ["a", ""]))) == ["audience_value_blank"])
        #expect(found(.attribute(AttributeClause(.custom(" "), .exists))) == ["audience_name_blank"])
        #expect(found(.any([.history(HistoryClause(.event("")))])) == ["audience_name_blank"])
        #expect(found(.history(HistoryClause(.purchase(product: " ")))) == ["audience_name_blank"])
        #expect(found(.all([.history(HistoryClause(.purchase(product: nil))), .users([])])).isEmpty)
        #expect(found(.attribute(AttributeClause(.standard(.country), .equals, "JP"))).isEmpty)
    }
}
