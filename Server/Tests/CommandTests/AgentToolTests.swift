import CardModel
import CardServer
import Testing
import WireJSON

@testable import PlacardCommands

@Suite("The tools of agents")
struct AgentToolTests {
    @Test("have a name of their own each, and what reaches users, ends something or gives a right is a person's")
    func effects() {
        let names = AgentTool.all.map(\.name)
        #expect(Set(names).count == names.count && names.count > 50)
        func named(_ effect: AgentTool.Effect) -> Set<String> {
            Set(AgentTool.all.filter { $0.effect == effect }.map(\.name))
        }
        #expect(named(.creates) == ["create_campaign", "duplicate_campaign", "create_segment", "duplicate_segment"])
        #expect(named(.editsDraft) == ["update_campaign"])
        let reading = AgentTool.all.filter { $0.effect == .reads && $0.method != "GET" }.map(\.name)
        #expect(Set(reading) == ["check_draft", "preview", "estimate_reach", "explain_audience"])
        for name in [
            "launch_campaign", "pause_campaign", "stop_campaign", "archive_campaign", "restore_campaign",
            "trigger_campaign", "test_send", "save_test_users", "update_segment", "save_content_block",
            "delete_content_block", "delete_media", "update_user", "delete_user", "create_key", "rotate_key",
            "revoke_key", "save_settings", "save_webhook", "rotate_webhook",
        ] { #expect(named(.needsPerson).contains(name), "\(name)") }
    }

    @Test("are operations of the management API, each of which needs a permission of the key")
    func surfaces() {
        let routes = Set(RouteEntry.api.map { "\($0.method) \($0.path)" })
        for tool in AgentTool.all {
            #expect(routes.contains("\(tool.method) \(tool.path)") && tool.path.hasPrefix("/v1/"))
            #expect(!tool.permissions.isEmpty && !tool.permissions.contains(.device))
        }
        let names = Set(AgentTool.all.map(\.name))
        for name in ["sync", "track_users", "send_campaign", "export_events", "export_audit", "upload_media"] {
            #expect(!names.contains(name), "\(name)")
        }
    }

    @Test("name all schemas that theirs name, and no others", arguments: AgentTool.all.map(\.name))
    func schemas(name: String) throws {
        let tool = try #require(AgentTool.all.first { $0.name == name })
        let text = tool.json.text
        #expect(!text.contains("#/components"))
        let defined = Set(tool.json["inputSchema"]?["$defs"]?.object?.keys ?? [])
        let named = Set(text.matches(of: /#\/\$defs\/(\w+)/).map { String($0.output.1) })
        #expect(defined == named)
        for (_, schema) in tool.json["inputSchema"]?["$defs"]?.object ?? [:] { #expect(!schema.isNull) }
        // A context has room for other things.
        #expect(text.utf8.count < 20_000)
        #expect(tool.json["description"]?.string?.contains("permission") == true)
    }

    @Test("all fit a small part of a context")
    func size() {
        let bytes = AgentTool.all.map(\.json.text.utf8.count).reduce(0, +)
        #expect(bytes < 120_000, "\(bytes)")
    }
}
