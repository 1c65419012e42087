import CardModel
import CardServer
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: signing in with an OpenID provider")
struct ProviderSignInTests {
    /// Runs a server that trusts a provider.
    static func run(
        _ change: @escaping @Sendable (inout OpenIDSettings) -> Void = { _ in },
        _ body: @escaping @Sendable (Workplace, TestProvider) async throws -> Void
    ) async throws {
        try await TestProvider.run { provider in
            var settings = provider.settings
            change(&settings)
            try await Workplace.run(openID: settings) { try await body($0, provider) }
        }
    }

    private static func passwordless(_ settings: inout OpenIDSettings) { settings.allowsPasswords = false }

    private static func trustingFactor(_ settings: inout OpenIDSettings) {
        (settings.trustsSecondFactor, settings.allowsPasswords) = (true, false)
    }

    /// Maps three groups to roles, and creates members.
    private static func mapped(_ settings: inout OpenIDSettings) {
        settings.groupRoles = [
            .init(group: "viewers", role: .viewer), .init(group: "editors", role: .editor),
            .init(group: "admins", role: .admin),
        ]
        settings.createsMembers = true
    }

    @Test("A member signs in by a verified address, and from then on by the account at the provider")
    func connects() async throws {
        try await Self.run { place, provider in
            _ = try await place.member(.admin)
            let visitor = Visitor(client: place.client)
            #expect(try await visitor.get("/dashboard/sign-in").text.contains("Sign in with Example ID"))
            let page = try await provider.signIn(visitor)
            #expect(page.status == 303 && page.location == "/dashboard/keys")
            #expect(try await visitor.get("/dashboard/keys").status == 200)
            #expect(try await place.store.member("admin@example.com")?.identity?.subject == "sub-1")
            #expect(try await place.audit().contains("member.identity"))

            // The address may change there; the account doesn't.
            provider.change { ($0.person.email, $0.person.isVerified) = ("new@example.com", nil) }
            let later = Visitor(client: place.client)
            #expect(try await provider.signIn(later).status == 303)
            #expect(try await later.get("/dashboard/account").text.contains("admin@example.com"))
        }
    }

    @Test("What a provider does wrong lets nobody in", arguments: TestProvider.Fault.allCases)
    func faults(_ fault: TestProvider.Fault) async throws {
        let change: @Sendable (inout OpenIDSettings) -> Void = {
            if fault == .silent { ($0.timeout, $0.keysTimeout) = (1, 1) }
        }
        try await Self.run(change) { place, provider in
            _ = try await place.member(.admin)
            provider.change { $0.fault = fault }
            let visitor = Visitor(client: place.client)
            let page = try await provider.signIn(visitor)
            #expect(page.status == fault.status)
            #expect(page.text.contains("role=\"alert\"") && visitor.cookie("placard_session") == nil)
            #expect(try await place.store.member("admin@example.com")?.identity == nil)
            let line = place.log.lines.last { $0.hasPrefix("Signing in with the OpenID provider failed") }
            #expect(line.map { !$0.contains("eyJ") && !$0.contains("secret") } == true)

            provider.change { $0.fault = nil }
            func statusAgain() async throws -> Int {
                place.time.advance(by: 61)
                provider.change { $0.now += 61 }
                return try await provider.signIn(visitor).status
            }
            var status = try await statusAgain()
            // The second after which a silent one is given up is short for one that answers on a busy machine.
            for _ in 0..<20 where fault == .silent && status != 303 { status = try await statusAgain() }
            #expect(status == 303)
        }
    }

    @Test("An answer counts once, in the browser that began, with its own code and from its own provider")
    func bound() async throws {
        try await Self.run { place, provider in
            _ = try await place.member(.admin)
            let (mine, other) = (Visitor(client: place.client), Visitor(client: place.client))
            let path = "/dashboard/sign-in/provider"
            let first = try provider.signIn(try #require(try await mine.get(path).location))
            let second = try provider.signIn(try #require(try await other.get(path).location))
            // Another browser's answer as a whole, which would sign its member in here.
            #expect(try await mine.get(second).status == 400)
            #expect(mine.cookie("placard_session") == nil)

            // Another browser's code under this browser's state.
            let third = try provider.signIn(try #require(try await mine.get(path).location))
            let code = try #require(first.firstMatch(of: /code-\d+/)?.output)
            #expect(try await mine.get(third.replacing(/code-\d+/, with: code)).status == 401)

            let fourth = try provider.signIn(try #require(try await mine.get(path).location))
            let mixed = fourth.replacing(/iss=.*/, with: "iss=https%3A%2F%2Fevil.example")
            #expect(try await mine.get(mixed).status == 401)
            let fifth = try provider.signIn(try #require(try await mine.get(path).location))
            #expect(try await mine.get(fifth.replacing(/&iss=.*/, with: "")).status == 401)

            let sixth = try provider.signIn(try #require(try await mine.get(path).location))
            let cookie = try #require(mine.cookie("placard_provider"))
            #expect(try await mine.get(sixth).status == 303)
            mine.setCookie("placard_provider", cookie)
            // The provider knows the code no more; where it would, the state is spent.
            #expect(try await mine.get(sixth).status == 401)
            provider.change { $0.codes["code-6"] = $0.lastQuery }
            mine.setCookie("placard_provider", cookie)
            #expect(try await mine.get(sixth).status == 400)

            let seventh = try provider.signIn(try #require(try await other.get(path).location))
            place.time.advance(by: 601)
            #expect(try await other.get(seventh).status == 400)
        }
    }

    @Test("An address that isn't verified, another account's and an unknown one let nobody in")
    func strangers() async throws {
        try await Self.run { place, provider in
            _ = try await place.member(.admin)
            provider.change { $0.person.isVerified = false }
            #expect(try await provider.signIn(Visitor(client: place.client)).status == 403)
            provider.change { $0.person.isVerified = nil }
            #expect(try await provider.signIn(Visitor(client: place.client)).status == 403)
            provider.change { ($0.person.isVerified, $0.person.email) = (true, "stranger@example.com") }
            #expect(try await provider.signIn(Visitor(client: place.client)).status == 403)
            // Mailboxes of their own, though members may type them alike.
            for email in ["\u{FF41}dmin@example.com", "admin@example.\u{FF43}om", "adm\u{131}n@example.com"] {
                provider.change { $0.person.email = email }
                #expect(try await provider.signIn(Visitor(client: place.client)).status == 403)
            }
            provider.change { $0.person.email = "Admin@Example.com" }
            #expect(try await provider.signIn(Visitor(client: place.client)).status == 303)
            // The address was given to another person there.
            provider.change { $0.person.subject = "sub-2" }
            let page = try await provider.signIn(Visitor(client: place.client))
            #expect(page.status == 403 && page.text.contains("belongs to another account at Example ID"))
        }
    }

    @Test("Groups create a member and decide the role; who is in none any more is signed out")
    func groups() async throws {
        try await Self.run(Self.mapped) { place, provider in
            _ = try await place.member(.admin)
            provider.change { ($0.person.email, $0.person.groups) = ("eve@example.com", ["others"]) }
            let visitor = Visitor(client: place.client)
            #expect(try await provider.signIn(visitor).status == 403)
            provider.change { $0.person.groups = ["viewers", "editors"] }
            #expect(try await provider.signIn(visitor).status == 303)
            #expect(try await place.store.member("eve@example.com")?.role == .editor)
            provider.change { $0.person.groups = ["viewers"] }
            #expect(try await provider.signIn(Visitor(client: place.client)).status == 303)
            #expect(try await place.store.member("eve@example.com")?.role == .viewer)
            #expect(try await place.audit().contains("member.role-viewer"))

            let open = Visitor(client: place.client)
            #expect(try await provider.signIn(open).status == 303)
            provider.change { $0.person.groups = nil }
            #expect(try await provider.signIn(Visitor(client: place.client)).status == 403)
            #expect(try await open.get("/dashboard").status == 303)
        }
    }

    @Test("The last administrator stays one, whatever the groups say")
    func lastAdministrator() async throws {
        try await Self.run(Self.mapped) { place, provider in
            _ = try await place.member(.admin)
            provider.change { $0.person.groups = ["viewers"] }
            #expect(try await provider.signIn(Visitor(client: place.client)).status == 303)
            #expect(try await place.store.member("admin@example.com")?.role == .admin)
        }
    }

    @Test("A temporary password is void once its member has signed in with the provider")
    func temporaryPassword() async throws {
        try await Self.run { place, provider in
            let admin = try await place.member(.admin)
            provider.change { $0.person.email = "new@example.com" }
            let fields = ["email": "new@example.com", "role": "editor"]
            let invitation = try await admin.post("/dashboard/team", from: "/dashboard/team", fields)
            let link = try #require(invitation.text.firstMatch(of: /\/dashboard\/password\?token=[\w-]+/)?.output)
            let visitor = Visitor(client: place.client)
            #expect(try await provider.signIn(visitor).status == 303)
            #expect(try await visitor.get("/dashboard/campaigns").status == 200)
            #expect(try await Visitor(client: place.client).get(String(link)).status == 404)
        }
    }

    @Test("A second factor that is set up here is asked for, unless the provider's counts")
    func secondFactor() async throws {
        try await Self.run { place, provider in
            let admin = try await place.member(.admin)
            let codes = try await place.addFactor(to: "admin@example.com", keeping: admin)
            let visitor = Visitor(client: place.client)
            let page = try await provider.signIn(visitor)
            #expect(page.status == 200 && visitor.cookie("placard_session") == nil)
            let ticket = try #require(page.text.firstMatch(of: /name="ticket" value="([^"]+)"/)?.output.1)
            let fields = [
                "csrf": page.token ?? "", "ticket": String(ticket),
                "code": codes.code(of: TimeBasedCode.step(at: place.time.now)),
            ]
            #expect(try await visitor.post("/dashboard/sign-in/code", fields).status == 303)
        }
        try await Self.run(Self.trustingFactor) { place, provider in
            try await place.insertAdmin()
            #expect(try await provider.signIn(Visitor(client: place.client)).status == 303)
        }
    }

    @Test("Without passwords, neither they nor links to choose one let anybody in")
    func withoutPasswords() async throws {
        try await Self.run(Self.passwordless) { place, _ in
            try await place.insertAdmin()
            let visitor = Visitor(client: place.client)
            let page = try await visitor.get("/dashboard/sign-in")
            #expect(!page.text.contains("type=\"password\"") && page.text.contains("Sign in with Example ID"))
            let fields = ["csrf": try await Self.token(visitor), "email": "admin@example.com"]
            let answer = try await visitor.post(
                "/dashboard/sign-in",
                fields.merging(["password": Workplace.password]) { $1 }
            )
            #expect(answer.status >= 300 && visitor.cookie("placard_session") == nil)
            #expect(try await visitor.get("/dashboard/forgot").location == "/dashboard/sign-in")
            #expect(try await visitor.get("/dashboard/password?token=x").location == "/dashboard/sign-in")
        }
    }

    @Test("Before a sensitive change a second factor that is set up here is asked for, too")
    func confirmationWithFactor() async throws {
        try await Self.run { place, provider in
            let admin = try await place.member(.admin)
            let codes = try await place.addFactor(to: "admin@example.com", keeping: admin)
            let visitor = Visitor(client: place.client)
            func enter(_ page: Visitor.Page) async throws -> Int {
                let ticket = try #require(page.text.firstMatch(of: /name="ticket" value="([^"]+)"/)?.output.1)
                let code = codes.code(of: TimeBasedCode.step(at: place.time.now))
                let fields = ["csrf": page.token ?? "", "ticket": String(ticket), "code": code]
                return try await visitor.post("/dashboard/sign-in/code", fields).status
            }
            #expect(try await enter(provider.signIn(visitor)) == 303)
            place.time.advance(by: 1_200)
            let key = ["name": "Shop", "kind": "publishable"]
            #expect(try await visitor.post("/dashboard/keys", from: "/dashboard/keys", key).status == 401)
            provider.change {
                $0.now += 1_200
                $0.person.authenticatedAt = $0.now
            }
            let page = try await provider.signIn(visitor, from: "/dashboard/sign-in/provider?confirm=1")
            #expect(page.status == 200 && !page.text.contains("Close this tab"))
            #expect(try await visitor.post("/dashboard/keys", from: "/dashboard/keys", key).status == 401)
            #expect(try await enter(page) == 303)
            #expect(try await visitor.post("/dashboard/keys", from: "/dashboard/keys", key).status == 201)
        }
    }

    private static func token(_ visitor: Visitor) async throws -> String {
        try await visitor.get("/dashboard/setup").token ?? ""
    }

    @Test("Sensitive changes ask for another sign-in at the provider, which has to have happened")
    func confirmation() async throws {
        try await Self.run { place, provider in
            _ = try await place.member(.admin)
            let visitor = Visitor(client: place.client)
            #expect(try await provider.signIn(visitor).status == 303)
            // They were signed in there already: that doesn't count.
            let fields = ["name": "Shop", "kind": "publishable"]
            let asked = try await visitor.post("/dashboard/keys", from: "/dashboard/keys", fields)
            #expect(asked.status == 401 && asked.text.contains("Open Example ID in another tab"))

            let path = "/dashboard/sign-in/provider?confirm=1"
            #expect(try await provider.signIn(visitor, from: path).status == 401)
            provider.change { $0.person.authenticatedAt = $0.now - 3_600 }
            #expect(try await provider.signIn(visitor, from: path).status == 401)
            #expect(try await visitor.post("/dashboard/keys", from: "/dashboard/keys", fields).status == 401)

            // Another person signs in there.
            provider.change { ($0.person.authenticatedAt, $0.person.subject) = ($0.now, "sub-2") }
            #expect(try await provider.signIn(visitor, from: path).status == 403)
            #expect(try await visitor.post("/dashboard/keys", from: "/dashboard/keys", fields).status == 401)

            provider.change { $0.person.subject = "sub-1" }
            let done = try await provider.signIn(visitor, from: path)
            #expect(done.status == 200 && done.text.contains("Close this tab"))
            var again = fields
            again["csrf"] = asked.token
            #expect(try await visitor.post("/dashboard/keys", again).status == 201)
        }
    }

    @Test("Another site can't send a member to confirm anything")
    func confirmationFromElsewhere() async throws {
        try await Self.run { place, provider in
            _ = try await place.member(.admin)
            let visitor = Visitor(client: place.client, site: "cross-site")
            #expect(try await provider.signIn(visitor).status == 303)
            let page = try await visitor.get("/dashboard/sign-in/provider?confirm=1")
            #expect(page.location == "/dashboard/sign-in")
        }
    }

    @Test("A session of the provider's member ends after its time, however much it is used")
    func sessionEnds() async throws {
        try await Self.run { place, provider in
            _ = try await place.member(.admin)
            let visitor = Visitor(client: place.client)
            #expect(try await provider.signIn(visitor).status == 303)
            place.time.advance(by: 43_199)
            #expect(try await visitor.get("/dashboard").status == 200)
            place.time.advance(by: 2)
            #expect(try await visitor.get("/dashboard").status == 303)
        }
    }

    @Test("Before there is a first account, the provider lets nobody in")
    func setup() async throws {
        try await Self.run(Self.mapped) { place, provider in
            provider.change { $0.person.groups = ["editors"] }
            let page = try await provider.signIn(Visitor(client: place.client))
            #expect(page.location == "/dashboard/sign-in")
            #expect(try await place.store.members().isEmpty)
        }
    }

    @Test("An issuer is an address of HTTPS, or of this machine")
    func issuers() {
        for good in ["https://id.example.com/realms/staff", "http://127.0.0.1:8080", "http://localhost"] {
            #expect(OpenIDSettings.isIssuer(good), "\(good)")
        }
        for bad in ["http://id.example.com", "http://10.0.0.1", "https://a@b.example", "https://b.example/?x=1", ""] {
            #expect(!OpenIDSettings.isIssuer(bad), "\(bad)")
        }
    }
}
