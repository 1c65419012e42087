import CardModel
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: signing in")
struct SignInTests {
    private let newcomer = ["email": "anna@example.com", "name": "Anna", "password": Workplace.password]

    @Test("The first account takes the code of the log, is an administrator, and is made once")
    func firstAccount() async throws {
        try await Workplace.run { place in
            let visitor = Visitor(client: place.client)
            #expect(try await visitor.get("/").location == "/dashboard")
            #expect(try await visitor.get("/dashboard/sign-in").location == "/dashboard/setup")

            let guess = try await visitor.post("/dashboard/setup", from: "/dashboard/setup", newcomer)
            #expect(guess.status == 400)
            #expect(guess.text.contains("anna@example.com"))
            #expect(try await place.store.members().isEmpty)

            let form = newcomer.merging(["code": Workplace.setupCode]) { $1 }
            #expect(try await visitor.post("/dashboard/setup", from: "/dashboard/setup", form).location == "/dashboard")
            #expect(try await place.store.members().map(\.role) == [.admin])
            #expect(try await visitor.get("/dashboard").text.contains("Anna"))

            let other = Visitor(client: place.client)
            #expect(try await other.get("/dashboard/setup").location == "/dashboard/sign-in")
        }
    }

    @Test("Pages send strangers to sign in, and from there to where they were going")
    func stranger() async throws {
        try await Workplace.run { place in
            _ = try await place.member(.viewer)
            let visitor = Visitor(client: place.client)
            let sent = try await visitor.get("/dashboard/audit?before=9")
            #expect(sent.location == "/dashboard/sign-in?next=%2Fdashboard%2Faudit%3Fbefore%3D9")
            #expect(try await visitor.signIn("viewer@example.com").location == "/dashboard")
        }
    }

    @Test(
        "Where to go on is only ever a page of ours",
        arguments: [
            "https://evil.example", "//evil.example", "/dashboardx", "/dashboard/\\evil", "/dashboard/\n", "",
            "/v1/keys",
        ]
    )
    func safeAddresses(_ address: String) {
        #expect(SignInPages.safe(address) == "/dashboard")
        #expect(SignInPages.safe("/dashboard/keys?a=b") == "/dashboard/keys?a=b")
    }

    @Test("A wrong password and an unknown address are refused alike, logged, and slowed down after five")
    func throttling() async throws {
        try await Workplace.run { place in
            _ = try await place.member(.admin)
            let visitor = Visitor(client: place.client)
            let unknown = try await visitor.signIn("nobody@example.com")
            #expect(unknown.status == 401)
            for _ in 0..<5 {
                let wrong = try await visitor.signIn("admin@example.com", password: "wrong")
                #expect(wrong.status == 401)
                #expect(wrong.text.contains("The email address or the password is wrong."))
            }
            let right = try await visitor.signIn("admin@example.com")
            #expect(right.status == 429)
            #expect(right.headers[.retryAfter] == "5")
            #expect(try await place.audit().filter { $0 == "session.refused" }.count == 6)

            place.time.advance(by: 6)
            #expect(try await visitor.signIn("admin@example.com").status == 303)
            let wrong = try await visitor.signIn("admin@example.com", password: "wrong")
            #expect(wrong.status == 401)
        }
    }

    @Test("A session ends when it was not used for a week, when signed out, and with a new password elsewhere")
    func sessionEnds() async throws {
        try await Workplace.run { place in
            let first = try await place.member(.admin)
            let second = Visitor(client: place.client)
            _ = try await second.signIn("admin@example.com")
            let change = ["current": Workplace.password, "password": "another long password"]
            let changed = try await first.post("/dashboard/account/password", from: "/dashboard/account", change)
            #expect(changed.location == "/dashboard/account?done=password")
            #expect(try await first.get("/dashboard").status == 200)
            #expect(try await second.get("/dashboard").status == 303)

            place.time.advance(by: 6 * 86_400)
            #expect(try await first.get("/dashboard").status == 200)
            place.time.advance(by: 6 * 86_400)
            #expect(try await first.get("/dashboard").status == 200)
            place.time.advance(by: 8 * 86_400)
            #expect(try await first.get("/dashboard").status == 303)
        }
    }

    @Test("The cookie is out of reach of scripts and other sites, and the store knows only its hash")
    func cookie() async throws {
        try await Workplace.run { place in
            _ = try await place.member(.admin)
            let visitor = Visitor(client: place.client)
            let answer = try await visitor.signIn("admin@example.com")
            let header = try #require(answer.headers[values: .setCookie].first { $0.hasPrefix("placard_session=") })
            #expect(header.contains("HttpOnly"))
            #expect(header.contains("SameSite=Lax"))
            let value = try #require(visitor.cookie("placard_session").flatMap(SecretBytes.bytes))
            #expect(try await place.store.session(value) == nil)
            #expect(try await place.store.session(SecretBytes.hash(value))?.member.email == "admin@example.com")
        }
    }

    @Test("With a second factor, the code is asked for, and each works once")
    func secondFactor() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.admin)
            let page = try await visitor.get("/dashboard/account")
            let text = try #require(page.text.firstMatch(of: /name="secret" value="([^"]+)"/)).1
            let secret = try #require(SecretBytes.bytes(String(text)))
            let codes = TimeBasedCode(secret: secret)
            func code() -> String { codes.code(of: TimeBasedCode.step(at: place.time.now)) }
            let wrong = ["current": Workplace.password, "secret": String(text), "code": "000000"]
            let refused = try await visitor.post("/dashboard/account/factor", from: "/dashboard/account", wrong)
            #expect(refused.status == 400)
            let right = wrong.merging(["code": code()]) { $1 }
            let set = try await visitor.post("/dashboard/account/factor", from: "/dashboard/account", right)
            #expect(set.status == 201)
            let recovery = set.text.matches(of: /<li><code>([0-9A-Z]{4}(?:-[0-9A-Z]{4}){3})<\/code>/).map {
                String($0.1)
            }
            #expect(Set(recovery).count == 10)
            #expect(try await !visitor.get("/dashboard/account").text.contains(recovery[0]))

            let other = Visitor(client: place.client)
            let asked = try await other.signIn("admin@example.com")
            let ticket = try #require(asked.text.firstMatch(of: /name="ticket" value="([^"]+)"/)).1
            #expect(try await other.get("/dashboard").status == 303)
            func answer(_ code: String) async throws -> Int {
                let fields = ["ticket": String(ticket), "code": code]
                return try await other.post("/dashboard/sign-in/code", from: "/dashboard/sign-in", fields).status
            }
            #expect(try await answer(code()) == 401)
            place.time.advance(by: 60)
            #expect(try await answer(code()) == 303)
            #expect(try await other.get("/dashboard").status == 200)

            #expect(try await answer(recovery[3]) == 303)
            #expect(try await answer(recovery[3]) == 401)
            #expect(try await answer(recovery[4].lowercased().replacing("-", with: " ")) == 303)
            #expect(try await place.store.member("admin@example.com")?.recoveryCodes.count == 8)
            place.time.advance(by: 60)
            let password = ["current": Workplace.password]
            let account = "/dashboard/account"
            let unproven = try await visitor.post("\(account)/recovery", from: account, password)
            #expect(unproven.status == 400)
            let proven = password.merging(["code": code()]) { $1 }
            let renewed = try await visitor.post("\(account)/recovery", from: account, proven)
            #expect(renewed.text.contains("10 recovery codes left"))
            place.time.advance(by: 60)
            #expect(try await answer(recovery[5]) == 401)
        }
    }

    @Test("Recovery codes that an older version kept as SHA-256 are hashed slowly at the start, and still work once")
    func olderRecoveryCodes() async throws {
        try await Workplace.run { place in
            _ = try await place.member(.admin)
            var member = try #require(try await place.store.member("admin@example.com"))
            let digests = ["1234567890", "0987654321"].map { SecretBytes.hash(Array($0.utf8)) }
            member.codeSecret = Array(repeating: 7, count: 20)
            member.recoveryCodes = digests
            try await place.store.updateMember(member, action: "member.factor-on", keeping: nil, at: 0, by: .command)

            #expect(try await Dashboard.strengthenRecoveryCodes(in: place.store, at: place.time.now) == 1)
            #expect(try await Dashboard.strengthenRecoveryCodes(in: place.store, at: place.time.now) == 0)

            member = try #require(try await place.store.member("admin@example.com"))
            #expect(member.recoveryCodes.map(\.count) == [RecoveryCodeHash.byteCount, RecoveryCodeHash.byteCount])
            #expect(!member.recoveryCodes.contains { hash in digests.contains { Array(hash.suffix(32)) == $0 } })
            #expect(Set(member.recoveryCodes.map { $0.prefix(RecoveryCodeHash.prefixCount) }).count == 1)
            let use = await SecondFactor.use(of: "12345 67890", by: member, at: place.time.now)
            #expect(use == .recovery(hash: member.recoveryCodes[0]))
            use?.apply(to: &member)
            #expect(member.recoveryCodes.count == 1)
            #expect(await SecondFactor.use(of: "12345 67890", by: member, at: place.time.now) == nil)
            #expect(await SecondFactor.use(of: "09876-54321", by: member, at: place.time.now) != nil)
        }
    }

    @Test(
        "What can be no recovery code is not hashed slowly",
        arguments: ["", "123456", "1234567890123", "٣٤٥٦٧٨٩٠١٢"]
    )
    func noRecoveryCode(_ typed: String) {
        #expect(RecoveryCodes.digest(typed) == nil)
        #expect(RecoveryCodes.digest(String(repeating: "A-", count: 16)) != nil)
        #expect(RecoveryCodes.digest(String(repeating: " ", count: 1_000_000) + "1234567890") == nil)
    }

    @Test("An administrator lets a member in again who has lost the second factor, and signs them out elsewhere")
    func resetFactor() async throws {
        try await Workplace.run { place in
            let admin = try await place.member(.admin)
            let editor = try await place.member(.editor)
            var member = try #require(try await place.store.member("editor@example.com"))
            member.codeSecret = Array(repeating: 7, count: 20)
            try await place.store.updateMember(member, action: "member.factor-on", keeping: nil, at: 0, by: .command)
            let page = "/dashboard/team"
            let reset = try await admin.post("\(page)/editor%40example.com/factor-off", from: page)
            #expect(reset.location == "/dashboard/team?done=factor-reset")
            #expect(try await editor.get("/dashboard").status == 303)
            #expect(try await editor.signIn("editor@example.com").location == "/dashboard")
            #expect(try await place.audit().contains("member.factor-off"))
        }
    }

    @Test("An administrator signs a member out everywhere, who signs in again, and ends no session of their own so")
    func signOutMember() async throws {
        try await Workplace.run { place in
            let admin = try await place.member(.admin)
            let editor = try await place.member(.editor)
            let page = "/dashboard/team"
            let ended = try await admin.post("\(page)/editor%40example.com/sessions", from: page)
            #expect(ended.location == "/dashboard/team?done=member-signed-out")
            #expect(try await editor.get("/dashboard").status == 303)
            #expect(try await editor.signIn("editor@example.com").location == "/dashboard")
            #expect(try await place.audit().contains("session.end-others"))
            #expect(try await admin.post("\(page)/admin%40example.com/sessions", from: page).status == 404)
            #expect(try await admin.get(page).status == 200)
        }
    }
}
