import CardModel
import CardStore
import CardStoreConformance
import Foundation
import GRDB
import GRDBSQLite
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: diagnosis")
struct DiagnosisTests {
    /// A kind of damage, what finds it and what helps.
    struct Damage: Sendable, CustomTestStringConvertible {
        let name: String
        let subject: String
        let command: String
        let inflict: @Sendable (String) throws -> Void

        init(
            _ name: String,
            _ subject: String,
            _ command: String,
            _ inflict: @escaping @Sendable (String) throws -> Void
        ) {
            (self.name, self.subject, self.command, self.inflict) = (name, subject, command, inflict)
        }

        var testDescription: String { name }

        static func sql(_ name: String, _ subject: String, _ command: String, _ sql: String) -> Damage {
            Damage(name, subject, command) { path in try withDatabase(path) { try $0.execute(sql: sql) } }
        }

        static func bytes(
            _ name: String,
            _ subject: String,
            _ change: @escaping @Sendable (inout Data) -> Void
        ) -> Damage {
            Damage(name, subject, "placard restore FILE") { path in
                var data = try Data(contentsOf: URL(fileURLWithPath: path))
                change(&data)
                try data.write(to: URL(fileURLWithPath: path))
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            }
        }
    }

    @Test(
        "Each kind of damage is found, with a command to run, and nothing is changed",
        arguments: damages + brokenRows
    )
    func finds(_ damage: Damage) async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            for number in 1..<300 { try await store.give("card-\(number)", to: UserID(rawValue: "user-\(number)")) }
            try await store.close()
            #expect(await SQLiteCardStore.diagnose(path: path, isFull: true).allSatisfy { $0.isGood })
            try damage.inflict(path)
            let before = try? FileState(path)

            let findings = await SQLiteCardStore.diagnose(path: path, isFull: true)

            let bad = findings.filter { !$0.isGood }
            let finding = try #require(bad.first { $0.subject == damage.subject }, "\(findings)")
            #expect(finding.level == .bad)
            for message in bad.map(\.message) {
                #expect(!message.contains("..") && message.components(separatedBy: "Stop").count <= 2)
            }
            let files = DatabaseFiles(path)
            let command = damage.command.replacing("PATH", with: files.main).replacing("FOLDER", with: files.folder)
            #expect(finding.command == command)
            // Then the command reads what needs the whole store.
            var options = SQLiteCardStore.Options()
            options.isReadOnly = true
            if let store = try? SQLiteCardStore(path: path, options: options) { try await store.close() }
            #expect((try? FileState(path)) == before)
        }
    }

    @Test("An unfinished copy is finished by the command that began it, and no backup takes its place")
    func unfinishedCopy() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            try await SQLiteCardStore(path: path).close()
            try withDatabase(path) { try $0.execute(sql: "CREATE TABLE \(UnfinishedCopy.table) (id)") }

            let finding = await SQLiteCardStore.diagnose(path: path, isFull: false).first

            #expect(finding?.level == .bad && finding?.command == "placard copy --from … --to …")
        }
    }

    @Test("A database that another process holds, or that can't be opened, is no reason to restore a backup")
    func unavailable() {
        for code in [SQLITE_BUSY, SQLITE_CANTOPEN, SQLITE_FULL, SQLITE_IOERR] {
            let failure = SQLiteError(code: code, message: "")
            #expect(SQLiteCardStore.Finding.unusable(failure).command == nil)
            #expect(SQLiteCardStore.Finding.unreadable(failure).command == nil)
        }
        let damage = SQLiteError(code: SQLITE_CORRUPT, message: "")
        #expect(SQLiteCardStore.Finding.unusable(damage).command == Self.restore)
        #expect(SQLiteCardStore.Finding.unreadable(damage).command == Self.restore)
    }

    @Test("Of a table that is gone neither columns nor indexes are named, and a disk is full where readiness says so")
    func words() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            try await SQLiteCardStore(path: path).close()
            try withDatabase(path) { try $0.execute(sql: "DROP TABLE mails; DROP INDEX users_by_email") }
            let findings = await SQLiteCardStore.diagnose(path: path, isFull: true)
            let objects = findings.first { $0.subject == "objects" }
            #expect(objects?.message.hasPrefix("table mails, index users_by_email are missing") == true)
            #expect(findings.allSatisfy { !$0.message.contains("Try again") })
        }
        let spaces: [(Int64, StoreFinding.Level)] = [
            (1_000_000, .bad), (2_000_000, .warning), (100_000_000, .warning), (2_000_000_000, .good),
        ]
        for (free, level) in spaces { #expect(StoreFinding.freeSpace(free, in: "/").level == level) }
        #expect(StoreFinding.freeSpace(nil, in: "/").level == .warning)
    }

    @Test("A database is in use while a process has it open for writing")
    func inUse() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            #expect(!SQLiteCardStore.isInUse(path: path))
            let store = try SQLiteCardStore(path: path)
            #expect(SQLiteCardStore.isInUse(path: path))
            try await store.close()
            #expect(!SQLiteCardStore.isInUse(path: path))
        }
    }

    @Test("Indexes and counters are repaired")
    func repairs() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            try await store.give("card-1")
            try await store.close()
            for damage in Self.damages where damage.command == "placard repair" { try damage.inflict(path) }

            let repair = try await SQLiteCardStore.repair(path: path)

            #expect(repair.created == ["index users_by_email", "trigger counts_added"])
            #expect(repair.replaced == ["index campaigns_by_change", "trigger counts_changed"])
            #expect(repair.removed == ["trigger evil"])
            #expect(repair.userCountError == -6 && repair.wrongDays == 1 && repair.unreadable.isEmpty)
            #expect(await SQLiteCardStore.diagnose(path: path, isFull: true).allSatisfy { $0.isGood })
        }
    }

    @Test("What can't be read of users and events is taken away where that is asked for, and stays otherwise")
    func removesUnreadable() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            for number in 1..<20 { try await store.give("card-\(number)", to: UserID(rawValue: "user-\(number)")) }
            try await store.close()
            for damage in Self.brokenRows { try damage.inflict(path) }
            try withDatabase(path) { try $0.execute(sql: "DELETE FROM sqlite_sequence") }

            #expect(try await SQLiteCardStore.repair(path: path).unreadable.isEmpty)
            let found = await SQLiteCardStore.diagnose(path: path, isFull: true).first { $0.subject == "rows" }
            #expect(found?.level == .bad)
            let repair = try await SQLiteCardStore.repair(path: path, removesUnreadable: true)

            #expect(repair.unreadable.count == Self.brokenRows.count)
            #expect(repair.unreadable.first == "the custom attributes of the user “user-7”")
            #expect(await SQLiteCardStore.diagnose(path: path, isFull: true).allSatisfy { $0.isGood })
            // Its device looks again, and the card is there as its campaign has it.
            let again = try SQLiteCardStore(path: path)
            #expect(try await again.eventPage(after: 0, EventFilter(), limit: 10).events.map(\.position) == [1])
            let state = try #require(try await again.userState(of: UserID(rawValue: "user-9"), including: []))
            #expect(state.version == 2 && state.deliveries.map(\.changedAt) == [2])
            #expect(state.deliveries.first?.origin == nil)
            try await again.close()
        }
    }

    @Test("What can't be read is taken away also where its indexes have what was there before")
    func removesWhatIndexesMiss() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            for number in 1..<5 { try await store.give("card-\(number)", to: UserID(rawValue: "user-\(number)")) }
            try await store.close()
            let standard = #"{"email":"marked@example.com"}"#
            try withDatabase(path) {
                try $0.execute(sql: "UPDATE users SET standard = ? WHERE id = 'user-2'", arguments: [standard])
            }
            // The table's page has other bytes; the page of the index has the address as it was.
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            let place = try #require(bytes.range(of: Data(standard.utf8))).lowerBound
            bytes[place] = UInt8(ascii: "x")
            try bytes.write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)

            let repair = try await SQLiteCardStore.repair(path: path, removesUnreadable: true)

            #expect(repair.unreadable == ["the standard attributes of the user “user-2”"])
            #expect(await SQLiteCardStore.diagnose(path: path, isFull: true).allSatisfy { $0.isGood })
        }
    }

    @Test("What can't be repaired is left as it is")
    func doesNotRepairTables() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            try await SQLiteCardStore(path: path).close()
            try withDatabase(path) { try $0.execute(sql: "DROP TABLE spending") }
            let before = try FileState(path)
            await expectFailure(.corrupt) { try await SQLiteCardStore.repair(path: path) }
            #expect(try FileState(path) == before)
        }
    }

    @Test("A check reads in a transaction that ends with it, also where it fails")
    func transactions() throws {
        let queue = try DatabaseQueue()
        try queue.writeWithoutTransaction { database in
            let isInside = try database.atOneMoment { database.isInsideTransaction }
            #expect(isInside && !database.isInsideTransaction)
            #expect(throws: CancellationError.self) { try database.atOneMoment { throw CancellationError() } }
            #expect(!database.isInsideTransaction)
        }
    }

    @Test("A log whose second half is missing is found")
    func cutLog() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            for number in 1..<30 { try await store.give("card-\(number)", to: UserID(rawValue: "user-\(number)")) }
            let copy = folder + "/copy.sqlite"
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
            try await store.close()
            try log.write(to: URL(fileURLWithPath: copy + "-wal"))
            #expect(await finding("log-end", copy)?.level == .good)
            try log.prefix(log.count / 2 + 100).write(to: URL(fileURLWithPath: copy + "-wal"))
            let cut = await finding("log-end", copy)
            #expect(cut?.level == .warning && cut?.command == "placard audit verify")
        }
    }

    private func finding(_ subject: String, _ path: String) async -> SQLiteCardStore.Finding? {
        await SQLiteCardStore.diagnose(path: path, isFull: false).first { $0.subject == subject }
    }
}

extension SQLiteCardStore.Finding {
    /// Whether it is good; how much space the machine has is its own affair.
    fileprivate var isGood: Bool { level == .good || subject == "space" }
}
