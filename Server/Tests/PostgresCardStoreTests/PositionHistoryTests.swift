import CardModel
import CardStore
import CardStoreConformance
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: positions of the log in another history", .timeLimit(.minutes(20)))
struct PositionHistoryTests {
    @Test func `A server whose clock is behind that of the one before it gives out no position again`() async throws {
        try await TemplateDatabase.withCopy { url in
            let before = try await PostgresCardStore.open(url: url)
            try await before.record([DeviceEvent(1, .custom(name: "open"))])
            // By a clock of the year 2223, and a server that lacks the last events.
            let last: Int64 = 8_000_000_000_000_000
            try await before.writer.write { session in
                try session.connection.execute("UPDATE log_head SET position = $1", [last])
                try session.connection.execute("UPDATE store SET history = history # 1")
            }
            try await before.close()
            let after = try await PostgresCardStore.open(url: url)
            try await after.record([DeviceEvent(2, .custom(name: "open"))])
            #expect(try await after.lastEventPosition() > last + 1_000_000)
            try await after.close()
        }
    }
}
