import CardModel
import Foundation
import SQLiteCardStore
import Testing
import WireJSON

@testable import PlacardCommands

/// `placard secrets`, `restore`, `copy`, `repair` and `audit` where something is unusual.
struct SecretsCommandTests {
    /// The keys in the file of a database, the one in use first.
    private static func keys(of database: CommandDatabase) throws -> [String] {
        try database.folder.text(of: "cards.sqlite.key").split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map(String.init)
    }

    @Test func `A key is prepared, then used, and old ones are forgotten only where that is asked for`() async throws {
        try await CommandDatabase.with { database in
            #expect(await database.run("secrets", "rotate").status == 0)
            let before = try Self.keys(of: database)
            let prepared = await database.run("secrets", "prepare", "--json")
            let name = try #require(prepared.json["key"]?.string)
            #expect(prepared.status == 0 && prepared.output.split(separator: "\n").count == 1)
            let waiting = try Self.keys(of: database)
            #expect(waiting.count == before.count + 1 && Array(waiting.dropFirst()) == before)
            let used = await database.run("secrets", "rotate", "--prepared", "--json")
            #expect(used.json["key"]?.string == name)
            #expect(try Self.keys(of: database) == waiting)
            let forgotten = await database.run("secrets", "rotate", "--forget-old")
            #expect(forgotten.status == 0 && forgotten.notes == "Keep a copy of the key apart from the backups.\n")
            let last = try Self.keys(of: database)
            #expect(last.count == 1 && !waiting.contains(last[0]))
            for outcome in [prepared, used, forgotten] {
                for key in waiting + last { #expect(!outcome.everything.contains(key)) }
            }
        }
    }

    @Test func `Secrets whose key is lost are removed only where that is confirmed`() async throws {
        try await CommandDatabase.with { database in
            #expect(await database.run("secrets", "rotate").status == 0)
            let file = "\(database.path).key"
            let lost = try Data(contentsOf: URL(filePath: file))
            let refused = await database.run("secrets", "reset", "--json")
            #expect(refused.status == 64 && refused.output.isEmpty)
            #expect(try Data(contentsOf: URL(filePath: file)) == lost)
            try FileManager.default.removeItem(atPath: file)
            let reset = await database.run("secrets", "reset", "--confirm", "--json")
            #expect(reset.status == 0 && reset.json["key"]?.string?.isEmpty == false, "\(reset.everything)")
            #expect(reset.json["members"] == [] && reset.json["webhook_secret"]?.isNull == true)
            let key = try #require(try Self.keys(of: database).first)
            #expect(!reset.everything.contains(key) && !String(decoding: lost, as: UTF8.self).contains(key))
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0)
        }
    }

    @Test(
        "A file of keys that is none is refused, stays as it is, and isn't repeated",
        arguments: ["hush", "hush hush\n"]
    )
    func wrongKeys(_ text: String) async throws {
        try await CommandDatabase.with { database in
            #expect(await database.run("secrets", "rotate").status == 0)
            let file = try database.folder.write(text, to: "other.key")
            let outcome = await database.run("secrets", "rotate", "--secrets-key-file", file)
            #expect(outcome.status != 0 && outcome.output.isEmpty && !outcome.message.isEmpty)
            #expect(!outcome.everything.contains("hush"))
            #expect(try database.folder.text(of: "other.key") == text)
        }
    }

    // MARK: Restorations

    @Test func `A restoration discards the database before only where that is asked for`() async throws {
        try await CommandDatabase.with { database in
            let backup = database.folder.path("backup.sqlite")
            #expect(await database.run("backup", backup, "--json").json["file"]?.string == backup)
            let restored = await database.run("restore", backup)
            #expect(restored.status == 0 && restored.output.hasPrefix("Restored \(database.path) from \(backup): "))
            #expect(restored.notes.hasPrefix("The database before is in "))
            let before = try FileManager.default.contentsOfDirectory(atPath: database.folder.path).count
            let discarded = await database.run("restore", backup, "--discard", "--json")
            #expect(discarded.status == 0 && discarded.json["previous"]?.isNull == true)
            #expect(try FileManager.default.contentsOfDirectory(atPath: database.folder.path).count <= before)
        }
    }

    @Test func `A backup of a folder, over a file or of nothing is refused, and leaves nothing`() async throws {
        try await CommandDatabase.with { database in
            let mine = try database.folder.write("mine", to: "mine")
            for target in [mine, database.folder.path, database.folder.path("none/backup.sqlite")] {
                let outcome = await database.run("backup", target)
                #expect(outcome.status == 1 && outcome.output.isEmpty && !outcome.message.isEmpty, "\(target)")
            }
            #expect(try database.folder.text(of: "mine") == "mine")
            #expect(await database.run("backup", database.path).status == 1)
            #expect(await database.run("key", "list").status == 0)
        }
    }

    // MARK: Copies

    @Test func `A copy overwrites nothing, and says as JSON what it has`() async throws {
        try await CommandDatabase.with { database in
            #expect(await database.run("key", "create", "--name", "a", "--kind", "secret").status == 0)
            let target = database.folder.path("copy.sqlite")
            let words = ["copy", "--from", "sqlite:\(database.path)", "--to", "sqlite:\(target)"]
            let copied = await CommandOutcome.run(words + ["--json"])
            let rows = try #require(copied.json["rows"]?.integer)
            #expect(copied.status == 0 && copied.json["resumed"] == false && copied.notes.isEmpty)
            let tables = try #require(copied.json["tables"]?.object)
            #expect(tables.values.compactMap(\.integer).reduce(0, +) == rows && rows > 0)
            let again = await CommandOutcome.run(words)
            #expect(again.status == 1 && again.output.isEmpty)
            let keys = await CommandOutcome.run(["key", "list", "--json", "--database", "sqlite:\(target)"])
            #expect(keys.json["keys"]?.array?.count == 1)
            let mine = try database.folder.write("mine", to: "mine")
            let over = ["copy", "--from", "sqlite:\(database.path)", "--to", "sqlite:\(mine)"]
            #expect(await CommandOutcome.run(over).status == 1)
            #expect(try database.folder.text(of: "mine") == "mine")
        }
    }

    @Test(
        "A copy of a database to itself is refused, and it stays usable",
        arguments: [
            "sqlite:%/cards.sqlite", "SQLITE:%/cards.sqlite", "sqlite://%/cards.sqlite", "sqlite:%/./cards.sqlite",
        ]
    )
    func itself(_ from: String) async throws {
        try await CommandDatabase.with { database in
            let (source, target) = (from.replacing("%", with: database.folder.path), "sqlite:\(database.path)")
            let outcome = await CommandOutcome.run(["copy", "--from", source, "--to", target])
            #expect(outcome.status != 0 && outcome.output.isEmpty)
            #expect(await database.run("key", "list").status == 0)
        }
    }

    // MARK: Repairs

    @Test func `A repair of a database that is whole says so, and one of nothing is an error`() async throws {
        try await CommandDatabase.with { database in
            let text = await database.run("repair")
            #expect(text.status == 0 && text.output == "Rebuilt every index.\n" && text.notes.isEmpty)
            let json = await database.run("repair", "--json", "--remove-unreadable")
            #expect(json.json["created"] == [] && json.json["unreadable"] == [] && json.json["user_count_error"] == 0)
            #expect(json.json["lost_log"] == false && json.output.split(separator: "\n").count == 1)
            let none = ["repair", "--database", "sqlite:\(database.folder.path("none.sqlite"))"]
            let missing = await CommandOutcome.run(none)
            #expect(missing.status == 1 && missing.message.contains("There is no database at "))
            let other = try database.folder.write("no database at all", to: "other.sqlite")
            let wrong = await CommandOutcome.run(["repair", "--database", "sqlite:\(other)"])
            #expect(wrong.status == 1 && wrong.output.isEmpty)
            #expect(try database.folder.text(of: "other.sqlite") == "no database at all")
        }
    }

    @Test(
        "Commands for files say what to use where the database is PostgreSQL",
        arguments: [["backup", "b"], ["restore", "b"], ["repair"]]
    )
    func postgres(_ words: [String]) async {
        let location = ["--database", "postgresql://cards:hush@127.0.0.1:1/cards"]
        let outcome = await CommandOutcome.run(words + location)
        #expect(outcome.status == 1 && outcome.output.isEmpty && outcome.message.hasPrefix("PostgreSQL "))
        #expect(!outcome.everything.contains("hush"))
    }

    @Test func `The backup of a timer says that PostgreSQL isn't backed up, and is no failure`() async throws {
        let words = ["backup", "--sqlite-only", "--keep", "14", "/nonexistent/backups"]
        let location = ["--database", "postgresql://cards:hush@127.0.0.1:1/cards"]
        let outcome = await CommandOutcome.run(words + location)
        #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.everything)")
        #expect(outcome.notes.hasPrefix("Nothing is backed up here. PostgreSQL ") && !outcome.notes.contains("hush"))
        let json = await CommandOutcome.run(words + location + ["--json"])
        #expect(json.status == 0 && json.json["file"]?.isNull == true)
        try await CommandDatabase.with { database in
            let file = database.folder.path("copy.sqlite")
            #expect(await database.run("backup", "--sqlite-only", file).status == 0)
            #expect(FileManager.default.fileExists(atPath: file))
        }
    }
}
