import CardStore
import Testing

@Suite("Rows: taking away what can't be read")
struct RowRemovalTests {
    private let column: StoredColumn

    init() throws {
        column = try #require(StoredColumn.all.first { $0.table == "users" && $0.columns == ["custom"] })
    }

    @Test(
        "An ID stays within the text of a statement, whatever stands before an apostrophe",
        arguments: [
            ("u-1", "'u-1'"), ("a'b", "'a''b'"), ("\u{D4E}' OR 1=1 --", "'\u{D4E}'' OR 1=1 --'"),
            ("'\u{301}';", "'''\u{301}'';'"),
        ]
    )
    func literals(id: String, literal: String) throws {
        let flaw = try #require(column.flaw(of: SampleRow(["id": .string(id), "custom": .string("{")])))
        let statements = column.removal(of: flaw)
        let expected = [
            "UPDATE users SET custom = NULL WHERE id = \(literal)",
            "UPDATE users SET version = version + 1 WHERE id = \(literal)",
        ]
        #expect(statements.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
    }

    @Test("A row whose ID isn't UTF-8 is named and left alone", arguments: [[0xFF], [0xFF, 0xCC, 0x81]] as [[UInt8]])
    func unreadableKeys(id: [UInt8]) throws {
        let flaw = try #require(column.flaw(of: SampleRow(["id": .text(id), "custom": .string("{")])))
        #expect(column.removal(of: flaw).isEmpty)
    }
}
