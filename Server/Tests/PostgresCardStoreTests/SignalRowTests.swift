import CardModel
import CardStore
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: what nodes leave for each other", .timeLimit(.minutes(20)))
struct SignalRowTests {
    /// A row that tells of a change.
    private struct Signal: Equatable {
        let sequence: Int64
        let user: String
        var device: String?
        var isRemoved = false
    }

    private func signals(in store: PostgresCardStore) async throws -> [Signal] {
        try await store.read { connection in
            try connection.rows("SELECT * FROM user_signals ORDER BY slot, sequence").map { row in
                Signal(
                    sequence: try row.integer("sequence"),
                    user: try row.text("user_id"),
                    device: try row.optionalText("device"),
                    isRemoved: try row.flag("removed")
                )
            }
        }
    }

    /// The numbers of changes of the catalog and of users, over all slots.
    private func changes(in store: PostgresCardStore) async throws -> [Int64] {
        try await store.read { connection in
            let row = try connection.row(
                """
                SELECT sum(catalog_changes)::BIGINT AS catalog, sum(user_changes)::BIGINT AS users FROM signals
                """
            )
            return [try row?.integer("catalog") ?? -1, try row?.integer("users") ?? -1]
        }
    }

    private func user(_ number: Int) -> UserID { UserID(rawValue: "user-\(number)") }

    @Test("Each change has a row, numbered without gaps in the order of the commits, and counted")
    func sequence() async throws {
        try await withStore { store in
            for size in 1...5 {
                try await store.writer.write { session in
                    for number in 0..<size { session.changes.touch(user(number), by: nil) }
                }
            }
            let found = try await signals(in: store)
            #expect(found.map(\.sequence) == Array(1...15))
            let users = (1...5).flatMap { size in (0..<size).map { "user-\($0)" } }
            #expect(found.map(\.user) == users)
            #expect(try await changes(in: store) == [0, 15])
        }
    }

    @Test("Those who are gone, the device that made a change, and the catalog are told of in the same rows")
    func kinds() async throws {
        try await withStore { store in
            try await store.writer.write { session in
                session.changes.touch(user(1), by: "phone")
                session.changes.touch(user(2), by: "phone")
                session.changes.touch(user(2), by: "tablet")
                session.changes.remove(user(3))
                session.changes.catalog = true
            }
            let found = try await signals(in: store)
            #expect(
                found == [
                    Signal(sequence: 1, user: "user-1", device: "phone"), Signal(sequence: 2, user: "user-2"),
                    Signal(sequence: 3, user: "user-3", isRemoved: true),
                    Signal(sequence: 4, user: SignalListener.notUser),
                ]
            )
            #expect(try await changes(in: store) == [1, 4])
        }
    }

    @Test("As many users as are listed have a row each; of one more there is a single row, and all are counted")
    func overflow() async throws {
        try await withStore { store in
            let limit = WriteSession.signalLimit
            try await store.writer.write { session in
                for number in 0..<limit { session.changes.touch(user(number), by: nil) }
            }
            #expect(try await signals(in: store).count == limit)
            #expect(try await changes(in: store) == [0, Int64(limit)])
            try await store.writer.write { session in
                for number in 0...limit { session.changes.touch(user(number), by: nil) }
            }
            let rest = try await signals(in: store).dropFirst(limit)
            let single = Signal(sequence: Int64(limit) + 1, user: SignalListener.notUser, isRemoved: true)
            #expect(Array(rest) == [single])
            #expect(try await changes(in: store) == [0, Int64(limit * 2) + 2])
            // What follows is numbered past all that was counted.
            try await store.writer.write { $0.changes.touch(user(0), by: nil) }
            #expect(try await signals(in: store).last?.sequence == Int64(limit * 2) + 3)
        }
    }

    @Test("A change that isn't made leaves nothing, and one of nobody's writes nothing")
    func nothing() async throws {
        try await withStore { store in
            await #expect(throws: StoreError.self) {
                try await store.writer.write { session in
                    session.changes.touch(user(1), by: nil)
                    session.changes.catalog = true
                    try session.connection.execute("SELECT 1 / 0")
                }
            }
            try await store.writer.write { _ in }
            #expect(try await signals(in: store).isEmpty)
            #expect(try await changes(in: store) == [0, 0])
        }
    }

    @Test("What is no device's own doing wakes whoever listens to the database, and no one of another database")
    func notification() async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let listeners = try urls.map { url in
                let connection = try PostgresConnection(ConnectionSettings(url: url))
                try connection.simple("LISTEN \(SignalListener.channel)")
                return connection
            }
            // safe: two were asked for
            let store = try await PostgresCardStore.open(url: urls[0])
            try await store.writer.write { $0.changes.touch(user(1), by: nil) }
            while try !listeners[0].takeNotifications() { _ = try listeners[0].rows("SELECT 1") }
            _ = try listeners[1].rows("SELECT 1")
            #expect(try !listeners[1].takeNotifications())
            try await store.close()
        }
    }

    @Test("Notifications that have arrived together are taken together")
    func severalNotifications() async throws {
        try await withConnection { connection in
            try connection.simple("LISTEN \(SignalListener.channel)")
            #expect(try !connection.takeNotifications())
            for number in 1...3 { try connection.simple("NOTIFY \(SignalListener.channel), '\(number)'") }
            #expect(try connection.takeNotifications())
            #expect(try !connection.takeNotifications())
            // Nor does a channel of another name wake anybody.
            try connection.simple("NOTIFY other")
            #expect(try !connection.takeNotifications())
        }
    }

    @Test("A node that looks after several groups hears of each user once, and of each who is gone")
    func look() async throws {
        try await TemplateDatabase.withCopy { url in
            let store = try await PostgresCardStore.open(url: url)
            var look = SignalLook(ConnectionSource(ConnectionSettings(url: url)) { _ in }, writer: 7)
            let first = try look.look()
            #expect(first.isEmpty)
            for device in ["phone", "phone", "tablet"] {
                try await store.writer.write { $0.changes.touch(user(1), by: device) }
            }
            try await store.writer.write { $0.changes.touch(user(2), by: "phone") }
            try await store.writer.write { $0.changes.remove(user(3)) }
            let heard = try look.look()
            #expect(
                Set(heard) == [
                    .user(user(1), except: nil), .user(user(2), except: "phone"), .user(user(3), except: nil),
                    .removed(user(3)),
                ]
            )
            #expect(heard.count == 4)
            let rest = try look.look()
            #expect(rest.isEmpty)
            try await store.close()
        }
    }
}
