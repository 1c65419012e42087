import CardModel
import CardServer
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: temporary passwords")
struct TemporaryPasswordTests {
    private static let chosen = "kettle drawer walrus"

    /// Gives a member a temporary password, as `placard admin reset-password` does but for the cost of the hash.
    private static func issue(_ place: Workplace, to email: String = "new@example.com") async throws -> String {
        let password = TemporaryPassword().text
        let known = try await place.store.member(email)
        var member = known ?? TeamMember(email: email, role: .editor, passwordHash: "", createdAt: place.time.now)
        member.passwordHash = try PasswordHash.make(password, rounds: 1_024)
        member.passwordExpiresAt = TemporaryPassword.expiry(at: place.time.now)
        if known != nil {
            let now = place.time.now
            try await place.store.updateMember(
                member,
                action: "member.password-reset",
                keeping: nil,
                at: now,
                by: .command
            )
        } else {
            try await place.store.insertMember(member, by: .command)
        }
        return password
    }

    @Test("A temporary password has 20 random letters, and opens nothing before another one is chosen")
    func first() async throws {
        try await Workplace.run { place in
            let password = try await Self.issue(place)
            #expect(password.utf8.count == 24 && TemporaryPassword().text != password)

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
            let password = try await Self.issue(place)
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

    @Test("A member whose password was reset is signed out, told at the next sign-in, and has to choose another")
    func reset() async throws {
        try await Workplace.run { place in
            let editor = try await place.member(.editor)
            place.time.advance(by: 60)
            let password = try await Self.issue(place, to: "editor@example.com")
            #expect(try await editor.get("/dashboard").status == 303)
            #expect(try await editor.signIn("editor@example.com").status == 401)
            #expect(try await place.audit().contains("member.password-reset"))

            let visitor = Visitor(client: place.client, address: "192.0.2.9")
            #expect(try await visitor.signIn("editor@example.com", password: password).status == 303)
            #expect(try await visitor.get("/dashboard/account").text.contains("your password was reset"))
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
            try await place.store.updateMember(
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
