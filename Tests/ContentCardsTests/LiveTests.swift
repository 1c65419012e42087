import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@Suite("A live stream", .timeLimit(.minutes(20)))
struct LiveTests {
    let bed = TestBed()

    @Test("syncs at once when the live stream says so, and once for many signals")
    func live() async throws {
        bed.serve([.fixture("a")])
        let client = bed.launch(sessions: .automatic, live: true)
        await client.identify("a")
        #expect(await client.updates.first { $0.lastSync != nil && $0.userID == "a" } != nil)
        for await request in bed.transport.newRequests(includingPast: true) where request.url.path.hasSuffix("live") {
            break
        }
        bed.serve([.fixture("a"), .fixture("b")], cursor: "2")
        await bed.transport.streamOpened()
        bed.transport.sendLive(": heartbeat\n\nevent: changed\nda")
        bed.transport.sendLive("ta: {}\n\n")
        #expect(await client.updates.first { $0.count == 2 } != nil)
        await client.close()
    }

    @Test("names the newest generation that a signal told of in every request")
    func generation() async throws {
        bed.serve([.fixture("a")])
        let client = bed.launch(sessions: .automatic, live: true)
        await client.identify("a")
        #expect(await client.updates.first { $0.lastSync != nil && $0.userID == "a" } != nil)
        var syncs = bed.transport.newRequests().filter { $0.url.path.hasSuffix("sync") }.makeAsyncIterator()
        await bed.transport.streamOpened()

        bed.transport.sendLive("event: changed\ndata: {\"generation\":7}\n\n")
        // A sync of the session may be on its way yet.
        var first = try SentBody(#require(await syncs.next()))
        while first.generation == nil { first = try SentBody(#require(await syncs.next())) }
        #expect(first.generation == 7)
        // What names no generation, an older one or none that can be one, is a signal all the same.
        for data in ["{}", "{\"generation\":6}", "{\"generation\":-1}", "{\"generation\":9223372036854775807}"] {
            bed.transport.sendLive("event: changed\ndata: \(data)\n\n")
            #expect(try SentBody(#require(await syncs.next())).generation == 7, "\(data)")
        }
        await client.close()
    }

    @Test("opens the live stream again after it broke or fell silent")
    func liveReconnect() async throws {
        bed.serve([.fixture("a")])
        let client = bed.launch(sessions: .automatic, live: true)
        var opened = bed.transport.newRequests(includingPast: true)
            .filter { $0.url.path.hasSuffix("live") }.makeAsyncIterator()
        await client.identify("ä &")
        let query = try #require(await opened.next()?.url.query)
        let sync = try #require(
            await bed.transport.newRequests(includingPast: true).first { $0.url.path.hasSuffix("sync") }
        )
        #expect(query == "user_id=%C3%A4%20%26&device_id=\(SentBody(sync).device)")
        await bed.transport.streamOpened()
        bed.transport.breakLive()
        await bed.clock.waitForSleeper(of: 1)
        bed.clock.advance(by: 1)
        #expect(await opened.next() != nil)
        await bed.transport.streamOpened()
        await bed.clock.waitForSleeper(of: 40)
        bed.clock.advance(by: 40)
        await bed.clock.waitForSleeper(of: 2)
        bed.clock.advance(by: 2)
        #expect(await opened.next() != nil)
        await client.close()
    }

    @Test("asks for a new token when the live stream is refused, and opens it again with that")
    func liveToken() async throws {
        bed.serve([.fixture("a")])
        bed.transport.answer { request in
            guard request.url.path.hasSuffix("live"), request.headers["Placard-User-Token"] == "old" else { return nil }
            return .failure(401, code: "token_expired")
        }
        let client = bed.launch(sessions: .automatic, live: true) { $0.tokenProvider = { _ in "new" } }
        await client.identify("a", token: "old")
        var opened = bed.transport.newRequests(includingPast: true)
            .filter { $0.url.path.hasSuffix("live") }.makeAsyncIterator()
        #expect(await opened.next()?.headers["Placard-User-Token"] == "old")
        for await request in bed.transport.newRequests(includingPast: true)
        where request.headers["Placard-User-Token"] == "new" { break }
        await bed.clock.waitForSleeper(of: 1)
        bed.clock.advance(by: 1)
        #expect(await opened.next()?.headers["Placard-User-Token"] == "new")
        await client.close()
    }
}
