import CardModel
import Foundation
import Testing

@testable import Dashboard

/// Every page in a language that marks each text that a catalog can translate: what is seen without the mark is data,
/// or a text that was forgotten.
@Suite("Dashboard: every text comes through a catalog")
struct PseudoLanguageTests {
    private static let marking = TextCatalog(
        tag: "en-XA",
        name: "English",
        locale: Locale(identifier: "en_GB"),
        numberLocale: Locale(identifier: "en_US"),
        units: TextCatalog.english.units,
        sentences: SentencePatterns(TextCatalog.File(PackageResources.ja_json).sentences.keys),
        mark: { "⟦\($0)⟧" },
        translate: { _ in nil }
    )

    @Test("Every page says nothing but marked texts and data, with much in the workspace")
    func full() async throws {
        try await Workplace.run(in: [Self.marking]) { place in
            let anna = try await place.member(.admin)
            _ = try await place.member(.editor, email: "other@example.com")
            try await EvilData.fill(place, by: anna)
            try await expectNothingForgotten(place, anna)
        }
    }

    @Test("Every page says nothing but marked texts and data, with nothing in the workspace", arguments: Role.allCases)
    func empty(_ role: Role) async throws {
        try await Workplace.run(in: [Self.marking]) { place in
            try await expectNothingForgotten(place, try await place.member(role))
        }
    }

    @Test("So do the pages before signing in")
    func signedOut() async throws {
        try await Workplace.run(in: [Self.marking]) { place in
            let stranger = Visitor(client: place.client)
            for path in ["/dashboard/setup?code=\(Workplace.setupCode)", "/dashboard/sign-in", "/dashboard/password"] {
                expectMarked(try await stranger.get(path), path)
            }
            _ = try await place.member(.admin)
            let fields = ["email": "a@example.com", "password": "x", "name": ""]
            for path in RouteTable.openForms {
                expectMarked(try await stranger.post(path, from: "/dashboard/sign-in", fields), path)
            }
        }
    }

    @Test("Every form's answer says nothing but marked texts and data, where nothing is filled in")
    func answers() async throws {
        try await Workplace.run(in: [Self.marking]) { place in
            let anna = try await place.member(.admin)
            _ = try await place.member(.editor, email: "other@example.com")
            try await EvilData.fill(place, by: anna)
            for form in RouteTable.forms where !form.path.contains("sign-out") && !form.path.contains("delete") {
                let fields = ["confirm_password": Workplace.password]
                for fields in [[:], fields] {
                    let answer = try await anna.post(RouteTable.filled(form.path), from: "/dashboard/account", fields)
                    expectMarked(answer, "POST \(form.path)")
                    guard let next = answer.location else { continue }
                    expectMarked(try await anna.get(next), "after POST \(form.path)")
                }
            }
        }
    }

    private func expectNothingForgotten(_ place: Workplace, _ visitor: Visitor) async throws {
        let more = ["/dashboard?part=numbers", "/dashboard/campaigns/evil-campaign?part=numbers"]
        // What a card looks like is the app's, in its users' language.
        let cards = ["/card", "/feed"]
        for path in place.pages + more where !cards.contains(where: path.hasSuffix) {
            expectMarked(try await visitor.get(path), path)
        }
        for change in ["add c.variants", "add c.variants control", "add c.conversions", "add c.audience.items event"] {
            let answer = try await visitor.post(
                "/dashboard/campaigns/reshape",
                from: "/dashboard/account",
                ["do": change]
            )
            expectMarked(answer, change)
        }
    }

    private func expectMarked(_ page: Visitor.Page, _ path: String) {
        guard page.headers[.contentType]?.hasPrefix("text/html") == true, !page.text.contains("id=\"stage\"") else {
            return
        }
        let body = page.text.firstRange(of: "<head>").map { String(page.text[$0.lowerBound...]) } ?? page.text
        let data = TextData()
        for segment in TemplateText(text: body).segments {
            let isForgotten = data.unmarked(segment.key).contains { $0.isLetter }
            #expect(!isForgotten, "\(path): \(segment.key)")
        }
    }
}

/// What of a page is no text of ours; made once for a page, since a pattern takes longer to read than to look for.
private struct TextData {
    private let mark = /⟦[^⟧]*⟧/
    private let code = /<code>[^<]*<\/code>/
    private let tag = /<[^>]*>/
    private let languages = LanguageNames.offered.map(\.name).sorted { $0.count > $1.count }
    /// What people, apps and machines bring to pages, and names of the API.
    private let data: [Regex<Substring>] = [
        /https?:\/\/\S*/, /[a-z.]+@example\.com/, /\b(?:key_|user:)?\w*evil[a-z_.-]*/,
        /\b(?:user:|key_)?[0-9A-Za-z]{16,}/, /(?:POST|GET) \/\S*/, /\bUTC\b/, /^(?:AE|EE|VE)$/, /^…\w+$/,
        /^(?:[A-Z2-7]{4} ?)+$/, /\b(?:PNG|KB|MB|GB)\b/, /\b(?:iOS|Android|Japan)\b/, /\(JP\)/,
        /^(?:url|enum|decimal|device|read|manage|added_to_cart|class_type)\b/, /\b(?:[acA]|goal1|key)$/,
        /sk_\S+/, /\(copy\)/,
    ]

    /// What of a text is neither marked nor data.
    func unmarked(_ text: String) -> String {
        var text = text.replacing(mark, with: "").replacing(code, with: "").replacing(tag, with: "")
        for (code, character) in ["&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#39;": "'", "&amp;": "&"] {
            text = text.replacing(code, with: character)
        }
        guard text.contains(where: \.isLetter) else { return "" }
        for name in [EvilData.text] + languages { text = text.replacing(name, with: "") }
        return data.reduce(text) { $0.replacing($1, with: "") }
    }
}
