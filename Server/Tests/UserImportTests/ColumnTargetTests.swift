import CardModel
import Testing
import WireJSON

@testable import UserImport

@Suite("What columns of an imported file become")
struct ColumnTargetTests {
    private func guesses(_ heading: String, _ rows: String...) throws -> [String] {
        let samples = try rows.map { try CSVRow($0.utf8) }
        return ColumnTarget.guesses(for: try CSVRow(heading.utf8).fields.map(\.text), samples: samples).map(\.text)
    }

    @Test("is kept as text, and what is no target is none")
    func texts() {
        let all: [ColumnTarget] =
            [.userID, .skipped] + StandardAttribute.allCases.map { .standard($0) }
            + ColumnTarget.ValueType.allCases.map { .custom($0) }
        for target in all { #expect(ColumnTarget(text: target.text) == target) }
        for text in ["", "id", "attribute:", "attribute:nothing", "custom:", "custom:texts", "SKIP"] {
            #expect(ColumnTarget(text: text) == nil, "\(text)")
        }
    }

    @Test("is guessed as the command reads the file")
    func exact() throws {
        let found = try guesses("user_id,country,plan,first_name", "1,JP,pro,Ken")
        #expect(found == ["user_id", "attribute:country", "custom:automatic", "attribute:first_name"])
        #expect(try guesses("email,external_id,id", "a@b.c,1,2") == ["attribute:email", "user_id", "custom:automatic"])
    }

    @Test("is guessed from what other programs call the same")
    func others() throws {
        #expect(
            try guesses("Customer ID,E-Mail,First Name,Sex,Birthday", "1,,,,") == [
                "user_id", "attribute:email", "attribute:first_name", "attribute:gender", "attribute:dob",
            ]
        )
        #expect(
            try guesses("会員ID,メールアドレス,姓,名", "1,,,") == [
                "user_id", "attribute:email", "attribute:last_name", "attribute:first_name",
            ]
        )
    }

    @Test("is guessed from the values: addresses, and codes of which some look like numbers")
    func values() throws {
        #expect(
            try guesses("id,contact,size", "1,a@b.example,3", "2,c@d.example,3A") == [
                "user_id", "attribute:email", "custom:text",
            ]
        )
        #expect(try guesses("id,contact", "1,a@b.example", "2,nobody") == ["user_id", "custom:automatic"])
        #expect(try guesses("id,size", "1,3", "2,4") == ["user_id", "custom:automatic"])
    }

    @Test("is never the same attribute twice by a guess")
    func once() throws {
        #expect(try guesses("id,mail,email", "1,a@b.c,a@b.c") == ["user_id", "custom:automatic", "attribute:email"])
        #expect(try guesses("id,Mail,Email address", "1,,") == ["user_id", "attribute:email", "custom:automatic"])
    }

    private func heading(_ names: String, _ targets: [String]) throws -> CSVHeading {
        try CSVHeading(try CSVRow(names.utf8), columns: targets.compactMap(ColumnTarget.init(text:)))
    }

    @Test("has one user ID, a target for each column, and no attribute twice")
    func refusals() {
        for (names, targets) in [
            ("a,b", ["skip", "skip"]), ("a,b", ["user_id", "user_id"]), ("a,b", ["user_id"]),
            ("a,b,c", ["user_id", "attribute:email", "attribute:email"]), ("a,a", ["user_id", "skip"]),
            ("a,", ["user_id", "skip"]),
        ] {
            #expect(throws: ImportError.self, "\(names) \(targets)") { try heading(names, targets) }
        }
    }

    @Test("takes values as they were chosen, and rejects those of another kind")
    func types() throws {
        let targets = [
            "user_id", "custom:number", "custom:text", "custom:boolean", "custom:date", "skip", "attribute:email",
        ]
        let heading = try heading("k,n,t,b,d,s,m", targets)
        let update = try heading.update(try CSVRow("u1,\"1.5\",007,TRUE,2026-12-31,x,a@b.c".utf8))
        #expect(update.id.rawValue == "u1")
        #expect(update.custom["n"] == 1.5 && update.custom["t"] == "007" && update.custom["b"] == true)
        #expect(update.custom["d"] == "2026-12-31" && update.custom["s"] == nil && update.standard[.email] == "a@b.c")
        #expect(update.custom.count == 4)
        #expect(try heading.update(try CSVRow("u1,,,,,,".utf8)).custom.isEmpty)
        for row in ["u1,x,,,,,", "u1,,,1,,,", "u1,,,,31.12.2026,,", "u1,,,,,", ",,,,,,"] {
            #expect(throws: ImportError.self, "\(row)") { try heading.update(try CSVRow(row.utf8)) }
        }
    }

    @Test("is the same as without a choice where it was guessed from a file for the command")
    func agreement() throws {
        let names = try CSVRow("user_id,email,level,vip,note".utf8)
        let guessed = ColumnTarget.guesses(for: names.fields.map(\.text), samples: [])
        let (chosen, usual) = (try CSVHeading(names, columns: guessed), try CSVHeading(names))
        for row in ["u,a@b.c,3,true,x", "u,,\"3\",,\"\"", "u,\u{1},,,", ",,,,", "u,,", "u,,1e400,FALSE,007"] {
            let row = try CSVRow(row.utf8)
            #expect(outcome { try chosen.update(row) } == outcome { try usual.update(row) })
        }
    }

    private func outcome(_ body: () throws -> UserUpdate) -> String {
        do {
            let update = try body()
            return "\(update.id) \(update.standard) \(update.custom)"
        } catch {
            return "\(error)"
        }
    }
}
