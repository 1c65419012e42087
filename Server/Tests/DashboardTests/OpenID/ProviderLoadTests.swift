import CardModel
import CardServer
import CardStore
import HTTPTypes
import Testing

@testable import Dashboard

@Suite("Dashboard: how often an OpenID provider is asked")
struct ProviderLoadTests {
    @Test("A key that the provider has since is fetched, at most once a minute")
    func rotation() async throws {
        try await ProviderSignInTests.run { place, provider in
            _ = try await place.member(.admin)
            #expect(try await provider.signIn(Visitor(client: place.client)).status == 303)
            provider.change { $0.keyID = "two" }
            #expect(try await provider.signIn(Visitor(client: place.client)).status == 401)
            #expect(provider.keyFetches == 1)
            place.time.advance(by: 61)
            provider.change { $0.now += 61 }
            #expect(try await provider.signIn(Visitor(client: place.client)).status == 303)
            #expect(provider.keyFetches == 2)
        }
    }

    @Test("A stranger has the provider asked some times and then waits, and leaves nothing in the store")
    func floods() async throws {
        @Sendable func stopTime(_ options: inout PlacardServer.Options) { options.uptime = { 1_000 } }
        try await TestProvider.run { provider in
            try await Workplace.run(openID: provider.settings, change: stopTime) { place in
                _ = try await place.member(.admin)
                let visitor = Visitor(client: place.client)
                let cookie = ProviderCookie(next: "/dashboard", confirms: false, at: place.time.now)
                let query = "code=made-up&state=\(cookie.attempt.state)&iss=\(FormData.escape(provider.issuer))"
                var statuses: [Int] = []
                for _ in 0..<61 {
                    visitor.setCookie("placard_provider", cookie.text)
                    let page = try await visitor.get("\(OpenIDProvider.path)?\(query)")
                    statuses.append(page.status)
                    #expect(page.status == 401 || page.headers[.retryAfter] != nil)
                }
                #expect(statuses == Array(repeating: 401, count: 60) + [429])
                // So is the beginning of a sign-in.
                #expect(try await visitor.get("/dashboard/sign-in/provider").status == 429)
                // Nothing was noted of the state.
                #expect(
                    try await place.store.spendFormToken(cookie.mark, until: cookie.expiry.time, at: place.time.now)
                )
            }
        }
    }

    @Test("However many members begin at the same time, the provider's document is fetched once")
    func together() async throws {
        try await ProviderSignInTests.run { place, provider in
            _ = try await place.member(.admin)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<12 {
                    group.addTask { try await Visitor(client: place.client).get("/dashboard/sign-in/provider").status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.allSatisfy { $0 == 303 })
            #expect(provider.documentFetches == 1)
        }
    }
}
