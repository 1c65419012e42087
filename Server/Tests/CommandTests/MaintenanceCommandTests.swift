import CardModel
import Foundation
import SQLiteCardStore
import Testing
import WireJSON

@testable import PlacardCommands

/// Backups, restorations, copies, migrations and exports as an operator runs them.
struct MaintenanceCommandTests {
    private static func addKey(_ name: String, to database: CommandDatabase) async {
        let made = await database.run("key", "create", "--name", name, "--kind", "secret")
        #expect(made.status == 0)
    }

    /// Returns the names of the keys of a database.
    private static func keys(of path: String) async -> [String] {
        let list = await CommandOutcome.run(["key", "list", "--json", "--database", "sqlite:\(path)"])
        return (list.json["keys"]?.array ?? []).compactMap { $0["name"]?.string }.sorted()
    }

    @Test func `A backup has what the database had, and overwrites no file`() async throws {
        try await CommandDatabase.with { database in
            await Self.addKey("first", to: database)
            let file = database.folder.path("backup.sqlite")
            let made = await database.run("backup", file)
            #expect(made.status == 0 && made.output.hasPrefix("Wrote \(file) ("))
            #expect(made.notes.hasPrefix("It does not contain the secrets key. Keep a copy of \(database.path).key "))
            await Self.addKey("second", to: database)
            let bytes = try Data(contentsOf: URL(filePath: file))
            let again = await database.run("backup", file, "--json")
            #expect(again.status == 1 && again.output.isEmpty)
            #expect(try Data(contentsOf: URL(filePath: file)) == bytes)
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0)
        }
    }

    @Test func `A folder keeps as many backups as are wanted, and says which went`() async throws {
        try await CommandDatabase.with { database in
            let folder = database.folder.path("backups")
            let missing = await database.run("backup", folder, "--keep", "2")
            #expect(missing.status == 1 && missing.message.hasSuffix("on another disk than the database."))
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            var files: [String] = []
            for _ in 0..<3 {
                let made = await database.run("backup", folder, "--keep", "2", "--json")
                #expect(made.status == 0 && made.json["contains_secrets_key"] == false)
                files.append(try #require(made.json["file"]?.string))
                let removed = made.json["removed"]?.array?.compactMap(\.string)
                #expect(removed == (files.count == 3 ? [files[0]] : []))
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(Set(names.map { "\(folder)/\($0)" }) == Set(files.suffix(2)))
            for number in ["0", "-1", "10001", "two"] {
                #expect(await database.run("backup", folder, "--keep=\(number)").status == 64, "\(number)")
            }
        }
    }

    @Test func `A restoration brings back what was, and keeps the database before`() async throws {
        try await CommandDatabase.with { database in
            await Self.addKey("first", to: database)
            let file = database.folder.path("backup.sqlite")
            _ = await database.run("backup", file)
            let bytes = try Data(contentsOf: URL(filePath: file))
            await Self.addKey("second", to: database)
            let restored = await database.run("restore", file, "--json")
            #expect(restored.status == 0 && restored.json["needs_migration"] == false, "\(restored.everything)")
            #expect(await Self.keys(of: database.path) == ["first"])
            let previous = try #require(restored.json["previous"]?.string)
            #expect(FileManager.default.fileExists(atPath: previous) && previous != database.path)
            #expect(try Data(contentsOf: URL(filePath: file)) == bytes)
        }
    }

    @Test(
        "What is no backup is refused, and the database stays as it is",
        arguments: ["", "SQLite format 3\u{0}", "no database", String(repeating: "x", count: 100_000)]
    )
    func noBackup(_ text: String) async throws {
        try await CommandDatabase.with { database in
            await Self.addKey("first", to: database)
            let file = try database.folder.write(text, to: "backup.sqlite")
            let refused = await database.run("restore", file)
            #expect(refused.status == 1 && refused.output.isEmpty && !refused.message.isEmpty)
            #expect(await Self.keys(of: database.path) == ["first"])
            let missing = await database.run("restore", database.folder.path("none.sqlite"))
            #expect(missing.status == 1 && missing.output.isEmpty)
        }
    }

    @Test func `A copy has the same rows, and its target has to be new`() async throws {
        try await CommandDatabase.with { database in
            await Self.addKey("first", to: database)
            let target = database.folder.path("copy.sqlite")
            let words = ["copy", "--from", "sqlite:\(database.path)", "--to", "sqlite:\(target)"]
            let copied = await CommandOutcome.run(words)
            #expect(copied.status == 0 && copied.output.hasPrefix("Copied and compared "), "\(copied.everything)")
            #expect(copied.output.hasSuffix(" rows, 0 users among them.\n"))
            #expect(await Self.keys(of: target) == ["first"])
            let other = ["copy", "--from", "sqlite:\(database.folder.path("none"))", "--to", "sqlite:\(target)2"]
            #expect(await CommandOutcome.run(other).status == 1)
            #expect(!FileManager.default.fileExists(atPath: target + "2"))
        }
    }

    @Test func `A migration creates the database, and changes nothing when it is done or only planned`() async throws {
        try await CommandFolder.with { folder in
            let path = folder.path("new.sqlite")
            let location = ["--database", "sqlite:\(path)"]
            let planned = await CommandOutcome.run(["migrate", "--dry-run", "--json"] + location)
            #expect(planned.status == 0 && planned.json["dry_run"] == true)
            #expect(!FileManager.default.fileExists(atPath: path))
            let made = await CommandOutcome.run(["migrate"] + location)
            #expect(made.status == 0 && FileManager.default.fileExists(atPath: path))
            let again = await CommandOutcome.run(["migrate"] + location)
            #expect(again.status == 0 && again.output == "The database is up to date.\n")
            let json = await CommandOutcome.run(["migrate", "--json"] + location)
            #expect(json.json == ["applied": [], "copy": .null])
        }
    }

    @Test func `An export writes a file of its own, and goes on only where it is told to`() async throws {
        try await CommandDatabase.with { database in
            let file = database.folder.path("events.csv")
            let first = await database.run("export", "events", "--format", "csv", "--output", file)
            #expect(first.status == 0 && first.output.isEmpty)
            #expect(first.notes == "Wrote 0 events; the log ends at position 0.\n")
            let heading = try database.folder.text(of: "events.csv")
            #expect(heading.hasPrefix("position,"))
            let refused = await database.run("export", "events", "--format", "csv", "--output", file)
            #expect(refused.status == 1 && refused.message.hasPrefix("There is a file \(file) already."))
            let resumed = await database.run("export", "events", "--format", "csv", "--output", file, "--resume")
            #expect(resumed.status == 0)
            #expect(try database.folder.text(of: "events.csv") == heading)
        }
    }

    @Test(
        "An export that can't be meant is wrong usage",
        arguments: [
            ["--resume"], ["--after=-1"], ["--type", "nothing"], ["--campaign", "a b"], ["--from", "yesterday"],
            ["--until", "2027-02-30T00:00:00Z"], ["--format", "xml"], ["--resume", "--output", "f", "--after", "1"],
            ["--after", "first"],
        ]
    )
    func wrongExports(_ words: [String]) async {
        let outcome = await CommandOutcome.run(["export", "events"] + words)
        #expect(outcome.status == 64 && outcome.output.isEmpty)
    }

    @Test func `Routes are listed with what each needs, and none twice`() async {
        let json = await CommandOutcome.run(["routes", "--json"])
        let routes = json.json["routes"]?.array ?? []
        let names = routes.map { "\($0["method"]?.string ?? "") \($0["path"]?.string ?? "")" }
        #expect(Set(names).count == names.count && names.count > 100)
        #expect(names.contains("POST /v1/sync") && names.contains("POST /v1/campaigns/{id}/launch"))
        let lines = await CommandOutcome.run(["routes"]).output.split(separator: "\n")
        #expect(lines.count == routes.count + 1 && lines.first?.hasPrefix("METHOD") == true)
    }

    @Test func `Secrets are encrypted again with another key, and reset only when that is meant`() async throws {
        try await CommandDatabase.with { database in
            #expect(await database.run("secrets", "rotate").status == 0)
            let before = try database.folder.text(of: "cards.sqlite.key")
            let rotated = await database.run("secrets", "rotate", "--json")
            #expect(rotated.status == 0 && rotated.json["secrets"] == 0, "\(rotated.everything)")
            let after = try database.folder.text(of: "cards.sqlite.key")
            let keys = after.split(separator: "\n").filter { !$0.hasPrefix("#") }
            let earlier = before.split(separator: "\n").filter { !$0.hasPrefix("#") }
            #expect(keys.count == 3 && Array(keys.dropFirst()) == earlier)
            for key in keys { #expect(!rotated.everything.contains(key)) }
            #expect(await database.run("secrets", "reset").status == 64)
            #expect(try database.folder.text(of: "cards.sqlite.key") == after)
        }
    }
}
