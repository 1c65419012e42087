import CardModel
import CardStore
import CardStoreConformance
import PostgresTesting
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: what nodes hear of each other", .timeLimit(.minutes(20)))
struct SignalTests {
    /// The users that changes name, up to a certain one; `nil` where anything may have changed.
    private func users(of changes: AsyncStream<StoreChange>, until last: UserID) async -> Set<UserID>? {
        var users: Set<UserID> = []
        for await change in changes {
            switch change {
            case .user(let user, _): users.insert(user)
            case .users(let many): users.formUnion(many.keys)
            case .removed, .catalog: break
            case .anything: return nil
            }
            if users.contains(last) { return users }
        }
        return users
    }

    @Test("Thousands of users that are changed at once are told of by name, on every node", arguments: [100, 5_000])
    func bulk(count: Int) async throws {
        try await TemplateDatabase.withCopy { url in
            let nodes = [try await PostgresCardStore.open(url: url), try await PostgresCardStore.open(url: url)]
            let changes = nodes.map { $0.changes() }
            let all = (0..<count).map { UserID(rawValue: "user-\($0)") }
            try await nodes[0].updateUsers(all.map { UserUpdate(id: $0, custom: ["n": 1]) }, at: noon)
            try await nodes[0].updateUsers([UserUpdate(id: someone, custom: ["n": 2])], at: noon)
            let last = UserID(rawValue: "last")
            try await nodes[0].updateUsers([UserUpdate(id: last, custom: ["n": 2])], at: noon)
            for change in changes {
                let heard = await users(of: change, until: last)
                #expect(heard == Set(all + [someone, last]))
            }
            for node in nodes { try await node.close() }
        }
    }

    @Test("More users than are listed are told of as anything")
    func overflow() async throws {
        try await TemplateDatabase.withCopy { url in
            let nodes = [try await PostgresCardStore.open(url: url), try await PostgresCardStore.open(url: url)]
            let changes = nodes[1].changes()
            try await nodes[0].writer.write { session in
                for number in 0...WriteSession.signalLimit {
                    session.changes.touch(UserID(rawValue: "user-\(number)"), by: nil)
                }
            }
            let heard = await users(of: changes, until: UserID(rawValue: "user-0"))
            #expect(heard == nil)
            for node in nodes { try await node.close() }
        }
    }

    @Test("What another process changed in a slot before this node had it is heard of")
    func leasedSlot() async throws {
        try await TemplateDatabase.withCopy { url in
            let command = try await PostgresCardStore.open(url: url)
            let slot = try await command.writer.write { $0.slot }
            let node: Int64 = 7
            let source = ConnectionSource(ConnectionSettings(url: url)) { _ in }
            var look = SignalLook(source, writer: node)
            #expect(try look.look().isEmpty)

            try await command.launch(.sample())
            try await command.updateUsers([UserUpdate(id: someone, custom: ["n": 1])], at: noon)
            // The node leases the slot and writes to it before it looks.
            _ = try await command.writer.write { session in
                let connection = session.connection
                try connection.execute("UPDATE signals SET owner = $1 WHERE slot = $2", [node, slot])
                try connection.execute(
                    """
                    WITH s AS (
                        UPDATE signals SET user_changes = user_changes + 1 WHERE slot = $1 RETURNING user_changes
                    )
                    INSERT INTO user_signals SELECT $1, user_changes, $2, 'own', NULL, FALSE, 0 FROM s
                    """,
                    [slot, node]
                )
            }
            let heard = try look.look()
            #expect(heard.contains(.catalog) && heard.contains(.user(someone, except: nil)))
            #expect(!heard.contains(.user(UserID(rawValue: "own"), except: nil)) && !heard.contains(.anything))
            #expect(try look.look().isEmpty)
            try await command.close()
        }
    }

    @Test("A change of the catalog is told of once, with and without users")
    func catalog() async throws {
        try await TemplateDatabase.withCopy { url in
            let command = try await PostgresCardStore.open(url: url)
            let source = ConnectionSource(ConnectionSettings(url: url)) { _ in }
            var look = SignalLook(source, writer: 7)
            #expect(try look.look().isEmpty)
            try await command.launch(.sample())
            #expect(Set(try look.look()) == [.catalog])
            // As an older version leaves it.
            _ = try await command.writer.write { session in
                try session.connection.execute(
                    "UPDATE signals SET catalog_changes = catalog_changes + 1 WHERE slot = $1",
                    [session.slot]
                )
            }
            #expect(try look.look() == [.catalog])
            try await command.close()
        }
    }
}
