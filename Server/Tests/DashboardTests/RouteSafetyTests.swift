import CardModel
import CardServer
import CardStore
import Foundation
import Testing
import WireJSON

@testable import Dashboard

/// What holds for every page and form; the routes are asked for, so that a new one cannot be forgotten.
@Suite("Dashboard: every route")
struct RouteSafetyTests {
    @Test("Every form is in the table of what forms need")
    func completeness() async throws {
        try await Workplace.run { place in
            let posts = place.routes.filter { !$0.hasPrefix("GET ") }
            let known = (RouteTable.forms.map(\.path) + RouteTable.openForms).map { "POST \($0)" }
            #expect(Set(posts) == Set(known))
            #expect(posts.count == known.count)
        }
    }

    @Test("The list of routes has every page and form of the dashboard, with the role that the table says")
    func list() async throws {
        try await Workplace.run { place in
            let listed = Dashboard.routeList.map { "\($0.method) \($0.path)" }
            #expect(listed.sorted() == place.routes.sorted())
            for form in RouteTable.forms {
                let entry = Dashboard.routeList.first { $0.method == "POST" && $0.path == form.path }
                #expect(entry?.needs == form.role.rawValue, "\(form.path)")
            }
        }
    }

    @Test("Every part in the navigation is a page, and shows to those who may open it")
    func navigation() async throws {
        #expect(Set(Dashboard.sectionRoles.keys) == Set(Section.all))
        try await Workplace.run { place in
            for role in Role.allCases {
                let page = try await place.member(role).get("/dashboard").text
                for (section, needed) in Dashboard.sectionRoles where section != .account {
                    #expect(page.contains("href=\"\(section.address)\"") == (role >= needed), "\(role) \(section)")
                }
            }
        }
    }

    @Test("The page of the documentation lists the routes of the server as they are")
    func documentation() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/routes.md").standardized
        let text = try String(contentsOf: file, encoding: .utf8)
        let current = RouteEntry.document(RouteEntry.api + Dashboard.routeList)
        #expect(text == current + "\n", "Run: placard routes --markdown > docs/routes.md")
    }

    @Test(
        "A form without a token, with a foreign, old or spent one, or of an ended session changes nothing and is logged"
    )
    func tokens() async throws {
        try await Workplace.run { place in
            let (anna, kenji) = try await members(place)
            try await EvilData.fill(place, by: anna)
            let ended = try await place.member(.admin, email: "ended@example.com")
            let endedToken = try await token(of: ended)
            let endedCookie = ended.cookie("placard_session")
            _ = try await ended.post("/dashboard/sign-out", ["csrf": endedToken])
            ended.setCookie("placard_session", endedCookie)
            let foreign = try await token(of: kenji)
            let old = try await token(of: anna)
            place.time.advance(by: Double(FormToken.lifetime) + 1)
            let before = try await Snapshot(place)
            for form in RouteTable.forms {
                // Of many refusals in a short time only the first are entries.
                place.time.advance(by: 61)
                let path = RouteTable.filled(form.path)
                for fields in [[:], ["csrf": ""], ["csrf": "AAAA"], ["csrf": foreign], ["csrf": old]] {
                    #expect(try await anna.post(path, fields).status == 403, "\(path) \(fields)")
                    let action = fields["csrf"] == old ? "request.late" : "request.forged"
                    let entry = [action, "POST \(LoggedPath.text(path))", "admin@example.com"]
                    #expect(try await place.lastEntry() == entry)
                }
                let stranger = Visitor(client: place.client)
                for (visitor, token) in [(ended, endedToken), (stranger, foreign)] {
                    let logged = place.log.lines.count
                    #expect(try await visitor.post(path, ["csrf": token]).status == 403, "\(path)")
                    #expect(place.log.lines.dropFirst(logged).contains { $0.contains("POST \(LoggedPath.text(path))") })
                }
            }
            #expect(try await Snapshot(place) == before)
        }
    }

    @Test("A form that was sent is refused when it is sent again, and that is logged", arguments: RouteTable.forms)
    func replay(_ form: RouteTable.Form) async throws {
        try await Workplace.run { place in
            let (anna, _) = try await members(place)
            try await EvilData.fill(place, by: anna)
            let path = RouteTable.filled(form.path)
            let fields = ["csrf": try await token(of: anna)]
            let cookie = anna.cookie("placard_session")
            let first = try await anna.post(path, fields)
            #expect(first.status != 403 && first.text.contains("sent already") == false)
            anna.setCookie("placard_session", cookie)
            let before = try await Snapshot(place)
            let second = try await anna.post(path, fields)
            if form.path == "/dashboard/sign-out" {
                #expect(second.status == 403)
            } else if form.isRepeatable {
                #expect(second.status == first.status)
            } else {
                #expect(second.status == 409)
                #expect(second.text.contains("Already submitted"))
                let entry = ["request.replayed", "POST \(LoggedPath.text(path))", "admin@example.com"]
                #expect(try await place.lastEntry() == entry)
            }
            #expect(try await Snapshot(place) == before)
        }
    }

    @Test("Who lacks the role for a form or page is refused, and that is logged", arguments: [Role.viewer, .editor])
    func roles(_ role: Role) async throws {
        try await Workplace.run { place in
            let (anna, _) = try await members(place)
            try await EvilData.fill(place, by: anna)
            let visitor = try await place.member(role)
            let before = try await Snapshot(place)
            for form in RouteTable.forms where form.role > role {
                place.time.advance(by: 11)
                let path = RouteTable.filled(form.path)
                let answer = try await visitor.post(path, ["csrf": try await token(of: visitor)])
                #expect(answer.status == 403, "\(path)")
                #expect(answer.text.contains("Your role is \(role.rawValue)."))
                let entry = ["request.forbidden", "POST \(LoggedPath.text(path))", "\(role.rawValue)@example.com"]
                #expect(try await place.lastEntry() == entry)
            }
            #expect(try await Snapshot(place) == before)
            for path in place.pages {
                let page = try await visitor.get(path)
                #expect(page.status != 500, "\(path)")
                let shown = RouteTable.forms.filter {
                    $0.role > role && page.text.contains(" action=\"\(RouteTable.filled($0.path))\"")
                }
                #expect(shown.isEmpty, "\(path)")
            }
        }
    }

    @Test("A form of a visitor who is not signed in needs the token that this browser was given, and is taken once")
    func openForms() async throws {
        try await Workplace.run { place in
            _ = try await members(place)
            let (visitor, other) = (Visitor(client: place.client), Visitor(client: place.client))
            let fields = ["email": "admin@example.com", "password": Workplace.password, "code": "0", "ticket": "0"]
            for path in RouteTable.openForms {
                let foreign = try await other.get("/dashboard/sign-in").token ?? ""
                for token in ["", foreign] {
                    let logged = place.log.lines.count
                    let answer = try await visitor.post(path, fields.merging(["csrf": token]) { $1 })
                    #expect(answer.status == 403, "\(path)")
                    #expect(place.log.lines.dropFirst(logged).contains { $0.contains("POST \(LoggedPath.text(path))") })
                }
                let own = fields.merging(["csrf": try await visitor.get("/dashboard/sign-in").token ?? ""]) { $1 }
                #expect(try await visitor.post(path, own).status != 403)
                #expect(try await visitor.post(path, own).status == 409)
            }
        }
    }

    @Test("Looking at a page changes nothing, and what people and apps wrote shows as text on all of them")
    func pages() async throws {
        try await Workplace.run { place in
            let (anna, _) = try await members(place)
            try await EvilData.fill(place, by: anna)
            let before = try await Snapshot(place)
            var shown = 0
            for path in place.pages {
                let page = try await anna.get(path)
                #expect([200, 303].contains(page.status), "\(path): \(page.status)")
                let policy = try #require(page.headers[.contentSecurityPolicy], "\(path)")
                #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "\(path)")
                #expect(page.headers[.xContentTypeOptions] == "nosniff")
                guard page.headers[.contentType]?.hasPrefix("text/html") == true else { continue }
                shown += page.text.contains(EvilData.escaped) ? 1 : 0
                #expect(!page.text.contains(EvilData.text), "\(path)")
                for marking in ["<script>alert", "<img src=x", "javascript:alert"] {
                    #expect(!page.text.contains(marking), "\(path) has \(marking)")
                }
                let tags = page.text.matches(of: /<[a-z][^>]*>/).map { $0.output.replacing(/"[^"]*"/, with: "") }
                #expect(!tags.contains { $0.contains(#/ (style|on[a-z]+)=/#) }, "\(path)")
                for frame in page.text.matches(of: /<iframe[^>]*>/) {
                    #expect(frame.output.contains(#/ sandbox(>| )/#), "\(path)")
                }
            }
            #expect(shown >= 12, "What was written shows on \(shown) pages only")
            #expect(try await Snapshot(place) == before)
        }
    }

    // MARK: Preparations

    private func members(_ place: Workplace) async throws -> (Visitor, Visitor) {
        let anna = try await place.member(.admin)
        let kenji = try await place.member(.admin, email: "kenji@example.com")
        _ = try await place.member(.editor, email: "other@example.com")
        return (anna, kenji)
    }

    private func token(of visitor: Visitor) async throws -> String {
        let page = try await visitor.get("/dashboard/account")
        guard let token = page.token else { throw UnexpectedPage(answer: page) }
        return token
    }
}

/// Everything that a form could change.
private struct Snapshot: Equatable {
    let members: [TeamMember]
    let keys: [String]
    let campaigns: [String]
    let segments: [String]
    let filters: [SavedFilter]
    let settings: Settings
    let users: Int64

    init(_ place: Workplace) async throws {
        // A session that is used makes no difference.
        members = try await place.store.members()
        // When a key was last used is written a moment later.
        keys = try await place.store.apiKeys().map { key in
            var key = key
            key.lastUsedAt = nil
            return "\(key)"
        }
        campaigns = try await place.store.listCampaigns(status: nil, limit: 100, offset: 0).map {
            "\($0.id) \($0.version)"
        }
        segments = try await place.store.segments(includingArchived: true, limit: 100, offset: 0)
            .map { "\($0.id) \($0.version) \($0.isArchived)" }
        filters = try await place.store.savedFilters(of: "admin@example.com")
        settings = try await place.store.loadCatalog().settings
        users = try await place.store.userCount()
    }
}

extension Workplace {
    /// The addresses of all pages.
    var pages: [String] {
        routes.filter { $0.hasPrefix("GET ") }.map { RouteTable.filled(String($0.dropFirst(4))) }
            .filter { $0 != "/dashboard/live" && !$0.contains("/assets/") && $0 != "/dashboard/resume" }
    }

    /// The newest entry of the audit log.
    fileprivate func lastEntry() async throws -> [String] {
        try await store.latestAuditEntries(before: nil, limit: 1).flatMap { [$0.action, $0.subject, $0.actor] }
    }
}
