import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@Suite("A client")
struct ClientTests {
    @Test("shows what the server sends and delivers what the user does")
    func roundTrip() async throws {
        // given
        let transport = ScriptedTransport()
        transport.answer("v1/sync") { _ in .sync([.fixture("a"), .fixture("b") { $0.isPinned = true }]) }
        var configuration = ContentCardsClient.Configuration()
        configuration.storage = .memory
        configuration.transport = transport
        configuration.clock = ManualClock()
        let client = ContentCardsClient(
            endpoint: try #require(URL(string: "https://cards.example")),
            key: "pk_test",
            configuration: configuration
        )
        // when
        await client.identify("user-42")
        let feed = try #require(await client.updates.first { $0.count == 2 })
        // then
        #expect(feed.cards.map(\.id) == ["b", "a"])
        #expect(client.logImpression(feed.cards[0]))
        #expect(client.feed.cards[0].isViewed)
        try await client.flush()
        #expect(client.pendingEventCount == 0)
    }
}
