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
        broken: [BrokenFile] = [],
        pulled: PulledState? = nil,
        change: (inout WorkspacePlan.PlannerOptions) -> Void = { _ in }
    ) -> (plan: WorkspacePlan, problems: [FileProblem]) {
        var options = WorkspacePlan.PlannerOptions()
        change(&options)
        return WorkspacePlanner(
            files: files,
            broken: broken,
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
        // A part of the file was applied, and then something failed: that change was this folder's.
        let part = try #require(server.objects[mine.object.reference]).object
        pulled.note(mine.object.reference, server: part)
        #expect(plan([mine], server, pulled: pulled).plan.items.map(\.action) == [.change])
        #expect(pulled[mine.object.reference]?.file == PulledState.digest(mine.object))
        // Both did the same.
        let same = try file(.campaign, .object(campaign("c", title: "theirs")))
        #expect(plan([same], server, pulled: pulled).plan.isEmpty)
    }

    @Test("name everything that is wrong in a file, also beside fields that can't be read")
    func brokenFiles() throws {
        var wrong = campaign("c", title: "{{ broken", audience: ["all": [["segment": "no"], ["segment": "neither"]]])
        wrong["nmae"] = 1
        wrong["variants"] = .array((wrong["variants"]?.array ?? []) + [["id": "a", "weight": -1, "control": true]])
        let folder = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let workspace = try WorkspaceFolder.open(folder.path, create: true)
        try workspace.write(JSONValue.object(wrong).yaml, to: "campaigns/c.yaml")
        try workspace.write("id: a b\nname: 7\narchived: 1\n", to: "segments/s.yaml")
        try workspace.write("id: s2\nname: 7\n", to: "segments/s2.yaml")
        try workspace.write("name: b\ncontent: '{{'\nmore: 1\n", to: "content-blocks/b.yaml")
        try workspace.write("card_limit: 0\ntime_zone: Nowhere\nnope: 1\n", to: "settings.yaml")
        // What names a broken file is right.
        let naming = campaign("d", title: "{{content_blocks.${b}}}", audience: ["segment": "s2"])
        try workspace.write(JSONValue.object(naming).yaml, to: "campaigns/d.yaml")
        let contents = workspace.read(Set(ObjectKind.allCases))
        let (_, problems) = plan(contents.files, broken: contents.broken)
        let all = contents.problems + problems
        func places(_ file: String) -> Set<String> {
            Set(all.filter { $0.file == file }.map { String($0.message.prefix { $0 != ":" }) })
        }
        #expect(
            places("campaigns/c.yaml") == [
                "nmae", "variants[0].card.title", "variants[1].weight", "variants[1].id",
                "audience.all[0].segment", "audience.all[1].segment",
            ]
        )
        #expect(places("segments/s.yaml") == ["id", "name", "archived"])
        #expect(places("content-blocks/b.yaml") == ["more", "content"])
        #expect(places("settings.yaml") == ["nope", "card_limit", "time_zone"])
        #expect(places("campaigns/d.yaml").isEmpty)
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
