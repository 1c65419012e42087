import CardModel
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: texts in HTML")
struct HTMLTextTests {
    @Test(
        "Signs of HTML are escaped, also where a mark or another letter makes a character of them",
        arguments: [
            ("a & b", "a &amp; b"), ("<b>'\"", "&lt;b&gt;&#39;&quot;"),
            ("\u{D4E}<b\u{D4E}>", "\u{D4E}&lt;b\u{D4E}&gt;"), ("\"\u{301}'\u{FE0F}", "&quot;\u{301}&#39;\u{FE0F}"),
            ("\u{600}&\u{338}", "\u{600}&amp;\u{338}"),
            ("e\u{301} 日本", "e\u{301} 日本"), ("", ""),
        ]
    )
    func escaped(text: String, html: String) { #expect(text.escaped.utf8.elementsEqual(html.utf8)) }

    @Test(
        "The name of an exported file has letters and digits of the campaign's ID, and ends where it should",
        arguments: [
            ("summer-sale_1", "summer-sale_1.csv"), ("夏のセール", "夏のセール.csv"), ("!\"", "report.csv"),
            ("a\u{D4E}\"; x=\u{D4E}\\", "a\u{D4E}x\u{D4E}.csv"),
        ]
    )
    func fileName(id: String, name: String) {
        #expect(ReportPage.fileName(of: CampaignID(rawValue: id)).utf8.elementsEqual(name.utf8))
    }

    @Test(
        "The preview of a content block takes no brace of its name for Liquid",
        arguments: ["{{ x }}", "\u{D4E}{{\u{301}"]
    )
    func braces(name: String) {
        #expect(!ContentBlockEditor.escapedLiquid(name).utf8.contains(UInt8(ascii: "{")))
    }

    @Test("What apps and members write begins no tag and ends no attribute of a page, whatever stands beside its signs")
    func pages() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.viewer)
            var update = UserUpdate(id: UserID(rawValue: "u-1"))
            update.standard[.lastName] = .string("\u{D4E}<b>\"\u{301} x")
            try await place.store.updateUsers([update], at: place.time.now)
            for path in ["/dashboard/users", "/dashboard/users/u-1"] {
                let page = Array(try await visitor.get(path).text.utf8)
                #expect(page.firstRange(of: Array("\u{D4E}&lt;b&gt;&quot;\u{301} x".utf8)) != nil, "\(path)")
                #expect(page.firstRange(of: Array("\u{D4E}<b".utf8)) == nil, "\(path)")
            }
            let found = Array(try await visitor.get("/dashboard/users?q=%22%CC%81%20x").text.utf8)
            #expect(found.firstRange(of: Array("value=\"&quot;\u{301} x\"".utf8)) != nil)
            #expect(found.firstRange(of: Array("\"\u{301}".utf8)) == nil)
        }
    }
}
