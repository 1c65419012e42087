import HTTPTypes
import Testing

@testable import Dashboard

@Suite("Dashboard: HEAD of the pages of an OpenID provider")
struct ProviderHeadTests {
    @Test("HEAD of the pages to the provider and back begins and ends nothing")
    func heads() async throws {
        try await ProviderSignInTests.run { place, provider in
            _ = try await place.member(.admin)
            let visitor = Visitor(client: place.client)
            let start = "/dashboard/sign-in/provider"
            _ = try await visitor.send(.head, start, nil)
            #expect(visitor.cookie("placard_provider") == nil)
            let back = try provider.signIn(try #require(try await visitor.get(start).location))
            let cookie = try #require(visitor.cookie("placard_provider"))
            for path in [start, back] {
                let head = try await visitor.send(.head, path, nil)
                #expect(head.status == 303 && head.location == "/dashboard/sign-in")
                #expect(visitor.cookie("placard_provider") == cookie && visitor.cookie("placard_session") == nil)
            }
            #expect(try await visitor.get(back).status == 303)
            #expect(visitor.cookie("placard_session") != nil)
        }
    }
}
