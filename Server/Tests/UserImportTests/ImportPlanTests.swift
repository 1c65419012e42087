import CardModel
import Foundation
import Testing
import WireJSON

@testable import UserImport

@Suite("What is made of an imported file")
struct ImportPlanTests {
    @Test("is read back, and is nothing where no import has written it")
    func texts() {
        for plan in [
            ImportPlan(format: .csv), ImportPlan(format: .jsonLines),
            ImportPlan(format: .csv, targets: [.userID, .skipped, .custom(.date)]),
        ] {
            #expect(ImportPlan(text: plan.text) == plan)
        }
        let many = Array(repeating: ColumnTarget.skipped, count: ImportPlan.columnLimit + 1)
        for text in [
            "", "{}", "[]", #"{"format":"xml"}"#, #"{"format":"csv","columns":["x"]}"#,
            #"{"format":"csv","columns":[1]}"#,
            #"{"format":"csv","columns":{}}"#, ImportPlan(format: .csv, targets: many).text,
        ] {
            #expect(ImportPlan(text: text) == nil, "\(text.prefix(40))")
        }
    }

    private func preview(_ text: String, _ plan: ImportPlan, isWhole: Bool = true) throws -> ImportPreview {
        try ImportPreview(Array(text.utf8), isWhole: isWhole, plan, limit: 3)
    }

    @Test("is shown with the first rows, and what an import would reject of them")
    func csv() throws {
        let found = try preview("ID,dob\n1,1990-12-31\n\"2\",31.12.1990\n3\n4,x", ImportPlan(format: .csv))
        #expect(found.names == ["ID", "dob"])
        #expect(found.targets == [.userID, .standard(.dateOfBirth)])
        #expect(found.rows.map(\.line) == [2, 3, 4])
        #expect(found.rows.map(\.cells) == [["1", "1990-12-31"], ["2", "31.12.1990"], ["3"]])
        #expect(found.rows.map { $0.problem != nil } == [false, true, true])
        let chosen = try preview("ID,dob\n2,x", ImportPlan(format: .csv, targets: [.userID, .skipped]))
        #expect(chosen.rows.first?.problem == nil)
    }

    @Test("is rejected with the name that the column has in the file")
    func columnNames() throws {
        let plan = ImportPlan(
            format: .csv,
            targets: [.userID, .standard(.dateOfBirth), .custom(.number), .custom(.automatic)]
        )
        let rows = ["会員ID,Birthday,Points,d”: e", ",1990-12-31,1,", "2,x,1,", "3,,many,"]
        let found = try preview(rows.joined(separator: "\n"), plan).rows.compactMap(\.problem)
        #expect(found.first == "Column “会員ID”: The user ID is empty.")
        #expect(found.map { $0.prefix { $0 != ":" } } == ["Column “会員ID”", "Column “Birthday”", "Column “Points”"])
        #expect(found.last == "Column “Points”: A number is expected.")
        let odd = CSVHeading.column(ofProblem: "Column “d”: e”: A number is expected.")
        #expect(odd?.column == "d”: e" && odd?.problem == "A number is expected.")
        let joined = CSVHeading.column(ofProblem: "Column “\u{301}d\u{D4E}”: A number is expected.")
        #expect(joined.map { Array($0.column.utf8) } == Array("\u{301}d\u{D4E}".utf8))
        #expect(joined?.problem == "A number is expected.")
        #expect(CSVHeading.column(ofProblem: "The line is not JSON.") == nil)
    }

    @Test("is shown with the first lines of JSON")
    func json() throws {
        let found = try preview("{\"user_id\":\"1\",\"country\":\"JP\",\"a\":2}\n[]\n", ImportPlan(format: .jsonLines))
        #expect(found.targets.isEmpty)
        #expect(found.rows.map(\.cells) == [["1", "country: \"JP\"", "a: 2"], []])
        #expect(found.rows.last?.problem == "The line has to be a JSON object.")
    }

    @Test("can't be chosen where the heading can't be read")
    func headings() {
        for text in ["", "\n\n", "a,a\n1,2", "a,\n1,2", "\"a\n1,2"] {
            #expect(throws: ImportError.self, "\(text)") { try preview(text, ImportPlan(format: .csv)) }
        }
        #expect(throws: ImportError.self) { try preview("a,b", ImportPlan(format: .csv), isWhole: false) }
        let many = (0...ImportPlan.columnLimit).map { "c\($0)" }.joined(separator: ",")
        #expect(throws: ImportError.self) { try preview(many, ImportPlan(format: .csv)) }
    }

    @Test("is followed from any line on as from the beginning", arguments: [1, 7, 64])
    func resuming(piece: Int) throws {
        let text = "k,n\nu1,1\n\nu2,x\n\"u3\",\"3\"\nu4,4"
        let plan = ImportPlan(format: .csv, targets: [.userID, .custom(.number)])
        let bytes = Array(text.utf8)
        let all = try read(bytes, plan, piece, from: 0, line: 1)
        #expect(all.map { $0.problem == nil } == [true, false, true, true])
        for (place, entry) in all.enumerated() {
            let rest = try read(bytes, plan, piece, from: entry.end, line: entry.nextLine)
            #expect(rest.map(\.line) == all.dropFirst(place + 1).map(\.line))
            #expect(rest.map(\.update?.id) == all.dropFirst(place + 1).map(\.update?.id))
        }
    }

    private func read(
        _ bytes: [UInt8],
        _ plan: ImportPlan,
        _ piece: Int,
        from offset: Int,
        line: Int
    ) throws -> [ImportReader.Entry] {
        var reader = ImportReader(plan, offset: offset, line: line)
        if offset > 0 { try reader.readHeading(in: bytes) }
        var entries: [ImportReader.Entry] = []
        for start in stride(from: offset, to: bytes.count, by: piece) {
            entries += try reader.take(Data(bytes[start..<min(start + piece, bytes.count)]))
        }
        return entries + (try reader.finish())
    }
}
