import CardModel
import Foundation
import Testing
import UserImport
import WireJSON

@testable import PlacardCommands

/// What kinds of files `placard users import` takes, and what it leaves beside them.
struct UsersImportFileTests {
    private static let anna = #"{"user_id":"anna"}"# + "\n"
    private static let bob = #"{"user_id":"bob"}"# + "\n"

    /// Notes that the import of a file was interrupted after its first line.
    private static func interrupt(
        _ text: String,
        _ file: String,
        as name: String,
        _ database: CommandDatabase
    ) async throws {
        try await database.interruptImport(of: text, in: file, as: name) { state in
            (state.offset, state.line, state.imported) = (anna.utf8.count, 2, 1)
        }
    }

    @Test func `A link goes on where its file was left, and begins again where the file is another`() async throws {
        try await CommandDatabase.with { database in
            let text = Self.anna + Self.bob
            let file = try database.folder.write(text, to: "data/users.jsonl")
            let link = database.folder.path("users.jsonl")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "data/users.jsonl")
            try await Self.interrupt(text, file, as: link, database)
            let resumed = await database.run("users", "import", link, "--json")
            #expect(resumed.notes == "Resuming at line 2, after 1 user. Use --restart to start over.\n")
            #expect(resumed.json == ["imported": 2, "rejected": 0])
            #expect(try await database.users() == ["bob"])
            try await Self.interrupt(text, file, as: link, database)
            try database.folder.write(text + #"{"user_id":"cem"}"#, to: "data/users.jsonl")
            let again = await database.run("users", "import", link, "--json")
            #expect(again.notes.hasPrefix("An earlier import was of another file or database"))
            #expect(again.json == ["imported": 3, "rejected": 0])
        }
    }

    @Test func `What is no file is refused, and nothing is left beside it`() async throws {
        try await CommandDatabase.with { database in
            let folder = database.folder.path("users.jsonl")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            let pipe = database.folder.path("pipe.csv")
            #expect(mkfifo(pipe, 0o600) == 0)
            for path in [folder, pipe] {
                let outcome = await database.run("users", "import", path)
                #expect(outcome.status == 1 && outcome.output.isEmpty, "\(path)")
                #expect(outcome.message.hasPrefix("\(path) is not a file."), "\(outcome.message)")
            }
            let dangling = database.folder.path("dangling.csv")
            try FileManager.default.createSymbolicLink(atPath: dangling, withDestinationPath: "none.csv")
            let missing = await database.run("users", "import", dangling)
            #expect(missing.status == 1 && missing.message == "There is no file \(dangling) that can be read.")
            let names = try FileManager.default.contentsOfDirectory(atPath: database.folder.path)
            #expect(!names.contains { $0.hasSuffix("import-state.json") || $0.hasSuffix("rejected.jsonl") })
        }
    }

    @Test func `A folder in the place of the rejected lines keeps what it has`() async throws {
        try await CommandDatabase.with { database in
            let file = try database.folder.write(Self.anna, to: "users.jsonl")
            let kept = try database.folder.write("mine", to: "users.jsonl.rejected.jsonl/mine")
            #expect(await database.run("users", "import", file).output == "Imported 1 user.\n")
            #expect(FileManager.default.fileExists(atPath: kept))
            try database.folder.write(Self.anna + "{\n", to: "users.jsonl")
            let outcome = await database.run("users", "import", file)
            #expect(outcome.status == 1 && outcome.message.hasPrefix("\(file).rejected.jsonl cannot be written"))
            #expect(try database.folder.text(of: "users.jsonl.rejected.jsonl/mine") == "mine")
        }
    }

    @Test(
        "An empty file has no users, whatever form it has",
        arguments: [("users.jsonl", ""), ("users.csv", ""), ("users.csv", "\u{FEFF}"), ("users.ndjson", "\r\n\n \n")]
    )
    func empty(_ name: String, _ text: String) async throws {
        try await CommandDatabase.with { database in
            let file = try database.folder.write(text, to: name)
            let outcome = await database.run("users", "import", file, "--json")
            #expect(outcome.status == 0 && outcome.json == ["imported": 0, "rejected": 0], "\(outcome.everything)")
        }
    }

    @Test(
        "A heading that names no user is an error of the file, and no user is made",
        arguments: ["country,plan\nJP,pro\n", "user_id,user_id\na,b\n", "user_id,\na,b\n", "\"user_id\na,b\n"]
    )
    func headings(_ text: String) async throws {
        try await CommandDatabase.with { database in
            let file = try database.folder.write(text, to: "users.csv")
            let outcome = await database.run("users", "import", file)
            #expect(outcome.status == 1 && outcome.output.isEmpty && !outcome.message.isEmpty)
            #expect(try await database.users().isEmpty)
        }
    }

    @Test func `A line that isn't UTF-8 is rejected alone, and its number is that of the file`() async throws {
        try await CommandDatabase.with { database in
            var data = Data("user_id,note\r\nanna,Anna\r\nbob,Ren".utf8)
            data.append(0xE9)
            data.append(contentsOf: "\r\n\r\ncem,\"C\r\nem\"\r\ndan,Dan\r\n".utf8)
            let file = try database.folder.write(data, to: "users.csv")
            let outcome = await database.run("users", "import", file, "--json")
            #expect(outcome.json == ["imported": 3, "rejected": 1], "\(outcome.notes)")
            #expect(outcome.notes == "Line 3: The text is not UTF-8.\n")
            #expect(try await database.users() == ["anna", "cem", "dan"])
        }
    }

    @Test func `Another database takes the whole file, though the state says that it was begun`() async throws {
        try await CommandDatabase.with { database in
            let text = Self.anna + Self.bob
            let file = try database.folder.write(text, to: "users.jsonl")
            try await Self.interrupt(text, file, as: file, database)
            try await CommandDatabase.with { other in
                let outcome = await other.run("users", "import", file)
                #expect(outcome.output == "Imported 2 users.\n")
                #expect(outcome.notes.hasPrefix("An earlier import was of another file or database"))
                let users = try await other.users()
                #expect(users == ["anna", "bob"])
            }
            #expect(try await database.users().isEmpty)
        }
    }
}
