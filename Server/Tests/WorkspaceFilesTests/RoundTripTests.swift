import CardModel
import Foundation
import SampleCampaigns
import Testing
import WireJSON
import WireYAML

@testable import WorkspaceFiles

/// From a server to files and back.
final class RoundTripTests {
    private let path: String
    private let folder: WorkspaceFolder

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)").path
        folder = try WorkspaceFolder.open(path, create: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    private static let campaigns: [JSONValue] = {
        let samples = SampleCampaign.demo { "https://cards.example/\($0.fileName)" } + SampleCampaign.simulation
        return samples.enumerated().compactMap { index, sample in
            let draft = Campaign(id: sample.id, content: sample.content, createdAt: 1)
            let steps: [[Campaign.Transition]] = [
                [], [.launch], [.launch, .pause], [.launch, .stop(withdraw: true)], [.archive],
            ]
            return try? steps[index % steps.count].reduce(draft) { try $0.applying($1, at: 2) }.json
        }
    }()

    /// Texts that a form of writing could change.
    private static let texts = [
        "plain", " spaces ", "yes", "null", "~", "0x1F", "1e3", "2027-01-31", "#no comment", "a: b", "- a", "{{x}}",
        "line\nbreak", "line\n", "\nline", "tab\t", "quote\"'", "back\\slash", "é", "e\u{301}", "春",
        "👩‍👩‍👧", "\u{FEFF}x", "\u{85}", "\u{2028}", "%TAG", "@at", "`tick`", "!tag", "&anchor", "*alias", "? key",
        "---", "...", "\r\n", "=",
    ]

    private func server() throws -> ServerState {
        var state = ServerState()
        var objects: [(ObjectKind, JSONValue)] = Self.campaigns.map { (.campaign, $0) }
        for (index, text) in Self.texts.enumerated() {
            objects.append((.contentBlock, ["name": .string("block-\(index)"), "content": .string(text)]))
        }
        objects.append((.settings, try JSONValue(parsing: Settings().json.text)))
        objects.append((.contentType, ["class_type": "a/../b", "fields": [["name": "n", "type": "string"]]]))
        objects.append((.segment, ["id": "all", "name": "All", "description": "line\nbreak", "archived": false]))
        objects.append((.segment, ["id": "old", "name": "Old", "audience": ["any": []], "archived": true]))
        for (kind, json) in objects {
            let object = try ServerObject(kind, json: json)
            state.objects[object.object.reference] = object
        }
        return state
    }

    private func plan(
        _ server: ServerState,
        _ change: (inout WorkspacePlan.PlannerOptions) -> Void = { _ in }
    ) throws -> (plan: WorkspacePlan, problems: [FileProblem]) {
        var options = WorkspacePlan.PlannerOptions()
        change(&options)
        let contents = folder.read(Set(ObjectKind.allCases))
        #expect(contents.problems.isEmpty, "\(contents.problems)")
        return WorkspacePlanner(
            files: contents.files,
            server: server,
            pulled: nil,
            kinds: Set(ObjectKind.allCases),
            options: options,
            filters: [],
            now: 1_800_000_000
        ).plan()
    }

    private func pull(
        _ server: ServerState,
        _ change: (inout FolderUpdate.UpdateOptions) -> Void = { _ in }
    ) throws -> FolderUpdate {
        var options = FolderUpdate.UpdateOptions()
        change(&options)
        let pulled = try PulledState(of: try #require(URL(string: "http://a")), in: folder)
        let files = folder.read(Set(ObjectKind.allCases)).files
        let update = FolderUpdate(files: files, server: server, pulled: pulled, options: options)
        for change in update.changes {
            switch change {
            case .create(let path, let text), .replace(let path, let text): try folder.write(text, to: path)
            case .remove(let path): try folder.remove(path)
            }
        }
        return update
    }

    @Test func `What was pulled differs in nothing, whatever texts and statuses it has`() throws {
        let server = try server()
        let update = try pull(server) { $0.includesArchived = true }
        #expect(update.problems.isEmpty && update.changes.count == server.objects.count, "\(update.problems)")
        let (plan, problems) = try plan(server)
        #expect(problems.isEmpty && plan.isEmpty, "\(plan.lines)")
        #expect(plan.count(.unchanged) == server.objects.count && plan.count(.serverOnly) == 0, "\(plan.lines)")
        #expect(try pull(server) { $0.includesArchived = true }.changes.isEmpty)
    }

    @Test func `Nothing that was pulled is archived or launched, also with every flag`() throws {
        let server = try server()
        _ = try pull(server)
        let (plan, _) = try plan(server) { ($0.prunes, $0.launches, $0.overwrites) = (true, true, true) }
        #expect(plan.isEmpty, "\(plan.lines)")
        #expect(plan.withoutLaunches.changes.isEmpty)
    }

    @Test func `Without their statuses files are drafts for another server, and change none on this one`() throws {
        let server = try server()
        _ = try pull(server) { ($0.omitsStatus, $0.includesArchived) = (true, true) }
        #expect(try plan(server).plan.isEmpty)
        let (fresh, problems) = try plan(ServerState())
        #expect(problems.isEmpty, "\(problems)")
        #expect(fresh.count(.create) == fresh.items.count && fresh.items.count == server.objects.count)
        for item in fresh.items where item.reference.kind == .campaign { #expect(item.steps == [.save]) }
        let (launched, _) = try plan(ServerState()) { $0.launches = true }
        let launches = launched.items.count { $0.steps.contains(.transition(.launch)) }
        #expect(launches == Self.campaigns.count)
        #expect(launched.withoutLaunches.items.allSatisfy { !$0.steps.contains(.transition(.launch)) })
    }

    @Test func `One text that is edited is one difference, and pulling takes it back only when told to`() throws {
        let server = try server()
        _ = try pull(server) { $0.includesArchived = true }
        let file = "content-blocks/block-0.yaml"
        let text = try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
        try folder.write(text.replacing("plain", with: "edited"), to: file)
        let (plan, _) = try plan(server)
        #expect(plan.changes.map(\.reference.text) == ["content-blocks/block-0"])
        #expect(plan.changes.first?.differences == [FieldDifference(path: "content", server: "plain", file: "edited")])
        let refused = try pull(server)
        #expect(refused.changes.isEmpty && refused.problems.map(\.file) == [file], "\(refused.problems)")
        #expect(try pull(server) { $0.overwrites = true }.changes == [.replace(path: file, text: text)])
    }

    @Test func `A plan says the same to people and to programs`() throws {
        let server = try server()
        _ = try pull(server)
        try folder.remove("content-blocks/block-1.yaml")
        try folder.write("name: mine\ncontent: x\n", to: "content-blocks/mine.yaml")
        let (plan, _) = try plan(server)
        let json = plan.json
        #expect(json["counts"]?["create"] == 1 && json["counts"]?["server_only"] == 1)
        #expect(json["objects"]?.array?.count == plan.items.count)
        #expect(plan.lines.contains("+ create content-blocks/mine"))
        #expect(plan.lines.contains("? server only content-blocks/block-1"))
        let unchanged = plan.count(.unchanged)
        #expect(plan.lines.last == "1 to create, \(unchanged) unchanged, 1 only on the server.")
        #expect(WorkspacePlan(items: []).lines == ["There are no files."] && WorkspacePlan(items: []).isEmpty)
    }

    @Test func `JSON files stay JSON, and are the same objects`() throws {
        let server = try server()
        _ = try pull(server)
        for file in folder.read([.campaign]).files {
            try folder.remove(file.path)
            let name = String(file.path.dropLast(".yaml".count)) + ".json"
            try folder.write(file.object.fileValue.prettyText + "\n", to: name)
        }
        #expect(try plan(server).plan.isEmpty)
        #expect(try pull(server).changes.isEmpty)
    }
}
