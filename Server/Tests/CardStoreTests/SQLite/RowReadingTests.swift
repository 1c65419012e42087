import CardModel
import CardStore
import CardStoreConformance
import GRDB
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: how values of rows are read")
struct RowReadingTests {
    /// A row of one column `x`, with what an expression is.
    private func row(_ expression: String) throws -> Row {
        let queue = try DatabaseQueue()
        defer { try? queue.close() }
        return try queue.read { try #require(try Row.fetchOne($0, sql: "SELECT \(expression) AS x")) }
    }

    /// Returns what reads a value, or `nil` where it refuses as damaged.
    private func read<Value>(_ body: () throws -> Value) throws -> Value? {
        do {
            return try body()
        } catch let error as StoreError where error.code == .corrupt {
            return nil
        }
    }

    @Test(
        "A text is one where SQLite has a text, or bytes that are one",
        arguments: [
            ("'a'", "a"), ("''", ""), ("'e' || char(769)", "e\u{301}"), ("x'616263'", "abc"), ("x'ff'", nil),
            ("7", nil), ("0.5", nil), ("NULL", nil),
        ] as [(String, String?)]
    )
    func texts(_ expression: String, expected: String?) throws {
        let row = try row(expression)
        let found = try read { try row.text("x") }
        #expect(found.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
    }

    @Test(
        "A whole number is one in 64 bits",
        arguments: [
            ("7", 7), ("-9223372036854775808", Int64.min), ("9223372036854775807", Int64.max),
            ("9223372036854775807 + 1", nil), ("'7'", nil), ("x'37'", nil), ("1e300", nil), ("NULL", nil),
        ] as [(String, Int64?)]
    )
    func integers(_ expression: String, expected: Int64?) throws {
        let row = try row(expression)
        let found = try read { try row.integer("x") }
        #expect(found == expected)
    }

    @Test(
        "A number is a whole one or another",
        arguments: [
            ("0.5", 0.5), ("7", 7), ("9e999", Double.infinity), ("'7'", nil), ("x'37'", nil), ("NULL", nil),
        ] as [(String, Double?)]
    )
    func doubles(_ expression: String, expected: Double?) throws {
        let row = try row(expression)
        let found = try read { try row.double("x") }
        #expect(found == expected)
    }

    @Test(
        "Bytes are those of a blob or of a text",
        arguments: [
            ("x'00ff'", [0, 255]), ("x''", []), ("'ab'", [97, 98]), ("7", nil), ("NULL", nil),
        ] as [(String, [UInt8]?)]
    )
    func bytes(_ expression: String, expected: [UInt8]?) throws {
        let row = try row(expression)
        let found = try read { try row.bytes("x") }
        #expect(found == expected)
    }

    @Test(
        "Whether something is so is a number",
        arguments: [("1", true), ("0", false), ("-3", true), ("'1'", nil), ("x'01'", nil), ("NULL", nil)]
            as [(String, Bool?)]
    )
    func flags(_ expression: String, expected: Bool?) throws {
        let row = try row(expression)
        let found = try read { try row.flag("x") }
        #expect(found == expected)
    }

    @Test(
        "A number of things isn't negative, and leaves room for others",
        arguments: [
            ("0", 0), ("281474976710655", 281_474_976_710_655), ("281474976710656", nil), ("-1", nil), ("'1'", nil),
        ] as [(String, Int?)]
    )
    func counts(_ expression: String, expected: Int?) throws {
        let row = try row(expression)
        let found = try read { try row.count("x") }
        #expect(found == expected)
    }

    @Test(
        "A day is a number of 32 bits",
        arguments: [
            ("20777", 20_777), ("-2147483648", Int32.min), ("2147483647", Int32.max), ("2147483648", nil),
            ("NULL", nil),
        ] as [(String, Int32?)]
    )
    func days(_ expression: String, expected: Int32?) throws {
        let row = try row(expression)
        let found = try read { try row.day("x").number }
        #expect(found == expected)
    }

    @Test("NULL is nothing where a column may be, and so is a column that isn't there")
    func nothing() throws {
        let row = try row("NULL")
        for column in ["x", "y"] {
            let (text, integer) = (try row.optionalText(column), try row.optionalInteger(column))
            let (double, bytes) = (try row.optionalDouble(column), try row.optionalBytes(column))
            #expect(text == nil && integer == nil && double == nil && bytes == nil)
        }
        let error = #expect(throws: StoreError.self) { try row.text("y") }
        #expect(error?.code == .corrupt && error?.message.contains("“y”") == true)
    }

    @Test("An error says which column can't be read, and nothing of what is in it")
    func words() throws {
        let row = try row("x'ff6b657074'")
        let error = #expect(throws: StoreError.self) { try row.optionalText("x") }
        #expect(error?.message.contains("column x") == true && error?.message.contains("kept") == false)
    }
}
