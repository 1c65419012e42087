import CardModel
import Foundation
import Testing
import WireJSON

@testable import PlacardCommands

/// `placard content-types`, `import braze` and what `campaign` does with other members' changes.
struct ContentCommandTests {
    private static let coupon = """
        types:
          - class_type: coupon
            fields:
              - {name: discount, type: decimal, required: true}

        """

    @Test func `Content types are published, listed and deleted`() async throws {
        try await CommandServer.run { server in
            let none = await server.run("content-types", "list")
            #expect(none.status == 0 && none.json["types"] == [])
            let file = try server.folder.write(Self.coupon, to: "types.yaml")
            #expect(await server.run("content-types", "publish", file).output == "Published 1 content types.\n")
            let list = await server.run("content-types", "list")
            #expect(list.json["types"]?.array?.first?["class_type"] == "coupon" && list.notes.isEmpty)
            #expect(list.output.split(separator: "\n").count == 1)
            let deleted = await server.run("content-types", "delete", "coupon")
            #expect(deleted.output == "Deleted the content type coupon.\n")
            #expect(await server.run("content-types", "list").json["types"] == [])
            let again = await server.run("content-types", "delete", "coupon")
            #expect(again.status == 1 && again.output.isEmpty)
            let empty = await server.run("content-types", "delete", "")
            #expect(empty.status == 1 && empty.message == "An ID is empty. Is a variable of your script not set?")
        }
    }

    @Test func `Results of content types can be printed as JSON`() async throws {
        try await CommandServer.run { server in
            let file = try server.folder.write(Self.coupon, to: "types.yaml")
            let published = await server.run("content-types", "publish", file, "--json")
            #expect(published.json == ["types": 1, "status": "published"])
            let plain = await server.run("content-types", "list")
            #expect(await server.run("content-types", "list", "--json").output == plain.output)
            let deleted = await server.run("content-types", "delete", "coupon", "--json")
            #expect(deleted.json == ["class_type": "coupon", "deleted": true])
        }
    }

    @Test(
        "A file without a list of types is refused with its name, before a server is asked",
        arguments: ["", "types: {}", "types: coupon", "[]", "7", "type: []", "types: [", "\"types\""]
    )
    func wrongTypes(_ text: String) async throws {
        try await CommandFolder.with { folder in
            let file = try folder.write(text, to: "types.yaml")
            let server = ["--server", "http://127.0.0.1:1", "--key", "sk_hush"]
            let outcome = await CommandOutcome.run(["content-types", "publish", file] + server)
            #expect(outcome.status == 1 && outcome.output.isEmpty && !outcome.everything.contains("sk_hush"))
            #expect(outcome.message.hasPrefix("\(file): "), "\(outcome.message)")
        }
    }

    @Test func `Types that a server refuses change nothing`() async throws {
        try await CommandServer.run { server in
            let valid = try server.folder.write(Self.coupon, to: "types.yaml")
            #expect(await server.run("content-types", "publish", valid).status == 0)
            for text in ["types: [7]", "types: [{class_type: x, fields: 7}]", "types: [{fields: []}]"] {
                let file = try server.folder.write(text, to: "wrong.yaml")
                let outcome = await server.run("content-types", "publish", file)
                #expect(outcome.status == 1 && outcome.output.isEmpty, "\(text)")
            }
            let types = await server.run("content-types", "list").json["types"]?.array
            #expect(types?.map { $0["class_type"] } == ["coupon"])
        }
    }

    // MARK: Campaigns

    private static func spring(_ name: String, _ others: String = "") -> String {
        "id: spring\nname: \(name)\nvariants:\n  - card: {type: classic, title: T, description: D}\n\(others)"
    }

    @Test func `A file of the server's version is applied, and another only where it changes nothing`() async throws {
        try await CommandServer.run { server in
            func apply(_ text: String) async throws -> CommandOutcome {
                let file = try server.folder.write(text, to: "spring.yaml")
                return await server.run("campaign", "apply", file, "--json")
            }
            #expect(try await apply(Self.spring("One")).json["version"] == 1)
            #expect(try await apply(Self.spring("Two", "version: 1\n")).json["version"] == 2)
            // It says what the server has already.
            #expect(try await apply(Self.spring("Two", "version: 1\n")).json["version"] == 2)
            let ahead = try await apply(Self.spring("Three", "version: 9\n"))
            #expect(ahead.status == 1 && ahead.output.isEmpty && ahead.message.contains("which has version 2 now"))
            #expect(try await server.store.campaign(CampaignID(rawValue: "spring"))?.content.name == "Two")
        }
    }

    @Test func `A campaign of Windows and one of JSON are the same`() async throws {
        try await CommandServer.run { server in
            let text = Self.spring("One")
            let windows = "\u{FEFF}" + text.replacing("\n", with: "\r\n")
            let card = #"{"type":"classic","title":"T","description":"D"}"#
            let json = #"{"id":"spring","name":"One","variants":[{"card":\#(card)}]}"#
            let first = try server.folder.write(text, to: "a.yaml")
            #expect(await server.run("campaign", "apply", first).output == "Created: spring, version 1.\n")
            for (name, form) in [("b.yaml", windows), ("c.json", json)] {
                let file = try server.folder.write(form, to: name)
                let outcome = await server.run("campaign", "apply", file)
                #expect(outcome.output == "Unchanged: spring, version 1.\n", "\(name): \(outcome.everything)")
            }
        }
    }

    @Test func `A version of a campaign that there can't be is an error, and brings nothing back`() async throws {
        try await CommandServer.run { server in
            _ = await server.run("campaign", "apply", try server.folder.write(Self.spring("One"), to: "a.yaml"))
            for number in ["0", "-1", "2", "\(Int64.max)", "\(Int64.min)"] {
                for option in ["--version", "--restore"] {
                    let outcome = await server.run("campaign", "history", "spring", "\(option)=\(number)")
                    #expect(outcome.status == 1 && outcome.output.isEmpty, "\(option) \(number)")
                }
            }
            for number in ["9223372036854775808", "1.5", "one", ""] {
                let outcome = await server.run("campaign", "history", "spring", "--version=\(number)")
                #expect(outcome.status == 64, "\(number)")
            }
            #expect(try await server.store.campaign(CampaignID(rawValue: "spring"))?.version == 1)
            let json = await server.run("campaign", "history", "spring", "--json", "--limit", "1")
            #expect(json.json["versions"]?.array?.count == 1 && json.output.split(separator: "\n").count == 1)
        }
    }

    // MARK: Import from Braze

    @Test func `An export becomes files, and its report is JSON where that is asked for`() async throws {
        try await CommandFolder.with { folder in
            let card = #"{"channel": "content_cards", "title": "T", "description": "D", "type": "classic"}"#
            try folder.write(#"{"name": "Spring", "messages": {"m": \#(card)}}"#, to: "export/spring.json")
            try folder.write(#"{"external_id": "anna"}"#, to: "export/users.jsonl")
            let words = ["import", "braze", folder.path("export"), folder.path("out")]
            let text = await CommandOutcome.run(words)
            #expect(text.status == 0 && text.notes.isEmpty, "\(text.everything)")
            let summary = "Took over 1 campaign, 0 segments, 0 content blocks and 1 user from 2 files; left out 0 "
            #expect(text.output.hasPrefix(summary))
            #expect(text.output.hasSuffix("What is to be done by hand is in \(folder.path("out"))/report.txt.\n"))
            #expect(try folder.text(of: "out/users.jsonl").contains("anna"))
            // A second time, the folder isn't empty, and stays as it is.
            let report = try folder.text(of: "out/report.txt")
            let again = await CommandOutcome.run(words + ["--json"])
            #expect(again.status == 1 && again.output.isEmpty && again.message.contains("isn't empty"))
            #expect(try folder.text(of: "out/report.txt") == report)
            let json = await CommandOutcome.run(["import", "braze", folder.path("export"), folder.path("2"), "--json"])
            #expect(json.json["files"] == 2 && json.json["users"]?["imported"] == 1)
            #expect(json.output.split(separator: "\n").count == 1)
            let none = await CommandOutcome.run(["import", "braze", folder.path("none"), folder.path("3")])
            #expect(none.status == 1 && none.message.contains(folder.path("none")))
            #expect(!FileManager.default.fileExists(atPath: folder.path("3")))
            #expect(await CommandOutcome.run(["import", "braze", folder.path("export")]).status == 64)
        }
    }
}
