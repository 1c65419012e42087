import CardModel
import CardStore
import CardStoreConformance
import Foundation
import GRDB
import Synchronization
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: sudden ends", .timeLimit(.minutes(20)))
struct CrashTests {
    /// What a process was told is done, on paper before it goes on.
    private final class Ledger: Sendable {
        private let descriptor: Int32
        private let count = Mutex(0)

        init(path: String) { descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600) }

        /// Writes a line and returns how many there are.
        func note(_ numbers: Range<UInt64>) -> Int {
            let line = Array("\(numbers.lowerBound) \(numbers.upperBound)\n".utf8)
            _ = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            return count.withLock { count in
                count += 1
                return count
            }
        }

        static func read(path: String) throws -> [Range<UInt64>] {
            try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
                let ends = line.split(separator: " ").compactMap { UInt64($0) }
                return ends[0]..<ends[1]
            }
        }
    }

    /// Writes from many tasks and dies in the middle of it, once that many batches were reported as done.
    private static func writeUntilKilled(path: String, ledger: String, after limit: Int) async throws {
        let store = try SQLiteCardStore(path: path)
        try await store.launch(.sample())
        try await store.give("card-1")
        let paper = Ledger(path: ledger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<16 {
                group.addTask {
                    for batch in 0..<1000 {
                        let start = UInt64(writer * 100_000 + batch * 10)
                        try await store.record((start..<start + 10).map { .impression($0) })
                        if paper.note(start..<start + 10) == limit { kill(getpid(), SIGKILL) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("What was reported as done before a kill is there exactly once", arguments: [1, 40, 400])
    func kill9(_ limit: Int) async throws {
        try await withFolder { folder in
            let (path, ledger) = (folder + "/placard.sqlite", folder + "/ledger")

            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, ledger = ledger as String, limit = limit as Int] in
                try await Self.writeUntilKilled(path: path, ledger: ledger, after: limit)
            }

            let store = try SQLiteCardStore(path: path)
            let done = try Ledger.read(path: ledger)
            #expect(done.count >= limit)
            let kept = try await store.read { try $0.storedEventCount() }
            #expect(kept >= done.count * 10)
            #expect(try await store.counts().impressions == Int64(kept))
            #expect(try await store.counts().uniqueImpressions == 1)
            for numbers in done {
                let again = try await store.record(numbers.map { .impression($0) })
                #expect(again.receipt == EventReceipt(duplicate: numbers.count))
            }
            #expect(await store.finding("integrity")?.level == .good)
            try await store.close()
        }
    }

    @Test("A kill while a new database is made leaves one that can be opened")
    func killWhileOpening() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                // The file is there, its schema half way.
                let pool = try DatabasePool(path: path)
                try await pool.writeWithoutTransaction { try Schema.checkOwnership(of: $0) }
                try await pool.writeWithoutTransaction { database in
                    try database.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
                    try database.beginTransaction(.immediate)
                    try Baseline.apply(to: database)
                    kill(getpid(), SIGKILL)
                    try database.commit()
                }
            }

            let store = try SQLiteCardStore(path: path)
            try await store.record([DeviceEvent(1, .custom(name: "a"))])
            try await store.close()
        }
    }
}
