import AgentProtocol
import CardModel
import CardServer
import Foundation
import Testing
import WireJSON

@testable import PlacardCommands

/// What an agent's program sends, and what it gets, over the streams of `placard mcp`.
struct AgentConversationTests {
    private static let hello =
        #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}"#

    private static func call(_ id: Int, _ tool: String, _ arguments: JSONValue = [:]) -> String {
        let message: JSONValue = [
            "jsonrpc": "2.0", "id": .integer(Int64(id)), "method": "tools/call",
            "params": ["name": .string(tool), "arguments": arguments],
        ]
        return message.text
    }

    /// Returns the lines that are written for what a program sends, and what is written beside them.
    private static func talk(
        _ text: String,
        to server: String = "http://127.0.0.1:1",
        key: String = "sk_hush",
        readOnly: Bool = false
    ) async throws -> (lines: [JSONValue], notes: String) {
        let tools = AgentTool.all.filter { !readOnly || $0.changesNothing }
        let url = try #require(URL(string: server))
        let runner = AgentToolRunner(client: ManagementClient(server: url, key: key), dashboard: url, tools: tools)
        return try await CommandFolder.with { folder in
            let file = try folder.write(text, to: "input")
            let handle = try #require(FileHandle(forReadingAtPath: file))
            let record = ConsoleRecord()
            let conversation = AgentConversation(
                session: AgentCommand.session(tools),
                runner: runner,
                input: handle.fileDescriptor
            )
            await Console.$record.withValue(record) { await conversation.run() }
            withExtendedLifetime(handle) {}
            let lines = record.result.split(separator: "\n").map { (try? JSONValue(parsing: String($0))) ?? .null }
            #expect(!record.result.contains(key))
            return (lines, record.notes)
        }
    }

    /// The texts of an answer.
    private static func texts(_ line: JSONValue?) -> [String] {
        line?["result"]?["content"]?.array?.compactMap { $0["text"]?.string } ?? []
    }

    @Test(
        "Each request is answered by one line, however lines end and wherever the last one does",
        arguments: ["\n", "\r\n", "\n\n\n"]
    )
    func lines(_ end: String) async throws {
        let ping = #"{"jsonrpc":"2.0","id":"p","method":"ping"}"#
        let notice = #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#
        let (lines, notes) = try await Self.talk([Self.hello, notice, ping].joined(separator: end))
        #expect(lines.map { $0["id"] } == [0, "p"] && notes.isEmpty)
        #expect(lines.first?["result"]?["serverInfo"]?["name"] == "placard")
        #expect(try await Self.talk("").lines.isEmpty)
    }

    @Test func `What is no message is answered with an error, and the next line counts`() async throws {
        let wrong = ["{", "7", "[]", #"{"id":1}"#, "\u{FFFD}", #"{"jsonrpc":"2.0","id":[],"method":"ping"}"#]
        let (lines, _) = try await Self.talk((wrong + [Self.hello]).joined(separator: "\n"))
        #expect(lines.count == wrong.count + 1)
        for line in lines.dropLast() { #expect(line["error"]?["code"]?.integer != nil, "\(line.text)") }
        #expect(lines.last?["result"]?["protocolVersion"] == "2025-03-26")
    }

    @Test func `A line that is too long is refused as a whole, and isn't kept`() async throws {
        let long = String(repeating: "a", count: AgentConversation.longestLine + 1)
        let (lines, _) = try await Self.talk(long + "\n" + Self.hello)
        #expect(lines.count == 2 && lines[0]["error"]?["message"]?.string?.contains("4194304 bytes") == true)
        #expect(lines[1]["id"] == 0)
    }

    @Test func `Several messages in a line are answered by one line, and notifications by none`() async throws {
        let batch = #"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"tools/list"}]"#
        let silent = #"[{"jsonrpc":"2.0","method":"notifications/x"}]"#
        let (lines, _) = try await Self.talk([Self.hello, batch, silent].joined(separator: "\n"))
        #expect(lines.count == 2 && lines[1].array?.map { $0["id"] } == [1, 2])
    }

    @Test func `Only tools that change nothing are offered where that is asked for`() async throws {
        let list = #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#
        func names(_ readOnly: Bool) async throws -> Set<String> {
            let (lines, _) = try await Self.talk(Self.hello + "\n" + list, readOnly: readOnly)
            return Set(lines.last?["result"]?["tools"]?.array?.compactMap { $0["name"]?.string } ?? [])
        }
        let (all, reading) = (try await names(false), try await names(true))
        #expect(all.isSuperset(of: ["create_campaign", "update_campaign", "list_campaigns", "launch_campaign"]))
        #expect(reading.isSuperset(of: ["list_campaigns", "launch_campaign"]))
        let changing: Set = [
            "create_campaign", "duplicate_campaign", "create_segment", "duplicate_segment", "update_campaign",
        ]
        #expect(all.subtracting(reading) == changing)
        let refused = try await Self.talk(Self.hello + "\n" + Self.call(1, "create_campaign"), readOnly: true)
        #expect(refused.lines.last?["error"]?["message"]?.string?.contains("create_campaign") == true)
    }

    @Test func `A server that doesn't answer is an answer for the agent, not an end`() async throws {
        let (lines, _) = try await Self.talk([Self.hello, Self.call(1, "list_campaigns")].joined(separator: "\n"))
        #expect(lines.last?["result"]?["isError"] == true)
        #expect(Self.texts(lines.last).first == AgentToolRunner.failureNotice)
        #expect(Self.texts(lines.last).last?.hasPrefix("No server answers at http://127.0.0.1:1.") == true)
    }

    @Test func `An agent creates a draft, reads it, edits it and hands it to a person`() async throws {
        try await CommandServer.run { server in
            let variant: JSONValue = ["id": "a", "card": ["type": "classic", "title": "T", "description": "D"]]
            let draft: JSONObject = ["id": "spring", "name": "Spring", "variants": [variant]]
            var edited = draft
            edited["id"] = nil
            edited["name"] = "Summer"
            edited["version"] = 1
            let calls = [
                Self.call(1, "create_campaign", ["body": .object(draft)]),
                Self.call(2, "update_campaign", ["id": "spring", "body": .object(edited)]),
                Self.call(3, "read_campaign", ["id": "spring"]), Self.call(4, "launch_campaign", ["id": "spring"]),
            ]
            let text = ([Self.hello] + calls).joined(separator: "\n")
            let (lines, notes) = try await Self.talk(text, to: server.address, key: server.key)
            #expect(lines.count == 5 && notes.isEmpty)
            for line in lines.dropFirst() { #expect(line["result"]?["isError"] == false, "\(line.text)") }
            #expect(Self.texts(lines[3]).first == AgentToolRunner.notice)
            #expect(Self.texts(lines[3]).last?.contains(#""name":"Summer""#) == true)
            #expect(Self.texts(lines[4]).first?.contains("/dashboard/campaigns/spring/launch") == true)
            let campaign = try await server.store.campaign(CampaignID(rawValue: "spring"))
            #expect(campaign?.status == .draft && campaign?.content.name == "Summer" && campaign?.version == 2)
        }
    }
}
