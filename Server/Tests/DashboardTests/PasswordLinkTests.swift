import CardModel
import CardServer
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: links to choose a password")
struct PasswordLinkTests {
    private static let chosen = "kettle drawer walrus"

    /// The link that a page shows, without scheme and host.
    private static func shown(_ page: Visitor.Page) throws -> String {
        let pattern = /id="password-link">https?:\/\/[^<\/]+(\/dashboard\/password\?token=[A-Za-z0-9_-]{43})</
        return String(try #require(page.text.firstMatch(of: pattern)).1)
    }

    private static func invite(_ admin: Visitor, _ email: String = "new@example.com") async throws -> Visitor.Page {
        try await admin.post("/dashboard/team", from: "/dashboard/team", ["email": email, "role": "editor"])
    }

    /// Chooses a password as the page of a link does.
    private static func choose(
        _ visitor: Visitor,
        _ link: String,
        _ password: String = chosen
    ) async throws
        -> Visitor.Page
    {
        let token = String(link.split(separator: "=").last ?? "")
        return try await visitor.post("/dashboard/password", from: link, ["token": token, "password": password])
    }

    @Test("An invitation is a link that is shown once, is stored hashed, and lets the member choose a password once")
    func invitation() async throws {
        try await Workplace.run { place in
            let admin = try await place.member(.admin)
            let page = try await Self.invite(admin)
            #expect(page.status == 201 && page.headers[.cacheControl] == "no-store")
            let link = try Self.shown(page)
            #expect(try await !admin.get("/dashboard/team").text.contains(link))
            #expect(try Self.shown(try await Self.invite(admin, "second@example.com")) != link)

            let visitor = Visitor(client: place.client)
            let form = try await visitor.get(link)
            #expect(form.status == 200 && form.text.contains("new@example.com"))
            #expect(form.headers[.cacheControl] == "no-store")
            let poor = try await Self.choose(visitor, link, "short")
            #expect(poor.status == 400 && poor.text.contains("at least 12 characters"))
            let done = try await Self.choose(visitor, link)
            #expect(done.location == "/dashboard/sign-in?done=password-chosen")
            #expect(try await visitor.get("/dashboard/sign-in?done=password-chosen").text.contains("Password saved."))

            #expect(try await visitor.get(link).status == 404)
            #expect(try await visitor.signIn("new@example.com", password: Self.chosen).status == 303)
            #expect(try await visitor.get("/dashboard/campaigns").status == 200)
        }
    }

    @Test("Without a mail server, sign-in and the page for a forgotten password say who can help, in the language")
    func withoutMail() async throws {
        try await Workplace.run { place in
            _ = try await place.member(.admin)
            let help = "Ask an administrator for a reset link. On the server, run"
            let command = "<code>placard admin reset-password</code>"
            let anna = Visitor(client: place.client)
            for path in ["/dashboard/sign-in", "/dashboard/forgot"] {
                let page = try await anna.get(path)
                #expect(page.status == 200 && page.text.contains("\(help) \(command)."), "\(path): \(page.text)")
                #expect(!page.text.contains("href=\"/dashboard/forgot\"") && !page.text.contains("Send link"))
                let japanese = try await Visitor(client: place.client, languages: "ja").get(path).text
                #expect(japanese.contains("管理者に再設定用のリンクを依頼してください。") && japanese.contains(command))
            }
            let sent = try await anna.post("/dashboard/forgot", from: "/dashboard/sign-in", ["email": "a@example.com"])
            #expect(sent.location == "/dashboard/forgot")
        }
    }

    @Test("What a stranger asks for voids no link that an administrator made, and the use of one voids the other")
    func strangers() async throws {
        try await Workplace.run(mail: true) { place in
            let admin = try await place.member(.admin)
            let link = try Self.shown(try await Self.invite(admin))
            _ = await place.mail.next()
            let stranger = Visitor(client: place.client, address: "198.51.100.7")
            _ = try await stranger.post("/dashboard/forgot", from: "/dashboard/forgot", ["email": "new@example.com"])
            let requested = try MailTests.path(await place.mail.next())
            let visitor = Visitor(client: place.client)
            #expect(try await visitor.get(link).status == 200)
            #expect(try await visitor.get(requested).status == 200)
            #expect(try await Self.choose(visitor, link).location == "/dashboard/sign-in?done=password-chosen")
            #expect(try await visitor.get(requested).status == 404)
        }
    }

    @Test("A link that has expired, was replaced, or was never sent opens nothing and says what to do")
    func void() async throws {
        try await Workplace.run { place in
            let admin = try await place.member(.admin)
            let link = try Self.shown(try await Self.invite(admin))
            place.time.advance(by: PasswordLink.invitationLifetime - 1)
            let visitor = Visitor(client: place.client)
            #expect(try await visitor.get(link).status == 200)
            let token = String(link.split(separator: "=").last ?? "")
            let csrf = try await visitor.get(link).token ?? ""
            place.time.advance(by: 1)
            let late = try await visitor.get(link)
            #expect(late.status == 404 && late.text.contains("Ask an admin for a new link"))
            let fields = ["token": token, "password": Self.chosen, "csrf": csrf]
            #expect(try await visitor.post("/dashboard/password", fields).status == 404)

            // The admin's session has ended by then.
            let again = Visitor(client: place.client, address: "192.0.2.7")
            _ = try await again.signIn("admin@example.com")
            let path = "/dashboard/team/new%40example.com/password"
            let first = try Self.shown(try await again.post(path, from: "/dashboard/team"))
            let second = try Self.shown(try await again.post(path, from: "/dashboard/team"))
            #expect(try await visitor.get(first).status == 404)
            #expect(try await visitor.get(second).status == 200)
            for link in ["/dashboard/password?token=", "/dashboard/password?token=AAAA"] {
                #expect(try await visitor.get(link).status == 404)
            }
            #expect(try await visitor.get("/dashboard/password").location == "/dashboard/sign-in")
        }
    }

    @Test("An admin resets a member's password by a link: the member is signed out, and the second factor stays")
    func reset() async throws {
        try await Workplace.run { place in
            let admin = try await place.member(.admin)
            let editor = try await place.member(.editor)
            _ = try await place.addFactor(to: "editor@example.com", keeping: editor)
            place.time.advance(by: 60)
            let path = "/dashboard/team/editor%40example.com/password"
            let link = try Self.shown(try await admin.post(path, from: "/dashboard/team"))
            let team = try await admin.get("/dashboard/team").text
            #expect(team.firstMatch(of: /has to choose a password by [^<]+ \(UTC\)</) != nil)
            #expect(try await editor.get("/dashboard").status == 303)
            #expect(try await editor.signIn("editor@example.com").status == 401)
            #expect(try await place.audit().contains("member.password-reset"))

            let visitor = Visitor(client: place.client, address: "192.0.2.9")
            _ = try await Self.choose(visitor, link)
            let code = try await visitor.signIn("editor@example.com", password: Self.chosen)
            #expect(code.text.contains("name=\"ticket\""))
            #expect(try await visitor.get("/dashboard").status == 303)

            // Nobody resets their own password without giving it.
            let own = try await admin.post("/dashboard/team/admin%40example.com/password", from: "/dashboard/team")
            #expect(own.status == 404)
            let none = try await admin.post("/dashboard/team/none%40example.com/password", from: "/dashboard/team")
            #expect(none.status == 404)
        }
    }

    @Test("A link is void once the member's password was changed by other means")
    func changed() async throws {
        try await Workplace.run { place in
            let admin = try await place.member(.admin)
            let link = try Self.shown(try await Self.invite(admin))
            var member = try #require(try await place.store.member("new@example.com"))
            member.passwordHash = try TestPassword.hash
            let now = place.time.now
            try await place.store.updateMember(member, action: "member.password", keeping: nil, at: now, by: .command)
            #expect(try await Visitor(client: place.client).get(link).status == 404)
        }
    }

    @Test("Of two who use a link at once, one chooses the password")
    func race() async throws {
        try await Workplace.run { place in
            let admin = try await place.member(.admin)
            let link = try Self.shown(try await Self.invite(admin))
            async let first = Self.choose(Visitor(client: place.client), link)
            async let second = Self.choose(Visitor(client: place.client), link)
            let statuses = try await [first.status, second.status]
            #expect(statuses.filter { $0 == 303 }.count == 1, "\(statuses)")
        }
    }
}
