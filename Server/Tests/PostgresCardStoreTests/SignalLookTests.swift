import CardModel
import CardStore
import PostgresTesting
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: what a node finds when it looks", .timeLimit(.minutes(20)))
struct SignalLookTests {
    private static let node: Int64 = 7

    /// A connection to a database.
    private func connection(to url: String) throws -> PostgresConnection {
        try PostgresConnection(ConnectionSettings(url: url))
    }

    /// A look of a node that has begun to listen.
    private func begunLook(at url: String) throws -> SignalLook {
        var look = SignalLook(ConnectionSource(ConnectionSettings(url: url)) { _ in }, writer: Self.node)
        let first = try look.look()
        #expect(first.isEmpty)
        return look
    }

    /// Leaves in a slot what a node has changed.
    private func leave(
        _ user: String,
        isRemoved: Bool = false,
        device: String? = nil,
        by writer: Int64 = 9,
        in slot: Int64 = 3,
        on connection: PostgresConnection
    ) throws {
        try connection.execute(
            """
            WITH s AS (UPDATE signals SET user_changes = user_changes + 1 WHERE slot = $1 RETURNING user_changes)
            INSERT INTO user_signals (slot, sequence, writer, user_id, device, removed, at)
            SELECT $1, user_changes, $2, $3, $4, $5, 0 FROM s
            """,
            [slot, writer, user, device, isRemoved]
        )
    }

    @Test(
        "Changes whose rows are missing, too many of them, and counters that went back mean anything may be new",
        arguments: [
            "user_changes = user_changes + 3", "user_changes = user_changes + 50001", "user_changes = user_changes - 1",
            "user_changes = 9223372036854775807", "user_changes = -9223372036854775808",
        ]
    )
    func unlisted(change: String) async throws {
        try await TemplateDatabase.withCopy { url in
            let connection = try connection(to: url)
            var look = try begunLook(at: url)
            try connection.execute("UPDATE signals SET \(change) WHERE slot = 3")
            #expect(try look.look() == [.anything])
            #expect(try look.look().isEmpty)
        }
    }

    @Test("Counters from one end of the numbers to the other end no process")
    func extremes() async throws {
        try await TemplateDatabase.withCopy { url in
            let connection = try connection(to: url)
            var look = try begunLook(at: url)
            for number in [Int64.min, .max, .min, 0] {
                try connection.execute("UPDATE signals SET user_changes = $1 WHERE slot = 3", [number])
                #expect(try look.look() == [.anything])
            }
        }
    }

    @Test("Users are told of once each, with the device if it was one, and those who are gone as such")
    func users() async throws {
        try await TemplateDatabase.withCopy { url in
            let connection = try connection(to: url)
            var look = try begunLook(at: url)
            for device in ["phone", "phone"] { try leave("a", device: device, on: connection) }
            for device in ["phone", "tablet"] { try leave("b", device: device, in: 5, on: connection) }
            try leave("c", isRemoved: true, on: connection)
            let found = try look.look()
            var users: [UserID: String?] = [:]
            for change in found {
                switch change {
                case .user(let user, let device): users[user] = .some(device)
                case .users(let many): users.merge(many) { $1 }
                case .removed, .catalog, .anything: break
                }
            }
            #expect(users[UserID(rawValue: "a")] == .some("phone"))
            // Each of two devices has to hear of what the other did.
            #expect(users[UserID(rawValue: "b")] == .some(nil))
            #expect(users.keys.contains(UserID(rawValue: "c")))
            #expect(found.contains(.removed(UserID(rawValue: "c"))))
            #expect(!found.contains(.anything) && !found.contains(.catalog))
            #expect(try look.look().isEmpty)
        }
    }

    @Test("What the node itself has changed it isn't told of, whoever has the slot")
    func own() async throws {
        try await TemplateDatabase.withCopy { url in
            let connection = try connection(to: url)
            var look = try begunLook(at: url)
            try leave("own", by: Self.node, on: connection)
            try leave("other", on: connection)
            #expect(try look.look() == [.user(UserID(rawValue: "other"), except: nil)])
            try connection.execute("UPDATE signals SET owner = $1 WHERE slot = 3", [Self.node])
            try leave("own", by: Self.node, on: connection)
            #expect(try look.look().isEmpty)
        }
    }

    @Test("The rows of a slot say whether it was the catalog, or more than is listed")
    func notUsers() async throws {
        try await TemplateDatabase.withCopy { url in
            let connection = try connection(to: url)
            var look = try begunLook(at: url)
            try leave(SignalListener.notUser, on: connection)
            #expect(try look.look() == [.catalog])
            try leave(SignalListener.notUser, isRemoved: true, on: connection)
            #expect(try look.look() == [.anything])
        }
    }

    @Test("A slot that appears, or a listener whose connection is lost, misses nothing")
    func lostConnection() async throws {
        try await TemplateDatabase.withCopy { url in
            let connection = try connection(to: url)
            var look = try begunLook(at: url)
            try connection.execute("INSERT INTO signals (slot) VALUES (64)")
            try leave("a", in: 64, on: connection)
            #expect(try look.look() == [.user(UserID(rawValue: "a"), except: nil)])
            try connection.execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """
            )
            try leave("b", on: connection)
            var found: [StoreChange] = []
            for _ in 0..<100 where found.isEmpty { found = look.next() }
            #expect(found == [.user(UserID(rawValue: "b"), except: nil)])
        }
    }
}
