import CardModel
import CardStore
import CardStoreConformance
import Foundation
import GRDB
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: attempts")
struct AttemptRowsTests {
    private func attempt(_ number: UInt8) -> GuessAttempt {
        GuessAttempt([AttemptSubject(hash: [number], limit: AttemptLimit(free: 1), scope: .own)])
    }

    @Test("As many subjects are remembered as there is room for, those who tried last")
    func bound() async throws {
        try await withFolder { folder in
            let store = try SQLiteCardStore(path: folder + "/placard.sqlite")
            let kept = try await store.writer.write { session in
                for number in 0..<40 as Range<UInt8> {
                    let time = noon + Double(number)
                    _ = try AttemptRows.take(attempt(number), at: time, limit: 10, in: session.database)
                }
                return try Data.fetchAll(session.database, sql: "SELECT subject FROM attempts ORDER BY subject")
            }
            #expect(kept.compactMap(\.first) == Array(30..<40))
            try await store.close()
        }
    }
}
