import CardModel
import Testing
import WireJSON

@testable import Dashboard

@Suite("Dashboard: sentences of the rules and the server")
struct SentenceTests {
    @Test("Every sentence that the catalog has is one that the rules, the server or a store say")
    func known() throws {
        let said = try SourceTexts.literals(of: [
            "CardModel", "CardServer", "CardStore", "SQLiteCardStore", "UserImport",
        ])
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

    @Test("An audience in Japanese")
    func japanese() throws {
        let text =
            #"{"all":[{"attribute":"country","value":"JP"},{"event":{"name":"cart","#
            + #""comparison":"greater_than_or_equal_to","value":2,"within_days":7}}]}"#
        let audience = try Audience(json: JSONValue(parsing: text))
        TextCatalog.$current.withValue(.japanese) {
            #expect(audience.localizedSummary == "countryがJP、かつcartを実施した回数が2以上（過去7日間）")
        }
    }
}
