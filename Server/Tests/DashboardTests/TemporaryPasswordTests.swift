import CardModel
import CardServer
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: temporary passwords")
struct TemporaryPasswordTests {
    private static let chosen = "kettle drawer walrus"

    /// The password that a page shows.
    private static func shown(_ page: Visitor.Page) throws -> String {
        let found = try #require(page.text.firstMatch(of: /id="temporary">([a-z2-9-]+)</))
        return String(found.1)
    }

    private static func invite(_ admin: Visitor, _ email: String = "new@example.com") async throws -> Visitor.Page {
        try await admin.post("/dashboard/team", from: "/dashboard/team", ["email": email, "role": "editor"])
    }

    @Test("A new member gets a password of 20 random letters, shown once, and can do nothing before choosing another")
    func first() async throws {
        try await Workplace.run { place in
            let admin = try await place.member(.admin)
            let page = try await Self.invite(admin)
            let password = try Self.shown(page)
            #expect(page.status == 201 && password.utf8.count == 24)
            #expect(page.headers[.cacheControl] == "no-store")
            #expect(try await !admin.get("/dashboard/team").text.contains(password))
            let other = try Self.shown(try await Self.invite(admin, "second@example.com"))
            #expect(other != password)

            let visitor = Visitor(client: place.client)
            #expect(try await visitor.signIn("new@example.com", password: password).status == 303)
            for path in ["/dashboard", "/dashboard/campaigns", "/dashboard/users", "/dashboard/campaigns/new"] {
                #expect(try await visitor.get(path).location == "/dashboard/account")
            }
            let account = try await visitor.get("/dashboard/account")
            #expect(account.status == 200 && account.text.contains("temporary password"))
            let launched = try await visitor.post("/dashboard/campaigns/x/launch", from: "/dashboard/account")
            #expect(launched.status == 403 && launched.text.contains("Choose a password first"))
            #expect(try await visitor.get("/dashboard/live").status == 303)

            let same = ["current": password, "password": password]
            let kept = try await visitor.post("/dashboard/account/password", from: "/dashboard/account", same)
            #expect(kept.status == 400)
            let change = ["current": password, "password": Self.chosen]
            let changed = try await visitor.post("/dashboard/account/password", from: "/dashboard/account", change)
            #expect(changed.location == "/dashboard/account?done=password")
            #expect(try await visitor.get("/dashboard").status == 200)
            place.time.advance(by: 8 * 86_400)
            let later = Visitor(client: place.client)
            #expect(try await later.signIn("new@example.com", password: Self.chosen).status == 303)
        }
    }

    @Test("A temporary password ends after seven days, and says so only to those who know it")
    func expiry() async throws {
        try await Workplace.run { place in
            let admin = try await place.member(.admin)
            let password = try Self.shown(try await Self.invite(admin))
            place.time.advance(by: TemporaryPassword.lifetime - 1)
            let visitor = Visitor(client: place.client)
            #expect(try await visitor.signIn("new@example.com", password: password).status == 303)

            place.time.advance(by: 1)
            let late = try await Visitor(client: place.client).signIn("new@example.com", password: password)
            #expect(late.status == 401 && late.text.contains("has expired"))
            let wrong = try await Visitor(client: place.client).signIn("new@example.com", password: "wrong")
            #expect(wrong.status == 401 && !wrong.text.contains("has expired"))
        }
    }

    @Test("An admin resets the password of a member, who is signed out, told, and has to choose another")
    func reset() async throws {
        try await Workplace.run { place in
            let admin = try await place.member(.admin)
            let editor = try await place.member(.editor)
            place.time.advance(by: 60)
            let path = "/dashboard/team/editor%40example.com/password"
            let page = try await admin.post(path, from: "/dashboard/team")
            let password = try Self.shown(page)
            #expect(page.status == 201)
            #expect(try await editor.get("/dashboard").status == 303)
            #expect(try await editor.signIn("editor@example.com").status == 401)
            #expect(try await place.audit().contains("member.password-reset"))

            let visitor = Visitor(client: place.client, address: "192.0.2.9")
            #expect(try await visitor.signIn("editor@example.com", password: password).status == 303)
            #expect(try await visitor.get("/dashboard/account").text.contains("your password was reset"))

            // Nobody resets their own password without giving it.
            let own = try await admin.post("/dashboard/team/admin%40example.com/password", from: "/dashboard/team")
            #expect(own.status == 404)
            let none = try await admin.post("/dashboard/team/none%40example.com/password", from: "/dashboard/team")
            #expect(none.status == 404)
        }
    }

    @Test("Whoever signs in after a change of password, factor or role is told, for an hour, and once")
    func notices() async throws {
        try await Workplace.run { place in
            let editor = try await place.member(.editor)
            #expect(try await !editor.get("/dashboard").text.contains("Since you last signed in"))
            place.time.advance(by: 60)
            let change = ["current": Workplace.password, "password": Self.chosen]
            _ = try await editor.post("/dashboard/account/password", from: "/dashboard/account", change)

            place.time.advance(by: 60)
            let other = Visitor(client: place.client)
            _ = try await other.signIn("editor@example.com", password: Self.chosen)
            #expect(try await other.get("/dashboard").text.contains("your password was changed"))
            #expect(try await other.get("/dashboard/campaigns").text.contains("your password was changed"))
            place.time.advance(by: 3_600)
            #expect(try await !other.get("/dashboard").text.contains("Since you last signed in"))
            _ = try await other.signIn("editor@example.com", password: Self.chosen)
            #expect(try await !other.get("/dashboard").text.contains("Since you last signed in"))

            place.time.advance(by: 60)
            var member = try #require(try await place.store.member("editor@example.com"))
            member.role = .viewer
            try await place.store.update(
                member,
                action: "member.role-viewer",
                keeping: nil,
                at: place.time.now,
                by: .command
            )
            place.time.advance(by: 60)
            _ = try await other.signIn("editor@example.com", password: Self.chosen)
            #expect(try await other.get("/dashboard").text.contains("your role was changed"))
        }
    }

    @Test("The team page asks for no password, and pages with passwords let them be shown")
    func pages() async throws {
        try await Workplace.run { place in
            let admin = try await place.member(.admin)
            #expect(try await !admin.get("/dashboard/team").text.contains("type=\"password\""))
            #expect(try await admin.get("/dashboard/account").text.contains("data-strength"))
            let signIn = try await Visitor(client: place.client).get("/dashboard/sign-in").text
            #expect(signIn.firstMatch(of: /<script src="\/dashboard\/assets\/dashboard[^"]*\.js"/) != nil)
        }
    }
}
