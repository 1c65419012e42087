import CardModel
import CardStore
import Foundation
import Hummingbird
import LiveTesting
import SQLiteCardStore
import Testing

@testable import CardServer

@Suite("What logs say of people")
struct LoggedPathTests {
    @Test("A path in a log names neither users nor members, and is no longer than a line")
    func redaction() {
        #expect(LoggedPath.text("/v1/users/ann%40example.com/feed") == "/v1/users/{id}/feed")
        #expect(LoggedPath.text("/dashboard/users/ann") == "/dashboard/users/{id}")
        #expect(LoggedPath.text("/dashboard/team/ann%40example.com/role") == "/dashboard/team/{id}/role")
        #expect(LoggedPath.text("//dashboard//users/ann/delete") == "//dashboard//users/{id}/delete")
        #expect(LoggedPath.text("/users/track") == "/users/track")
        #expect(LoggedPath.text("/v1/users/") == "/v1/users/")
        #expect(LoggedPath.text("/v1/campaigns/sale") == "/v1/campaigns/sale")
        #expect(LoggedPath.text("/" + String(repeating: "x", count: 9_000)).utf8.count == 200)
    }

    @Test("A failure of the store is logged by route, without the user that it concerned")
    func failures() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLiteCardStore(path: folder.appending(path: "placard.sqlite").path)
        let key = KeySecret(name: "backend", kind: .secret, permissions: [.manage], createdAt: 0)
        try await store.insertKey(key.key, by: .command)
        let log = RecordedLog()
        var options = PlacardServer.Options()
        options.port = 0
        let server = try await PlacardServer(
            store: store,
            options: options,
            logger: log.logger()
        )
        try await LiveClient.run(server.application()) { client in
            try await store.close()
            for path in ["/v1/users/kate-4711", "/v1/users/kate-4711/feed", "/dashboard/users/kate-4711"] {
                _ = try await client.execute(
                    uri: path,
                    method: .get,
                    headers: [.authorization: "Bearer \(key.text)"]
                ) { $0.status }
            }
        }
        #expect(log.lines.contains { $0.contains("/v1/users/{id}/feed") })
        #expect(!log.lines.contains { $0.contains("kate-4711") })
    }
}
