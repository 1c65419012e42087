import CardModel
import Foundation
import Testing
import WireJSON

@testable import PlacardCommands
@testable import SQLiteCardStore

/// The exit status of commands with `--json`, which is the one without it.
struct JSONStatusTests {
    /// Returns what the plan of a migration is said to be, and whether it ends with an error.
    private static func describe(_ words: [String], free: Int64?) throws -> (output: String, message: String?) {
        let plan = SQLiteCardStore.MigrationPlan(
            steps: ["0104-one", "0105-two"],
            databaseBytes: 900,
            neededBytes: 1_000,
            freeBytes: free,
            copy: "/srv/cards.sqlite.before",
            seconds: 7
        )
        let (record, migrate) = (ConsoleRecord(), try Migrate.parse(["--dry-run"] + words))
        do {
            try Console.$record.withValue(record) { try migrate.describe(plan, isInUse: true) }
            return (record.result, nil)
        } catch {
            return (record.result, "\(error)")
        }
    }

    @Test func `A migration without room for it ends with an error, as JSON too`() throws {
        for words in [[], ["--json"]] {
            let full = try Self.describe(words, free: 999)
            #expect(full.message == "There is not enough space. Make room before you migrate.", "\(words)")
            #expect(!full.output.isEmpty)
            #expect(try Self.describe(words, free: 1_000).message == nil)
            // Where it can't be told, nothing speaks against it.
            #expect(try Self.describe(words, free: nil).message == nil)
        }
        let json = try JSONValue(parsing: Self.describe(["--json"], free: 999).output)
        #expect(json["has_room"] == false && json["pending"] == ["0104-one", "0105-two"])
        #expect(json["needed_bytes"] == 1_000 && json["free_bytes"] == 999 && json["in_use"] == true)
        let unknown = try JSONValue(parsing: Self.describe(["--json"], free: nil).output)
        #expect(unknown["free_bytes"]?.isNull == true && unknown["has_room"] == true)
    }

    @Test func `A plan says each step, the copy, the time, the room and who has the database open`() throws {
        let lines = try Self.describe([], free: 5_000).output.split(separator: "\n")
        #expect(lines.count == 5)
        #expect(lines[0] == "Would apply 0104-one." && lines[1] == "Would apply 0105-two.")
        #expect(lines[2] == "Would copy the database to /srv/cards.sqlite.before before.")
        #expect(lines[3] == "Takes about 7 s, and up to 1000 bytes of space; 5000 are free.")
        #expect(lines[4].hasPrefix("A server or another command has the database open"))
    }

    @Test func `A test that reached nobody ends with an error, and says of each why, as JSON too`() async throws {
        try await CommandServer.run { server in
            let card = "{type: classic, title: T, description: D}"
            let text = "id: news\nname: News\nvariants: [{id: a, card: \(card)}]\n"
            _ = await server.run("campaign", "apply", try server.folder.write(text, to: "news.yaml"))
            try await server.addUsers("anna")
            let nobody = await server.run("test-send", "news", "--user", "nobody")
            #expect(nobody.status == 1 && nobody.output == "0 sent, 1 failed\n")
            #expect(nobody.notes.hasPrefix("nobody: ") && nobody.message == "No one got the test.")
            let json = await server.run("test-send", "news", "--user", "nobody", "--json")
            #expect(json.status == 1 && json.json["sent"] == [] && json.message == "No one got the test.")
            #expect(json.json["failed"]?.array?.first?["user_id"] == "nobody")
            // One of two is enough.
            let one = await server.run("test-send", "news", "--user", "nobody", "--user", "anna", "--json")
            #expect(one.status == 0 && one.json["sent"]?.array?.count == 1 && one.notes.isEmpty)
            #expect(one.json["failed"]?.array?.count == 1)
        }
    }
}
