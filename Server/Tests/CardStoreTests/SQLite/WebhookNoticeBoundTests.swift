import CardModel
import CardStore
import CardStoreConformance
import GRDB
import SQLiteCardStore
import Testing

@Suite("SQLite: how many notices wait")
struct WebhookNoticeBoundTests {
    @Test("The oldest of more than 100,000 is dropped, and counted")
    func bounded() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            let hook = Webhook(url: "https://example.com", secret: "whsec_1234567890", createdAt: noon)
            try await store.saveWebhook(hook, after: nil, at: noon, by: command)
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            try await DatabaseQueue(path: path).write { database in
                try database.execute(
                    sql: """
                        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100000)
                        INSERT INTO webhook_notices (position, id, kind, subject, details, at)
                            SELECT n + (n > 50000) * 1000000, zeroblob(16), 'user.deleted', 'user-' || n, '{}', 0
                            FROM numbers
                        """
                )
            }
            #expect(try await store.webhookState()?.droppedNotices == 0)
            #expect(try await store.deleteUser(someone, at: noon, by: command))
            let state = try #require(try await store.webhookState())
            #expect(state.pendingNotices == 100_000)
            #expect(state.droppedNotices == 1)
            #expect(try await store.webhookNotices(limit: 1).map(\.position) == [2])
            try await store.close()
        }
    }
}
