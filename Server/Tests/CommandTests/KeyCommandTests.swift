import CardModel
import Foundation
import Testing
import WireJSON

@testable import PlacardCommands

/// The commands of `placard key`, on a database.
struct KeyCommandTests {
    @Test func `A secret is written once, to the result alone, and is kept nowhere`() async throws {
        try await CommandDatabase.with { database in
            let made = await database.run("key", "create", "--name", "shop", "--kind", "secret")
            #expect(made.status == 0 && made.output.hasPrefix("sk_") && made.output.utf8.count == 47)
            #expect(made.notes.hasPrefix("This is the secret of key_"))
            let secret = made.output.trimmingCharacters(in: .newlines)
            #expect(!made.notes.contains(secret))
            let list = await database.run("key", "list")
            #expect(list.output.contains("shop") && list.output.contains("…\(secret.suffix(4))"))
            let json = await database.run("key", "list", "--json")
            #expect(json.json["keys"]?.array?.count == 1 && json.notes.isEmpty)
            #expect(!list.everything.contains(secret) && !json.everything.contains(secret))
            for name in try FileManager.default.contentsOfDirectory(atPath: database.folder.path) {
                guard let data = try? Data(contentsOf: database.folder.url.appending(path: name)) else { continue }
                #expect(data.range(of: Data(secret.utf8)) == nil, "\(name)")
            }
        }
    }

    @Test func `As JSON the secret stands beside what the list shows`() async throws {
        try await CommandDatabase.with { database in
            let made = await database.run(
                "key",
                "create",
                "--name",
                "app",
                "--kind",
                "publishable",
                "--expires",
                "90d",
                "--json"
            )
            #expect(made.notes.isEmpty && made.output.split(separator: "\n").count == 1)
            #expect(made.json["secret"]?.string?.hasPrefix("pk_") == true && made.json["name"] == "app")
            #expect(made.json["permissions"] == ["device"])
            let created = try #require(made.json["created_at"]?.double)
            let expires = try #require(made.json["expires_at"]?.double)
            #expect(abs(expires - created - 90 * 86_400) < 60)
            let listed = try #require(await database.run("key", "list", "--json").json["keys"]?.array?.first)
            #expect(listed["id"] == made.json["id"] && listed["secret"] == nil)
        }
    }

    @Test(
        "A key that can't be is wrong usage, and none is made",
        arguments: [
            ["--kind", "publishable", "--permission", "manage"], ["--kind", "publishable", "--allow-address", "::1"],
            ["--kind", "secret", "--allow-address", "10.0.0.0/33"], ["--kind", "secret", "--allow-address", ""],
            ["--kind", "secret", "--permission", "everything"], ["--kind", "public"], [],
            ["--kind", "secret", "--permission", "device", "--permission", "nope"],
        ]
    )
    func refused(_ words: [String]) async throws {
        try await CommandDatabase.with { database in
            let location = ["--database", "sqlite:\(database.path)"]
            let made = await CommandOutcome.run(["key", "create", "--name", "x"] + words + location)
            #expect(made.status == 64 && made.output.isEmpty)
            #expect(await database.run("key", "list", "--json").json["keys"] == [])
        }
    }

    @Test func `A rotated key has another secret and the same ID, and a revoked one is gone for good`() async throws {
        try await CommandDatabase.with { database in
            let made = await database.run("key", "create", "--name", "shop", "--kind", "secret", "--json")
            let id = try #require(made.json["id"]?.string)
            let first = try #require(made.json["secret"]?.string)
            let rotated = await database.run("key", "rotate", id, "--overlap", "0s")
            #expect(rotated.output.hasPrefix("sk_") && rotated.output != first + "\n")
            #expect(rotated.notes == "This is the new secret of \(id). It is shown once: store it now.\n")
            #expect(await database.run("key", "revoke", id).output == "Revoked \(id).\n")
            for command in [["revoke", id], ["rotate", id], ["revoke", "key_none"], ["rotate", ""]] {
                let location = ["--database", "sqlite:\(database.path)"]
                let outcome = await CommandOutcome.run(["key"] + command + location)
                #expect(outcome.status == 1 && outcome.output.isEmpty, "\(command)")
                #expect(outcome.message == "No key \(command[1]) works. `placard key list` shows the keys.")
            }
            #expect(await database.run("key", "list").output.contains("revoked 20"))
        }
    }

    @Test func `A revoked key is told to programs with the time at which it ended`() async throws {
        try await CommandDatabase.with { database in
            let made = await database.run("key", "create", "--name", "shop", "--kind", "secret", "--json")
            let id = try #require(made.json["id"]?.string)
            let revoked = await database.run("key", "revoke", id, "--json")
            #expect(revoked.status == 0 && revoked.json["id"]?.string == id && revoked.notes.isEmpty)
            let listed = await database.run("key", "list", "--json").json["keys"]?.array?.first
            let (told, kept) = (revoked.json["revoked_at"]?.double, listed?["revoked_at"]?.double)
            let difference = try #require(told) - #require(kept)
            #expect(abs(difference) < 0.01)
        }
    }

    @Test func `Without a database nothing is made, and the error says what to do`() async throws {
        try await CommandFolder.with { folder in
            let location = ["--database", "sqlite:\(folder.path("none.sqlite"))"]
            for words in [
                ["key", "list"], ["key", "create", "--name", "a", "--kind", "secret"], ["key", "revoke", "key_a"],
                ["prune"], ["audit", "verify"], ["admin", "reset-password", "a@example.com"],
            ] {
                let outcome = await CommandOutcome.run(words + location)
                #expect(outcome.status == 1 && outcome.output.isEmpty, "\(words)")
                #expect(outcome.message.contains("Create it with `placard migrate`"), "\(outcome.message)")
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(left.isEmpty)
        }
    }

    @Test(
        "A length of time is a whole number with one unit",
        arguments: [("0s", 0), ("90s", 90), ("2m", 120), ("12h", 43_200), ("30d", 2_592_000)] as [(String, Double)]
    )
    func lengths(_ text: String, _ seconds: Double) throws {
        let span = try #require(TimeSpan(argument: text))
        #expect(span.seconds == seconds)
        // Help shows it so that it can be given again.
        #expect(TimeSpan(argument: span.defaultValueDescription)?.seconds == seconds)
    }

    @Test(
        "A length of time without a unit, with another one or with a sign before it is none",
        arguments: ["", "s", "12", "1w", "1 d", "-1s", "1.5h", "١s", "1S", "4294967296s", "1d\u{301}"]
    )
    func noLength(_ text: String) { #expect(TimeSpan(argument: text) == nil) }
}
