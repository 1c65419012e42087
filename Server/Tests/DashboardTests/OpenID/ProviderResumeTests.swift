import CardModel
import CardServer
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: what was typed before signing in with an OpenID provider")
struct ProviderResumeTests {
    private static func passwordless(_ settings: inout OpenIDSettings) { settings.allowsPasswords = false }

    /// Sends a form when its session is over, and returns the sign-in page.
    private static func sendLate(_ place: Workplace, _ visitor: Visitor) async throws -> Visitor.Page {
        let token = try #require(try await visitor.get("/dashboard/keys").token)
        place.time.advance(by: 43_201)
        let fields = ["name": "App <b>", "kind": "publishable", "csrf": token]
        return try await visitor.post("/dashboard/keys", fields)
    }

    @Test(
        "What was typed when the session ended is carried on after signing in at the provider in another tab",
        arguments: [true, false]
    )
    func carriesOn(_ allowsPasswords: Bool) async throws {
        let change: @Sendable (inout OpenIDSettings) -> Void = { $0.allowsPasswords = allowsPasswords }
        try await ProviderSignInTests.run(change) { place, provider in
            try await place.insertAdmin()
            let visitor = Visitor(client: place.client)
            #expect(try await provider.signIn(visitor).status == 303)
            let asked = try await Self.sendLate(place, visitor)
            #expect(asked.status == 401 && asked.text.contains("your changes are kept"))
            #expect(asked.text.contains("target=\"_blank\"") && !asked.text.contains("next=/dashboard/keys"))
            var fields = FormReader.fields(of: asked.text, to: "/dashboard/sign-in")
            fields["then"] = "provider"

            // Too early: nothing is lost.
            let early = try await visitor.post("/dashboard/sign-in", fields)
            #expect(early.status == 401 && early.text.contains("You aren’t signed in yet."))
            fields = FormReader.fields(of: early.text, to: "/dashboard/sign-in")
            fields["then"] = "provider"

            provider.change { $0.now += 43_201 }
            #expect(try await provider.signIn(visitor, from: "/dashboard/sign-in/provider").location == "/dashboard")
            let shown = try await visitor.post("/dashboard/sign-in", fields)
            #expect(shown.status == 200 && shown.text.contains("Welcome back"))
            let kept = FormReader.fields(of: shown.text, to: "/dashboard/keys")
            #expect(kept["name"] == "App <b>")
            #expect(try await place.store.apiKeys().isEmpty)
        }
    }

    @Test("A form is carried on with the token of the browser's own page alone")
    func needsToken() async throws {
        try await ProviderSignInTests.run(Self.passwordless) { place, provider in
            try await place.insertAdmin()
            let visitor = Visitor(client: place.client)
            #expect(try await provider.signIn(visitor).status == 303)
            let fields = ["then": "provider", "next": "/dashboard/keys", "resume": "name=Evil", "csrf": "x"]
            let answer = try await visitor.post("/dashboard/sign-in", fields)
            #expect(answer.status == 403 && !answer.text.contains("Evil"))
        }
    }

    @Test("What the provider's page is shown after keeps the key of forms in other tabs")
    func keepsFormKey() async throws {
        try await ProviderSignInTests.run(Self.passwordless) { place, _ in
            try await place.insertAdmin()
            let page = try await Visitor(client: place.client).get("/dashboard/sign-in")
            let cookie = page.headers[values: .setCookie].first { $0.hasPrefix("placard_visit=") }
            #expect(cookie?.contains("SameSite=Lax") == true)
        }
    }
}
