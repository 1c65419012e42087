import CardModel
import Foundation
import Testing
import WireJSON

@testable import PlacardCommands

/// The commands that give cards to users, or say why they don't get any, run against a server.
struct TriggerCommandTests {
    private static let news = """
        id: news
        name: News
        delivery: {type: api_triggered}
        variants:
          - card: {type: classic, title: T, description: D}

        """

    private static func launchNews(_ server: CommandServer) async throws {
        let file = try server.folder.write(news, to: "news.yaml")
        #expect(await server.run("campaign", "apply", file, "--launch").status == 0)
    }

    @Test func `Users who are known get the card, and others are named on the other stream`() async throws {
        try await CommandServer.run { server in
            try await Self.launchNews(server)
            let first = await server.run("trigger", "news", "--user", "anna", "--create-users", "--send-id", "s1")
            #expect(first.output == "1 accepted, 0 duplicate\n" && first.notes.isEmpty)
            let again = await server.run("trigger", "news", "--user", "anna", "--send-id", "s1")
            #expect(again.output == "0 accepted, 1 duplicate\n")
            let unknown = await server.run("trigger", "news", "--user", "anna", "--user", "bob")
            #expect(unknown.output == "1 accepted, 0 duplicate\n" && unknown.status == 0)
            #expect(unknown.notes == "There is no user bob.\n")
            let json = await server.run("trigger", "news", "--user", "bob", "--json")
            #expect(json.json["unknown"] == ["bob"] && json.notes.isEmpty)
        }
    }

    @Test("A moment that is none is refused, and never means now")
    func moments() async throws {
        try await CommandServer.run { server in
            try await Self.launchNews(server)
            for text in ["nan", "NaN", "inf", "-inf", "infinity", "tomorrow", "1e999", "2027-13-01T00:00:00Z"] {
                let outcome = await server.run("trigger", "news", "--broadcast", "--at=\(text)")
                #expect(outcome.status == 1 && outcome.output.isEmpty, "\(text): \(outcome.output)")
                #expect(outcome.message.hasPrefix("at: "), "\(text): \(outcome.message)")
            }
        }
    }

    @Test(
        "Properties that can't be read are wrong usage, and nothing is sent without them",
        arguments: [
            ["--properties", "[1]"], ["--properties", "7"], ["--properties", "{"], ["--properties", ""],
            ["--properties", #""text""#], ["--property", "name"], ["--property", "=value"], ["--audience", "{"],
        ]
    )
    func properties(_ words: [String]) async {
        let address = ["--server", "http://127.0.0.1:1", "--key", "sk_hush"]
        let outcome = await CommandOutcome.run(["trigger", "news", "--user", "anna"] + words + address)
        #expect(outcome.status == 64 && outcome.output.isEmpty)
        #expect(outcome.message.hasPrefix(words[0]) && !outcome.message.contains("sk_hush"), "\(outcome.message)")
    }

    @Test func `A campaign that can't be triggered is refused with the reason`() async throws {
        try await CommandServer.run { server in
            _ = await server.run("campaign", "apply", try server.folder.write(Self.news, to: "news.yaml"))
            let draft = await server.run("trigger", "news", "--broadcast")
            #expect(draft.status == 1 && draft.output.isEmpty && !draft.message.isEmpty)
            let both = await server.run("trigger", "news", "--broadcast", "--user", "anna")
            #expect(both.status == 1 && both.message.hasPrefix("recipients: "))
            let nobody = await server.run("trigger", "news")
            #expect(nobody.status == 1 && nobody.message.hasPrefix("recipients: "))
        }
    }

    @Test func `An explanation names the campaign and why, and no moment or campaign that there isn't`() async throws {
        try await CommandServer.run { server in
            let everyone = Self.news.replacing("delivery: {type: api_triggered}\n", with: "")
            let file = try server.folder.write(everyone, to: "news.yaml")
            _ = await server.run("campaign", "apply", file, "--launch")
            try await server.addUsers("anna")
            let lines = await server.run("explain", "--user", "anna").output.split(separator: "\n")
            #expect(lines.count == 2 && lines[0].hasPrefix("CAMPAIGN") && lines[1].hasPrefix("news"))
            let json = await server.run("explain", "--user", "anna", "--campaign", "news", "--json")
            #expect(json.json["user_id"] == "anna" && json.json["campaigns"]?.array?.count == 1)
            #expect(await server.run("explain", "--user", "anna", "--at", "nan").status == 1)
            #expect(await server.run("explain", "--user", "anna", "--campaign", "nope").status == 1)
        }
    }

    @Test func `A test needs one kind of recipient, and says where nobody got it`() async throws {
        let base = ["test-send", "news"]
        let both = await CommandOutcome.run(base + ["--code", "KM4T-9XWD", "--user", "anna"])
        #expect(both.status == 64 && both.message == "Give --code or --user, not both.")
        let name = await CommandOutcome.run(base + ["--device-name", "Phone"])
        #expect(name.status == 64 && name.message == "--device-name goes with --code.")
        try await CommandServer.run { server in
            try await Self.launchNews(server)
            let nobody = await server.run("test-send", "news", "--user", "nobody")
            #expect(nobody.status == 1)
            #expect(await server.run("test-send", "news", "--code", "0000-0000").status == 1)
        }
    }
}

/// `placard audience`, whose first command asks no server.
struct AudienceCommandTests {
    private func check(_ text: String, _ words: String...) async throws -> CommandOutcome {
        try await CommandFolder.with { folder in
            let file = try folder.write(text, to: "audience.yaml")
            return await CommandOutcome.run(["audience", "check", file] + words)
        }
    }

    @Test func `An audience is read by itself, or out of a campaign`() async throws {
        let clause = "{attribute: country, value: JP}"
        let alone = try await check(clause, "--json")
        let within = try await check("id: a\nname: N\naudience: \(clause)\n", "--json")
        #expect(alone.status == 0 && alone.output == within.output && alone.json["attribute"] == "country")
        let words = try await check(clause)
        #expect(words.output.hasPrefix("The audience means: ") && words.output.hasSuffix(".\n"))
    }

    @Test(
        "A file that is no audience is an error with its name",
        arguments: ["{color: red}", "7", "- a", "all: [", "all: {}", "{attribute: country, value: JP, vaule: JP}"]
    )
    func wrong(_ text: String) async throws {
        let outcome = try await check(text)
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.message.contains("audience.yaml: "), "\(outcome.message)")
    }

    @Test func `Reach says how sure it is, and a share of nobody is a dash`() {
        let exact: JSONValue = ["users": 1, "total": 3, "exact": true]
        #expect(AudienceReachCommand.line(exact) == "1 of 3 users (33.3 %)")
        #expect(AudienceReachCommand.line(["users": 1, "total": 1, "exact": true]) == "1 of 1 user (100.0 %)")
        #expect(AudienceReachCommand.line(["users": 0, "total": 0, "exact": true]) == "0 of 0 users (–)")
        let sampled: JSONValue = ["users": 500, "total": 1_000, "low": 480, "high": 520, "asked": 100]
        #expect(
            AudienceReachCommand.line(sampled)
                == "about 500 of 1000 users (50.0 %), between 480 and 520 95 times in 100; 100 were asked"
        )
        // What a server leaves out, or has as a text, is 0.
        #expect(
            AudienceReachCommand.line(["users": "many"]) == "about 0 of 0 users (–), between 0 and 0 95 times in "
                + "100; 0 were asked"
        )
    }

    @Test func `Reach and explanation of a server are those of its users`() async throws {
        try await CommandServer.run { server in
            try await server.addUsers("anna", "bob", "cem")
            let file = try server.folder.write("{attribute: country, value: JP}", to: "jp.yaml")
            #expect(await server.run("audience", "reach", file, "--exact").output == "3 of 3 users (100.0 %)\n")
            let other = try server.folder.write("{attribute: country, value: DE}", to: "de.yaml")
            #expect(await server.run("audience", "reach", other, "--exact").output == "0 of 3 users (0.0 %)\n")
            #expect(
                await server.run("audience", "explain", file, "--user", "anna").output.hasPrefix("anna is meant.\n")
            )
            let not = await server.run("audience", "explain", other, "--user", "anna")
            #expect(not.output.hasPrefix("anna is not meant.\nno   "))
        }
    }
}
