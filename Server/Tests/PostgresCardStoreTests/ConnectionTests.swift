import CardStore
import Testing
import WireJSON

@testable import PostgresCardStore

@Suite("PostgreSQL: connections", .timeLimit(.minutes(20)))
struct ConnectionTests {
    @Test("Every value comes back as it was sent")
    func roundTrip() async throws {
        try await withConnection { connection in
            let texts = ["", "plain", "żółć 🙂", "\u{0}", "a\u{0}\u{1}b\u{1}", "\u{1}0"]
            for text in texts {
                let row = try #require(try connection.row("SELECT $1::TEXT AS value", [text]))
                #expect(try row.text("value").hasSameBytes(as: text))
                #expect(try row.bytes("value") == Array(text.utf8))
            }
            for number in [Int64.min, -1, 0, 1, .max] {
                #expect(try connection.row("SELECT $1::BIGINT AS value", [number])?.integer("value") == number)
            }
            for number in [-Double.infinity, -0.1, 0, 1e300, .infinity] {
                let row = try connection.row("SELECT $1::DOUBLE PRECISION AS value", [number])
                #expect(try row?.double("value") == number)
            }
            let bytes: [UInt8] = [0, 1, 255]
            #expect(try connection.row("SELECT $1::BYTEA AS value", [bytes])?.bytes("value") == bytes)
            #expect(try connection.row("SELECT $1::BYTEA AS value", [[UInt8]()])?.bytes("value") == [])
            #expect(try connection.row("SELECT $1::BOOLEAN AS value", [true])?.flag("value") == true)
            #expect(try connection.row("SELECT $1::TEXT AS value", [String?.none])?.optionalText("value") == nil)
        }
    }

    @Test("Arrays hold empty values, values that are NULL, and bytes")
    func arrays() async throws {
        try await withConnection { connection in
            let rows = try connection.rows(
                "SELECT * FROM unnest($1::TEXT[], $2::BIGINT[], $3::BYTEA[]) AS t (a, b, c)",
                [["x", nil, ""], [1, 2, 3] as [Int64], [[1, 2], [], [0]] as [[UInt8]]]
            )
            #expect(try rows.map { try $0.optionalText("a") } == ["x", nil, ""])
            #expect(try rows.map { try $0.integer("b") } == [1, 2, 3])
            #expect(try rows.map { try $0.bytes("c") } == [[1, 2], [], [0]])
            #expect(try connection.rows("SELECT unnest($1::TEXT[]) AS a", [[String]()]).isEmpty)
        }
    }

    @Test("Arrays of each type come back as they were, and so do empty ones")
    func typedArrays() async throws {
        try await withConnection { connection in
            let values: [any PostgresEncodable] = [
                ["\u{0}", "é", ""] as [String], [1.5, -2, .infinity] as [Double], [nil, 2.5, nil] as [Double?],
                [true, false, true] as [Bool],
            ]
            let rows = try connection.rows(
                """
                SELECT * FROM unnest($1::TEXT[], $2::DOUBLE PRECISION[], $3::DOUBLE PRECISION[], $4::BOOLEAN[])
                    AS t (a, b, c, d)
                """,
                values
            )
            #expect(try rows.map { try $0.text("a") } == ["\u{0}", "é", ""])
            #expect(try rows.map { try $0.double("b") } == [1.5, -2, .infinity])
            #expect(try rows.map { try $0.optionalDouble("c") } == [nil, 2.5, nil])
            #expect(try rows.map { try $0.flag("d") } == [true, false, true])
            let empty: [any PostgresEncodable] = [
                [String](), [String?](), [[UInt8]](), [Double](), [Int64](), [Bool](),
            ]
            let types = ["TEXT", "TEXT", "BYTEA", "DOUBLE PRECISION", "BIGINT", "BOOLEAN"]
            for (type, value) in zip(types, empty) {
                let row = try connection.row("SELECT cardinality($1::\(type)[]) AS count", [value])
                #expect(try row?.integer("count") == 0)
            }
        }
    }

    @Test("Texts are in the order of their bytes, U+0000 among them")
    func order() async throws {
        try await withConnection { connection in
            let texts = ["", "\u{0}", "\u{0}a", "\u{1}", "\u{1}\u{0}", "\u{2}", "A", "Z", "a", "ä", "🙂"]
            let rows = try connection.rows(
                #"SELECT t FROM unnest($1::TEXT[]) AS t ORDER BY t COLLATE "C""#,
                [Array(texts.reversed())]
            )
            #expect(try rows.map { try $0.text("t") } == texts)
        }
    }

    @Test("A column that is absent, NULL or of another type is an error")
    func columns() async throws {
        try await withConnection { connection in
            let row = try #require(try connection.row("SELECT 1::BIGINT AS number, NULL::TEXT AS nothing, 'x' AS text"))
            #expect(throws: StoreError.self) { try row.text("missing") }
            #expect(throws: StoreError.self) { try row.text("nothing") }
            #expect(throws: StoreError.self) { try row.text("number") }
            #expect(throws: StoreError.self) { try row.integer("text") }
            #expect(throws: StoreError.self) { try row.double("number") }
            #expect(throws: StoreError.self) { try row.flag("number") }
            #expect(throws: StoreError.self) { try row.bytes("number") }
        }
    }

    @Test("An error has its SQLSTATE, and the connection goes on")
    func states() async throws {
        try await withConnection { connection in
            func state(_ sql: String) -> String? {
                do {
                    _ = try connection.rows(sql)
                    return nil
                } catch {
                    return (error as? PostgresError)?.state
                }
            }
            #expect(state("SELECT 1 / 0") == "22012")
            #expect(state("SELECT nonsense") == "42703")
            // For the one statement: any may take that long on a busy machine.
            try connection.simple("BEGIN; SET LOCAL statement_timeout = 50")
            #expect(state("SELECT pg_sleep(600)") == "57014")
            try connection.simple("ROLLBACK")
            #expect(try connection.row("SELECT 1::BIGINT AS one")?.integer("one") == 1)
        }
    }

    @Test("A server that isn't there is unavailable, and says no address")
    func absent() async throws {
        let error = await #expect(throws: StoreError.self) {
            _ = try await PostgresCardStore.open(url: "postgresql://someone:secret@/x?host=/nonexistent")
        }
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("secret") == false)
    }

    @Test("A connection of its own prepares statements, and has timeouts")
    func session() async throws {
        try await withConnection { connection in
            #expect(connection.usesPreparedStatements)
            let row = try connection.row(
                "SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock"
            )
            #expect(try row?.text("statement") == "30s")
            #expect(try row?.text("lock") == "5s")
        }
    }
}
