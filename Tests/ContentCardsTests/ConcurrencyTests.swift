import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("A client that many use at once", .timeLimit(.minutes(20)))
struct ConcurrencyTests {
    private let bed = TestBed()

    private func synced(_ client: ContentCardsClient, as user: String) async throws -> CardFeed {
        await client.identify(user)
        return try #require(await client.updates.first { $0.lastSync != nil && $0.userID == user })
    }

    @Test("delivers each event once, and those of each thread in their order")
    func events() async throws {
        bed.serve([])
        let client = bed.launch()
        _ = try await synced(client, as: "ann")
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<20 {
                group.addTask {
                    for number in 0..<25 { client.logEvent("\(thread) \(number)") }
                }
            }
        }
        try await client.flush()
        var (ids, numbers): (Set<String>, [String: [Int]]) = ([], [:])
        for event in bed.sentEvents where ids.insert(event.id).inserted {
            let parts = (event.name ?? "").split(separator: " ")
            guard parts.count == 2, let number = Int(parts[1]) else { continue }
            numbers[String(parts[0]), default: []].append(number)
        }
        #expect(ids.count == 500 && numbers.count == 20)
        #expect(bed.sentEvents.count == 500, "Nothing has failed, so nothing is sent twice.")
        for (thread, order) in numbers { #expect(order == Array(0..<25), "thread \(thread)") }
        await client.close()
    }

    @Test("logs what is done to a card as its user's alone, while users are switched")
    func switching() async throws {
        bed.transport.answer("v1/sync") { request in .sync([.fixture("card of \(SentBody(request).user)")]) }
        let client = bed.launch()
        for user in ["ann", "bea"] { _ = try await synced(client, as: user) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for turn in 0..<40 { await client.identify(turn.isMultiple(of: 2) ? "ann" : "bea") }
            }
            for user in ["ann", "bea"] {
                group.addTask {
                    for _ in 0..<100 {
                        client.logImpression(cardID: "card of \(user)")
                        await Task.yield()
                    }
                }
            }
        }
        #expect(client.logClick(cardID: "card of bea") && !client.logClick(cardID: "card of ann"))
        try await client.flush()
        let bodies = bed.transport.requests.map(SentBody.init)
        for body in bodies {
            for event in body.events { #expect(event.card == "card of \(body.user)", "\(event.type)") }
        }
        #expect(bodies.contains { $0.events.contains { $0.type == "click" } })
        await client.close()
    }

    @Test("keeps the newest 64 states for a reader that doesn't read, and goes on without it")
    func slowReader() async throws {
        bed.serve((0..<100).map { number in .fixture("c\(number)") })
        let client = bed.launch()
        _ = try await synced(client, as: "ann")
        let slow = client.updates
        for number in 0..<100 { #expect(client.logImpression(cardID: "c\(number)")) }
        await client.close()
        var counts: [Int] = []
        for await feed in slow { counts.append(feed.unviewedCount) }
        #expect(counts == Array((0..<64).reversed()))
    }

    @Test("goes with its last reference, whoever still holds its feed, and takes no more from that")
    func lifetime() async throws {
        bed.serve([.fixture("a") { $0.extras = ["class_type": "offer", "percentage": "abc"] }])
        weak var core: ClientCore?
        let feed: CardFeed
        do {
            let client = bed.launch()
            core = client.core
            feed = try await synced(client, as: "ann")
        }
        let end = Date() + 60
        while core != nil, Date() < end { await Task.yield() }
        #expect(core == nil && feed.count == 1)
        let sent = bed.transport.requests.count
        #expect(feed.objects(Offer.self).isEmpty)
        #expect(bed.transport.requests.count == sent)
        // The files are free for the next one.
        let next = bed.launch()
        #expect(next.userID == "ann" && next.pendingEventCount == 0)
        await next.close()
    }

    private struct Offer: CardContent {
        static let classType = ContentCardClassType(rawValue: "offer")
        var percentage: Int
    }
}
