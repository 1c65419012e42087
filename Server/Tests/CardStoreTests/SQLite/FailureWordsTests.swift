import CardStore
import GRDB
import GRDBSQLite
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: what its errors mean to callers")
struct FailureWordsTests {
    /// A code of SQLite, the code that callers get, and what they are told.
    struct Case: Sendable, CustomTestStringConvertible {
        let code: Int32
        let expected: StoreError.Code
        let words: String

        init(_ code: Int32, _ expected: StoreError.Code, _ words: String) {
            (self.code, self.expected, self.words) = (code, expected, words)
        }

        var testDescription: String { "SQLite \(code)" }
    }

    static let cases = [
        Case(SQLITE_FULL, .diskFull, "The disk is full (SQLite 13: "),
        Case(SQLITE_IOERR, .diskFull, "cannot be read or written"),
        Case(SQLITE_IOERR | 3 << 8, .diskFull, "(SQLite 778: "),
        Case(SQLITE_IOERR | 19 << 8, .diskFull, "the index of its log has no room"),
        Case(SQLITE_READONLY, .unavailable, "cannot be opened for writing"),
        Case(SQLITE_READONLY | 3 << 8, .unavailable, "A program was killed while it wrote"),
        Case(SQLITE_PERM, .unavailable, "its folder exists"),
        Case(SQLITE_CANTOPEN, .unavailable, "its folder exists"),
        Case(SQLITE_CORRUPT, .corrupt, "`placard restore FILE`"),
        Case(SQLITE_CORRUPT | 2 << 8, .corrupt, "damaged"),
        Case(SQLITE_NOTADB, .corrupt, "damaged or is none"),
        Case(SQLITE_CONSTRAINT, .conflict, "contradicts what is stored"),
        Case(SQLITE_CONSTRAINT | 3 << 8, .conflict, "(SQLite 787: "),
        Case(SQLITE_BUSY, .unavailable, "Another process holds the database"),
        Case(SQLITE_BUSY | 2 << 8, .unavailable, "Another process holds the database"),
        Case(SQLITE_LOCKED, .unavailable, "Another process holds the database"),
        Case(SQLITE_MISUSE, .unavailable, "The store is closed"),
        Case(SQLITE_ERROR, .unavailable, "did not answer (SQLite 1: "),
        Case(SQLITE_NOMEM, .unavailable, "did not answer (SQLite 7: "),
        Case(SQLITE_INTERRUPT, .unavailable, "did not answer"),
    ]

    @Test("Each code has its meaning, whichever way the database was asked", arguments: cases)
    func meanings(_ sample: Case) {
        let errors: [any Error] = [
            SQLiteError(code: sample.code, message: "words"),
            DatabaseError(resultCode: ResultCode(rawValue: sample.code), message: "words"),
        ]
        for error in errors {
            let found = StoreError(error)
            #expect(found.code == sample.expected)
            #expect(found.message.contains(sample.words), "\(found.message)")
        }
    }

    @Test("SQLite's own words are said, and those of the code where a connection has none for it")
    func words() {
        #expect(SQLiteReason(SQLiteError(code: 13, message: "words"))?.description == "SQLite 13: words")
        for message in ["", "not an error"] {
            let reason = SQLiteReason(SQLiteError(code: SQLITE_FULL, message: message))
            #expect(reason?.description == "SQLite 13: database or disk is full")
        }
        #expect(SQLiteReason(CancellationError()) == nil)
    }

    @Test("What isn't of SQLite stays what it is, or is none that callers can do something about")
    func others() {
        struct Mishap: Error {}
        let refusal = StoreError(.conflict, "Too late.")
        #expect(StoreError(refusal as any Error) == refusal)
        #expect(StoreError(CancellationError()).code == .unavailable)
        #expect(StoreError(Mishap()).message.contains("see the log"))
        let thrown = #expect(throws: StoreError.self) { try translatingErrors { throw Mishap() } }
        #expect(thrown?.code == .unavailable)
        #expect(throws: refusal) { try translatingErrors { throw refusal } }
    }

    @Test("A connection is given up where its file isn't what it was, and for nothing else")
    func spoiled() {
        let spoiling = [SQLITE_IOERR, SQLITE_IOERR | 19 << 8, SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_CANTOPEN]
        for code in spoiling { #expect(SQLiteError(code: code, message: "").spoilsConnection, "\(code)") }
        for code in [SQLITE_FULL, SQLITE_BUSY, SQLITE_CONSTRAINT, SQLITE_ERROR, SQLITE_NOMEM] {
            #expect(!SQLiteError(code: code, message: "").spoilsConnection, "\(code)")
        }
    }
}
