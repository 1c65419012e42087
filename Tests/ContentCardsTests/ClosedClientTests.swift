import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@Suite("A closed client", .timeLimit(.minutes(20)))
struct ClosedClientTests {
    private let bed = TestBed()

    /// Launches a client, and closes it when it has a feed.
    private func closed() async -> ContentCardsClient {
        bed.serve([.fixture("a")])
        let client = bed.launch { $0.snapshotDirectory = bed.directory.appendingPathComponent("shared") }
        await client.identify("ann")
        _ = await client.updates.first { $0.lastSync != nil }
        await client.close()
        return client
    }

    @Test("ends whoever begins to listen to it, at once")
    func streams() async {
        let client = await closed()
        #expect(await client.diagnostics.first { _ in true } == nil)
        #expect(await client.updates.first { _ in true } == nil)
    }

    private typealias Call = @Sendable (ContentCardsClient) async -> Void
    private static let operations: [(name: String, call: Call)] = [
        ("identify", { await $0.identify("bea") }), ("anonymous", { await $0.identifyAnonymously() }),
        ("disable", { await $0.disable() }), ("enable", { await $0.enable() }), ("wipe", { await $0.wipe() }),
        ("session", { await $0.startSession() }), ("end", { await $0.endSession() }), ("close", { await $0.close() }),
    ]

    @Test("changes nothing of the files, which another one may have by now", arguments: 0..<8)
    func files(number: Int) async throws {
        let client = await closed()
        let name = Self.operations[number].name
        let shared = bed.directory.appendingPathComponent("shared")
        let next = bed.launch { $0.snapshotDirectory = shared }
        await next.identify("cyd")
        _ = await next.updates.first { $0.lastSync != nil && $0.userID == "cyd" }
        try await next.flush()
        let device = try Data(contentsOf: #require(bed.files(named: "device").first))
        let snapshot = CardFeed.snapshot(in: shared, at: bed.clock.now)
        #expect(snapshot?.userID == "cyd")
        await Self.operations[number].call(client)
        #expect(try Data(contentsOf: #require(bed.files(named: "device").first)) == device, "\(name)")
        #expect(CardFeed.snapshot(in: shared, at: bed.clock.now)?.userID == snapshot?.userID, "\(name)")
        await next.close()
        let again = bed.launch()
        #expect(again.userID == "cyd" && again.feed.cards.map(\.id) == ["a"], "\(name)")
    }

    @Test("logs nothing, and answers every call that waits")
    func calls() async throws {
        let client = await closed()
        let count = bed.transport.requests.count
        let refused = [
            client.logEvent("late"), client.logImpression(cardID: "a"), client.logDismissal(cardID: "a"),
            client.logClick(cardID: "a", customAction: true), client.setAttribute("color", to: .string("red")),
        ]
        #expect(refused.allSatisfy { !$0 })
        let refresh = await #expect(throws: ContentCardsError.self) { try await client.refresh() }
        let flush = await #expect(throws: ContentCardsError.self) { try await client.flush() }
        #expect(refresh?.code == .closed && flush?.code == .closed)
        #expect(await client.refreshInBackground() == .failed)
        #expect(bed.transport.requests.count == count)
    }
}
