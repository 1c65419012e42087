import CardModel
import CardStore
import Foundation
import HTTPTypes
import Hummingbird
import LiveTesting
import Testing

@testable import CardServer
@testable import Dashboard

@Suite("Dashboard: roles and forms")
struct PageRoleTests {
    private let key = ["name": "App", "kind": "publishable"]

    @Test("A form that is no HTTP is refused as such, and is no failure of the server")
    func malformed() async throws {
        try await Workplace.run { place in
            let address = try #require(URL(string: "http://127.0.0.1:\(place.client.port)"))
            for path in ["sign-in", "setup", "sign-in/code", "password", "forgot"] {
                let request = """
                    POST /dashboard/\(path) HTTP/1.1\r\nHost: placard\r\nTransfer-Encoding: chunked\r\n\
                    Content-Type: application/x-www-form-urlencoded\r\n\r\n5\r\nabcde\r\nZZ\r\n
                    """
                let answer = try await RawConnection(to: address).exchange([request], count: 1).first
                #expect(answer?.status == 400, "\(path)")
            }
            #expect(!place.log.lines.contains { $0.contains("A page failed") })
        }
    }

    @Test(
        "A viewer and an editor cannot manage keys, team and settings, and it is logged",
        arguments: [Role.viewer, .editor]
    )
    func roles(_ role: Role) async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(role)
            let page = try await visitor.get("/dashboard/keys")
            #expect(page.status == 200)
            #expect(!page.text.contains("action=\"/dashboard/keys\""))
            for path in ["/dashboard/keys", "/dashboard/team", "/dashboard/settings"] {
                let answer = try await visitor.post(path, from: "/dashboard/keys", key)
                #expect(answer.status == 403)
                #expect(answer.text.contains("Your role is \(role.rawValue)."))
            }
            #expect(try await place.store.apiKeys().isEmpty)
            #expect(try await place.audit().filter { $0 == "request.forbidden" }.count == 3)
        }
    }

    @Test(
        "A page that isn't answered because others are being answered says so, and isn't taken for a failure",
        arguments: [(RequestError.unavailable, 503), (.uploadsTooFast(after: 1), 429)]
    )
    func busy(_ refusal: RequestError, _ status: Int) async throws {
        let caught = await #expect(throws: ServiceError.self) { try await ServiceError.catching { throw refusal } }
        let view = ErrorView(try #require(caught))
        #expect(view.status.code == status)
        #expect(view.text == refusal.message)
        #expect(view.retryAfter == refusal.retryAfter && view.retryAfter != nil)
    }

    @Test("A page that isn't answered for now says when to try again, and no other does")
    func retries() async throws {
        try await Workplace.run { place in
            let viewer = try await place.member(.viewer)
            #expect(try await viewer.get("/dashboard/nothing").headers[.retryAfter] == nil)
        }
        for code in [StoreError.Code.unavailable, .diskFull] {
            #expect(ErrorView(StoreError(code, "x")).retryAfter == 5)
        }
        #expect(ErrorView(StoreError(.conflict, "x")).retryAfter == nil && ErrorView.notFound.retryAfter == nil)
        let page = Response(status: .serviceUnavailable)
        #expect(page.retryable(after: 7).headers[.retryAfter] == "7")
        #expect(page.retryable(after: nil).headers[.retryAfter] == nil)
    }

    @Test("What a member is refused any number of times fills the audit log with so many entries and no more")
    func flood() async throws {
        try await Workplace.run { place in
            let viewer = try await place.member(.viewer)
            for number in 0..<40 {
                #expect(try await viewer.post("/dashboard/keys", ["name": "\(number)"]).status == 403)
            }
            #expect(try await place.audit().filter { $0 == "request.forged" }.count == 30)
        }
    }

    @Test("What a form carries on past the end of a session has no secrets")
    func secrets() {
        let names = ["confirm_password", "confirm_code", "current", "password", "code", "csrf", "secret", "name"]
        #expect(ResumePage.kept(FormData(names.map { ($0, "x") })).fields.map(\.name) == ["name"])
    }

    @Test("A form without a token, with another session's, or sent twice is refused and logged")
    func tokens() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            let kenji = try await place.member(.admin, email: "kenji@example.com")
            #expect(try await anna.post("/dashboard/keys", key).status == 403)

            let foreign = try await kenji.get("/dashboard/keys").token ?? ""
            #expect(try await anna.post("/dashboard/keys", key.merging(["csrf": foreign]) { $1 }).status == 403)
            #expect(try await place.store.apiKeys().isEmpty)

            let own = key.merging(["csrf": try await anna.get("/dashboard/keys").token ?? ""]) { $1 }
            #expect(try await anna.post("/dashboard/keys", own).status == 201)
            #expect(try await anna.post("/dashboard/keys", own).status == 409)
            #expect(try await place.store.apiKeys().count == 1)
            #expect(
                try await place.audit().filter { $0.hasPrefix("request.") }
                    == ["request.replayed", "request.forged", "request.forged"]
            )
        }
    }

    @Test("A form that the browser says another site has sent is refused", arguments: ["cross-site", "same-site"])
    func otherSites(_ site: String) async throws {
        try await Workplace.run { place in
            _ = try await place.member(.admin)
            let visitor = Visitor(client: place.client, site: site)
            #expect(try await visitor.signIn("admin@example.com").status == 403)
            let own = Visitor(client: place.client, site: "same-origin")
            #expect(try await own.signIn("admin@example.com").status == 303)
        }
    }

    @Test("What was typed when the session had ended comes back after signing in")
    func resuming() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.admin)
            let form = key.merging(["csrf": try await visitor.get("/dashboard/keys").token ?? ""]) { $1 }
            place.time.advance(by: 8 * 86_400)
            let asked = try await visitor.post("/dashboard/keys", form)
            #expect(asked.status == 401)
            let resume = try #require(asked.text.firstMatch(of: /name="resume" value="([^"]+)"/)).1
            let fields = [
                "email": "admin@example.com", "password": Workplace.password, "next": "/dashboard/keys",
                "resume": String(resume).replacing("&amp;", with: "&"), "csrf": asked.token ?? "",
            ]
            let place2 = try #require(try await visitor.post("/dashboard/sign-in", fields).location)
            let shown = try await visitor.get(place2)
            #expect(shown.text.contains("name=\"name\" value=\"App\""))
            #expect(try await visitor.get(place2.replacing("App", with: "Evil")).status == 404)
            #expect(try await place.store.apiKeys().isEmpty)
        }
    }

    @Test("What was typed outlives a code that comes too late, and the page says what to do")
    func lateCode() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.admin)
            let codes = try await place.addFactor(to: "admin@example.com", keeping: visitor)
            let form = key.merging(["csrf": try await visitor.get("/dashboard/keys").token ?? ""]) { $1 }
            place.time.advance(by: 8 * 86_400)
            let asked = try await visitor.post("/dashboard/keys", form)
            func signIn(_ page: Visitor.Page) async throws -> [String: String] {
                let person = ["email": "admin@example.com", "password": Workplace.password]
                let fields = FormReader.fields(of: page.text, to: "/dashboard/sign-in").merging(person) { $1 }
                let next = try await visitor.post("/dashboard/sign-in", fields)
                return FormReader.fields(of: next.text, to: "/dashboard/sign-in/code")
            }
            func send(_ fields: [String: String]) async throws -> Visitor.Page {
                let code = codes.code(of: TimeBasedCode.step(at: place.time.now))
                return try await visitor.post("/dashboard/sign-in/code", fields.merging(["code": code]) { $1 })
            }
            let first = try await signIn(asked)
            place.time.advance(by: Double(SignInTicket.lifetime) + 1)
            let late = try await send(first)
            #expect(late.status == 401 && late.text.contains("You have five minutes to enter the code."))
            let entered = try await send(try await signIn(late))
            let shown = try await visitor.get(try #require(entered.location))
            #expect(shown.text.contains("name=\"name\" value=\"App\""))
        }
    }

    @Test("Pages run no script but ours, are framed by nobody, and show what was typed as text")
    func contentPolicy() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.admin)
            let evil = "<script>alert(1)</script>\"><img src=x onerror=alert(1)>"
            let made = try await visitor.post(
                "/dashboard/keys",
                from: "/dashboard/keys",
                ["name": evil, "kind": "publishable"]
            )
            #expect(made.status == 201)
            for path in ["/dashboard", "/dashboard/keys", "/dashboard/audit", "/dashboard/team", "/dashboard/account"] {
                let page = try await visitor.get(path)
                let policy = try #require(page.headers[.contentSecurityPolicy])
                #expect(policy.contains("script-src 'self'"))
                #expect(policy.contains("frame-ancestors 'none'"))
                #expect(!policy.contains("unsafe"))
                #expect(!page.text.contains("<script>"))
                #expect(!page.text.contains("<img src=x"))
                let names = page.text.replacing(/"[^"]*"/, with: "")
                #expect(!names.contains(/<[a-z]+[^>]* (style|on[a-z]+)=/))
            }
        }
    }

    @Test("The last administrator stays one")
    func lastAdministrator() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.admin)
            let demoted = try await visitor.post(
                "/dashboard/team/admin%40example.com/role",
                from: "/dashboard/team",
                ["role": "viewer"]
            )
            #expect(demoted.status == 409)
            let removed = try await visitor.post("/dashboard/team/admin%40example.com/remove", from: "/dashboard/team")
            #expect(removed.status == 409)
            #expect(try await place.store.members().map(\.role) == [.admin])
        }
    }

    @Test("A path that is not there has a page that says so")
    func missing() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.viewer)
            let page = try await visitor.get("/dashboard/nothing")
            #expect(page.status == 404)
            #expect(page.text.contains("Page not found"))
        }
    }
}
