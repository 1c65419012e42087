import CardModel
import CardStore
import CardStoreConformance
import GRDB
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: events that are missing")
struct MissingEventTests {
    private func user(_ number: Int) -> UserID { UserID(rawValue: "user-\(number)") }

    /// Runs a test with a database in which users have seen a card 20 times each.
    private func withEvents(
        of users: Int,
        _ change: (SQLiteCardStore) async throws -> Void = { _ in },
        _ body: (_ path: String) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            try await store.launch(.sample())
            for number in 1...users {
                try await store.give("card-\(number)", to: user(number))
                let events = (1...20).map { DeviceEvent.impression(UInt64($0), of: "card-\(number)") }
                try await store.record(events, of: user(number))
            }
            try await change(store)
            try await store.close()
            try await body(path)
        }
    }

    private func finding(_ path: String, days: Double = 0, isFull: Bool = true) async -> StoreFinding? {
        let now = noon + 3_600 + days * 86_400
        return await SQLiteCardStore.diagnose(path: path, isFull: isFull, at: now).first { $0.subject == "events" }
    }

    @Test("are named where they were deleted by other means", arguments: [true, false])
    func deleted(isFull: Bool) async throws {
        try await withEvents(of: 30) { path in
            #expect(await finding(path, isFull: isFull)?.level == .good)
            try withDatabase(path) { try $0.execute(sql: "DELETE FROM events WHERE position > 300") }
            let half = await finding(path, isFull: isFull)
            #expect(half?.level == .warning && half?.command == DiagnosisTests.restore)
            #expect(half?.message.hasPrefix("Of 600 impressions") == true && half?.message.contains(" 300 ") == true)
            // Later, positions alone say it.
            #expect(await finding(path, days: 40, isFull: isFull)?.message.contains("position 600") == true)
            try withDatabase(path) { try $0.execute(sql: "DELETE FROM events") }
            #expect(await finding(path, isFull: isFull)?.message.contains(" 600 aren't") == true)
            #expect(await finding(path, days: 40, isFull: isFull)?.level == .warning)
        }
    }

    @Test("from the middle of the log are named too")
    func middle() async throws {
        try await withEvents(of: 10) { path in
            try withDatabase(path) { try $0.execute(sql: "DELETE FROM events WHERE position BETWEEN 50 AND 149") }
            #expect(await finding(path)?.message.contains("100 aren't") == true)
        }
    }

    @Test("since they were pruned are none")
    func pruned() async throws {
        try await withEvents(of: 10) { store in
            var settings = Settings()
            settings.eventDays = 31
            try await store.saveSettings(settings, at: noon, by: command)
            #expect(try await store.pruneEvents(before: noon + 1) == 200)
        } _: { path in
            #expect(await finding(path, days: 35)?.level == .good)
        }
    }

    @Test("since their users were deleted are none", arguments: [1, 15])
    func erased(count: Int) async throws {
        try await withEvents(of: 20) { store in
            for number in 1...count { _ = try await store.deleteUser(user(21 - number), at: noon + 60, by: command) }
        } _: { path in
            #expect(await finding(path)?.level == .good)
        }
    }

    @Test("beyond what deleted users explain are named")
    func beyondErasures() async throws {
        try await withEvents(of: 20) { store in
            _ = try await store.deleteUser(user(20), at: noon + 60, by: command)
        } _: { path in
            try withDatabase(path) { try $0.execute(sql: "DELETE FROM events WHERE position > 100") }
            #expect(await finding(path)?.level == .warning)
        }
    }

    @Test("are few where positions were withdrawn, and the positions of a restored server are far apart")
    func positions() {
        func level(_ last: Int64, _ greatest: Int64?) -> StoreFinding.Level {
            EventLogExtent(last: last, greatest: greatest).finding(restoration: "").level
        }
        #expect(level(1_000, 1_000) == .good && level(1_000, 950) == .good && level(0, nil) == .good)
        #expect(level(1_000, 500) == .warning && level(1_000, nil) == .warning)
        #expect(level(1_800_000_000_000_000, 500) == .good && level(500, 1_000) == .good)
    }
}
