import ContentCards
import Foundation
import Testing
import WireJSON

@testable import CardServer

/// The SDK as apps have it, against the server as operators have it, over HTTP.
///
/// The suite's time limit ends what would wait in vain.
@Suite("SDK and server", .timeLimit(.minutes(20)))
struct ClientTests {
    private func configuration() -> ContentCardsClient.Configuration {
        var configuration = ContentCardsClient.Configuration()
        configuration.storage = .memory
        configuration.flushDelay = 0.05
        // The usual thirty seconds are short beside tests that fill both cores.
        configuration.refreshTimeout = 600
        configuration.requestTimeout = 300
        configuration.log = { _ in }
        return configuration
    }

    private func client(
        _ workspace: Workspace,
        _ configuration: ContentCardsClient.Configuration? = nil
    ) throws -> ContentCardsClient {
        ContentCardsClient(
            endpoint: try workspace.endpoint,
            key: workspace.publishable,
            configuration: configuration ?? self.configuration()
        )
    }

    @Test("A launched card appears in an open client without a refresh, changes in place, and goes when withdrawn")
    func live() async throws {
        try await Workspace.run(realTime: true) { workspace in
            var withoutStream = configuration()
            withoutStream.isLiveEnabled = false
            let (client, other) = (try self.client(workspace), try self.client(workspace, withoutStream))
            let updates = client.updates
            for open in [client, other] {
                await open.identify("ann")
                // Once it has ended, no other sync is under way.
                try await open.refresh()
            }

            try await workspace.launch("welcome")
            let first = try #require(await updates.first { $0.count == 1 })
            // Nothing but the live stream tells of it, however long it takes: without one, an app waits.
            #expect(other.feed.cards.isEmpty)
            await other.close()
            let card = try #require(first.cards.first)
            #expect(card.title == "Hello")

            _ = try await workspace.edit("welcome", card: ["type": "classic", "title": "Edited", "description": "!"])
            let second = try #require(await updates.first { $0.cards.first?.title == "Edited" })
            #expect(second.cards.first?.id == card.id)

            let stopped = try await workspace.manage(.post, "/v1/campaigns/welcome/stop", ["withdraw": true])
            #expect(stopped.status == 200)
            _ = await updates.first { $0.cards.isEmpty }
            await client.close()
        }
    }

    @Test("A test by the code that an anonymous user's app shows is on its screen at once, and isn't counted")
    func testCode() async throws {
        try await Workspace.run(realTime: true) { workspace in
            try await workspace.create("draft")
            let client = try client(workspace)
            let updates = client.updates
            await client.identifyAnonymously()
            // Whether the server knows the user already or not.
            let code = try await client.testCode()
            #expect(code.expiresAt.timeIntervalSinceNow > 500)
            _ = await updates.first { $0.lastSync != nil }

            let sent = try await workspace.manage(
                .post,
                "/v1/campaigns/draft/test-send",
                ["code": .string(code.text), "device_name": "Phone"]
            )
            #expect(sent.status == 200)
            let card = try #require(await updates.first { $0.count == 1 }?.cards.first)
            #expect(card.isTest && card.title == "Hello")
            #expect(try await workspace.store.testUsers().map(\.id.rawValue) == [client.userID])
            client.logImpression(card)
            try await client.flush()
            #expect(try await workspace.totals("draft")["impressions"] == 0)
            await client.close()
        }
    }

    @Test("A card leads where the app's platform is meant to go")
    func platform() async throws {
        try await Workspace.run(realTime: true) { workspace in
            try await workspace.launch(
                "welcome",
                card: [
                    "type": "classic", "title": "a", "description": "b", "url": "https://shop.example",
                    "urls": ["ios": "shop://sale", "web": "https://shop.example/sale"],
                ]
            )
            let expected: [(ContentCardsClient.Platform?, String)] = [
                (.ios, "shop://sale"), (.web, "https://shop.example/sale"), (.android, "https://shop.example"),
                (nil, "https://shop.example"),
            ]
            for (platform, address) in expected {
                var configuration = configuration()
                configuration.platform = platform
                let client = try client(workspace, configuration)
                let updates = client.updates
                await client.identify("ann")
                let card = try #require(await updates.first { $0.count == 1 }?.cards.first)
                #expect(card.urlString == address)
                await client.close()
            }
        }
    }

    @Test("What the app says of its user arrives once, and changes the cards of the open client")
    func attributes() async throws {
        try await Workspace.run(realTime: true) { workspace in
            try await workspace.launch(
                "greeting",
                card: ["type": "classic", "title": "Hello {{${first_name}}}", "description": "d"],
                audience: ["attribute": "plan", "comparison": "equals", "value": "pro"]
            )
            let client = try client(workspace)
            let updates = client.updates
            await client.identify("ann")
            _ = await updates.first { $0.lastSync != nil }

            client.setAttribute(.firstName, to: "Ann")
            client.setAttribute("plan", to: "pro")
            client.incrementAttribute("visits", by: 2)
            client.incrementAttribute("visits")
            client.setAttribute("tags", to: ["a", "b"])
            client.editAttribute("tags", adding: ["c"], removing: ["a"])
            #expect(!client.setAttribute("", to: "nothing"))

            let card = try #require(await updates.first { $0.cards.first?.title == "Hello Ann" }?.cards.first)
            #expect(card.title == "Hello Ann")
            try await client.flush()
            let user = try await workspace.manage(.get, "/v1/users/ann").json
            #expect(user["custom_attributes"]?["visits"] == 3)
            #expect(user["custom_attributes"]?["tags"] == ["b", "c"])
            await client.close()
        }
    }

    @Test("The report counts once what was done in the client")
    func counts() async throws {
        try await Workspace.run(realTime: true) { workspace in
            try await workspace.launch(
                "welcome",
                card: ["type": "classic", "title": "a", "description": "b", "url": "https://shop.example"]
            )
            let client = try client(workspace)
            let updates = client.updates
            await client.identify("ann")
            let card = try #require(await updates.first { $0.count == 1 }?.cards.first)

            client.logImpression(card)
            client.logClick(card)
            client.logDismissal(card)
            client.logDismissal(card)
            #expect(client.feed.cards.isEmpty)
            try await client.flush()

            let totals = try await workspace.totals("welcome")
            #expect(totals["impressions"] == 1)
            #expect(totals["clicks"] == 1)
            #expect(totals["dismissals"] == 1)
            try await client.refresh()
            #expect(client.feed.cards.isEmpty)
            await client.close()
        }
    }

    @Test("What is done on one device arrives on the user's other open device")
    func twoDevices() async throws {
        try await Workspace.run(realTime: true) { workspace in
            try await workspace.launch("one")
            try await workspace.launch("two")
            let (phone, tablet) = (try client(workspace), try client(workspace))
            let (onPhone, onTablet) = (phone.updates, tablet.updates)
            await phone.identify("ann")
            await tablet.identify("ann")
            let cards = try #require(await onPhone.first { $0.count == 2 }).cards
            _ = await onTablet.first { $0.count == 2 }

            phone.logImpression(cards[0])
            phone.logDismissal(cards[1])
            let merged = try #require(await onTablet.first { $0.count == 1 && $0.unviewedCount == 0 })
            #expect(merged.cards.map(\.id) == [cards[0].id])
            await phone.close()
            await tablet.close()
        }
    }

    @Test("Switching users shows only the new user's cards, and the old user's events count as theirs")
    func userSwitch() async throws {
        try await Workspace.run(realTime: true) { workspace in
            try await workspace.launch("for-ann", audience: ["users": ["ann"]])
            try await workspace.launch("for-bob", audience: ["users": ["bob"]])
            let client = try client(workspace)
            let updates = client.updates
            await client.identify("ann")
            let card = try #require(await updates.first { $0.count == 1 }?.cards.first)
            client.logImpression(card)
            await client.identify("bob")

            let bobs = try #require(await updates.first { $0.userID == "bob" && $0.lastSync != nil })
            #expect(bobs.cards.map(\.campaignID) == ["for-bob"])
            try await client.flush()
            #expect(try await workspace.totals("for-ann")["impressions"] == 1)
            let events = try await workspace.manage(.get, "/v1/users/bob/events").json["events"]?.array ?? []
            #expect(!events.contains { $0["type"] == "impression" })
            await client.close()
        }
    }

    @Test(
        "Where tokens are required, an expired one is renewed and the feed arrives; the events of a user who left too"
    )
    func tokens() async throws {
        let signers = try UserTokenTests.Signers()
        try await Workspace.run(realTime: true) { workspace in
            #expect(try await workspace.manage(.put, "/v1/settings", signers.settings("required")).status == 200)
            try await workspace.launch("welcome")
            let expired = try await signers.es256("ann", expires: workspace.time.now - 60)
            var configuration = configuration()
            configuration.tokenProvider = { user in
                try await signers.rs256(user, expires: Date().timeIntervalSince1970 + 600)
            }
            let client = try client(workspace, configuration)
            let updates = client.updates
            await client.identify("ann", token: expired)
            let card = try #require(await updates.first { $0.count == 1 }?.cards.first)

            client.logImpression(card)
            await client.identify("bob")
            let bobs = try #require(await updates.first { $0.userID == "bob" && $0.count == 1 })
            #expect(bobs.cards.first?.id != card.id)
            try await client.flush()
            #expect(try await workspace.totals("welcome")["impressions"] == 1)
            await client.close()
        }
    }

    @Test("Ten thousand events logged offline arrive, each once")
    func longOffline() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        try await Workspace.run(realTime: true) { workspace in
            try await workspace.launch("welcome")
            var stored = configuration()
            stored.storage = .directory(directory)
            let online = try client(workspace, stored)
            await online.identify("ann")
            _ = await online.updates.first { $0.count == 1 }
            await online.close()

            // The same device without a network: nothing listens on port 1.
            var cutOff = stored
            cutOff.flushDelay = 3600
            cutOff.isLiveEnabled = false
            cutOff.transport = Unreachable()
            let offline = try client(workspace, cutOff)
            let card = try #require(await offline.updates.first { $0.count == 1 }?.cards.first)
            for _ in 0..<9_990 { offline.logImpression(card) }
            await offline.close()

            let again = try client(workspace, stored)
            await again.identify("ann")
            try await again.flush()
            #expect(again.pendingEventCount == 0)
            #expect(try await workspace.totals("welcome")["impressions"] == 9_990)
            #expect(try await workspace.totals("welcome")["unique_impressions"] == 1)
            await again.close()
        }
    }
}

/// A device without a network.
private struct Unreachable: Transport {
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        throw TransportError.unreachable("no network")
    }

    func open(_ request: TransportRequest) async throws -> TransportStream {
        throw TransportError.unreachable("no network")
    }
}
