import CardModel
import Foundation
import SQLiteCardStore
import Testing
import UserImport
import WireJSON

@testable import PlacardCommands

/// `placard users import`, on a database.
struct UsersImportTests {
    private static let lines = [
        #"{"user_id":"anna","attributes":{"country":"JP"}}"#, #"{"user_id":7}"#, #"{"external_id":"cem","plan":"pro"}"#,
    ]

    /// Notes that an import was interrupted before the third line.
    private static func interrupt(
        _ text: String,
        _ file: String,
        _ database: CommandDatabase,
        rejectedBytes: Int
    ) async throws {
        try await database.interruptImport(of: text, in: file) { state in
            state.offset = lines[0].utf8.count + lines[1].utf8.count + 2
            state.line = 3
            (state.imported, state.rejected, state.rejectedBytes) = (1, 1, rejectedBytes)
        }
        #expect(FileManager.default.fileExists(atPath: "\(file).import-state.json"))
    }

    @Test func `Users are imported, and bad lines are named and kept with the reason`() async throws {
        try await CommandDatabase.with { database in
            let file = try database.folder.write(Self.lines.joined(separator: "\n"), to: "users.jsonl")
            let outcome = await database.run("users", "import", file)
            #expect(outcome.status == 0 && outcome.notes.hasPrefix("Line 2: user_id"))
            #expect(outcome.output == "Imported 2 users. 1 line was rejected: see \(file).rejected.jsonl.\n")
            #expect(try await database.users() == ["anna", "cem"])
            let rejected = try JSONValue(parsing: database.folder.text(of: "users.jsonl.rejected.jsonl"))
            #expect(rejected["line"] == 2 && rejected["record"] == #"{"user_id":7}"#)
            #expect(rejected["reason"]?.string?.isEmpty == false)
            #expect(!FileManager.default.fileExists(atPath: "\(file).import-state.json"))
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(file).rejected.jsonl")
            #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0)
        }
    }

    @Test func `Doing it again changes nothing, and a file without bad lines leaves none behind`() async throws {
        try await CommandDatabase.with { database in
            let file = try database.folder.write(Self.lines.joined(separator: "\n"), to: "users.jsonl")
            let first = await database.run("users", "import", file, "--json")
            #expect(first.json == ["imported": 2, "rejected": 1])
            #expect(await database.run("users", "import", file, "--json").json == first.json)
            try database.folder.write(Self.lines[0] + "\n", to: "users.jsonl")
            #expect(await database.run("users", "import", file).output == "Imported 1 user.\n")
            #expect(!FileManager.default.fileExists(atPath: "\(file).rejected.jsonl"))
        }
    }

    @Test(
        "An interrupted import goes on where it was, whatever became of the lines behind",
        arguments: ["whole\n", "whole\n{\"line\":3,\"tor", "whole\n{\"line\":9}\n"]
    )
    func resumed(_ rejected: String) async throws {
        try await CommandDatabase.with { database in
            let text = Self.lines.joined(separator: "\n") + "\n{\n"
            let file = try database.folder.write(text, to: "users.jsonl")
            try database.folder.write(rejected, to: "users.jsonl.rejected.jsonl")
            try await Self.interrupt(text, file, database, rejectedBytes: 6)
            let outcome = await database.run("users", "import", file, "--json")
            #expect(outcome.notes.hasPrefix("Resuming at line 3, after 1 user. Use --restart to start over.\n"))
            // The first is counted, and wasn't imported again.
            #expect(outcome.json == ["imported": 2, "rejected": 2])
            #expect(try await database.users() == ["cem"])
            let lines = try database.folder.text(of: "users.jsonl.rejected.jsonl").split(separator: "\n")
            #expect(lines.count == 2 && lines.first == "whole" && lines.last?.hasPrefix(#"{"line":4"#) == true)
        }
    }

    @Test func `Rejected lines that were taken away aren't replaced by zeros`() async throws {
        try await CommandDatabase.with { database in
            let text = Self.lines.joined(separator: "\n") + "\n{\n"
            let file = try database.folder.write(text, to: "users.jsonl")
            for rest in ["", "a\n", nil] {
                try? FileManager.default.removeItem(atPath: "\(file).rejected.jsonl")
                if let rest { try database.folder.write(rest, to: "users.jsonl.rejected.jsonl") }
                try await Self.interrupt(text, file, database, rejectedBytes: 600)
                #expect(await database.run("users", "import", file).status == 0)
                let kept = try database.folder.text(of: "users.jsonl.rejected.jsonl")
                #expect(!kept.contains("\0") && kept.hasPrefix((rest ?? "") + #"{"line":4"#), "\(kept)")
            }
        }
    }

    @Test func `Another file, a damaged state and --restart begin at the first line`() async throws {
        try await CommandDatabase.with { database in
            let text = Self.lines.joined(separator: "\n")
            let file = try database.folder.write(text, to: "users.jsonl")
            try await Self.interrupt(text, file, database, rejectedBytes: 0)
            let restarted = await database.run("users", "import", file, "--restart", "--json")
            #expect(restarted.json == ["imported": 2, "rejected": 1])
            try await Self.interrupt(text, file, database, rejectedBytes: 0)
            try database.folder.write(text + "\n" + #"{"user_id":"dan"}"#, to: "users.jsonl")
            let other = await database.run("users", "import", file, "--json")
            #expect(other.notes.hasPrefix("An earlier import was of another file or database"))
            #expect(other.json == ["imported": 3, "rejected": 1])
            for damage in ["", "{", "[]", #"{"line":-1}"#, "\u{0}"] {
                try database.folder.write(damage, to: "users.jsonl.import-state.json")
                #expect(await database.run("users", "import", file, "--json").json == other.json, "\(damage)")
            }
        }
    }

    @Test func `CSV is read by its heading, and quotes and --strings keep texts`() async throws {
        try await CommandDatabase.with { database in
            let text = "\u{FEFF}user_id,country,score,zip\r\nanna,JP,12,\"0012\"\r\nbob,,,\r\n\"\",DE,1,2\r\n"
            let file = try database.folder.write(text, to: "users.csv")
            let outcome = await database.run("users", "import", file, "--json")
            #expect(outcome.json == ["imported": 2, "rejected": 1] && outcome.notes.hasPrefix("Line 4: "))
            let store = try SQLiteCardStore(path: database.path)
            let anna = try #require(try await store.listUsers(startingWith: "anna", after: nil, limit: 1).first)
            try await store.close()
            #expect(anna.custom["score"] == 12 && anna.custom["zip"] == "0012")
            #expect(await database.run("users", "import", file, "--strings", "--restart").status == 0)
            let again = try SQLiteCardStore(path: database.path)
            let strings = try await again.listUsers(startingWith: "anna", after: nil, limit: 1).first
            try await again.close()
            #expect(strings?.custom["score"] == "12")
        }
    }

    @Test func `A file whose form isn't known, or that isn't there, is an error`() async throws {
        try await CommandDatabase.with { database in
            let file = try database.folder.write(Self.lines[0], to: "users.txt")
            #expect(await database.run("users", "import", file).status == 64)
            #expect(await database.run("users", "import", file, "--format", "xml").status == 64)
            #expect(await database.run("users", "import", file, "--format", "jsonl").status == 0)
            let missing = await database.run("users", "import", database.folder.path("none.csv"))
            #expect(missing.status == 1 && missing.message.hasSuffix("none.csv that can be read."))
            let heading = try database.folder.write("name,country\nanna,JP\n", to: "names.csv")
            let unnamed = await database.run("users", "import", heading)
            #expect(unnamed.status == 1 && unnamed.output.isEmpty && unnamed.message.contains("user_id"))
        }
    }

    @Test func `Of many bad lines the first twenty are named, and all are kept`() async throws {
        try await CommandDatabase.with { database in
            let file = try database.folder.write(String(repeating: "{\n", count: 30), to: "users.jsonl")
            let outcome = await database.run("users", "import", file)
            let notes = outcome.notes.split(separator: "\n")
            #expect(notes.count == 21 && notes.last?.hasPrefix("Further lines are only written to ") == true)
            let kept = try database.folder.text(of: "users.jsonl.rejected.jsonl").split(separator: "\n")
            #expect(kept.count == 30)
        }
    }
}
