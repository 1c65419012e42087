import CardModel
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: saved filters")
struct SavedFilterTests {
    private static let filters = "/dashboard/filters"

    private static func save(
        _ name: String,
        query: String = "status=draft&q=Sale&sort=name",
        list: String = "campaigns",
        share: Bool = false,
        _ visitor: Visitor
    ) async throws -> Visitor.Page {
        var fields = ["list": list, "query": query, "name": name]
        if share { fields["share"] = "on" }
        return try await visitor.post(filters, from: "/dashboard/campaigns?q=Sale", fields)
    }

    @Test("A search is saved under a name, shown above the list, renamed and deleted")
    func life() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.viewer)
            #expect(try await !visitor.get("/dashboard/campaigns").text.contains("Save this filter"))
            #expect(try await visitor.get("/dashboard/campaigns?q=Sale").text.contains("Save this filter"))
            let saved = try await Self.save(
                " <b>Sales</b> ",
                query: "after=1-x&page=3&q=Sale&done=x&sort=-updated",
                visitor
            )
            #expect(saved.location == "/dashboard/campaigns?q=Sale&done=filter-saved")
            let list = try await visitor.get("/dashboard/campaigns?q=Sale").text
            #expect(
                list.contains(/q=Sale"[^>]* aria-current="true">&lt;b&gt;Sales&lt;\/b&gt;/)
            )
            #expect(try await !visitor.get("/dashboard/users").text.contains("Sales"))
            let filter = try #require(try await place.store.savedFilters(of: "viewer@example.com").first)
            let address = "\(Self.filters)/\(filter.id)"
            _ = try await Self.save("Sorted", visitor)
            let own = try await visitor.get(Self.filters).text
            for fact in ["Status</span> Draft", "Search</span> Sale", "Sort by</span> Name"] {
                #expect(own.contains("<span class=\"hint\">\(fact)</span>"), "\(fact)")
            }
            let sorted = try #require(try await place.store.savedFilters(of: "viewer@example.com").last)
            #expect(try await visitor.post("\(Self.filters)/\(sorted.id)/delete", from: Self.filters).status == 303)
            #expect(try await visitor.post(address, from: Self.filters, ["name": "Autumn"]).status == 303)
            #expect(try await visitor.get(Self.filters).text.contains(">Autumn</a>"))
            let kept = try await place.store.savedFilter(filter.id)
            let deleted = try await visitor.post("\(address)/delete", from: Self.filters, [:])
            let page = try await visitor.get(try #require(deleted.location)).text
            #expect(page.contains("No saved filters yet") && page.contains("Filter deleted."))
            let token = try #require(page.firstMatch(of: /name="undo" value="([^"]+)"/)).1
            for _ in 1...2 {
                _ = try await visitor.post(
                    "/dashboard/undo",
                    from: Self.filters,
                    ["undo": String(token), "back": Self.filters]
                )
                let restored = try await place.store.savedFilter(filter.id)
                #expect(restored?.name == kept?.name && restored?.query == kept?.query)
            }
            #expect(try await visitor.post("\(address)/delete", from: Self.filters, [:]).status == 303)
            #expect(try await visitor.get(Self.filters).text.contains("No saved filters yet"))
            #expect(try await !place.audit().contains { $0.hasPrefix("filter.") })
        }
    }

    @Test("Editors share a filter with the team, and only its owner and administrators change it")
    func sharing() async throws {
        try await Workplace.run { place in
            let (viewer, editor) = (try await place.member(.viewer), try await place.member(.editor))
            let admin = try await place.member(.admin)
            #expect(try await Self.save("Mine", share: true, viewer).status == 403)
            _ = try await Self.save("Own", editor)
            _ = try await Self.save("Team", share: true, editor)
            let page = try await viewer.get("/dashboard/campaigns").text
            #expect(page.contains(">Team <span class=\"hint\">shared</span>") && !page.contains(">Own"))
            let filters = try await place.store.savedFilters(of: "editor@example.com")
            let own = try #require(filters.first { $0.name == "Own" })
            let team = try #require(filters.first { $0.name == "Team" })
            let change = ["name": "Stolen", "share": "on"]
            #expect(try await viewer.post("\(Self.filters)/\(team.id)", from: Self.filters, change).status == 403)
            #expect(try await viewer.post("\(Self.filters)/\(team.id)/delete", from: Self.filters, [:]).status == 403)
            // One that isn't shared isn't there for others, administrators included.
            for visitor in [viewer, admin] {
                #expect(try await visitor.post("\(Self.filters)/\(own.id)", from: Self.filters, change).status == 404)
            }
            #expect(try await admin.post("\(Self.filters)/\(team.id)", from: Self.filters, ["name": "T"]).status == 303)
            #expect(try await place.store.savedFilter(team.id)?.isShared == false)
            let actions = try await place.audit()
            #expect(actions.contains("filter.share") && actions.contains("filter.unshare"))
        }
    }

    @Test("A filter that isn't shared isn't there for others, administrators included")
    func privacy() async throws {
        try await Workplace.run { place in
            let editor = try await place.member(.editor)
            _ = try await Self.save("Private plan", query: "q=Secret+launch", editor)
            let own = try #require(try await place.store.savedFilters(of: "editor@example.com").first)
            for role in [Role.viewer, .admin] {
                let visitor = try await place.member(role)
                for page in [Self.filters, "/dashboard/campaigns", "/dashboard/campaigns?q=Secret+launch"] {
                    #expect(try await !visitor.get(page).text.contains("Private plan"), "\(role) \(page)")
                }
                let address = "\(Self.filters)/\(own.id)"
                let change = ["name": "Stolen"]
                #expect(try await visitor.post(address, from: Self.filters, change).status == 404)
                #expect(try await visitor.post("\(address)/delete", from: Self.filters).status == 404)
                #expect(try await visitor.post("\(address)/delete", [:]).status == 403)
            }
            #expect(try await place.store.savedFilters(of: "editor@example.com") == [own])
        }
    }

    @Test("Who is no longer an editor changes nothing that the team sees, and keeps their own filters")
    func demotion() {
        var filter = SavedFilter(id: "f", of: .campaigns, owner: "a@example.com", name: "F", query: "", at: 0)
        func mayChange(_ role: Role, _ email: String = "a@example.com") -> Bool {
            filter.mayBeChanged(by: TeamMember(email: email, role: role, passwordHash: "", createdAt: 0))
        }
        #expect(mayChange(.viewer) && mayChange(.editor) && !mayChange(.admin, "b@example.com"))
        filter.isShared = true
        #expect(!mayChange(.viewer) && mayChange(.editor))
        #expect(!mayChange(.editor, "b@example.com") && mayChange(.admin, "b@example.com"))
    }

    @Test("Filters of users aren't shown to viewers who don't see personal data")
    func personalData() async throws {
        try await Workplace.run { place in
            let (admin, viewer) = (try await place.member(.admin), try await place.member(.viewer))
            _ = try await Self.save("Kate", query: "q=kate%40example.com", list: "users", share: true, admin)
            #expect(try await viewer.get(Self.filters).text.contains("kate@example.com"))
            let on = ["mask_personal_data": "on"].merging(WorkspaceTests.settings) { $1 }
            #expect(try await admin.post("/dashboard/settings", from: "/dashboard/settings", on).status == 303)
            for page in [Self.filters, "/dashboard/users"] {
                let text = try await viewer.get(page).text
                #expect(!text.contains("kate@") && !text.contains("kate%40"), "\(page)")
            }
            #expect(try await Self.save("Own", query: "q=kate", list: "users", viewer).status == 403)
            #expect(try await admin.get(Self.filters).text.contains("kate@example.com"))
        }
    }

    @Test("Names, queries and lists of filters have bounds, and so has their number")
    func bounds() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.viewer)
            for name in ["", "  ", "a\u{1}b", String(repeating: "あ", count: 67)] {
                #expect(try await Self.save(name, visitor).status == 422, "\(name)")
            }
            let long = "q=" + String(repeating: "%E3%81%82", count: 900)
            #expect(try await Self.save("Long", query: long, visitor).status >= 400)
            #expect(try await Self.save("Other", list: "segments", visitor).status == 404)
            for number in 0..<SavedFilter.ownLimit {
                let filter = SavedFilter(
                    id: "f\(number)",
                    of: .users,
                    owner: "viewer@example.com",
                    name: "f\(number)",
                    query: "q=a",
                    at: place.time.now
                )
                try await place.store.insertSavedFilter(filter, by: .command)
            }
            let full = try await Self.save("More", visitor)
            #expect(full.status == 422 && full.text.contains("You have 50 saved filters. Delete one first."))
        }
    }
}
