#if !canImport(UIKit)
import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import ShopApp

@MainActor
@Suite("The session of a browser tab")
struct TabSessionTests {
    private final class App: Sendable {}

    private let clock = ManualClock()
    private let transport = ScriptedTransport()

    private func manager() async throws -> CardManager {
        transport.answer("v1/sync") { _ in .sync([.fixture("a")]) }
        var configuration = ContentCardsClient.Configuration()
        configuration.storage = .memory
        configuration.transport = transport
        configuration.clock = clock
        configuration.isLiveEnabled = false
        configuration.log = { _ in }
        let endpoint = try #require(URL(string: "https://cards.example"))
        let client = ContentCardsClient(endpoint: endpoint, key: "pk_test", configuration: configuration)
        await client.identify("u")
        for await feed in client.updates where feed.lastSync != nil { break }
        return CardManager(client: client, clock: clock)
    }

    private func post(_ event: String, of app: App) {
        NotificationCenter.default.post(name: Notification.Name("UIApplication\(event)Notification"), object: app)
    }

    /// The body of a request.
    private struct Body: Decodable {
        struct Event: Decodable {
            var id: String
            var type: String
        }

        var events: [Event]?
    }

    /// The number of sessions that the server has heard of.
    private func sessions(of manager: CardManager) async throws -> Int {
        try await manager.client.flush()
        let sent = transport.requests.compactMap(\.body)
        let bodies = sent.compactMap { try? JSONDecoder().decode(Body.self, from: $0) }
        let starts = bodies.flatMap { $0.events ?? [] }.filter { $0.type == "session_start" }
        return Set(starts.map(\.id)).count
    }

    @Test("ends while the tab is hidden, and another one begins when it is shown after a while")
    func longStay() async throws {
        let (manager, app) = (try await manager(), App())
        let session = TabSession(manager, of: app)
        post("DidEnterBackground", of: app)
        await session.lastChange?.value
        clock.advance(by: 60)
        post("WillEnterForeground", of: app)
        await session.lastChange?.value
        #expect(try await sessions(of: manager) == 2)
    }

    @Test("goes on where the tab was hidden for a moment only")
    func shortStay() async throws {
        let (manager, app) = (try await manager(), App())
        let session = TabSession(manager, of: app)
        post("DidEnterBackground", of: app)
        await session.lastChange?.value
        clock.advance(by: 5)
        post("WillEnterForeground", of: app)
        await session.lastChange?.value
        #expect(try await sessions(of: manager) == 1)
    }

    @Test("is not that of other tabs in the same process")
    func otherTab() async throws {
        let (manager, app) = (try await manager(), App())
        let session = TabSession(manager, of: app)
        post("DidEnterBackground", of: App())
        #expect(session.lastChange == nil)
        post("DidEnterBackground", of: app)
        #expect(session.lastChange != nil)
    }
}
#endif
