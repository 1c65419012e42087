import CardModel
import Testing
import WireJSON

@testable import Dashboard

@Suite("Dashboard: sentences of the rules and the server")
struct SentenceTests {
    @Test("Every sentence that the catalog has is one that the rules, the server or a store say")
    func known() throws {
        let said = try SourceTexts.literals(of: ["CardModel", "CardServer", "CardStore", "SQLiteCardStore"])
        let unknown = TextCatalog.File(PackageResources.ja_json).sentences.keys.filter {
            $0.contains(" ") && !said.contains($0)
        }
        #expect(unknown.isEmpty, "Nobody says: \(unknown.sorted())")
    }

    @Test("A sentence is found by its words, the one that says most first, and its values are read again")
    func patterns() throws {
        let patterns = SentencePatterns(["It is {1}.", "It is {1} of {2}.", "It is.", "{1}{2} end"])
        #expect(patterns.phrase(of: "It is.")?.key == "It is.")
        #expect(patterns.phrase(of: "It is 3 of 4.")?.values == ["3", "4"])
        #expect(patterns.phrase(of: "It is {1}.")?.values == ["{1}"])
        #expect(patterns.phrase(of: "a end")?.values == ["", "a"])
        #expect(patterns.phrase(of: "It was.") == nil && patterns.phrase(of: "") == nil)
        #expect(localized(sentence: "This field is required.") == "This field is required.")
        TextCatalog.$current.withValue(.japanese) {
            #expect(localized(sentence: "This field is required.") == "必須項目です。")
            #expect(localized(sentence: "The app needs this: a number.") == "アプリに必要な項目です：数値")
            #expect(localized(sentence: "Nobody says this.") == "Nobody says this.")
        }
    }

    @Test(
        "An audience in English is what the rules say of it",
        arguments: [
            #"null"#, #"{"any":[]}"#, #"{"all":[]}"#, #"{"none":[]}"#, #"{"users":["ann"]}"#, #"{"users":["a","b"]}"#,
            #"{"all":[{"attribute":"country","value":"JP"},{"event":{"name":"cart","comparison":"equals","value":2}}]}"#,
            #"{"any":[{"segment":"vip"},{"all":[{"attribute":"a","comparison":"exists"},{"session":{}}]}]}"#,
            #"{"none":[{"purchase":{"within_calendar_days":1}},{"attribute":"p","comparison":"is_any_of","value":["a",1]}]}"#,
            #"{"purchase":{"product_id":"b","measure":"revenue","currency":"usd","comparison":"less_than","value":9.5,"within_days":7}}"#,
            #"{"event":{"name":"cart","measure":"last","comparison":"less_than_x_days_ago","value":3}}"#,
            #"{"event":{"name":"cart","measure":"first","comparison":"after","value":"2026-11-21"}}"#,
            #"{"session":{"measure":"last","comparison":"does_not_exist"}}"#, #"{"random_bucket":{"from":0,"to":99}}"#,
            #"{"session":{"measure":"first","comparison":"exists"}}"#,
            #"{"event":{"name":"x","comparison":"not_equal","value":1}}"#,
            #"{"campaign":{"id":"sale","contact":"clicked","variants":["b","a"],"within_calendar_days":2}}"#,
            #"{"attribute":"a","comparison":"equals","value":""}"#,
        ]
    )
    func audiences(_ text: String) throws {
        let audience = try Audience(json: JSONValue(parsing: text))
        #expect(AudienceWording.summary(audience) == audience.summary)
    }

    @Test("Every comparison in English is what the rules say", arguments: AttributeClause.Comparison.allCases)
    func comparisons(_ comparison: AttributeClause.Comparison) throws {
        for value: JSONValue in ["x", 3, ["a"], "2026-11-21"] {
            let json: JSONValue = ["attribute": "a", "comparison": .string(comparison.rawValue), "value": value]
            guard let audience = try? Audience(json: json) else { continue }
            #expect(AudienceWording.summary(audience) == audience.summary)
        }
    }

    @Test("An audience in Japanese")
    func japanese() throws {
        let text =
            #"{"all":[{"attribute":"country","value":"JP"},{"event":{"name":"cart","comparison":"greater_than_or_equal_to","value":2,"within_days":7}}]}"#
        let audience = try Audience(json: JSONValue(parsing: text))
        TextCatalog.$current.withValue(.japanese) {
            #expect(AudienceWording.summary(audience) == "countryがJP、かつcartを実施した回数が2以上（過去7日間）")
        }
    }
}
