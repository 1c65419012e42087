import CardModel
import CardStore
import Testing

@Suite("Rows: the values of columns")
struct RowValueTests {
    @Test(
        "A count is at most 48 bits long and never negative",
        arguments: [
            (0, 0), (1, 1), (0xFFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF), (0x1_0000_0000_0000, nil), (-1, nil), (.max, nil),
            (.min, nil),
        ] as [(Int64, Int?)]
    )
    func counts(number: Int64, count: Int?) {
        let row = SampleRow(["n": .integer(number)])
        #expect((try? row.count("n")) == count)
    }

    @Test(
        "A day is one of those that 32 bits number",
        arguments: [
            (0, 0), (-719_162, -719_162), (2_147_483_647, 2_147_483_647), (-2_147_483_648, -2_147_483_648),
            (2_147_483_648, nil), (-2_147_483_649, nil),
        ] as [(Int64, Int32?)]
    )
    func days(number: Int64, day: Int32?) {
        let row = SampleRow(["d": .integer(number)])
        #expect((try? row.day("d")) == day.map(Day.init(number:)))
    }

    @Test("What must be there is missed where it is NULL, and what may be absent is nil")
    func nulls() throws {
        let row = SampleRow(["a": .null])
        let error = #expect(throws: StoreError.self) { try row.text("a") }
        #expect(error?.code == .corrupt && error?.message.contains("“a”") == true)
        #expect(throws: StoreError.self) { try row.integer("a") }
        #expect(throws: StoreError.self) { try row.double("a") }
        #expect(throws: StoreError.self) { try row.bytes("a") }
        #expect(throws: StoreError.self) { try row.count("a") }
        #expect(throws: StoreError.self) { try row.day("a") }
        #expect(throws: StoreError.self) { try row.flag("a") }
        #expect(try row.optionalText("a") == nil && row.optionalInteger("a") == nil)
        #expect(try row.optionalDouble("a") == nil && row.optionalBytes("a") == nil)
    }

    @Test("A column that the row doesn't have is no NULL: every way to read it fails")
    func unknownColumns() {
        let row = SampleRow(["a": .null])
        #expect(throws: StoreError.self) { try row.optionalText("b") }
        #expect(throws: StoreError.self) { try row.optionalInteger("b") }
        #expect(throws: StoreError.self) { try row.optionalDouble("b") }
        #expect(throws: StoreError.self) { try row.optionalBytes("b") }
        #expect(throws: StoreError.self) { try row.flag("b") }
    }

    @Test("A value of another kind is refused, and not made into one of the expected kind")
    func kinds() throws {
        let row = SampleRow(["i": .integer(1), "r": .real(1), "t": .string("1"), "b": .bytes([0x31])])
        #expect(throws: StoreError.self) { try row.integer("r") }
        #expect(throws: StoreError.self) { try row.integer("t") }
        #expect(throws: StoreError.self) { try row.double("i") }
        #expect(throws: StoreError.self) { try row.double("b") }
        #expect(throws: StoreError.self) { try row.text("i") }
        #expect(throws: StoreError.self) { try row.bytes("r") }
        #expect(throws: StoreError.self) { try row.flag("t") }
        #expect(try row.text("b") == "1" && row.bytes("t") == [0x31])
    }

    @Test("Any number but 0 is true")
    func flags() throws {
        for (number, expected) in [(0, false), (1, true), (-1, true), (.max, true)] as [(Int64, Bool)] {
            #expect(try SampleRow(["f": .integer(number)]).flag("f") == expected)
        }
    }

    @Test("Bytes that are no text are read as one all the same, and never end the process")
    func hostileTexts() throws {
        let row = SampleRow(["t": .text([0x61, 0xFF, 0xC3, 0x62]), "n": .text([0x61, 0x00, 0x62])])
        #expect(try row.text("t") == "a\u{FFFD}\u{FFFD}b")
        #expect(try row.text("n").utf8.count == 3)
    }

    @Test("A row with fewer values than its table has columns misses the last ones")
    func shortRows() throws {
        let columns = [TransferTable.Column("a", .integer), TransferTable.Column("b", .integer)]
        let table = TransferTable("t", columns: columns, key: ["a"])
        let row = TransferRow([.integer(1)], of: table)
        #expect(try row.integer("a") == 1)
        #expect(throws: StoreError.self) { try row.optionalInteger("b") }
        #expect(table.key(of: []) == [] && table.key(of: [.integer(1)]) == [.integer(1)])
    }
}

@Suite("Rows: what can't be read")
struct RowReaderTests {
    private func row(_ id: TransferValue, _ number: TransferValue) -> SampleRow {
        SampleRow(["id": id, "n": number])
    }

    @Test("is left out and named by its kind and id, in the order of the rows, and the others are there")
    func leftOut() {
        var reader = RowReader()
        let rows = [
            row(.string("a"), .integer(1)), row(.string("b"), .null), row(.string("c"), .integer(3)),
            row(.string("d"), .real(4)),
        ]
        let values = reader.values(of: rows, .campaign) { try $0.integer("n") }
        #expect(values == [1, 3])
        #expect(reader.unreadable == [UnreadableRow(.campaign, id: "b"), UnreadableRow(.campaign, id: "d")])
        #expect(reader.value(of: rows[0], .key) { try $0.integer("n") } == 1)
        #expect(reader.unreadable.count == 2)
    }

    @Test("has a question mark for a name where that can't be read either, or another column names it")
    func names() {
        var reader = RowReader()
        let isRead = reader.value(of: row(.null, .null), .segment) { try $0.integer("n") } != nil
        #expect(!isRead && reader.unreadable == [UnreadableRow(.segment, id: "?")])
        let block = SampleRow(["name": .string("footer"), "n": .null])
        #expect(reader.value(of: block, .contentBlock, named: "name") { try $0.integer("n") } == nil)
        #expect(reader.unreadable.last == UnreadableRow(.contentBlock, id: "footer"))
    }

    @Test("are settings that let nobody in while they can't be read", arguments: ["", "{", "[]", "7", "null", "\u{0}"])
    func settings(text: String) {
        var reader = RowReader()
        let settings = reader.settings(text)
        #expect(settings == .unreadable && reader.unreadable == [UnreadableRow(.settings, id: "")])
        #expect(settings.userTokens == .required && settings.requiresTwoFactor && settings.masksPersonalData)
        #expect(settings.launchApproval == .everyone)
    }
}
