import CardModel
import CardStore
import Foundation
import Testing

@testable import Dashboard

@Suite("What is wrong in the form of the settings")
struct SettingsErrorTests {
    private static let page = "/dashboard/settings"

    /// The fields without which a wrong one isn't looked at, or is wrong as well.
    private static func companions(of name: String) -> [String: String] {
        switch name {
        case "cap.0.tag": ["cap.0.cards": "1", "cap.0.days": "1"]
        case "cap.0.cards": ["cap.0.days": "1"]
        case "cap.0.days": ["cap.0.cards": "1"]
        case "quiet_from": ["quiet_to": "08:00"]
        case "quiet_to": ["quiet_from": "22:00"]
        case _ where name.hasSuffix(".requests"): [name.replacing(".requests", with: ".seconds"): "5"]
        case _ where name.hasSuffix(".seconds"): [name.replacing(".seconds", with: ".requests"): "5"]
        default: [:]
        }
    }

    @Test("Every field can be wrong: it is marked, gets the focus, and is described by words for people")
    func everyField() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            let shown = try await anna.get(Self.page).text
            var fields = FormReader.fields(of: shown, to: Self.page)
            let names = FormMarks.names(in: shown, to: Self.page)
            #expect(names.count > 50 && names.contains("jwks") && names.contains("user_tokens"))
            for name in names {
                // No field takes a control character.
                let wrong = fields.merging(Self.companions(of: name)) { $1 }.merging([name: "\u{1}"]) { $1 }
                let answer = try await anna.post(Self.page, wrong)
                #expect(answer.status == 400, "\(name)")
                let marked = FormMarks(of: answer.text)
                #expect(marked.focused == name && marked.problems[name] != nil, "\(name): \(marked)")
                #expect(answer.text.contains("<p><a href=\"#field-\(name)\">"), "\(name)")
                let input = " id=\"field-\(name)\" aria-invalid=\"true\""
                #expect(answer.text.ranges(of: input).count == 1, "\(name)")
                for text in marked.problems.values + marked.lines {
                    #expect(!text.isEmpty && !text.contains(/[a-z]_[a-z]|\[\d/), "\(name): \(text)")
                }
                fields["csrf"] = answer.token
            }
            #expect(try await place.store.settings() == Settings())
        }
    }

    @Test("All wrong fields are marked at once, the first of the page has the focus, and numbers are grouped")
    func all() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            let csrf = try #require(try await anna.get(Self.page).token)
            let names = FormMarks.names(in: try await anna.get(Self.page).text, to: Self.page)
            var wrong = WorkspaceTests.settings.merging(["audit_days": "7", "card_limit": "x", "quiet_to": ""]) { $1 }
            wrong["rate_limits.users_track.requests"] = "5"
            let known = names.filter { wrong[$0] != nil }
            // As a browser sends them: in the order of the page.
            let sent = ([("csrf", csrf)] + known.map { ($0, wrong[$0] ?? "") }).map { name, value in
                "\(FormData.escape(name))=\(FormData.escape(value))"
            }
            let answer = try await anna.send(.post, Self.page, sent.joined(separator: "&"))
            #expect(answer.status == 400)
            let marked = FormMarks(of: answer.text)
            let both = "Fill in both fields, or leave both empty."
            #expect(
                marked.problems == [
                    "audit_days": "A whole number from 30 to 3,650 is expected.",
                    "card_limit": "A whole number from 1 to 1,000 is expected.", "quiet_to": both,
                    "rate_limits.users_track.seconds": both,
                ]
            )
            #expect(marked.focused == "quiet_to")
            #expect(marked.lines.contains("Backend rate limits (Track users): \(both)"))
        }
    }

    @Test("A number is taken as the page writes it")
    func grouped() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            let form = WorkspaceTests.settings.merging(["event_days": "3,650"]) { $1 }
            #expect(try await anna.post(Self.page, from: Self.page, form).status == 303)
            #expect(try await place.store.settings().eventDays == 3_650)
            #expect(SettingsForm.number("1,000,000") == 1_000_000)
            for text in ["1,00", ",100", "1,0000", "1,000.5"] {
                #expect(SettingsForm.number(text) == .string(text))
            }
        }
    }
}

/// What a page says of the wrong fields of its forms.
struct FormMarks: CustomStringConvertible {
    /// What is wrong with each marked field that is described by a message, by its name.
    private(set) var problems: [String: String] = [:]
    /// The names of the fields that get the focus, which is one at most.
    private(set) var focused: String?
    /// The lines about the whole form.
    private(set) var lines: [String] = []

    var description: String { "\(problems) focus: \(focused ?? "none")" }

    init(of page: String) {
        let tags = page.matches(of: /<(?:input|select|textarea) ([^>]*)>/).map { String($0.1) }
        var focused: [String] = []
        for tag in tags {
            guard let name = tag.firstMatch(of: /\bname="([^"]*)"/).map({ String($0.1) }) else { continue }
            if tag.contains(" autofocus") { focused.append(name) }
            guard tag.contains("aria-invalid=\"true\""),
                let id = tag.firstMatch(of: /aria-describedby="([^"]*)"/).map({ String($0.1) }),
                let start = page.range(of: " id=\"\(id)\">"),
                let end = page.range(of: "<", range: start.upperBound..<page.endIndex)
            else { continue }
            problems[name] = String(page[start.upperBound..<end.lowerBound])
        }
        self.focused = focused.isEmpty ? nil : focused.joined(separator: " and ")
        if let box = page.firstMatch(of: /<div class="problem" role="alert">(.*?)<\/div>/) {
            lines = box.1.matches(of: /<p>(?:<a [^>]*>)?([^<]*)<\//).map { String($0.1) }
        }
    }

    /// The names of the fields of a form that take more than a choice of two, in the order of the page.
    static func names(in page: String, to action: String) -> [String] {
        guard let start = page.range(of: "action=\"\(action)\""),
            let end = page.range(of: "</form>", range: start.upperBound..<page.endIndex)
        else { return [] }
        let form = String(page[start.upperBound..<end.lowerBound])
        return form.matches(of: /<(?:input|select|textarea) ([^>]*)>/).map { String($0.1) }
            .filter { !$0.contains("type=\"hidden\"") && !$0.contains("type=\"checkbox\"") }
            .compactMap { $0.firstMatch(of: /\bname="([^"]*)"/).map { String($0.1) } }
    }
}
