import CardModel
import Foundation
import Testing

@testable import Dashboard

/// What no page and no script of the dashboard may have.
@Suite("Dashboard: what pages and scripts are made of")
struct PageSafetyTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/Dashboard/Assets").standardized

    private static func texts(ofKind kind: String) throws -> [(name: String, text: String)] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == kind }
            .map { ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8)) }
    }

    @Test("Scripts make no HTML or code of texts, and keep nothing in the browser")
    func scripts() throws {
        let scripts = try Self.texts(ofKind: "js")
        #expect(scripts.count >= 6)
        let forbidden = [
            "eval(", "new Function", "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "localStorage",
            "sessionStorage", "indexedDB", "document.cookie", "caches.", "setTimeout(\"", "createContextualFragment",
        ]
        for (name, text) in scripts {
            for word in forbidden { #expect(!text.contains(word), "\(name) has \(word)") }
        }
    }

    @Test("Templates have no script of their own and no handler in an attribute")
    func templates() throws {
        let templates = try Self.texts(ofKind: "mustache")
        #expect(templates.count >= 40)
        for (name, text) in templates {
            for match in text.matches(of: /<script\b[^>]*>/) {
                let isData = match.output.contains("type=\"application/json\"")
                #expect(match.output.contains("src=") || isData, "\(name): \(match.output)")
            }
            #expect(text.firstMatch(of: /\son[a-z]+\s*=/) == nil, "\(name) has a handler")
            #expect(text.firstMatch(of: /(?i)(href|src|action)="\s*javascript:/) == nil, "\(name)")
        }
    }

    @Test("Every field for a password can be filled by a password manager, and pasted into")
    func passwords() throws {
        var fields = 0
        for (name, text) in try Self.texts(ofKind: "mustache") {
            for match in text.matches(of: /<input\b[^>]*type="password"[^>]*>/) {
                fields += 1
                let known = ["current-password", "new-password"].contains {
                    match.output.contains("autocomplete=\"\($0)\"")
                }
                #expect(known && !match.output.contains("readonly"), "\(name): \(match.output)")
            }
            for match in text.matches(of: /<input\b[^>]*autocomplete="one-time-code"[^>]*>/) {
                #expect(!match.output.contains("value="), "\(name) shows a code")
            }
        }
        #expect(fields >= 8)
    }

    @Test("Every form with a password says whose it is, so that a password manager finds the right one")
    func usernames() throws {
        var forms = 0
        for (name, text) in try Self.texts(ofKind: "mustache") {
            for match in text.matches(of: /(?s)<form\b.*?<\/form>/) {
                guard match.output.contains("-password\"") else { continue }
                forms += 1
                #expect(match.output.contains("autocomplete=\"username\""), "\(name): \(match.output)")
            }
        }
        #expect(forms >= 7)
    }

    @Test("Every part of the dashboard offers to sign out, by a form with a token, and no page is kept")
    func signingOut() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.admin)
            for section in Section.all {
                let page = try await visitor.get(section.address)
                #expect(page.status == 200, "\(section)")
                let form = page.text.firstMatch(
                    of: /(?s)<form method="post" action="\/dashboard\/sign-out">(.*?)<\/form>/
                )
                #expect(form?.output.1.contains("name=\"csrf\"") == true, "\(section)")
                #expect(page.headers[.cacheControl]?.contains("no-store") == true, "\(section)")
            }
        }
    }
}
