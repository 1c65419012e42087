import CardModel
import CardStore
import CardStoreConformance
import GRDB
import GRDBSQLite
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: prepared statements")
struct PreparedStatementTests {
    /// Lends a connection to an empty database in memory.
    private func withConnection(_ body: (OpaquePointer) throws -> Void) throws {
        let queue = try DatabaseQueue()
        defer { try? queue.close() }
        try queue.writeWithoutTransaction { database in
            try body(try #require(database.sqliteConnection))
        }
    }

    @Test(
        "A text comes back byte by byte, whatever is in it",
        arguments: [
            "", "a", "a\u{0}b", "\u{0}", "caf\u{E9}", "cafe\u{301}", "👩\u{200D}👩\u{200D}👧", "\u{10FFFF}",
            String(repeating: "ü", count: 70_000),
        ]
    )
    func texts(_ text: String) throws {
        try withConnection { connection in
            let sql = "SELECT ?1, typeof(?1), length(CAST(?1 AS BLOB)), ?1 = ?2"
            try PreparedStatement(sql, on: connection).use { statement in
                statement.bind(1, text)
                statement.bind(2, utf8: Array(text.utf8))
                let isThere = try statement.step()
                #expect(isThere)
                #expect(Array(statement.text(0).utf8) == Array(text.utf8))
                #expect(statement.bytes(0) == Array(text.utf8))
                #expect(statement.optionalText(0)?.utf8.count == text.utf8.count)
                #expect(statement.text(1) == "text")
                #expect(statement.integer(2) == Int64(text.utf8.count))
                #expect(statement.bool(3))
                let isNext = try statement.step()
                #expect(!isNext)
            }
        }
    }

    @Test("Texts that only look the same aren't, and their order is that of their bytes")
    func order() throws {
        try withConnection { connection in
            let sql = "SELECT ?1 = ?2, ?1 < ?2"
            let pairs = [("caf\u{E9}", "cafe\u{301}"), ("\u{FFFD}", "\u{1F600}"), ("Z", "a"), ("a", "a\u{0}")]
            for (first, second) in pairs {
                try PreparedStatement(sql, on: connection).use { statement in
                    statement.bind(1, first)
                    statement.bind(2, second)
                    let isThere = try statement.step()
                    #expect(isThere && !statement.bool(0), "\(first)")
                    #expect(statement.bool(1) == first.utf8.lexicographicallyPrecedes(second.utf8), "\(first)")
                }
            }
        }
    }

    @Test("Nothing is NULL, and is told apart from an empty text and from zero")
    func nothing() throws {
        try withConnection { connection in
            try PreparedStatement("SELECT ?1, ?2, ?3, ?4, ?5", on: connection).use { statement in
                statement.bind(1, nil as String?)
                statement.bind(2, utf8: nil)
                statement.bind(3, nil as Double?)
                statement.bindNull(4)
                statement.bind(5, "")
                let isThere = try statement.step()
                #expect(isThere)
                for column in 0..<4 as Range<Int32> {
                    #expect(statement.isNull(column) && statement.optionalText(column) == nil)
                    #expect(statement.optionalDouble(column) == nil && statement.bytes(column) == nil)
                    #expect(statement.text(column) == "" && statement.integer(column) == 0)
                }
                #expect(!statement.isNull(4) && statement.optionalText(4) == "")
                let bytes = statement.withBlob(0) { $0.count }
                #expect(bytes == 0)
            }
        }
    }

    @Test("Whole numbers come back up to the largest and the smallest", arguments: [.min, -1, 0, 1, .max] as [Int64])
    func integers(_ number: Int64) throws {
        try withConnection { connection in
            try PreparedStatement("SELECT ?1, typeof(?1)", on: connection).use { statement in
                statement.bind(1, number)
                let isThere = try statement.step()
                #expect(isThere && statement.integer(0) == number && statement.text(1) == "integer")
                #expect(statement.bool(0) == (number != 0))
            }
        }
    }

    @Test(
        "Numbers come back with every bit",
        arguments: [-0.5, 1_795_262_400.123, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.infinity] as [Double]
    )
    func doubles(_ number: Double) throws {
        try withConnection { connection in
            try PreparedStatement("SELECT ?1, typeof(?1)", on: connection).use { statement in
                statement.bind(1, number)
                let isThere = try statement.step()
                #expect(isThere && statement.text(1) == "real")
                #expect(statement.double(0).bitPattern == number.bitPattern)
                #expect(statement.optionalDouble(0) == number)
            }
        }
    }

    @Test("Amounts are kept as decimal texts, and what is none is an error")
    func amounts() throws {
        try withConnection { connection in
            let statement = try PreparedStatement("SELECT ?1, typeof(?1)", on: connection)
            for amount in [0.1, 19.99, -3, 0] as [Amount] {
                try statement.use { statement in
                    statement.bind(1, amount)
                    let isThere = try statement.step()
                    let found = try statement.amount(0)
                    #expect(isThere && found == amount && statement.text(1) == "text")
                }
            }
            for text in ["x", "", nil] {
                try statement.use { statement in
                    statement.bind(1, text)
                    _ = try statement.step()
                    let error = #expect(throws: StoreError.self) { try statement.amount(0) }
                    #expect(error?.code == .corrupt)
                }
            }
        }
    }

    @Test("A statement that is left in the middle begins again, with what was bound to it")
    func resets() throws {
        struct Mishap: Error {}
        try withConnection { connection in
            let sql = "SELECT ?1 UNION ALL SELECT 2 UNION ALL SELECT 3"
            let statement = try PreparedStatement(sql, on: connection)
            #expect(throws: Mishap.self) {
                try statement.use { statement in
                    statement.bind(1, 7 as Int64)
                    _ = try statement.step()
                    _ = try statement.step()
                    throw Mishap()
                }
            }
            let numbers = try statement.use { statement in
                var numbers: [Int64] = []
                while try statement.step() { numbers.append(statement.integer(0)) }
                return numbers
            }
            #expect(numbers == [7, 2, 3])
        }
    }

    @Test("A run says how many rows were changed, by it alone")
    func changes() throws {
        try withConnection { connection in
            func run(_ sql: String) throws -> Int {
                try PreparedStatement(sql, on: connection).use { try $0.run() }
            }
            _ = try run("CREATE TABLE t (id INTEGER PRIMARY KEY, x)")
            #expect(try run("INSERT INTO t (x) VALUES (1), (2), (3)") == 3)
            #expect(try run("UPDATE t SET x = 5 WHERE x > 9") == 0)
            #expect(try run("INSERT INTO t VALUES (1, 1) ON CONFLICT (id) DO NOTHING") == 0)
            #expect(try run("UPDATE t SET x = 5 WHERE x > 1") == 2)
            #expect(try run("DELETE FROM t") == 3)
        }
    }

    @Test("What SQLite refuses has its extended code, and the statement can be used again")
    func refusals() throws {
        try withConnection { connection in
            let unknown = #expect(throws: SQLiteError.self) {
                _ = try PreparedStatement("SELECT x FROM nowhere", on: connection)
            }
            #expect(unknown?.code == SQLITE_ERROR && unknown?.message.contains("nowhere") == true)

            let create = try PreparedStatement("CREATE TABLE t (id INTEGER PRIMARY KEY, x UNIQUE)", on: connection)
            _ = try create.use { try $0.run() }
            let insert = try PreparedStatement("INSERT INTO t VALUES (?1, ?2)", on: connection)
            func add(_ id: Int64, _ value: Int64) throws {
                try insert.use { statement in
                    statement.bind(1, id)
                    statement.bind(2, value)
                    try statement.run()
                }
            }
            try add(1, 1)
            let same = #expect(throws: SQLiteError.self) { try add(1, 2) }
            #expect(same?.code == SQLITE_CONSTRAINT | 6 << 8)
            let taken = #expect(throws: SQLiteError.self) { try add(2, 1) }
            #expect(taken?.code == SQLITE_CONSTRAINT | 8 << 8)
            try add(2, 2)
        }
    }

    @Test("A parameter that a statement hasn't is an error of the run that bound it, and of no later one")
    func parameters() throws {
        try withConnection { connection in
            let statement = try PreparedStatement("SELECT ?1", on: connection)
            let error = #expect(throws: SQLiteError.self) {
                try statement.use { statement in
                    statement.bind(2, "beyond")
                    _ = try statement.step()
                }
            }
            #expect(error?.code == SQLITE_RANGE)
            let text = try statement.use { statement in
                statement.bind(1, "within")
                _ = try statement.step()
                return statement.text(0)
            }
            #expect(text == "within")
        }
    }
}
