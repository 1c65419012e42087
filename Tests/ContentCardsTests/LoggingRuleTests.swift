import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@Suite("What is logged", .timeLimit(.minutes(20)))
struct LoggingRuleTests {
    let bed = TestBed()

    private func client(_ cards: ContentCard...) async -> ContentCardsClient {
        bed.serve(cards)
        let client = bed.launch()
        await client.identify("a")
        _ = await client.updates.first { $0.lastSync != nil }
        return client
    }

    @Test("are clicks on cards with a usable url, and on others only as the app's own action")
    func clicks() async {
        let client = await client(
            .fixture("url"),
            .fixture("none") { $0.urlString = nil },
            .fixture("blank") { $0.urlString = " \n" }
        )
        #expect(client.logClick(cardID: "url"))
        #expect(!client.logClick(cardID: "none") && !client.logClick(cardID: "blank"))
        #expect(client.feed.card(id: "none")?.isClicked == false)
        #expect(client.logClick(cardID: "none", customAction: true))
        #expect(client.feed.card(id: "none")?.isClicked == true)
        #expect(client.feed.card(id: "url")?.isViewed == false)
        #expect(client.pendingEventCount == 2)
    }

    @Test("are clicks and dismissals of cards that were never shown, as they are: they make nobody see a card")
    func neverShown() async throws {
        let client = await client(.fixture("a"), .fixture("b"))
        #expect(client.logClick(cardID: "b") && client.logClick(cardID: "b"))
        #expect(client.feed.card(id: "b")?.isViewed == false && client.feed.unviewedCount == 2)
        #expect(client.logImpression(cardID: "b") && client.logDismissal(cardID: "b"))
        #expect(client.logDismissal(cardID: "a") && client.feed.cards.isEmpty && client.feed.unviewedCount == 0)
        // What left the feed takes no more.
        #expect(!client.logDismissal(cardID: "a"))
        try await client.flush()
        let sent = bed.sentEvents.map { "\($0.type) \($0.card ?? "")" }
        #expect(sent == ["click b", "click b", "impression b", "dismissal b", "dismissal a"])
    }

    @Test("are dismissals of dismissible cards, once, also from many threads")
    func dismissals() async {
        let client = await client(.fixture("a"), .fixture("fixed") { $0.isDismissible = false })
        #expect(!client.logDismissal(cardID: "fixed"))
        #expect(client.feed.card(id: "fixed")?.isDismissed == false)
        let logged = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 { group.addTask { client.logDismissal(cardID: "a") } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(logged == 1)
        #expect(client.pendingEventCount == 1)
    }

    @Test("are all impressions, those of control cards included, and none of cards that are not there")
    func impressions() async {
        let client = await client(.fixture("a"), .fixture("control") { $0.kind = .control })
        let unviewed = client.feed.unviewedCount
        #expect(client.logImpression(cardID: "a") && client.logImpression(cardID: "a"))
        #expect(client.logImpression(cardID: "control"))
        #expect(!client.logImpression(cardID: "gone"))
        #expect(unviewed == 1 && client.feed.unviewedCount == 0)
        #expect(client.pendingEventCount == 3)
    }

    @Test("are custom events and purchases with exact prices and all their properties")
    func customEvents() async throws {
        let client = await client()
        client.logEvent("say \"hi\"\n", properties: ["tags": ["a", 1, 2.5, true, nil]])
        client.logPurchase("sku-1", currency: "EUR", price: try #require(Decimal(string: "19.99")), quantity: 2)
        try await client.flush()
        let body = String(decoding: try #require(bed.transport.requests.last?.body), as: UTF8.self)
        #expect(body.contains(#""name":"say \"hi\"\n","properties":{"tags":["a",1,2.5,true,null]}"#))
        #expect(body.contains(#""product_id":"sku-1","currency":"EUR","quantity":2,"price":19.99}"#))
    }

    @Test("is nothing before anybody is identified and after the client was closed")
    func nobody() async {
        let client = bed.launch()
        #expect(!client.logEvent("too early"))
        await client.identify("a")
        await client.close()
        #expect(!client.logEvent("too late") && !client.logImpression(cardID: "a"))
        let error = await #expect(throws: ContentCardsError.self) { try await client.refresh() }
        #expect(error?.code == .closed)
    }

    @Test("makes no request and no crash with an endpoint that cannot be")
    func invalidEndpoint() async throws {
        let reports = Collected<Diagnostic>()
        var configuration = ContentCardsClient.Configuration()
        configuration.storage = .memory
        configuration.transport = bed.transport
        configuration.log = { reports.add($0) }
        let url = try #require(URL(string: "cards.example"))
        let client = ContentCardsClient(endpoint: url, key: "pk", configuration: configuration)
        await client.identify("a")
        let error = await #expect(throws: ContentCardsError.self) { try await client.refresh() }
        #expect(error?.code == .invalidEndpoint)
        #expect(bed.transport.requests.isEmpty)
    }
}
