import CardModel
import Foundation
import Testing

@testable import UserImport

@Suite("Records of an imported file")
struct RecordScannerTests {
    private func records(
        _ text: String,
        _ format: ImportFormat,
        piece: Int,
        limit: Int = 1000
    ) -> [RecordScanner.Record] {
        var scanner = RecordScanner(format, limit: limit)
        let bytes = Array(text.utf8)
        var records: [RecordScanner.Record] = []
        for start in stride(from: 0, to: bytes.count, by: piece) {
            records += scanner.take(bytes[start..<min(start + piece, bytes.count)])
        }
        return records + scanner.finish()
    }

    @Test("are the same in pieces of any size", arguments: 1...12)
    func pieces(size: Int) {
        let text = "a,\"b\nc\"\r\n\n  \nd,\"e\"\"\nf\"\ng\"h,i"
        let found = records(text, .csv, piece: size)
        #expect(found.map { String(decoding: $0.bytes, as: UTF8.self) } == ["a,\"b\nc\"", "d,\"e\"\"\nf\"", "g\"h,i"])
        #expect(found.map(\.line) == [1, 5, 7])
        #expect(found.last?.end == text.utf8.count)
    }

    @Test("whose quotation marks are never closed are given up, in a time that grows with the file", arguments: 1...3)
    func unclosed(size: Int) throws {
        // Each line leaves a quotation mark open, whether it is read by itself or within the one before it.
        let bytes = Array(String(repeating: "x\",\"\n", count: size * 5_000).utf8)
        var scanner = RecordScanner(.csv, againAtLeast: 1 << 18)
        let records = scanner.take(bytes) + scanner.finish()
        let line = try #require(scanner.unclosedLine)
        #expect(line == records.count + 1 && line < 1_000)
        #expect(scanner.take(bytes).isEmpty && scanner.finish().isEmpty)
        let plan = ImportPlan(format: .csv)
        let problem = ImportError("Line \(line): a quotation mark is never closed, like many before it.")
        let another = RecordScanner(.csv, againAtLeast: 1 << 18)
        #expect(throws: problem) { try ImportPreview(bytes, isWhole: true, plan, limit: 8, scanner: another) }
    }

    @Test("are read to the end where some quotation marks are never closed")
    func someUnclosed() {
        let text = (1...200).map { "u\($0),\"open\n" }.joined() + "u201,x\n"
        let found = records(text, .csv, piece: 1_000, limit: 1 << 20)
        #expect(found.count == 201 && found.last?.bytes == Array("u201,x".utf8))
    }

    @Test("of JSON Lines end at every line break")
    func jsonLines() {
        let found = records("{\"a\":\"\n\"}\n", .jsonLines, piece: 100)
        #expect(found.map(\.line) == [1, 2])
        #expect(found.map(\.end) == [7, 10])
    }

    @Test("that are too long are passed over, and what follows is read", arguments: [1, 7, 100])
    func tooLong(piece: Int) {
        let text = String(repeating: "x", count: 50) + "\nb\n\"" + String(repeating: "y", count: 50) + "\nc\n"
        let found = records(text, .csv, piece: piece, limit: 20)
        #expect(found.map(\.isTooLong) == [true, false, true, false])
        #expect(found.map(\.line) == [1, 2, 3, 4])
    }

    @Test("lose no line to a quotation mark that isn't closed, wherever the next one is", arguments: [1, 7, 1_000])
    func stray(piece: Int) {
        let users = (1...40).map { "user-\($0),x" }
        for (bad, more) in [("\"Anna,x", []), ("\"Anna,x", ["\"Bob\",x", "\"a\nb\",x"]), ("\"\"\"Anna,x", ["c,d"])] {
            let lines = users + [bad] + users + more
            for ending in ["", "\n", "\r\n"] {
                let text = lines.joined(separator: ending.isEmpty ? "\n" : ending) + ending
                let found = records(text, .csv, piece: piece, limit: 300)
                #expect(found.map { String(decoding: $0.bytes, as: UTF8.self) } == lines)
                #expect(found.map(\.line).prefix(81) == Array(1...81).prefix(81))
                #expect(found.last?.end == text.utf8.count)
            }
        }
    }

    @Test("go on from a place in the file as if it had been read from the start")
    func resumed() throws {
        let text = "a\n\"b\nb\"\nc\nd"
        let all = records(text, .csv, piece: 3)
        let second = try #require(all.dropFirst().first)
        var scanner = RecordScanner(.csv, offset: second.end, line: second.nextLine)
        var rest = scanner.take(Array(text.utf8)[second.end...])
        rest += scanner.finish()
        #expect(rest == Array(all.dropFirst(2)))
    }
}

@Suite("CSV rows")
struct CSVRowTests {
    @Test("have quoted and plain fields")
    func fields() throws {
        let row = try CSVRow("a,\"b,\"\"c\"\"\",,\"\",d\"e".utf8)
        #expect(row.fields.map(\.text) == ["a", "b,\"c\"", "", "", "d\"e"])
        #expect(row.fields.map(\.isQuoted) == [false, true, false, true, false])
    }

    @Test("that break the rules say which")
    func wrong() {
        #expect(throws: CSVRow.CSVError.unclosedQuote) { try CSVRow("a,\"b".utf8) }
        #expect(throws: CSVRow.CSVError.textAfterQuote) { try CSVRow("\"a\"b".utf8) }
        #expect(throws: CSVRow.CSVError.notUTF8) { try CSVRow([0xFF]) }
    }
}

@Suite("Users of an imported file")
struct UserRecordTests {
    private func reader(_ text: String, keepsStrings: Bool = false) throws -> [ImportReader.Entry] {
        let source = ImportState.Source(size: text.utf8.count, modifiedAt: 0, hash: "")
        let state = ImportState(source: source, epoch: 1)
        let format: ImportFormat = text.hasPrefix("{") ? .jsonLines : .csv
        var reader = ImportReader(format: format, keepsStrings: keepsStrings, state: state)
        return try reader.take(Data(text.utf8)) + reader.finish()
    }

    @Test("have attributes by the columns' names, typed by what they look like")
    func csv() throws {
        let text = "user_id,country,age,pro,code,since,note\nu1,JP,42,true,007,2026-01-31,\"5\"\nu2,,,,,,\n"
        let entries = try reader(text)
        #expect(entries[0].update?.standard == [.country: "JP"])
        #expect(
            entries[0].update?.custom == ["age": 42, "pro": true, "code": "007", "since": "2026-01-31", "note": "5"]
        )
        #expect(entries[1].update == UserUpdate(id: UserID(rawValue: "u2")))
        let texts = try reader(text, keepsStrings: true)
        #expect(texts[0].update?.custom["age"] == "42")
    }

    @Test("may be flat, and name their user as the documented API does")
    func flat() throws {
        let text = """
            {"external_id":"a","country":"JP","plan":"pro","custom_attributes":{"plan":"free"},\
            "_update_existing_only":true}
            {"user_id":"b","external_id":"c","attributes":7}
            """
        let entries = try reader(text)
        #expect(entries[0].update?.id == UserID(rawValue: "a"))
        #expect(entries[0].update?.standard == [.country: "JP"])
        #expect(entries[0].update?.custom == ["plan": "free"])
        #expect(entries[1].problem != nil)
        let rows = try reader("external_id,plan\nd,pro\n")
        #expect(rows.first?.update?.id == UserID(rawValue: "d"))
        #expect(rows.first?.update?.custom == ["plan": "pro"])
    }

    @Test("that are wrong are problems of their line and no other's")
    func problems() throws {
        let text = """
            {"user_id":"a","custom_attributes":{"x":1}}
            {"user_id":7}
            nonsense
            {"user_id":"b","attributes":{"planet":"mars"}}
            {"user_id":"c"}
            {"user_id":"d","user_id":"e"}
            {"user_id":"f","custom_attributes":{"plan":"free","plan":"paid"}}
            """
        let entries = try reader(text)
        #expect(entries.map(\.line) == [1, 2, 3, 4, 5, 6, 7])
        #expect(entries.map { $0.problem == nil } == [true, false, false, false, true, false, false])
        #expect(entries[2].problem?.description.contains("not JSON") == true)
        #expect(entries[6].problem?.description.contains("stands twice") == true)
    }

    @Test("need a heading with user_id", arguments: ["id,plan\nx,y\n", "user_id,user_id\na,b\n", "user_id,\na,b\n"])
    func heading(text: String) {
        #expect(throws: ImportError.self) { try reader(text) }
    }

    @Test("may follow a byte order mark")
    func byteOrderMark() throws {
        #expect(try reader("\u{FEFF}user_id,plan\na,pro\n").first?.update?.custom == ["plan": "pro"])
        #expect(try reader("\u{FEFF}\"user_id\",\"plan\"\na,pro\n").first?.update?.custom == ["plan": "pro"])
    }

    @Test("go on only in the same file and the same store")
    func resumption() {
        let source = ImportState.Source(size: 10, modifiedAt: 5.25, hash: "h")
        var state = ImportState(source: source, epoch: .max)
        state.offset = 7
        state.imported = 3
        #expect(ImportState(json: state.json) == state)
        #expect(state.continues(ImportState(source: source, epoch: .max)))
        #expect(!state.continues(ImportState(source: source, epoch: 1)))
        var other = source
        other.hash = "i"
        #expect(!state.continues(ImportState(source: other, epoch: .max)))
        #expect(ImportState(json: ["size": 1]) == nil)
    }
}
