import CardModel
import Testing

@testable import Dashboard

@Suite("Dashboard: the language of a request")
struct LanguageTests {
    @Test(
        "The browser's header decides by its qualities",
        arguments: [
            ("ja", "ja"), ("ja-JP", "ja"), ("en-US,en;q=0.9,ja;q=0.8", "en"), ("fr, ja;q=0.5, en;q=0.4", "ja"),
            ("en;q=0.3, JA-jp ; q=0.8", "ja"), ("x\u{600},ja", "ja"), ("ja;\u{301}q=0, en;q=0.1", "ja"),
            ("ja;q=0, en;q=0.1", "en"), ("ja;q=2", nil), ("ja;q=x", nil),
            ("*", nil), ("", nil), (",;,q=1;", nil), ("jav", nil), ("fr", nil),
            (String(repeating: "fr,", count: 20) + "ja", nil), (String(repeating: " ", count: 1_000) + "ja", nil),
        ]
    )
    func header(_ header: String, _ expected: String?) {
        #expect(TextCatalog.preferred(header, of: TextCatalog.all)?.tag == expected)
    }

    @Test("Pages are in the language that the browser prefers, those before signing in too")
    func browser() async throws {
        try await Workplace.run { place in
            _ = try await place.member(.viewer)
            let kenji = Visitor(client: place.client, languages: "ja,en;q=0.5")
            let signIn = try await kenji.get("/dashboard/sign-in")
            #expect(signIn.text.contains("<html lang=\"ja\"") && signIn.text.contains("パスワード"))
            #expect(signIn.text.contains("<script type=\"application/json\" id=\"texts\">"))
            #expect(signIn.headers[.vary] == "Accept-Language, Cookie")
            #expect(try await kenji.signIn("viewer@example.com", password: "wrong").text.contains("が違います。"))
            #expect(try await kenji.signIn("viewer@example.com").status == 303)
            #expect(try await kenji.get("/dashboard/campaigns").text.contains("<h1>キャンペーン</h1>"))
            #expect(try await kenji.get("/dashboard/nothing").text.contains("ページが見つかりません"))
            let anna = Visitor(client: place.client)
            let english = try await anna.get("/dashboard/sign-in").text
            #expect(english.contains("<html lang=\"en\"") && !english.contains("id=\"texts\""))
        }
    }

    @Test("A member's choice comes before the browser's, until they take it back; an unknown one changes nothing")
    func choice() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.viewer)
            #expect(try await anna.get("/dashboard/account").text.contains("<h1>Your account</h1>"))
            let change = ("/dashboard/language", "/dashboard/account")
            #expect(try await anna.post(change.0, from: change.1, ["language": "ja"]).status == 303)
            let japanese = try await anna.get("/dashboard/account?done=language").text
            #expect(japanese.contains("<h1>アカウント</h1>") && japanese.contains("言語を保存しました。"))
            #expect(japanese.contains("<option value=\"ja\" selected>日本語</option>"))
            _ = try await anna.post(change.0, from: change.1, ["language": ""])
            #expect(try await anna.get("/dashboard/account").text.contains("<h1>Your account</h1>"))
            _ = try await anna.post(change.0, from: change.1, ["language": "<tlh>"])
            #expect(try await anna.get("/dashboard/account").text.contains("<h1>Your account</h1>"))
        }
    }

    @Test("Names that the editor gives are stored in the language of the account, whatever the browser prefers")
    func names() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.editor)
            _ = try await anna.post("/dashboard/language", from: "/dashboard/account", ["language": "ja"])
            let new = "/dashboard/campaigns/new"
            var form = [
                "base": "{}", "c.name": "Sale", "c.variants[0].id": "a", "c.variants[0].name": "Card",
                "c.variants[0].weight": "100", "c.variants[0].card.type": "classic", "do": "add c.variants control",
            ]
            let added = try await anna.post("/dashboard/campaigns/reshape", from: new, form).text
            #expect(added.contains("\"コントロール\"") && !added.contains("\"Control\""))
            form["do"] = "add c.variants"
            let another = try await anna.post("/dashboard/campaigns/reshape", from: new, form).text
            #expect(another.contains("\"バリアントB\""))
        }
    }

    @Test("The names that the API gives variants are shown in the language of the page, and no others")
    func standardNames() {
        func shown(_ id: String, _ name: String, _ card: CardTemplate?) -> String {
            Campaign.Variant(id: VariantID(rawValue: id), name: name, card: card).displayName
        }
        let card = CardTemplate(layout: .classic)
        #expect(shown("a", "Variant a", card) == "Variant a" && shown("a", "", card) == "a")
        TextCatalog.$current.withValue(.japanese) {
            #expect(shown("a", "Variant a", card) == "バリアントa" && shown("c", "Control", nil) == "コントロール")
            #expect(shown("a", "Variant b", card) == "Variant b" && shown("a", "Control", card) == "Control")
        }
    }

    @Test("Each layout of cards has a name of its own, in each language")
    func layoutNames() {
        let layouts = CardTemplate.Layout.allCases
        let english = layouts.map(\.displayName)
        #expect(CardTemplate.Layout.captionedImage.displayName == "Captioned image")
        let japanese = TextCatalog.$current.withValue(.japanese) { layouts.map(\.displayName) }
        #expect(Set(japanese).union(english).count == 2 * layouts.count)
    }

    @Test("Data of the scripts can't end their element")
    func scripts() {
        let json = ScriptTexts.json { _ in "</script><b>" }
        #expect(json.contains("\\u003c/script>") && !json.contains("<"))
    }
}
