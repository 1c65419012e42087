import CardModel
import Foundation
import Testing
import WireJSON
import WireYAML

@testable import WorkspaceFiles

@Suite("Plans")
struct WorkspacePlannerTests {
    private func file(_ kind: ObjectKind, _ json: JSONValue) throws -> WorkspaceFile {
        let object = try WorkspaceObject(kind, json: json)
        return try WorkspaceFile(path: "\(object.reference.text).yaml", text: json.yaml, kind: kind)
    }

    private func state(_ objects: (ObjectKind, JSONValue)...) throws -> ServerState {
        var state = ServerState()
        for (kind, json) in objects {
            let object = try ServerObject(kind, json: json)
            state.objects[object.object.reference] = object
        }
        return state
    }

    private func plan(
        _ files: [WorkspaceFile],
        _ server: ServerState = ServerState(),
        pulled: PulledState? = nil,
        change: (inout WorkspacePlan.Options) -> Void = { _ in }
    ) -> (plan: WorkspacePlan, problems: [FileProblem]) {
        var options = WorkspacePlan.Options()
        change(&options)
        return WorkspacePlanner(
            files: files,
            server: server,
            pulled: pulled,
            kinds: Set(ObjectKind.allCases),
            options: options,
            filters: [],
            now: 1_800_000_000
        ).plan()
    }

    private func campaign(_ id: String, title: String = "t", audience: JSONValue = [:]) -> JSONObject {
        [
            "id": .string(id), "name": "N", "audience": audience,
            "variants": [["id": "a", "card": ["type": "classic", "title": .string(title), "description": "d"]]],
        ]
    }

    private func segment(_ id: String, _ audience: JSONValue = [:]) -> JSONObject {
        ["id": .string(id), "name": "S", "audience": audience]
    }

    @Test("apply what others name before them, and archive what names others first")
    func order() throws {
        let files = [
            try file(.campaign, .object(campaign("c", title: "{{content_blocks.${a}}}", audience: ["segment": "a"]))),
            try file(.segment, .object(segment("a", ["all": [["segment": "z"], ["segment": "m"]]]))),
            try file(.segment, .object(segment("m", ["segment": "z"]))), try file(.segment, .object(segment("z"))),
            try file(.contentBlock, ["name": "a", "content": "{{content_blocks.${b}}}"]),
            try file(.contentBlock, ["name": "b", "content": "x"]),
        ]
        let server = try state(
            (.segment, .object(segment("old"))),
            (.campaign, .object(campaign("uses-old", audience: ["segment": "old"]).with("status", "draft")))
        )
        let (plan, problems) = plan(files, server) { $0.prunes = true }
        #expect(problems.isEmpty)
        #expect(
            plan.items.map(\.reference.text) == [
                "content-blocks/b", "content-blocks/a", "segments/z", "segments/m", "segments/a", "campaigns/c",
                "campaigns/uses-old", "segments/old",
            ]
        )
        #expect(plan.items.suffix(2).allSatisfy { $0.action == .archive })
    }

    @Test("take a circle of segments for a problem of its files, by line")
    func circle() throws {
        let (_, problems) = plan([
            try file(.segment, .object(segment("a", ["segment": "b"]))),
            try file(.segment, .object(segment("b", ["segment": "a"]))),
        ])
        #expect(problems.map(\.file) == ["segments/a.yaml", "segments/b.yaml"])
        #expect(problems.allSatisfy { $0.line == 4 })
    }

    @Test("find a conflict by the file's version, and by what was pulled")
    func conflicts() throws {
        let folder = try WorkspaceFolder.open(
            FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)").path,
            create: true
        )
        let before = try ServerObject(
            .campaign,
            json: .object(campaign("c").with("status", "draft").with("version", 3))
        )
        let server = try state(
            (.campaign, .object(campaign("c", title: "theirs").with("status", "draft").with("version", 4)))
        )
        let mine = try file(.campaign, .object(campaign("c", title: "mine")))
        var pulled = try PulledState(of: try #require(URL(string: "http://a.example")), in: folder)
        // A folder that knows nothing takes the file for the truth.
        #expect(plan([mine], server, pulled: pulled).plan.items.map(\.action) == [.change])
        pulled.note(mine.object.reference, file: mine.object, server: before.object)
        try pulled.write(to: folder)
        pulled = try PulledState(of: try #require(URL(string: "http://a.example")), in: folder)
        #expect(plan([mine], server, pulled: pulled).plan.items.map(\.action) == [.conflict])
        #expect(plan([mine], server, pulled: pulled) { $0.overwrites = true }.plan.items.map(\.action) == [.change])
        // Another server is another matter.
        let other = try PulledState(of: try #require(URL(string: "http://b.example")), in: folder)
        #expect(plan([mine], server, pulled: other).plan.items.map(\.action) == [.change])
        let versioned = try file(.campaign, .object(campaign("c", title: "mine").with("version", 3)))
        #expect(plan([versioned], server).plan.items.map(\.action) == [.conflict])
        // Both did the same.
        let same = try file(.campaign, .object(campaign("c", title: "theirs")))
        #expect(plan([same], server, pulled: pulled).plan.isEmpty)
    }

    @Test("leave settings alone that a file doesn't have, and hold them together to the rules")
    func settings() throws {
        let server = try state((.settings, Settings().json))
        let (plan, _) = plan([try file(.settings, ["card_limit": 7])], server)
        #expect(plan.items.first?.differences.map(\.path) == ["card_limit"])
        #expect(plan.items.first?.wanted?.members["time_zone"] == "UTC")
        let (_, problems) = self.plan([try file(.settings, ["card_limit": 7, "user_tokens": "required"])], server)
        #expect(problems.map(\.file) == ["settings.yaml"])
    }

    @Test("say the problems of templates and launches with their lines")
    func rules() throws {
        var late = campaign("late", title: "{% if")
        late["status"] = "active"
        late["delivery"] = ["type": "scheduled", "end_at": "2020-01-01T00:00:00Z"]
        let (_, problems) = plan([try file(.campaign, .object(late))])
        #expect(problems.count == 2 && problems.allSatisfy { $0.line != nil })
    }
}

extension JSONObject {
    fileprivate func with(_ name: String, _ value: JSONValue) -> JSONObject {
        var members = self
        members[name] = value
        return members
    }
}
