import CardModel
import CardStore
import Foundation
import HTTPTypes
import LiveTesting
import Logging
import NIOCore
import SQLiteCardStore
import Testing
import WireJSON

@testable import CardServer

@Suite("A server that starts", .timeLimit(.minutes(20)))
struct StartTests {
    @Test("A campaign that is launched after the catalog was first read, and before changes are heard, reaches devices")
    func launched() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLiteCardStore(path: folder.appending(path: "placard.sqlite").path)
        let app = KeySecret(name: "app", kind: .publishable, permissions: [], createdAt: 0)
        try await store.insertKey(app.key, by: .command)
        var options = PlacardServer.Options()
        options.port = 0
        let server = try await PlacardServer(store: store, options: options, logger: Logger(label: "test"))

        // As another node would, while this one starts.
        var card = CardTemplate(layout: .classic)
        (card.title, card.description) = ("Hello", "World")
        let variant = Campaign.Variant(id: VariantID(rawValue: "a"), card: card)
        let content = Campaign.Content(name: "Welcome", variants: [variant])
        let draft = Campaign(id: CampaignID(rawValue: "welcome"), content: content, createdAt: 0)
        try await store.insertCampaign(try draft.applying(.launch, at: 1), by: .command)

        try await LiveClient.run(server.application()) { client in
            var cards = 0
            // The catalog is read beside the first requests; the time limit ends what would wait in vain.
            while cards == 0 {
                let text = try await client.execute(
                    uri: "/v1/sync",
                    method: .post,
                    headers: [.authorization: "Bearer \(app.text)"],
                    body: ByteBuffer(string: #"{"user_id":"ann","device_id":"d"}"#)
                ) { String(buffer: $0.body) }
                cards = try JSONValue(parsing: text)["cards"]?.array?.count ?? 0
                await Task.yield()
            }
            #expect(cards == 1)
        }
        try await store.close()
    }
}
