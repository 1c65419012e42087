import CardModel
import Foundation
import SQLiteCardStore
import Testing
import WireJSON

@testable import PlacardCommands

/// What every command that works on a database does where that isn't one, and what it writes for programs.
struct DatabaseCommandTests {
    private static let commands: [[String]] = [
        ["key", "list"], ["key", "create", "--name", "a", "--kind", "secret"], ["key", "rotate", "key_a"],
        ["key", "revoke", "key_a"], ["prune"], ["audit", "verify"], ["admin", "reset-password", "a@example.com"],
        ["admin", "reset-factor", "a@example.com"], ["secrets", "prepare"], ["secrets", "rotate"],
        ["secrets", "reset", "--confirm"], ["export", "events"], ["backup", "/nonexistent/backup"], ["repair"],
        ["users", "import", "/nonexistent/users.csv"],
    ]

    @Test("A file that is no database is an error, and stays as it is", arguments: commands)
    func noDatabase(_ words: [String]) async throws {
        try await CommandFolder.with { folder in
            let text = String(repeating: "no database at all\n", count: 500)
            let file = try folder.write(text, to: "cards.sqlite")
            let outcome = await CommandOutcome.run(words + ["--database", "sqlite:\(file)"])
            #expect(outcome.status == 1 && outcome.output.isEmpty && !outcome.message.isEmpty)
            #expect(try folder.text(of: "cards.sqlite") == text)
        }
    }

    @Test("A folder is no database, and gets no file", arguments: commands)
    func folders(_ words: [String]) async throws {
        try await CommandFolder.with { folder in
            let outcome = await CommandOutcome.run(words + ["--database", "sqlite:\(folder.path)"])
            #expect(outcome.status == 1 && outcome.output.isEmpty && !outcome.message.isEmpty)
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(left.isEmpty)
        }
    }

    @Test(
        "What names no database is wrong usage, and a password in it isn't repeated",
        arguments: ["hush", "mysql://cards:hush@db/cards", "sqlite:", "sqlite::memory:", "", "http://hush"]
    )
    func locations(_ location: String) async {
        for words in Self.commands {
            let outcome = await CommandOutcome.run(words + ["--database=\(location)"])
            #expect(outcome.status == 64 && outcome.output.isEmpty, "\(words)")
            #expect(outcome.message.contains("--database") && !outcome.everything.contains("hush"), "\(words)")
        }
    }

    @Test(
        "JSON is one line with one object, and nothing else is on the result",
        arguments: [
            ["key", "list"], ["key", "create", "--name", "a", "--kind", "publishable"], ["prune"], ["audit", "verify"],
            ["repair"], ["secrets", "rotate"], ["secrets", "prepare"], ["migrate"], ["migrate", "--dry-run"],
            ["migrate", "--dry-run", "--no-copy"],
        ]
    )
    func json(_ words: [String]) async throws {
        try await CommandDatabase.with { database in
            // A key for secrets is there, as after the first start of a server.
            #expect(await database.run("secrets", "rotate").status == 0)
            let outcome = await CommandOutcome.run(words + ["--json", "--database", "sqlite:\(database.path)"])
            #expect(outcome.status == 0 && outcome.message.isEmpty, "\(outcome.everything)")
            #expect(outcome.output.hasSuffix("}\n") && outcome.output.split(separator: "\n").count == 1)
            #expect(outcome.json.object?.isEmpty == false)
        }
    }

    @Test func `The list of keys says of each whether it works, and shows no secret`() async throws {
        try await CommandDatabase.with { database in
            let none = await database.run("keys", "list")
            #expect(none.status == 0 && none.output.isEmpty && none.notes.hasPrefix("There are no keys."))
            var secrets: [String] = []
            for (name, more) in [("works", []), ("ends", ["--expires", "1d"]), ("gone", [])] as [(String, [String])] {
                let words = ["key", "create", "--name", name, "--kind", "secret"] + more
                let made = await CommandOutcome.run(words + ["--database", "sqlite:\(database.path)"])
                secrets.append(made.output.trimmingCharacters(in: .newlines))
            }
            let keys = await database.run("key", "list", "--json").json["keys"]?.array ?? []
            let gone = try #require(keys.first { $0["name"] == "gone" }?["id"]?.string)
            #expect(await database.run("key", "revoke", gone).status == 0)
            let list = await database.run("key", "list")
            let lines = list.output.split(separator: "\n")
            #expect(lines.count == 4 && lines[0].hasPrefix("ID"))
            #expect(lines.contains { $0.contains("active until 20") && $0.contains("ends") })
            #expect(lines.contains { $0.contains("revoked 20") && $0.contains("gone") })
            #expect(lines.contains { $0.contains("works") && $0.split(separator: " ").last == "active" })
            for secret in secrets { #expect(secret.hasPrefix("sk_") && !list.everything.contains(secret)) }
        }
    }
}
