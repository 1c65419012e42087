import CardModel
import Foundation
import Testing

@testable import UserImport

@Suite("Files of other programs")
struct HostileFileTests {
    /// Gives the same numbers each time.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    private static let pieces = [
        "a", "é", "日", ",", "\"", "\n", "\r\n", "\r", " ", "\t", "'", "\u{FEFF}", "\u{0}", "0",
    ]

    /// A field by RFC 4180; one that needs no quotation marks has them now and then.
    private func written(_ field: String, isQuoted: Bool) -> String {
        let needsQuotes = field.unicodeScalars.contains { ",\"\r\n\u{FEFF}".unicodeScalars.contains($0) }
        guard needsQuotes || isQuoted else { return field }
        return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    @Test("of CSV are read as they were meant, whatever is in fields and however they arrive", arguments: 1...40)
    func roundTrip(seed: Int) throws {
        var numbers = Numbers(state: UInt64(seed))
        var (rows, text): ([[String]], String) = ([], "")
        for _ in 0..<20 {
            var row: [String] = []
            for _ in 0..<3 {
                let count = Int.random(in: 0...5, using: &numbers)
                row.append((0..<count).compactMap { _ in Self.pieces.randomElement(using: &numbers) }.joined())
            }
            let fields = row.map { written($0, isQuoted: Bool.random(using: &numbers)) }
            text += fields.joined(separator: ",") + (seed % 2 == 0 ? "\n" : "\r\n")
            rows.append(row)
        }
        let bytes = Array(text.utf8)
        var scanner = RecordScanner(.csv)
        var records: [RecordScanner.Record] = []
        var start = 0
        while start < bytes.count {
            let end = min(start + Int.random(in: 1...9, using: &numbers), bytes.count)
            records += scanner.take(bytes[start..<end])
            start = end
        }
        records += scanner.finish()
        let found = try records.map { try CSVRow($0.bytes).fields.map { Array($0.text.utf8) } }
        #expect(found == rows.map { row in row.map { Array($0.utf8) } })
        #expect(records.last?.end == bytes.count)
    }

    @Test("of JSON have problems in lines that no program of ours would write, and users in the others")
    func jsonLines() throws {
        let deep = String(repeating: "[", count: 100_000)
        let lines: [[UInt8]] = [
            [0xFF, 0xFE], Array("{".utf8), Array(deep.utf8), Array(#"{"user_id":"a"} {"user_id":"b"}"#.utf8),
            Array(#"{"user_id":""}"#.utf8), Array(#"{"user_id":"\u0000"}"#.utf8), Array(#"{"user_id":"\ud800"}"#.utf8),
            Array(#"{"user_id":"\#(String(repeating: "x", count: 513))"}"#.utf8), Array(#"{"user_id":{}}"#.utf8),
            Array(#"{"user_id":"c","custom_attributes":{"n":1e400}}"#.utf8),
            Array("{\"user_id\":\"".utf8) + [0xC3, 0x28] + Array("\"}".utf8),
            Array("\u{0}".utf8), Array(#""text""#.utf8), Array("null".utf8),
        ]
        let good = Array(#"{"user_id":"good"}"#.utf8)
        let (unix, windows): ([UInt8], [UInt8]) = ([0x0A], [0x0D, 0x0A])
        var bytes: [UInt8] = []
        for line in lines { bytes += line + unix + good + windows }
        var reader = ImportReader(ImportPlan(format: .jsonLines))
        let entries = try reader.take(Data(bytes)) + reader.finish()
        #expect(entries.map(\.line) == Array(1...lines.count * 2))
        for (place, entry) in entries.enumerated() {
            let isGood = place % 2 == 1
            #expect((entry.problem == nil) == isGood, "line \(entry.line)")
            #expect(entry.update?.id == (isGood ? UserID(rawValue: "good") : nil), "line \(entry.line)")
        }
    }

    @Test("of JSON have no attributes of names that begin with the byte of a low line, whatever mark follows it")
    func lowLines() throws {
        let update = try UserUpdate(jsonLine: Array("{\"user_id\":\"a\",\"_\u{301}x\":1,\"_y\":2,\"z_\":3}".utf8))
        #expect(update == UserUpdate(id: UserID(rawValue: "a"), custom: ["z_": 3]))
    }

    @Test("are known by their names in any case, and by nothing else")
    func formats() {
        for name in ["users.csv", "a.b.CSV", ".csv"] { #expect(ImportFormat(fileName: name) == .csv, "\(name)") }
        for name in ["u.jsonl", "u.NDJSON", "u.json"] { #expect(ImportFormat(fileName: name) == .jsonLines, "\(name)") }
        for name in ["", ".", "users", "users.csv.gz", "users.csv ", "users.tsv", "users.c\u{301}sv"] {
            #expect(ImportFormat(fileName: name) == nil, "\(name)")
        }
    }

    @Test("have numbers where they are written as JSON has them, and texts otherwise")
    func inferredValues() {
        for text in ["0", "-1", "1.5", "1e3", "-0.0", "9223372036854775807"] {
            #expect(CSVValue.inferred(text).double != nil, "\(text)")
        }
        for text in ["007", "+1", "1.", ".5", "1e", "0x1", "1,5", " 1", "-", "--1", "1_000", "٣", "1e400", "-n"] {
            #expect(CSVValue.inferred(text).string == text, "\(text)")
        }
        #expect(["true", "False", "TRUE"].map { CSVValue.inferred($0).bool } == [true, false, true])
        #expect(CSVValue.inferred("tRUE").string == "tRUE")
    }
}
