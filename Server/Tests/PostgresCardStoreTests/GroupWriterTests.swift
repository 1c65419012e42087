import CardModel
import CardStore
import CardStoreConformance
import PostgresTesting
import Synchronization
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: groups of changes", .timeLimit(.minutes(20)))
struct GroupWriterTests {
    /// Adds a row to a table whose rows the tests read.
    private static let insert = "INSERT INTO spent_forms (token, expires_at) VALUES ($1, 0)"

    private func tokens(in store: PostgresCardStore) async throws -> [[UInt8]] {
        try await store.read { connection in
            try connection.rows("SELECT token FROM spent_forms ORDER BY token").map { try $0.bytes("token") }
        }
    }

    /// The names of the transactions that jobs ran in, by the jobs' places.
    private final class Transactions: Sendable {
        private let names = Mutex<[Int: String]>([:])

        func note(_ name: String, of place: Int) { names.withLock { $0[place] = name } }

        /// The name of each job's transaction, in the order of their places.
        var all: [String] { names.withLock { names in names.sorted { $0.key < $1.key }.map(\.value) } }
    }

    @Test("A refusal after something was written undoes that, and takes nothing of others with it")
    func lateRefusal() async throws {
        try await withStore { store in
            let refusals = Mutex<[Int: StoreError]>([:])
            try await store.asOneGroup(3) { place in
                do throws(StoreError) {
                    try await store.writer.write { session in
                        try session.connection.execute(Self.insert, [[UInt8(place)] as [UInt8]])
                        if place == 1 { throw StoreError(.conflict, "Refused.") }
                    }
                } catch {
                    refusals.withLock { $0[place] = error }
                }
            }
            let refused = refusals.withLock { $0 }
            #expect(refused == [1: StoreError(.conflict, "Refused.")])
            #expect(try await tokens(in: store) == [[0], [2]])
        }
    }

    @Test("A statement that was put off and fails takes no other job of its group with it")
    func lateFailure() async throws {
        try await withStore { store in
            let codes = Mutex<[Int: StoreError.Code]>([:])
            try await store.asOneGroup(4) { place in
                do throws(StoreError) {
                    try await store.writer.write { session in
                        session.connection.later(Self.insert, [[UInt8(place)] as [UInt8]])
                        // It runs at the end of the group, when every job has had its turn.
                        if place == 1 { session.connection.later("SELECT 1 / 0") }
                    }
                } catch {
                    codes.withLock { $0[place] = error.code }
                }
            }
            let failed = codes.withLock { $0 }
            #expect(failed == [1: .unavailable])
            #expect(try await tokens(in: store) == [[0], [2], [3]])
        }
    }

    @Test("A change that is to be alone has a transaction of its own, between those before and those after it")
    func alone() async throws {
        try await withStore { store in
            let transactions = Transactions()
            try await store.asOneGroup(5) { place in
                try await store.writer.write(isAlone: place == 2) { session in
                    let row = try session.connection.row("SELECT pg_current_xact_id()::TEXT AS name")
                    let name = try row?.text("name") ?? ""
                    transactions.note(name, of: place)
                }
            }
            let names = transactions.all
            try #require(names.count == 5)
            #expect(names[0] == names[1] && names[3] == names[4])
            #expect(Set(names).count == 3)
            let numbers = names.compactMap { Int64($0) }
            #expect(numbers == numbers.sorted())
        }
    }

    @Test("Changes that wait when a store is closed are made, and none after them")
    func closing() async throws {
        try await TemplateDatabase.withCopy { url in
            let store = try await PostgresCardStore.open(url: url)
            let hold = HeldJob()
            let held = Task { try await store.writer.write { _ in hold.wait() } }
            while !hold.isHeld.load(ordering: .acquiring) { await Task.yield() }
            var waiting: [Task<Int, any Error>] = []
            for number in UInt8(0)..<3 {
                waiting.append(
                    Task {
                        try await store.writer.write { session in
                            try session.connection.execute(Self.insert, [[number] as [UInt8]])
                        }
                    }
                )
                while store.writer.waiting <= Int(number) { await Task.yield() }
            }
            let closing = Task { await store.writer.close() }
            hold.end.signal()
            await closing.value
            try await held.value
            for task in waiting { #expect(try await task.value == 1) }
            let error = await #expect(throws: StoreError.self) { try await store.writer.write { _ in } }
            #expect(error == .closed)
            #expect(try await tokens(in: store) == [[0], [1], [2]])
            try await store.close()
        }
    }

    @Test("An event that a group already has isn't in it twice, and is each user's own")
    func pendingEvents() {
        let event = DeviceEvent.impression(1)
        func entry(_ user: String) -> PendingWrites.Event {
            PendingWrites.Event(user: UserID(rawValue: user), event: event, receivedAt: testTime, card: nil)
        }
        var pending = PendingWrites()
        // The same to a reader, and two users.
        let added = ["a", "a", "é", "e\u{301}"].map { pending.append(entry($0)) }
        #expect(added == [true, false, true, true])
        #expect(pending.revision == 3)
        pending.withdraw(event.id, of: UserID(rawValue: "a"))
        pending.withdraw(event.id, of: UserID(rawValue: "nobody"))
        #expect(!pending.contains(event.id, of: UserID(rawValue: "a")))
        #expect(pending.contains(event.id, of: UserID(rawValue: "é")))
        let isAddedAgain = pending.append(entry("a"))
        #expect(isAddedAgain)
        let taken = pending.takeEvents().map(\.user.rawValue)
        #expect(taken.map { Array($0.utf8) } == ["é", "e\u{301}", "a"].map { Array($0.utf8) })
        #expect(!pending.contains(event.id, of: UserID(rawValue: "a")))
        let rest = pending.takeEvents()
        #expect(rest.isEmpty)
    }

    @Test("The events of a group are found by their user until they are withdrawn, and no others go with them")
    func withdrawnEvents() {
        let (guest, other) = (UserID(rawValue: "guest"), UserID(rawValue: "other"))
        var pending = PendingWrites()
        for (number, user) in [guest, other, guest].enumerated() {
            let event = DeviceEvent.impression(UInt64(number))
            let isNew = pending.append(PendingWrites.Event(user: user, event: event, receivedAt: testTime, card: nil))
            #expect(isNew)
        }
        pending.withdraw(DeviceEvent.impression(0).id, of: guest)
        #expect(pending.hasEvents(of: [guest, testUser]) && !pending.hasEvents(of: [testUser]))
        pending.withdrawEvents(of: guest)
        #expect(!pending.hasEvents(of: [guest]) && pending.hasEvents(of: [other]))
        pending.withdraw(DeviceEvent.impression(1).id, of: other)
        #expect(!pending.hasEvents(of: [guest, other]))
        let left = pending.takeEvents()
        #expect(left.isEmpty)
    }

    @Test("What apps have written is forgotten up to the latest moment that was asked for")
    func forgottenMessages() {
        var pending = PendingWrites()
        #expect(pending.forgottenTime == nil)
        for time in [5, 3, 8, 7] as [UnixTime] { pending.forgetMessages(before: time) }
        #expect(pending.forgottenTime == 8)
        pending.forgetMessages(of: [CampaignID(rawValue: "a")])
        pending.forgetMessages(of: [CampaignID(rawValue: "b")])
        #expect(pending.forgottenCampaigns == [CampaignID(rawValue: "a"), CampaignID(rawValue: "b")])
        #expect(pending.revision == 6)
    }
}

@Suite("PostgreSQL: the slot that a node writes to", .timeLimit(.minutes(20)))
struct SlotLeaseTests {
    /// Runs a test with a connection to a database with tables.
    private func withTables(_ body: (PostgresConnection) throws -> Void) async throws {
        try await TemplateDatabase.withCopy { url in
            try body(PostgresConnection(ConnectionSettings(url: url)))
        }
    }

    private func owner(of slot: Int64, on connection: PostgresConnection) throws -> Int64? {
        try connection.row("SELECT owner FROM signals WHERE slot = $1", [slot])?.optionalInteger("owner")
    }

    /// Has another node lease a slot, or all of them.
    private func take(_ slot: Int64?, for seconds: Int, on connection: PostgresConnection) throws {
        try connection.execute(
            """
            UPDATE signals SET owner = 9, leased_until = extract(epoch FROM clock_timestamp()) + $2
            WHERE slot = $1 OR $1 IS NULL
            """,
            [slot, Double(seconds)]
        )
    }

    @Test("A node leases a slot that nobody has, keeps it, and gives it back")
    func lease() async throws {
        try await withTables { connection in
            var first = try SlotLease(1, renewal: .zero, on: connection)
            let second = try SlotLease(2, renewal: .zero, on: connection)
            #expect(first.isOwn && second.isOwn && first.slot != second.slot)
            let slot = first.slot
            try first.renew(on: connection)
            #expect(first.slot == slot && first.isOwn)
            #expect(try owner(of: slot, on: connection) == 1)
            try first.release(on: connection)
            #expect(try owner(of: slot, on: connection) == nil)
            #expect(try owner(of: second.slot, on: connection) == 2)
            let third = try SlotLease(3, renewal: .zero, on: connection)
            #expect(third.slot == slot)
        }
    }

    @Test("A slot that another node has by now is left to it, and another one leased")
    func lost() async throws {
        try await withTables { connection in
            var lease = try SlotLease(1, renewal: .zero, on: connection)
            let former = lease.slot
            try take(former, for: 60, on: connection)
            try lease.renew(on: connection)
            #expect(lease.isOwn && lease.slot != former)
            try take(lease.slot, for: 60, on: connection)
            try lease.release(on: connection)
            #expect(try owner(of: former, on: connection) == 9)
            #expect(try owner(of: lease.slot, on: connection) == 9)
        }
    }

    @Test("A lease is not asked for again before its time, and one that ran out is anybody's")
    func times() async throws {
        try await withTables { connection in
            var lease = try SlotLease(1, renewal: .seconds(3_600), on: connection)
            let slot = lease.slot
            try take(slot, for: 60, on: connection)
            try lease.renew(on: connection)
            #expect(lease.slot == slot)
            try take(nil, for: 60, on: connection)
            try take(slot, for: -1, on: connection)
            let other = try SlotLease(2, renewal: .zero, on: connection)
            #expect(other.isOwn && other.slot == slot)
        }
    }

    @Test("Where other nodes have all slots one of them is written to, until one is free")
    func crowded() async throws {
        try await withTables { connection in
            try take(nil, for: 60, on: connection)
            var lease = try SlotLease(1, renewal: .zero, on: connection)
            #expect(!lease.isOwn)
            #expect((0..<SlotLease.slots).contains(lease.slot))
            try lease.release(on: connection)
            #expect(try owner(of: lease.slot, on: connection) == 9)
            try take(5, for: -1, on: connection)
            try lease.renew(on: connection)
            #expect(lease.isOwn && lease.slot == 5)
            #expect(try owner(of: 5, on: connection) == 1)
        }
    }
}
