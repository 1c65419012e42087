import CardModel
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: forms that come too late or twice")
struct KeptFormTests {
    @Test("An editor's form that comes too late or twice is refused, logged, and comes back with what was typed")
    func editor() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let address = "/dashboard/segments/new"
            let token = try #require(try await visitor.get(address).token)
            let form = [
                "base": "{}", "c.name": "Gold <b>", "c.description": "", "c.audience.kind": "all", "csrf": token,
            ]
            place.time.advance(by: Double(FormToken.lifetime) + 1)
            let late = try await visitor.post(address, form)
            #expect(late.status == 403 && late.text.contains("This form has expired"))
            #expect(late.text.contains("formaction=\"/dashboard/segments/reshape\""))
            let kept = FormReader.fields(of: late.text, to: address)
            #expect(kept["c.name"] == "Gold <b>")
            #expect(try await place.store.segments(includingArchived: true, limit: 9, offset: 0).isEmpty)

            #expect(try await visitor.post(address, kept).status == 303)
            let twice = try await visitor.post(address, kept)
            #expect(twice.status == 409 && twice.text.contains("Already submitted"))
            #expect(twice.text.contains("Continue editing"))
            #expect(try await place.store.segments(includingArchived: true, limit: 9, offset: 0).count == 1)
            let refused = try await place.audit().filter { $0.hasPrefix("request.") }
            #expect(refused == ["request.replayed", "request.late"])
        }
    }

    @Test("A form of a member who has become a viewer is refused, and comes back with what was typed")
    func role() async throws {
        try await Workplace.run { place in
            try await place.insertAdmin()
            let visitor = try await place.member(.editor)
            let address = "/dashboard/segments/new"
            let token = try #require(try await visitor.get(address).token)
            let hash = visitor.cookie("placard_session").flatMap(SecretBytes.bytes).map(SecretBytes.hash)
            func change(to role: Role) async throws {
                var member = try #require(try await place.store.member("editor@example.com"))
                member.role = role
                let (action, now) = ("member.role-\(role.rawValue)", place.time.now)
                try await place.store.updateMember(member, action: action, keeping: hash, at: now, by: .command)
            }
            try await change(to: .viewer)
            let form = [
                "base": "{}", "c.name": "Gold <b>", "c.description": "", "c.audience.kind": "all", "csrf": token,
            ]
            let refused = try await visitor.post(address, form)
            #expect(refused.status == 403 && refused.text.contains("Your role is viewer."))
            let kept = FormReader.fields(of: refused.text, to: address)
            #expect(kept["c.name"] == "Gold <b>")
            // Nothing more is possible with what came back, until the role is.
            #expect(try await visitor.post(address, kept).status == 403)
            let again = try await visitor.post("/dashboard/segments/reshape", kept)
            #expect(again.status == 403 && again.text.contains("Gold &lt;b&gt;"))
            #expect(try await place.store.segments(includingArchived: true, limit: 9, offset: 0).isEmpty)

            try await change(to: .editor)
            #expect(try await visitor.post(address, kept).status == 303)
            let names = try await place.store.segments(includingArchived: true, limit: 9, offset: 0).map(\.content.name)
            #expect(names == ["Gold <b>"])
        }
    }

    @Test("A form of a member who has to set up a second factor first comes back with what was typed")
    func setup() async throws {
        try await Workplace.run { place in
            let admin = try await place.member(.admin)
            let visitor = try await place.member(.editor)
            let address = "/dashboard/segments/new"
            let token = try #require(try await visitor.get(address).token)
            let on = ["require_two_factor": "on"].merging(WorkspaceTests.settings) { $1 }
            #expect(try await admin.post("/dashboard/settings", from: "/dashboard/settings", on).status == 303)
            let form = [
                "base": "{}", "c.name": "Gold <b>", "c.description": "", "c.audience.kind": "all", "csrf": token,
            ]
            let refused = try await visitor.post(address, form)
            #expect(refused.status == 403 && refused.text.contains("Set it up under Your account."))
            let kept = FormReader.fields(of: refused.text, to: address)
            #expect(kept["c.name"] == "Gold <b>")

            _ = try await place.addFactor(to: "editor@example.com", keeping: visitor)
            #expect(try await visitor.post(address, kept).status == 303)
        }
    }

    @Test("A content block isn't continued in the editor of campaigns")
    func block() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let address = "/dashboard/content-blocks/new"
            let token = try #require(try await visitor.get(address).token)
            let form = ["base": "", "c.name": "terms", "c.content": "Until Sunday", "c.description": "", "csrf": token]
            place.time.advance(by: Double(FormToken.lifetime) + 1)
            let late = try await visitor.post(address, form)
            #expect(!late.text.contains("/reshape\""))
            let kept = FormReader.fields(of: late.text, to: address)
            #expect(kept["c.content"] == "Until Sunday")
            #expect(try await visitor.post(address, kept).status == 303)
        }
    }
}
