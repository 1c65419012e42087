import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("Sessions after a launch", .timeLimit(.minutes(20)))
struct SessionLaunchTests {
    let bed = TestBed()

    /// The sessions that were begun: a request that another user's took the place of may have sent one, too.
    private var starts: Int { Set(bed.sentEvents.filter { $0.type == "session_start" }.map(\.id)).count }

    @Test("begin with the first foreground after a launch in the background, which refreshes without one")
    func background() async throws {
        bed.serve([.fixture("a")])
        let client = bed.launch(sessions: .automatic) { $0.foregroundCheck = { false } }
        await client.core.begin()
        await client.identify("a")
        #expect(await client.handle(push: [ContentCardsClient.pushKey: true])?.value != .failed)
        await client.disable()
        await client.enable()
        client.logEvent("pushed")
        try await client.flush()
        #expect(starts == 0)
        await client.startSession()
        try await client.flush()
        #expect(starts == 1)
        await client.close()
    }

    @Test("begin for another user in the foreground alone")
    func otherUser() async throws {
        bed.serve([])
        let client = bed.launch(sessions: .automatic)
        await client.identify("a")
        await client.endSession()
        await client.identify("b")
        client.logEvent("away")
        try await client.flush()
        #expect(starts == 1)
        await client.startSession()
        await client.identify("c")
        client.logEvent("back")
        try await client.flush()
        #expect(starts == 3)
        await client.close()
    }

    @Test("go by what was heard since the launch, not by how it was", arguments: [true, false])
    func newerNews(isInForeground: Bool) async throws {
        let gate = Gate()
        bed.serve([])
        let client = bed.launch(sessions: .automatic) { configuration in
            configuration.foregroundCheck = {
                await gate.pass()
                return !isInForeground
            }
        }
        await gate.arrival()
        if isInForeground { await client.startSession() } else { await client.endSession() }
        await gate.open()
        await client.core.begin()
        await client.identify("a")
        client.logEvent("first")
        try await client.flush()
        #expect(starts == (isInForeground ? 1 : 0))
        await client.close()
    }
}
