import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("Files of users who have left", .timeLimit(.minutes(20)))
struct FormerUserTests {
    let bed = TestBed()

    private func users() -> Set<String> {
        let folder = bed.files(named: "users").first
        let names = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0.path) }
        return Set(names ?? [])
    }

    private func folders(_ users: some Sequence<String>) -> Set<String> { Set(users.map(FileName.hash)) }

    @Test("are kept of the last five, and of those who have undelivered events")
    func number() async {
        bed.transport.answer("v1/events") { _ in throw TransportError.unreachable("scripted") }
        let client = bed.launch()
        for number in 0..<10 {
            await client.identify("user\(number)")
            if number == 1 { client.logEvent("kept") }
        }
        #expect(users() == folders([1, 4, 5, 6, 7, 8, 9].map { "user\($0)" }))
        #expect(client.pendingEventCount == 1)
        // And one who comes back has a feed again, and a log that takes events
        await client.identify("user0")
        #expect(client.feed.count == 0)
        #expect(client.logEvent("again"))
        await client.close()
        let next = bed.launch()
        #expect(next.userID == "user0" && next.pendingEventCount == 2)
        await next.close()
    }

    @Test("are deleted after thirty days")
    func time() async throws {
        bed.serve([.fixture("a")])
        let client = bed.launch()
        await client.identify("old")
        try await client.refresh()
        await client.identify("new")
        await client.close()
        #expect(users() == folders(["old", "new"]))
        bed.clock.advance(by: FormerUsers.lifetime - 1)
        await bed.launch().close()
        #expect(users() == folders(["old", "new"]))
        bed.clock.advance(by: 2)
        let last = bed.launch()
        _ = last.feed
        #expect(users() == folders(["new"]))
        await last.close()
    }

    @Test("are kept where the record of the device is lost: who signs in again has their cards offline")
    func lostRecord() async throws {
        bed.serve([.fixture("a")])
        let client = bed.launch()
        await client.identify("a")
        try await client.refresh()
        await client.close()
        try FileManager.default.removeItem(at: try #require(bed.files(named: "device").first))
        bed.transport.answer("v1/sync") { _ in throw TransportError.unreachable("scripted") }
        let next = bed.launch()
        #expect(next.feed.count == 0)
        await next.identify("a")
        #expect(next.feed.count == 1)
        await next.close()
    }

    @Test("are known over launches, also from a file that says too much")
    func record() throws {
        var users = FormerUsers()
        let date = Date(timeIntervalSince1970: 1_790_000_000)
        for number in 0..<20 { users.change(from: "\(number)", to: "\(number + 1)", at: date) }
        #expect(users.folders(at: date) == folders((15...19).map { "\($0)" }))
        users.change(from: "20", to: "17", at: date)
        #expect(users.folders(at: date) == folders(["16", "18", "19", "20", "15"].filter { $0 != "17" }))
        let restored = try JSONDecoder().decode(FormerUsers.self, from: JSONEncoder().encode(users))
        #expect(restored == users)
        #expect(users.folders(at: date + FormerUsers.lifetime + 1).isEmpty)
        #expect(users.folders(at: date - 1000).count == 5)
    }
}
