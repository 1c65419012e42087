import CardModel
import CardStore
import Testing
import WireJSON

@testable import PostgresCardStore

@Suite("PostgreSQL: values at their limits", .timeLimit(.minutes(20)))
struct RowValueTests {
    private func row(_ values: String, on connection: PostgresConnection) throws -> PostgresRow {
        try #require(try connection.row("SELECT \(values)"))
    }

    private func state(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? PostgresError)?.state
        }
    }

    @Test("Numbers of things are not negative, and leave room for others that are added to them")
    func counts() async throws {
        try await withConnection { connection in
            let row = try row(
                """
                0::BIGINT AS none, 281474976710655::BIGINT AS most, (-1)::BIGINT AS negative,
                281474976710656::BIGINT AS more, 9223372036854775807::BIGINT AS greatest,
                (-9223372036854775808)::BIGINT AS least, 7::INTEGER AS middle, (-7)::SMALLINT AS small
                """,
                on: connection
            )
            #expect(try row.count("none") == 0)
            #expect(try row.count("most") == 281_474_976_710_655)
            #expect(try row.count("middle") == 7)
            for column in ["negative", "more", "greatest", "least", "small"] {
                let error = #expect(throws: StoreError.self) { try row.count(column) }
                #expect(error?.code == .corrupt)
                #expect(error?.message.contains(column) == true)
            }
            #expect(try row.integer("greatest") == .max)
            #expect(try row.integer("least") == .min)
        }
    }

    @Test("Days are those that fit, and any other number is an error that names the column")
    func days() async throws {
        try await withConnection { connection in
            let row = try row(
                """
                2147483647::BIGINT AS last, (-2147483648)::BIGINT AS first, 2147483648::BIGINT AS after,
                (-2147483649)::BIGINT AS before, 9223372036854775807::BIGINT AS never, NULL::BIGINT AS nothing
                """,
                on: connection
            )
            #expect(try row.day("last").number == .max)
            #expect(try row.day("first").number == .min)
            for column in ["after", "before", "never", "nothing", "absent"] {
                let error = #expect(throws: StoreError.self) { try row.day(column) }
                #expect(error?.code == .corrupt)
                #expect(error?.message.contains(column) == true)
            }
        }
    }

    @Test("Amounts are read exactly, and what is none is an error without the text of it")
    func amounts() async throws {
        try await withConnection { connection in
            for text in ["0", "12.5", "-0.000001", "99999999.99"] {
                let read = try row("'\(text)'::TEXT AS amount", on: connection)
                #expect(try read.amount("amount") == Amount(exactly: text))
            }
            for text in ["", "SECRET", "1,5", "NaN", "Infinity", "1.2.3"] {
                let read = try row("'\(text)'::TEXT AS amount", on: connection)
                let error = #expect(throws: StoreError.self) { try read.amount("amount") }
                #expect(error?.code == .corrupt)
                #expect(error?.message.contains("SECRET") == false)
            }
        }
    }

    @Test("Numbers with a fraction come back to the bit, whatever they are")
    func fractions() async throws {
        try await withConnection { connection in
            let numbers: [Double] = [
                0, -0.0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude,
                .greatestFiniteMagnitude, 0.1, 1.0.nextUp, 1_795_262_400.123_456, .infinity, -.infinity,
            ]
            let rows = try connection.rows("SELECT n FROM unnest($1::DOUBLE PRECISION[]) AS n", [numbers])
            #expect(try rows.map { try $0.double("n").bitPattern } == numbers.map(\.bitPattern))
            let single = try connection.row("SELECT $1::DOUBLE PRECISION AS n", [Double.nan])
            #expect(try single?.double("n").isNaN == true)
        }
    }

    @Test("Sums beyond the largest number are an error of the server, and the connection goes on")
    func overflow() async throws {
        try await withConnection { connection in
            let sum = "SELECT sum(n)::BIGINT AS n FROM unnest($1::BIGINT[]) AS n"
            let wrong: [(String, any PostgresEncodable)] = [
                ("SELECT $1::BIGINT + 1 AS n", Int64.max), ("SELECT $1::BIGINT - 1 AS n", Int64.min),
                (sum, [Int64.max, 1]),
            ]
            for (sql, value) in wrong {
                let found = state { _ = try connection.row(sql, [value]) }
                #expect(found == "22003", "\(sql)")
            }
            let less = try connection.row("SELECT $1::BIGINT - 1 AS n", [Int64.max])
            #expect(try less?.integer("n") == Int64.max - 1)
            #expect(try connection.row(sum, [[Int64.max, -1]])?.integer("n") == Int64.max - 1)
        }
    }

    @Test("Bytes that aren't UTF-8 are no text to the server, alone, in a list or in a copy")
    func invalidTexts() async throws {
        try await withConnection { connection in
            try connection.simple("CREATE TABLE t (text TEXT)")
            for bytes in [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]] as [[UInt8]] {
                let (plain, text) = (UTF8Text([97] as [UInt8]), UTF8Text(bytes))
                let states = [
                    state { try connection.execute("INSERT INTO t VALUES ($1)", [text]) },
                    state { try connection.execute("INSERT INTO t SELECT unnest($1::TEXT[])", [[plain, text]]) },
                    state { try connection.copy("COPY t FROM STDIN", bytes + [10]) },
                ]
                #expect(states == ["22021", "22021", "22021"], "\(bytes)")
            }
            #expect(try connection.rows("SELECT text FROM t").isEmpty)
            #expect(!connection.isInTransaction && connection.isOpen)
        }
    }

    @Test("Texts and bytes of several megabytes come back as they were, also where each byte is escaped")
    func large() async throws {
        try await withConnection { connection in
            let text = String(repeating: "\u{0}\u{1}é🙂", count: 300_000)
            let row = try #require(try connection.row("SELECT $1::TEXT AS value, length($1) AS length", [text]))
            #expect(try row.text("value").hasSameBytes(as: text))
            // U+0000 and U+0001 are two characters each to the server.
            #expect(try row.integer("length") == 1_800_000)
            let bytes = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let blob = try connection.row("SELECT $1::BYTEA AS value", [bytes])
            #expect(try blob?.bytes("value") == bytes)
        }
    }

    @Test("Ids that look the same, or differ by case or what can't be seen, are ids of their own")
    func ids() async throws {
        try await withConnection { connection in
            try connection.simple("CREATE TABLE t (id \(ColumnType.text) PRIMARY KEY)")
            let ids = ["é", "e\u{301}", "E", "e", "e\u{0}", "e\u{1}", "e\u{200B}", " e", "e ", "ｅ", ""]
            #expect(try connection.execute("INSERT INTO t SELECT unnest($1::TEXT[])", [ids]) == ids.count)
            for id in ids {
                let rows = try connection.rows("SELECT id FROM t WHERE id = $1", [id])
                #expect(rows.count == 1)
                #expect(try rows.first?.text("id").hasSameBytes(as: id) == true)
                let again = state { try connection.execute("INSERT INTO t VALUES ($1)", [id]) }
                #expect(again == "23505")
            }
        }
    }

    @Test("Another thing than asked for is an error that names the column, and never what is in it")
    func columns() async throws {
        try await withConnection { connection in
            let row = try row(
                "'SECRET'::TEXT AS secret_text, 7::BIGINT AS number, NULL::BOOLEAN AS unknown",
                on: connection
            )
            let reads: [(String, () throws -> Void)] = [
                ("secret_text", { _ = try row.integer("secret_text") }),
                ("secret_text", { _ = try row.double("secret_text") }),
                ("secret_text", { _ = try row.flag("secret_text") }),
                ("secret_text", { _ = try row.day("secret_text") }),
                ("number", { _ = try row.text("number") }), ("number", { _ = try row.bytes("number") }),
                ("unknown", { _ = try row.flag("unknown") }), ("absent", { _ = try row.isNull("absent") }),
                ("Number", { _ = try row.integer("Number") }),
            ]
            for (column, read) in reads {
                let error = #expect(throws: StoreError.self) { try read() }
                #expect(error?.code == .corrupt && error?.message.contains(column) == true)
                #expect(error?.message.contains("SECRET") == false)
            }
            #expect(try row.isNull("unknown"))
            #expect(try !row.isNull("number"))
        }
    }
}
