import CardModel
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: sessions")
struct SessionTests {
    @Test("A session ends after 30 days however much it is used")
    func absoluteEnd() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.viewer)
            for _ in 0..<5 {
                place.time.advance(by: 5.9 * 86_400)
                #expect(try await anna.get("/dashboard").status == 200)
            }
            place.time.advance(by: 0.6 * 86_400)
            #expect(try await anna.get("/dashboard").status == 303)
        }
    }

    @Test("A browser keeps the cookie while the session may last, and for the week in which forms are carried on")
    func cookieAge() async throws {
        try await Workplace.run { place in
            _ = try await place.member(.admin)
            let visitor = Visitor(client: place.client)
            func age(_ answer: Visitor.Page) throws -> Double {
                let cookie = answer.headers[values: .setCookie].first { $0.hasPrefix("placard_session=") }
                let digits = try #require(cookie?.firstMatch(of: /Max-Age=([0-9]+)/)?.output.1)
                return try #require(Double(digits))
            }
            let week = 604_800.0
            let signedIn = try await visitor.signIn("admin@example.com")
            #expect(try age(signedIn) == Session.longest + week)
            place.time.advance(by: 601)
            let key = ["name": "App", "kind": "publishable", "confirm_password": Workplace.password]
            let confirmed = try await visitor.post("/dashboard/keys", from: "/dashboard/keys", key)
            #expect(try age(confirmed) == Session.longest + week)
        }
    }

    @Test("Over HTTPS cookies are of this host alone, and browsers are told to stay with HTTPS")
    func secureCookies() async throws {
        try await Workplace.run { place in
            _ = try await place.member(.admin)
            let visitor = Visitor(client: place.client, isSecure: true)
            let answer = try await visitor.signIn("admin@example.com")
            #expect(answer.status == 303)
            #expect(answer.headers[.strictTransportSecurity] == "max-age=31536000")
            let cookies = answer.headers[values: .setCookie]
            #expect(cookies.count == 2)
            for cookie in cookies {
                #expect(cookie.hasPrefix("__Host-placard_"))
                let parts = cookie.split(separator: ";").map { $0.trimmingSpaces }
                #expect(["Secure", "HttpOnly", "Path=/"].allSatisfy(parts.contains), "\(cookie)")
            }
            #expect(try await visitor.get("/dashboard").status == 200)
            let planted = Visitor(client: place.client, isSecure: true)
            planted.setCookie("placard_session", visitor.cookie("__Host-placard_session"))
            #expect(try await planted.get("/dashboard").status == 303)
            let plain = try await Visitor(client: place.client).get("/dashboard/sign-in")
            #expect(plain.headers[.strictTransportSecurity] == nil)
        }
    }

    @Test("Members see where they are signed in, and sign out there, or everywhere else")
    func list() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.viewer)
            let other = Visitor(client: place.client, address: "203.0.113.5")
            _ = try await other.signIn("viewer@example.com")
            let page = try await anna.get("/dashboard/account")
            #expect(page.text.contains("203.0.113.5") && page.text.contains("this browser"))
            let ends = page.text.matches(of: /action="(\/dashboard\/account\/sessions\/[^"]+\/end)"/).map(\.1)
            // The own one has Sign out.
            #expect(ends.count == 1)
            let own = try #require(try await place.store.sessions(of: "viewer@example.com", at: 0).first)
            #expect(!page.text.contains(SecretBytes.text(own.hash)))

            let end = String(try #require(ends.last))
            let ended = try await anna.post(end, from: "/dashboard/account")
            #expect(ended.status == 303)
            #expect(try await anna.get("/dashboard").status == 200)
            #expect(try await other.get("/dashboard").status == 303)

            let third = Visitor(client: place.client)
            _ = try await third.signIn("viewer@example.com")
            let signedOut = try await third.post("/dashboard/account/sessions", from: "/dashboard/account")
            #expect(signedOut.location == "/dashboard/account?done=sessions-ended")
            #expect(try await third.get("/dashboard").status == 200)
            #expect(try await anna.get("/dashboard").status == 303)
            #expect(try await place.store.sessions(of: "viewer@example.com", at: 0).count == 1)
            #expect(try await !third.get("/dashboard/account").text.contains("Sign out everywhere else"))
            #expect(try await place.audit().contains("session.end-others"))
        }
    }

    @Test("Whoever signs out leaves nothing in the browser but the choices of the sign-in page")
    func clearedAtSignOut() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.viewer)
            #expect(try await visitor.get("/dashboard").headers[.clearSiteData] == nil)
            let answer = try await visitor.post("/dashboard/sign-out", from: "/dashboard/account")
            #expect(answer.location == "/dashboard/sign-in")
            #expect(answer.headers[.clearSiteData] == #""cache", "storage""#)
            #expect(answer.headers[.cacheControl] == "no-store")
        }
    }

    @Test("Another sign-in of a browser ends its last session, and a member has 50 at most")
    func bounds() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.viewer)
            let cookie = anna.cookie("placard_session")
            _ = try await anna.signIn("viewer@example.com")
            #expect(try await place.store.sessions(of: "viewer@example.com", at: 0).count == 1)
            anna.setCookie("placard_session", cookie)
            #expect(try await anna.get("/dashboard").status == 303)
            for number in 0..<60 as Range<UInt8> {
                let session = Session(
                    hash: [number],
                    email: "viewer@example.com",
                    formKey: [1],
                    createdAt: place.time.now + Double(number),
                    expiresAt: place.time.now + 1_000
                )
                try await place.store.insertSession(session)
            }
            let left = try await place.store.sessions(of: "viewer@example.com", at: 0)
            #expect(left.count == Session.limit)
            #expect(left.first?.hash == [59])
        }
    }

    @Test("A session whose row says that it began long ago is over, whatever its end says")
    func oldSession() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.viewer)
            let hash = try #require(anna.cookie("placard_session").flatMap(SecretBytes.bytes).map(SecretBytes.hash))
            var session = try #require(try await place.store.session(hash)).session
            session.createdAt -= 31 * 86_400
            #expect(session.expiresAt > place.time.now && !session.isOpen(at: place.time.now))
        }
    }

    @Test("Ten minutes after the password, keys, team and settings ask for it again, and keep what was sent")
    func confirmation() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            let key = ["name": "App <b>", "kind": "publishable"]
            place.time.advance(by: 601)
            let before = anna.cookie("placard_session")
            let asked = try await anna.post("/dashboard/keys", from: "/dashboard/keys", key)
            #expect(asked.status == 401)
            #expect(asked.text.contains("name=\"name\" value=\"App &lt;b&gt;\""))
            // Password managers go by it; it has no name, so that it isn't sent.
            #expect(asked.text.contains(#"type="email" value="admin@example.com" autocomplete="username" hidden"#))
            #expect(try await place.store.apiKeys().isEmpty)
            // Deletions of users and decisions on launches are everyday work of administrators.
            let forms = RouteTable.forms.filter { $0.role == .admin && !$0.path.contains(/users|approval/) }
            for form in forms {
                let path = RouteTable.filled(form.path)
                #expect(try await anna.post(path, from: "/dashboard/account").status == 401, "\(path)")
            }
            let token = ["csrf": asked.token ?? ""]
            let wrong = key.merging(["confirm_password": "wrong"]) { $1 }.merging(token) { $1 }
            let again = try await anna.post("/dashboard/keys", wrong)
            #expect(again.status == 401 && again.text.contains("The password is wrong."))
            let right = key.merging(["confirm_password": Workplace.password, "csrf": again.token ?? ""]) { $1 }
            #expect(try await anna.post("/dashboard/keys", right).status == 201)
            #expect(try await place.store.apiKeys().map(\.name) == ["App <b>"])

            let after = anna.cookie("placard_session")
            #expect(before != after)
            #expect(try await anna.post("/dashboard/keys", from: "/dashboard/keys", key).status == 201)
            anna.setCookie("placard_session", before)
            #expect(try await anna.get("/dashboard").status == 303)
        }
    }

    @Test("With a second factor on, confirming takes a code besides the password, each once")
    func confirmationWithFactor() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            let codes = try await place.addFactor(to: "admin@example.com", keeping: anna)
            func code() -> String { codes.code(of: TimeBasedCode.step(at: place.time.now)) }
            place.time.advance(by: 700)
            let key = ["name": "App", "kind": "publishable"]
            func confirm(_ fields: [String: String]) async throws -> Visitor.Page {
                let asked = try await anna.post("/dashboard/keys", from: "/dashboard/keys", key)
                #expect(asked.status == 401 && asked.text.contains("name=\"confirm_code\""))
                let all = key.merging(fields) { $1 }.merging(["csrf": asked.token ?? ""]) { $1 }
                return try await anna.post("/dashboard/keys", all)
            }
            let password = ["confirm_password": Workplace.password]
            #expect(try await confirm(password).status == 401)
            #expect(try await confirm(["confirm_password": "wrong", "confirm_code": code()]).status == 401)
            #expect(try await confirm(password.merging(["confirm_code": "000000"]) { $1 }).status == 401)
            #expect(try await place.store.apiKeys().isEmpty)
            let used = code()
            #expect(try await confirm(password.merging(["confirm_code": used]) { $1 }).status == 201)
            #expect(try await place.store.apiKeys().count == 1)
            place.time.advance(by: 601)
            #expect(try await confirm(password.merging(["confirm_code": used]) { $1 }).status == 401)
        }
    }

    @Test("The second factor is switched off with a code, not with the password alone, and never where it is required")
    func factorOff() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            let codes = try await place.addFactor(to: "admin@example.com", keeping: anna)
            func code() -> String { codes.code(of: TimeBasedCode.step(at: place.time.now)) }
            let (path, page) = ("/dashboard/account/factor", "/dashboard/account")
            let password = ["current": Workplace.password]
            #expect(try await anna.post(path, from: page, password).status == 400)
            #expect(try await place.store.member("admin@example.com")?.codeSecret != nil)

            place.time.advance(by: 60)
            let on = ["require_two_factor": "on"].merging(WorkspaceTests.settings) { $1 }
            _ = try await anna.post("/dashboard/settings", from: "/dashboard/settings", on)
            let refused = try await anna.post(path, from: page, password.merging(["code": code()]) { $1 })
            #expect(refused.status == 400 && refused.text.contains("requires two-factor authentication"))
            let off = ["require_two_factor": ""].merging(WorkspaceTests.settings) { $1 }
            _ = try await anna.post("/dashboard/settings", from: "/dashboard/settings", off)

            let other = Visitor(client: place.client)
            place.time.advance(by: 60)
            let right = password.merging(["code": code()]) { $1 }
            #expect(try await anna.post(path, from: page, right).location == "\(page)?done=factor-off")
            #expect(try await place.store.member("admin@example.com")?.codeSecret == nil)
            #expect(try await other.signIn("admin@example.com").status == 303)
        }
    }

    @Test("Where two-factor authentication is required, a member without it can set it up and do nothing else")
    func requiredFactor() async throws {
        try await Workplace.run { place in
            let admin = try await place.member(.admin)
            let editor = try await place.member(.editor)
            let on = ["require_two_factor": "on"].merging(WorkspaceTests.settings) { $1 }
            #expect(try await admin.post("/dashboard/settings", from: "/dashboard/settings", on).status == 303)
            #expect(try await place.store.loadCatalog().settings.requiresTwoFactor)

            for route in place.routes where route.hasPrefix("GET /dashboard") && !route.contains("assets") {
                let path = RouteTable.filled(String(route.dropFirst(4)))
                let open = ["account", "forgot", "password", "setup", "sign-in"].map { "/dashboard/\($0)" }
                guard !open.contains(path), !path.hasPrefix("/dashboard/sign-in/provider") else { continue }
                let answer = try await editor.get(path)
                #expect(answer.status == 303 && answer.location == "/dashboard/account", "\(path)")
            }
            for form in RouteTable.forms where form.role < .admin {
                let open = ["account", "sign-out", "theme", "language"]
                guard !open.contains(where: form.path.contains) else { continue }
                let path = RouteTable.filled(form.path)
                let answer = try await editor.post(path, from: "/dashboard/account")
                #expect(answer.status == 403 && answer.text.contains("Set up two-factor"), "\(path)")
            }
            #expect(try await editor.get("/dashboard/account").text.contains("requires two-factor authentication"))
            _ = try await place.addFactor(to: "editor@example.com", keeping: editor)
            #expect(try await editor.get("/dashboard").status == 200)
        }
    }
}
