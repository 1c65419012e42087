import CardModel
import Foundation
import Testing
import WireJSON

@testable import PlacardCommands

/// The commands of `placard campaign`, run against a server.
struct CampaignCommandTests {
    private static let spring = """
        id: spring
        name: Spring sale
        variants:
          - card: {type: classic, title: "Spring: 春", description: Look inside.}

        """

    private static func edited(_ title: String, _ others: String = "") -> String {
        spring.replacing("Spring: 春", with: title) + others
    }

    private static func status(_ server: CommandServer, _ id: String = "spring") async throws -> String? {
        try await server.store.campaign(CampaignID(rawValue: id))?.status.rawValue
    }

    @Test func `A campaign is made, then unchanged, then changed, and says so`() async throws {
        try await CommandServer.run { server in
            let file = try server.folder.write(Self.spring, to: "spring.yaml")
            #expect(await server.run("campaign", "apply", file).output == "Created: spring, version 1.\n")
            #expect(await server.run("campaign", "apply", file).output == "Unchanged: spring, version 1.\n")
            try server.folder.write(Self.edited("Other"), to: "spring.yaml")
            #expect(await server.run("campaign", "apply", file).output == "Changed: spring, version 2.\n")
            #expect(try await Self.status(server) == "draft")
        }
    }

    @Test func `A file of an older version is refused, and the other member's change stays`() async throws {
        try await CommandServer.run { server in
            let file = try server.folder.write(Self.spring, to: "spring.yaml")
            _ = await server.run("campaign", "apply", file)
            try server.folder.write(Self.edited("Theirs"), to: "spring.yaml")
            _ = await server.run("campaign", "apply", file)
            try server.folder.write(Self.edited("Mine", "version: 1\n"), to: "spring.yaml")
            let refused = await server.run("campaign", "apply", file)
            #expect(refused.status == 1 && refused.output.isEmpty)
            #expect(refused.message.contains("made from version 1 of spring, which has version 2 now"))
            let campaign = try await server.store.campaign(CampaignID(rawValue: "spring"))
            #expect(campaign?.content.variants.first?.card?.title == "Theirs")
        }
    }

    @Test(
        "A version that can't be compared is an error, since it would protect nobody's change",
        arguments: [#""2""#, "two", "1.5", "0", "-1", "[1]", "true"]
    )
    func versions(_ text: String) throws {
        let failure = #expect(throws: CommandError.self) {
            _ = try AppliedCampaign(Self.edited("T", "version: \(text)\n"), fileName: "a.yaml")
        }
        #expect(failure?.description == "a.yaml: version has to be a whole number from 1, or left out.")
    }

    @Test func `A file with a version, without one and with none of it is read`() throws {
        #expect(try AppliedCampaign(Self.edited("T", "version: 7\n"), fileName: "a").version == 7)
        #expect(try AppliedCampaign(Self.edited("T", "version: null\n"), fileName: "a").version == nil)
        #expect(try AppliedCampaign(Self.spring, fileName: "a").version == nil)
    }

    @Test func `What show writes is applied without a change, as JSON too`() async throws {
        try await CommandServer.run { server in
            let file = try server.folder.write(Self.spring, to: "spring.yaml")
            let launched = await server.run("campaign", "apply", file, "--launch")
            #expect(launched.output == "Created, and launched it: spring, version 2.\n")
            let shown = await server.run("campaign", "show", "spring")
            #expect(shown.status == 0 && shown.notes.isEmpty && shown.json["status"] == "active")
            let line = await server.run("campaign", "show", "spring", "--json")
            #expect(line.json == shown.json && line.output.split(separator: "\n").count == 1)
            let copy = try server.folder.write(shown.output, to: "copy.json")
            let again = await server.run("campaign", "apply", copy, "--json")
            #expect(again.json["version"] == 2 && again.output.split(separator: "\n").count == 1)
            // An active campaign isn't launched a second time.
            let twice = await server.run("campaign", "apply", copy, "--launch")
            #expect(twice.output == "Unchanged: spring, version 2.\n")
        }
    }

    @Test func `A file that isn't UTF-8 is refused before a server is asked`() async throws {
        try await CommandFolder.with { folder in
            let latin = try #require("id: a\nname: Café\n".data(using: .isoLatin1))
            let file = try folder.write(latin, to: "a.yaml")
            for words in [
                ["campaign", "apply", file], ["content-types", "publish", file], ["audience", "check", file],
                ["liquid", file],
            ] {
                let outcome = await CommandOutcome.run(words)
                #expect(outcome.status == 1 && outcome.output.isEmpty, "\(words)")
                #expect(outcome.message == "\(file) isn't UTF-8. Save it in that encoding.")
            }
        }
    }

    @Test(
        "A file that is no campaign is refused with its name, and nothing is made",
        arguments: [
            ("", "id has to be"), ("[]", "id has to be"), ("id: a b\nname: x", "id has to be"),
            ("id: a\nname: x\nnmae: y", "nmae"), ("id: a\nname: 'x", "a.yaml:"),
            ("id: a\nname: x\nvariants: []\naudience: {color: red}", "audience"),
        ]
    )
    func wrongFiles(_ text: String, _ part: String) async throws {
        try await CommandFolder.with { folder in
            let file = try folder.write(text, to: "a.yaml")
            let outcome = await CommandOutcome.run(["campaign", "apply", file, "--key", "sk_hush"])
            #expect(outcome.status == 1 && outcome.output.isEmpty)
            #expect(outcome.message.hasPrefix(file) && outcome.message.contains(part), "\(outcome.message)")
            #expect(!outcome.everything.contains("sk_hush"))
        }
    }

    @Test func `Transitions say the status, and one that can't be is refused`() async throws {
        try await CommandServer.run { server in
            _ = await server.run("campaign", "apply", try server.folder.write(Self.spring, to: "spring.yaml"))
            let early = await server.run("campaign", "pause", "spring")
            #expect(early.status == 1 && early.message.hasSuffix("(transition_invalid)"))
            #expect(await server.run("campaign", "launch", "spring").output == "spring is active.\n")
            #expect(await server.run("campaign", "pause", "spring").output == "spring is paused.\n")
            #expect(await server.run("campaign", "launch", "spring", "--json").json["status"] == "active")
            let stopped = await server.run("campaign", "stop", "spring", "--withdraw")
            #expect(stopped.output == "spring is stopped, its cards are withdrawn.\n")
            let archived = await server.run("campaign", "archive", "spring")
            #expect(archived.output == "spring is archived, its cards are withdrawn.\n")
            #expect(await server.run("campaign", "restore", "spring").status == 0)
            #expect(try await Self.status(server) == "stopped")
        }
    }

    @Test("A campaign that isn't there is an error, and an empty ID asks for no other resource")
    func missing() async throws {
        try await CommandServer.run { server in
            for command in ["show", "check", "history", "launch", "pause", "stop", "archive", "restore"] {
                let unknown = await server.run("campaign", command, "nope")
                #expect(unknown.status == 1 && unknown.output.isEmpty, "\(command)")
                #expect(unknown.message.hasSuffix("(not_found)"), "\(command): \(unknown.message)")
                let empty = await server.run("campaign", command, "")
                #expect(empty.status == 1 && empty.output.isEmpty, "\(command)")
                #expect(empty.message == "An ID is empty. Is a variable of your script not set?", "\(command)")
            }
        }
    }

    @Test func `The list is a table, JSON, or a note where there is none`() async throws {
        try await CommandServer.run { server in
            let none = await server.run("campaign", "list")
            #expect(none.status == 0 && none.output.isEmpty)
            #expect(none.notes == "There are no campaigns. `placard campaign apply` creates one.\n")
            #expect(await server.run("campaign", "list", "--json").output == "{\"campaigns\":[]}\n")
            _ = await server.run("campaign", "apply", try server.folder.write(Self.spring, to: "spring.yaml"))
            let lines = await server.run("campaign", "list").output.split(separator: "\n")
            #expect(lines.count == 2 && lines[0].hasPrefix("ID") && lines[1].hasPrefix("spring  draft"))
            #expect(await server.run("campaign", "list", "--status", "active").output.isEmpty)
            #expect(await server.run("campaign", "list", "--status", "alive").status == 64)
        }
    }

    @Test func `A check ends with 1 where a launch would be refused`() async throws {
        try await CommandServer.run { server in
            let over = Self.spring + "delivery: {type: scheduled, end_at: 2020-01-01T00:00:00Z}\n"
            _ = await server.run("campaign", "apply", try server.folder.write(over, to: "spring.yaml"))
            let refused = await server.run("campaign", "check", "spring")
            #expect(refused.status == 1 && refused.output.contains("error: ") && refused.message.isEmpty)
            let json = await server.run("campaign", "check", "spring", "--json")
            #expect(json.status == 1 && json.json["launchable"] == false)
            let launch = await server.run("campaign", "launch", "spring")
            #expect(launch.status == 1)
            #expect(try await Self.status(server) == "draft")
        }
    }

    @Test func `History lists the newest first, and brings an old content back as a new version`() async throws {
        try await CommandServer.run { server in
            let file = try server.folder.write(Self.spring, to: "spring.yaml")
            _ = await server.run("campaign", "apply", file)
            try server.folder.write(Self.edited("Second"), to: "spring.yaml")
            _ = await server.run("campaign", "apply", file)
            let lines = await server.run("campaign", "history", "spring").output.split(separator: "\n")
            #expect(lines.count == 3)
            #expect(lines.dropFirst().map { $0.trimmingCharacters(in: .whitespaces).prefix(1) } == ["2", "1"])
            let first = await server.run("campaign", "history", "spring", "--version", "1")
            #expect(first.json["variants"]?.array?.first?["card"]?["title"] == "Spring: 春")
            let restored = await server.run("campaign", "history", "spring", "--restore", "1")
            #expect(restored.output == "spring says again what it said in version 1. (version 3)\n")
            let campaign = try await server.store.campaign(CampaignID(rawValue: "spring"))
            #expect(campaign?.content.variants.first?.card?.title == "Spring: 春")
            #expect(await server.run("campaign", "history", "spring", "--version", "9").status == 1)
            let both = ["--version", "1", "--restore", "1"]
            #expect(await CommandOutcome.run(["campaign", "history", "spring"] + both).status == 64)
            for limit in ["0", "1001", "-1", "many"] {
                let outcome = await CommandOutcome.run(["campaign", "history", "spring", "--limit=\(limit)"])
                #expect(outcome.status == 64, "\(limit)")
            }
        }
    }
}
