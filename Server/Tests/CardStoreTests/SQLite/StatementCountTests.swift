import CardModel
import CardStore
import CardStoreConformance
import GRDB
import Synchronization
import Testing

@testable import SQLiteCardStore

/// What a batch costs is mostly what it runs: each statement is a search, and a round trip where the database is
/// elsewhere.
@Suite("SQLite: the statements of a batch of events")
struct StatementCountTests {
    private func event(_ number: UInt64, _ kind: DeviceEvent.EventKind, at time: UnixTime = noon + 10) -> DeviceEvent {
        DeviceEvent(id: EventID(high: 7, low: number), kind: kind, at: time)
    }

    @Test(
        "A card's first impression reads user, card and campaign, and writes each row once; a later one asks for less"
    )
    func impression() async throws {
        let card = CardID(rawValue: "card-1")
        #expect(
            try await statements([event(1, .impression(card))]) == [
                "BEGIN", "SELECT users", "SELECT deliveries", "SELECT merged_logs", "INSERT events", "SELECT store",
                "SELECT campaigns",
                "SELECT deliveries", "SELECT store", "UPDATE deliveries", "UPDATE users", "INSERT counts",
                "INSERT writers", "COMMIT",
            ]
        )
        #expect(
            try await statements([event(1, .impression(card))], [event(2, .impression(card), at: noon + 20)]) == [
                "BEGIN", "SELECT users", "SELECT deliveries", "SELECT merged_logs", "INSERT events", "SELECT store",
                "UPDATE deliveries",
                "INSERT counts", "COMMIT",
            ]
        )
    }

    @Test("Further events of a known name add one statement each")
    func custom() async throws {
        let names = (1...3).map { event($0, .custom(name: "open")) }
        #expect(
            try await statements([event(9, .custom(name: "open"))], names) == [
                "BEGIN", "SELECT users", "SELECT merged_logs", "INSERT events", "INSERT events", "INSERT events",
                "SELECT store",
                "SELECT histories", "UPDATE histories", "UPDATE users", "INSERT writers", "COMMIT",
            ]
        )
    }

    /// Records the batches one after another, and returns what the last one ran: verb and table.
    private func statements(_ batches: [DeviceEvent]...) async throws -> [String] {
        let log = Mutex<[String]>([])
        let ran = Mutex<[String]>([])
        try await withFolder { folder in
            let store = try SQLiteCardStore(path: folder + "/placard.sqlite")
            try await store.give("card-1", at: noon)
            for (place, batch) in batches.enumerated() {
                if place == batches.count - 1 {
                    try await store.writer.write { session in
                        session.database.trace { event in
                            if case .statement(let statement) = event {
                                log.withLock { $0.append(statement.summary) }
                            }
                        }
                    }
                }
                _ = try await store.recordEvents(
                    EventBatch(user: someone, events: batch, receivedAt: noon + 30, device: "d")
                )
            }
            let all = log.withLock { $0 }
            // SQLite's own triggers are traced as comments.
            ran.withLock { $0 = all.drop { $0 != "BEGIN" }.filter { $0 != "--" } }
            try await store.close()
        }
        return ran.withLock { $0 }
    }
}

extension Database.TraceEvent.Statement {
    /// The verb and the table: `UPDATE users`.
    fileprivate var summary: String {
        let words = sql.split(whereSeparator: \.isWhitespace).map(String.init)
        let verb = words.first ?? ""
        switch verb {
        case "SELECT": return "SELECT " + (words.drop { $0 != "FROM" }.dropFirst().first ?? "")
        case "INSERT": return "INSERT " + (words.dropFirst(2).first ?? "")
        case "UPDATE": return "UPDATE " + (words.dropFirst().first ?? "")
        default: return verb
        }
    }
}
