import CardModel
import CardStore
import CardStoreConformance
import GRDB
import SQLiteCardStore
import Testing

@Suite("SQLite: audit log")
struct AuditTamperingTests {
    private func note(_ number: Int) -> AuditNote {
        AuditNote(
            "test.\(number)",
            of: "subject-\(number)",
            details: ["n": .integer(Int64(number))],
            at: noon,
            by: command
        )
    }

    @Test(
        "A change of the file is found",
        arguments: [
            "UPDATE audit SET subject = 'x' WHERE position = 3", "UPDATE audit SET at = at - 1 WHERE position = 3",
            "UPDATE audit SET actor = 'eve' WHERE position = 1", "UPDATE audit SET details = NULL WHERE position = 5",
            "UPDATE audit SET actor_kind = 'member' WHERE position = 5", "DELETE FROM audit WHERE position = 3",
            "DELETE FROM audit WHERE position = 1", "DELETE FROM audit WHERE position > 3", "DELETE FROM audit",
            "UPDATE audit SET position = 99 WHERE position = 5",
            "UPDATE audit_chain SET last_count = 0, last_position = 0, last_hash = x''",
            """
            UPDATE audit_chain SET last_count = 3, last_position = 3,
                last_hash = (SELECT hash FROM audit WHERE position = 3)
            """,
        ]
    )
    func tampering(_ statement: String) async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            try await store.appendAuditNotes((0..<5).map(note))
            try await store.close()
            let database = try DatabaseQueue(path: path)
            try await database.write { try $0.execute(sql: statement) }
            try database.close()
            let again = try SQLiteCardStore(path: path)
            #expect(try await !again.verifyAudit().problems.isEmpty)
            try await again.close()
        }
    }

    @Test("An end that was put back is found wherever it is, also where that ends what is read at a time")
    func endPutBack() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            try await store.appendAuditNotes((0..<1_003).map(note))
            try await store.close()
            for end in [999, 1_000, 1_001, 1_002] {
                let database = try DatabaseQueue(path: path)
                try await database.write { database in
                    try database.execute(
                        sql: """
                            UPDATE audit_chain SET last_count = ?1, last_position = ?1,
                                last_hash = (SELECT hash FROM audit WHERE position = ?1)
                            """,
                        arguments: [end]
                    )
                }
                try database.close()
                let again = try SQLiteCardStore(path: path)
                let problems = try await again.verifyAudit().problems
                #expect(problems == [.unrecorded(after: Int64(end))])
                try await again.close()
            }
        }
    }
}
