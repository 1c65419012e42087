import AgentProtocol
import CardModel
import CardServer
import Foundation
import Testing
import WireJSON

@testable import PlacardCommands

/// Calls of an agent's tools: what is refused before a server is asked, and what is left to a person.
struct AgentToolRunnerTests {
    private static func runner(
        _ server: String = "http://127.0.0.1:1",
        _ key: String = "sk_hush",
        dashboard: String? = nil
    ) throws -> AgentToolRunner {
        let url = try #require(URL(string: server))
        return AgentToolRunner(
            client: ManagementClient(server: url, key: key),
            dashboard: try #require(URL(string: dashboard ?? server)),
            tools: AgentTool.all
        )
    }

    /// Calls a tool of a runner whose server doesn't answer, and returns its only text.
    private static func refusal(_ tool: String, _ arguments: JSONObject) async throws -> String {
        let answer = try await runner().answer(tool, arguments)
        #expect(answer.isError && answer.texts.count == 1)
        return answer.texts.first ?? ""
    }

    @Test(
        "An argument that is missing or of no use is named, and no server is asked",
        arguments: [
            ("read_campaign", [:], "The argument id is missing."),
            ("read_campaign", ["id": .null], "The argument id is missing."),
            ("read_campaign", ["id": ""], "The argument id is a text"),
            ("read_campaign", ["id": []], "The argument id is a text"),
            ("read_campaign", ["id": ["a": 1]], "The argument id is a text"),
            ("read_campaign", ["id": "a", "x": 1], "There is no argument x."),
            ("read_campaign", ["ID": "a"], "There is no argument ID."),
            ("list_keys", ["x": 1], "There is no argument x. Known: none."),
            ("list_campaigns", ["limit": [1]], "The argument limit is a text, a number"),
            ("create_campaign", [:], "The argument body is an object."),
            ("create_campaign", ["body": "{}"], "The argument body is an object."),
            ("create_campaign", ["body": []], "The argument body is an object."),
            ("update_campaign", ["id": "a", "body": [:]], "The body needs the version of the campaign"),
            ("update_campaign", ["id": "a", "body": ["version": "1"]], "The body needs the version of the campaign"),
            ("update_campaign", ["id": "a", "body": ["version": 1.5]], "The body needs the version of the campaign"),
        ] as [(String, JSONObject, String)]
    )
    func arguments(_ tool: String, _ arguments: JSONObject, _ beginning: String) async throws {
        let text = try await Self.refusal(tool, arguments)
        #expect(text.hasPrefix(beginning), "\(text)")
    }

    @Test func `A tool that there isn't, and an ID of many bytes, are refused without repeating them`() async throws {
        #expect(try await Self.refusal("drop_everything", [:]) == "There is no such tool.")
        let long = String(repeating: "x", count: 4_097)
        #expect(try await Self.refusal("read_campaign", ["id": .string(long)]).utf8.count < 200)
        let name = String(repeating: "y", count: 5_000)
        #expect(try await Self.refusal("read_campaign", ["id": "a", name: 1]).utf8.count < 300)
        // What no person would see is written so that it can be seen.
        let hidden = try await Self.refusal("read_campaign", ["id": "a", "x\u{200B}y": 1])
        #expect(hidden.contains(#"x\u200by"#) && !hidden.contains("\u{200B}"))
    }

    @Test(
        "What reaches users is left to a person, with the page of the dashboard and no request",
        arguments: [
            ("pause_campaign", "spring", "/dashboard/campaigns/spring"),
            ("stop_campaign", "spring", "/dashboard/campaigns/spring/stop"),
            ("test_send", "a/b?c#d", "/dashboard/campaigns/a%2Fb%3Fc%23d/test"),
            ("archive_segment", "..", "/dashboard/segments/%2E%2E"),
            ("delete_user", "anna bob", "/dashboard/users/anna%20bob"),
        ]
    )
    func persons(_ tool: String, _ id: String, _ page: String) async throws {
        for dashboard in ["https://cards.example.com", "https://cards.example.com/"] {
            let runner = try Self.runner(dashboard: dashboard)
            let answer = await runner.answer(tool, ["id": .string(id)])
            let text = "Nothing was done. This is for a person to do. Ask them to open https://cards.example.com\(page)"
            #expect(!answer.isError && answer.texts == [text])
        }
    }

    @Test func `Each page that an agent names is one of the dashboard, with parameters that it has`() async throws {
        let json = await CommandOutcome.run(["routes", "--json"]).json
        let pages = Set(
            (json["routes"]?.array ?? []).filter { $0["method"] == "GET" }.compactMap { $0["path"]?.string }
        )
        for tool in AgentTool.all {
            guard let page = tool.page else { continue }
            #expect(pages.contains(page), "\(tool.name): \(page)")
            for part in page.split(separator: "/") where part.hasPrefix("{") {
                let name = String(part.dropFirst().dropLast())
                #expect(tool.parameters.contains { $0.name == name && $0.isInPath }, "\(tool.name): \(page)")
            }
        }
    }

    private static let spring = """
        id: spring
        name: Spring
        variants:
          - {id: a, card: {type: classic, title: T, description: D}}

        """

    @Test func `What is launched, or was changed since, isn't edited`() async throws {
        try await CommandServer.run { server in
            let file = try server.folder.write(Self.spring, to: "spring.yaml")
            _ = await server.run("campaign", "apply", file)
            let runner = try Self.runner(server.address, server.key)
            let variants: JSONValue = [["id": "a", "card": ["type": "classic", "title": "T", "description": "D"]]]
            func edit(_ version: JSONValue) async -> AgentSession.Answer {
                let body: JSONValue = ["name": "Theirs", "version": version, "variants": variants]
                return await runner.answer("update_campaign", ["id": "spring", "body": body])
            }
            let old = await edit(7)
            #expect(old.isError && old.texts.first?.hasPrefix("The campaign was changed since that version.") == true)
            _ = await server.run("campaign", "launch", "spring")
            let launched = await edit(2)
            #expect(launched.texts.first?.hasPrefix("Nothing was done. The campaign isn't a draft any more.") == true)
            #expect(launched.texts.first?.hasSuffix("/dashboard/campaigns/spring/edit") == true)
            let campaign = try await server.store.campaign(CampaignID(rawValue: "spring"))
            #expect(campaign?.content.name == "Spring" && campaign?.status == .active)
        }
    }

    @Test func `A refusal of the server is data, and a key without the permission does nothing`() async throws {
        try await CommandServer.run([.read]) { server in
            let runner = try Self.runner(server.address, server.key)
            let missing = await runner.answer("read_campaign", ["id": "nope"])
            #expect(missing.isError && missing.texts.first == AgentToolRunner.refusalNotice)
            #expect(missing.texts.last?.contains("not_found") == true)
            let body: JSONValue = ["name": "N", "id": "n", "variants": []]
            let refused = await runner.answer("create_campaign", ["body": body])
            #expect(refused.isError && !refused.texts.joined().contains(server.key))
            #expect(try await server.store.campaign(CampaignID(rawValue: "n")) == nil)
            let list = await runner.answer("list_campaigns", ["limit": 1])
            #expect(!list.isError && list.texts.first == AgentToolRunner.notice)
            #expect(list.texts.last?.contains(#""campaigns":[]"#) == true)
        }
    }
}
