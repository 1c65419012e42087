import CardModel
import CardStore
import CardStoreConformance
import GRDB
import Synchronization
import Testing
import WireJSON

@testable import SQLiteCardStore

@Suite("SQLite: groups of changes", .timeLimit(.minutes(20)))
struct GroupWriterTests {
    private struct Mishap: Error {}

    private static let users = (1...3).map { UserID(rawValue: "user-\($0)") }

    /// What became of jobs, in the order in which their callers heard of it.
    private final class Outcomes: Sendable {
        private let texts = Mutex<[String]>([])

        var all: [String] { texts.withLock { $0 } }

        /// Creates a job whose end is noted with its name.
        func job(
            _ name: String,
            _ body: @escaping @Sendable (WriteSession) throws -> Void = { _ in }
        ) -> GroupWriter.WriteJob {
            GroupWriter.WriteJob(
                attempt: { session in
                    try body(session)
                    return { self.note("\(name): done") }
                },
                fail: { error in self.note("\(name): \(error.code.rawValue)") }
            )
        }

        private func note(_ text: String) { texts.withLock { $0.append(text) } }
    }

    /// Runs jobs as one group, whatever else the store has to do.
    private func run(_ jobs: [GroupWriter.WriteJob], in store: SQLiteCardStore) async throws {
        let session = try await store.writer.write { $0 }
        let listeners = store.listeners
        try await store.pool.writeWithoutTransaction { database in
            session.run(jobs, in: database, announcingTo: listeners)
        }
    }

    private static func note(_ user: UserID) -> @Sendable (WriteSession) throws -> Void {
        { try $0.note(DeviceContext(locale: "en"), of: user, at: noon) }
    }

    private static func isThere(_ user: UserID, in store: SQLiteCardStore) async throws -> Bool {
        try await store.userRevision(of: user) != nil
    }

    @Test("A job that fails is undone alone, and the others are committed")
    func failure() async throws {
        try await withSQLiteStore { store in
            let outcomes = Outcomes()
            let jobs = [
                outcomes.job("first", Self.note(Self.users[0])),
                outcomes.job("second") { session in
                    try Self.note(Self.users[1])(session)
                    throw Mishap()
                },
                outcomes.job("third", Self.note(Self.users[2])),
            ]
            try await run(jobs, in: store)

            #expect(outcomes.all == ["first: done", "second: unavailable", "third: done"])
            let found = try await [
                Self.isThere(Self.users[0], in: store), Self.isThere(Self.users[1], in: store),
                Self.isThere(Self.users[2], in: store),
            ]
            #expect(found == [true, false, true])
            #expect(try await store.userCount() == 2)
        }
    }

    @Test("A statement that contradicts a table fails its own job alone, and says so")
    func constraint() async throws {
        try await withSQLiteStore { store in
            let outcomes = Outcomes()
            let second = "INSERT INTO store (id, epoch) VALUES (1, 1)"
            let jobs = [
                outcomes.job("first", Self.note(Self.users[0])),
                outcomes.job("second") { try $0.database.execute(sql: second) },
                outcomes.job("third") { try $0.database.execute(sql: "INSERT INTO nowhere VALUES (1)") },
                outcomes.job("fourth", Self.note(Self.users[1])),
            ]
            try await run(jobs, in: store)
            #expect(outcomes.all == ["first: done", "second: conflict", "third: unavailable", "fourth: done"])
            #expect(try await store.userCount() == 2)
        }
    }

    @Test("A job that is refused before it has changed anything costs the group no second commit")
    func refusal() async throws {
        try await withSQLiteStore { store in
            let outcomes = Outcomes()
            let ends = Mutex<[String]>([])
            try await store.pool.writeWithoutTransaction { database in
                database.trace { event in
                    guard case .statement(let statement) = event else { return }
                    let verb = String(statement.sql.prefix { $0 != " " })
                    if ["COMMIT", "ROLLBACK"].contains(verb) { ends.withLock { $0.append(verb) } }
                }
            }
            let session = try await store.writer.write { $0 }
            ends.withLock { $0 = [] }
            let jobs = [
                outcomes.job("first", Self.note(Self.users[0])),
                outcomes.job("second") { _ in throw StoreError(.conflict, "Too late.") },
                outcomes.job("third", Self.note(Self.users[2])),
            ]
            let listeners = store.listeners
            try await store.pool.writeWithoutTransaction { database in
                session.run(jobs, in: database, announcingTo: listeners)
                database.trace(options: [])
            }
            #expect(outcomes.all == ["first: done", "second: conflict", "third: done"])
            let seen = ends.withLock { $0 }
            #expect(seen == ["COMMIT"])
        }
    }

    /// A campaign that counts purchases.
    private func salesCampaign() throws -> Campaign {
        let json: JSONValue = [
            "name": "Sale", "variants": [["id": "a", "control": true]],
            "conversions": [["id": "bought", "on": ["purchase": true], "window_seconds": 3_600]],
        ]
        var campaign = Campaign.sample()
        campaign.content.conversions = try Campaign.Content(json: json).conversions
        return campaign
    }

    @Test("What the end of a group can't write fails the job that it is of, and not the others")
    func flush() async throws {
        try await withSQLiteStore { store in
            try await store.launch(salesCampaign())
            try await store.give("card-1")
            let tea = DeviceEvent.Purchase(productID: "tea", currency: "EUR", price: 10)
            let purchases = (1...2).map { DeviceEvent($0, .purchase(tea), at: noon + 60) }
            try await store.record([purchases[0]], at: noon + 60)
            try await store.execute("UPDATE amount_counts SET amount = 'x'")
            let outcomes = Outcomes()
            let jobs = [
                outcomes.job("first", Self.note(Self.users[1])),
                outcomes.job("purchase") { session in
                    let batch = EventBatch(user: someone, events: [purchases[1]], receivedAt: noon + 90)
                    _ = try session.record(batch)
                },
                outcomes.job("last", Self.note(Self.users[2])),
            ]
            try await run(jobs, in: store)
            #expect(outcomes.all == ["first: done", "purchase: corrupt", "last: done"])
            #expect(try await store.userCount() == 3)
            #expect(try await store.read { try $0.storedEventCount() } == 1)
        }
    }

    @Test("Of a group that had to be tried one by one, what was committed is told and nothing else")
    func announcements() async throws {
        try await withSQLiteStore { store in
            var changes = store.changes().makeAsyncIterator()
            let outcomes = Outcomes()
            let jobs = [
                outcomes.job("first") { session in
                    try Self.note(Self.users[0])(session)
                    throw Mishap()
                },
                outcomes.job("second", Self.note(Self.users[1])),
            ]
            try await run(jobs, in: store)
            let change = await changes.next()
            #expect(change == .user(Self.users[1], except: nil))
        }
    }

    @Test("A group without changes is committed, and announces nothing before the next one does")
    func empty() async throws {
        try await withSQLiteStore { store in
            var changes = store.changes().makeAsyncIterator()
            let outcomes = Outcomes()
            try await run([outcomes.job("first"), outcomes.job("second")], in: store)
            #expect(outcomes.all == ["first: done", "second: done"])
            try await store.launch(.sample())
            let change = await changes.next()
            #expect(change == .catalog)
        }
    }

    // MARK: No room

    /// Lets the database have some pages more than it has, or any number where it is `nil`.
    private func allow(_ more: Int?, in store: SQLiteCardStore) async throws {
        try await store.pool.writeWithoutTransaction { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(more.map { pages + $0 } ?? 1_000_000)")
        }
    }

    @Test("Once there is no room nothing is acknowledged that isn't there, and it goes on when there is")
    func noRoom() async throws {
        try await withSQLiteStore { store in
            try await store.record([DeviceEvent(0, .sessionStart)])
            try await allow(6, in: store)
            var (accepted, number): (Int, UInt64) = (1, 1)
            var failure: StoreError?
            while failure == nil, number < 100_000 {
                do {
                    let outcome = try await store.record((number..<number + 50).map { DeviceEvent($0, .sessionStart) })
                    accepted += outcome.receipt.accepted
                    number += 50
                } catch {
                    failure = error as? StoreError
                }
            }
            #expect(failure?.code == .diskFull)
            #expect(failure?.message.contains("SQLite 13") == true)
            #expect(try await store.read { try $0.storedEventCount() } == accepted)

            try await allow(nil, in: store)
            let again = try await store.record((number..<number + 50).map { DeviceEvent($0, .sessionStart) })
            #expect(again.receipt.accepted == 50)
            #expect(await store.finding("integrity")?.level == .good)
        }
    }

    @Test("A job for which there is no room fails alone")
    func noRoomForOne() async throws {
        try await withSQLiteStore { store in
            try await store.record([DeviceEvent(0, .sessionStart)])
            try await allow(0, in: store)
            let outcomes = Outcomes()
            let fill = "CREATE TABLE filler (x); INSERT INTO filler VALUES (zeroblob(100000))"
            let jobs = [
                outcomes.job("first") { try $0.setLastSeen(noon + 5, of: someone) },
                outcomes.job("second") { try $0.database.execute(sql: fill) },
                outcomes.job("third") { try $0.setVersion(7, of: someone) },
            ]
            try await run(jobs, in: store)
            #expect(outcomes.all == ["first: done", "second: diskFull", "third: done"])
            let revision = try #require(try await store.userRevision(of: someone))
            #expect(revision.version == 7 && revision.lastSeenAt == noon + 5)
            #expect(try await store.read { try !$0.tableExists("filler") })
            try await allow(nil, in: store)
        }
    }

    // MARK: Ends

    @Test("A store that is closed refuses changes and reads, whichever way they take")
    func closed() async throws {
        try await withFolder { folder in
            let store = try SQLiteCardStore(path: folder + "/placard.sqlite")
            try await store.give("card-1")
            try await store.close()
            await expectFailure(.unavailable) { try await store.writer.write { _ in } }
            await expectFailure(.unavailable) { try await store.userRevision(of: someone) }
            await expectFailure(.unavailable) { try await store.userCount() }
            await expectFailure(.unavailable) { try await store.backUp(to: folder + "/backup") }
            let error = await #expect(throws: StoreError.self) { try await store.record([.impression(1)]) }
            #expect(error == .closed)
        }
    }

    @Test("What a caller asked for who has given up is done all the same, and reads tell them that they gave up")
    func cancellation() async throws {
        try await withSQLiteStore { store in
            let writing = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            }
            try await writing.value
            #expect(try await store.userRevision(of: someone) != nil)

            let reading = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await store.userCount()
            }
            let error = await #expect(throws: StoreError.self) { _ = try await reading.value }
            #expect(error?.message.contains("gave up") == true)
            // The connection goes on to others.
            #expect(try await store.userCount() == 1)
        }
    }
}
