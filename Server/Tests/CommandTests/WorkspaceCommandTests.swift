import CardModel
import Foundation
import Testing
import WireJSON

@testable import PlacardCommands

/// `placard pull`, `diff` and `apply`, run against servers.
struct WorkspaceCommandTests {
    private static let files = [
        "campaigns/spring.yaml": """
        # Ask Anna before you change it.
        id: spring
        status: active
        name: Spring
        audience: {segment: japan}
        variants:
          - card: {type: classic, title: "{{content_blocks.${hello}}}", description: D, extras: {"a.b": "é\\n春"}}

        """,
        "segments/japan.yaml": "id: japan\nname: Japan\naudience: {attribute: country, value: JP}\n",
        "content-blocks/hello.yaml": "name: hello\ncontent: |\n  Hello\n  there\n",
        "content-types/coupon.yaml": "class_type: coupon\nfields:\n  - {name: code, type: string, required: true}\n",
        "settings.yaml": "card_limit: 77\n",
    ]

    /// Writes the files into a folder, and returns its path.
    private static func workspace(of server: CommandServer, _ name: String = "workspace") throws -> String {
        for (file, text) in files { try server.folder.write(text, to: "\(name)/\(file)") }
        return server.folder.path(name)
    }

    private static let spring = CampaignID(rawValue: "spring")

    @Test func `What was applied differs in nothing, and a pull leaves each byte`() async throws {
        try await CommandServer.run { server in
            let path = try Self.workspace(of: server)
            let before = await server.run("diff", path)
            #expect(before.status == 2 && before.output.hasSuffix("4 to create, 1 to change, 1 to launch.\n"))
            let applied = await server.run("apply", path)
            #expect(applied.status == 0 && applied.output.hasSuffix("Applied 5 objects.\n"), "\(applied.everything)")
            #expect(try await server.store.campaign(Self.spring)?.status == .active)
            #expect(try await server.store.settings().cardLimit == 77)
            let same = await server.run("diff", path)
            #expect(same.status == 0 && same.output == "5 unchanged.\n")
            let again = await server.run("apply", path)
            #expect(again.output == "5 unchanged.\nNothing to do.\n")
            let pulled = await server.run("pull", path)
            #expect(pulled.status == 0 && pulled.output == "0 files changed, 5 unchanged.\n")
            for (file, text) in Self.files { #expect(try server.folder.text(of: "workspace/\(file)") == text) }
        }
    }

    @Test func `A workspace that was pulled makes another server the same`() async throws {
        try await CommandServer.run { first in
            #expect(await first.run("apply", try Self.workspace(of: first)).status == 0)
            let copy = first.folder.path("copy")
            #expect(await first.run("pull", copy).output.hasSuffix("5 files changed, 0 unchanged.\n"))
            try await CommandServer.run { second in
                #expect(await second.run("apply", copy).status == 0)
                #expect(await second.run("diff", copy).status == 0)
                let one = try await first.store.campaign(Self.spring)
                let other = try await second.store.campaign(Self.spring)
                #expect(one?.content == other?.content && one != nil && other?.status == .active)
                // Another folder of the second server has the same bytes.
                #expect(await second.run("pull", first.folder.path("third")).status == 0)
            }
            for file in Self.files.keys {
                #expect(try first.folder.text(of: "copy/\(file)") == first.folder.text(of: "third/\(file)"), "\(file)")
            }
        }
    }

    @Test func `JSON is one value on the result, and says what each object has`() async throws {
        try await CommandServer.run { server in
            let path = try Self.workspace(of: server)
            let diff = await server.run("diff", path, "--json")
            #expect(diff.status == 2 && diff.json["counts"]?["create"] == 4 && diff.notes.isEmpty)
            let references = diff.json["objects"]?.array?.compactMap { $0["kind"]?.string } ?? []
            #expect(references == ["settings", "content_type", "content_block", "segment", "campaign"])
            #expect(diff.json["objects"]?.array?.last?["steps"] == ["save", "launch"])
            let draft = await server.run("apply", path, "--no-launch", "--json")
            #expect(draft.status == 0 && draft.output.split(separator: "\n").count == 1)
            #expect(try await server.store.campaign(Self.spring)?.status == .draft)
            let launch = await server.run("diff", path, "--json")
            #expect(launch.json["counts"]?["change"] == 1)
        }
    }

    @Test func `A change on the server is a conflict, whether its address ends with a slash or not`() async throws {
        try await CommandServer.run { server in
            let path = try Self.workspace(of: server)
            _ = await server.run("apply", path)
            let other = try server.folder.write(
                Self.files["segments/japan.yaml", default: ""].replacing("name: Japan", with: "name: Theirs"),
                to: "other/segments/japan.yaml"
            )
            #expect(await server.run("apply", server.folder.path("other"), "--only", "segments").status == 0)
            #expect(FileManager.default.fileExists(atPath: other))
            let mine = Self.files["segments/japan.yaml", default: ""].replacing("name: Japan", with: "name: Mine")
            try server.folder.write(mine, to: "workspace/segments/japan.yaml")
            for address in [server.address, server.address + "/"] {
                let words = ["apply", path, "--server", address, "--key", server.key]
                let refused = await CommandOutcome.run(words)
                #expect(refused.status == 1 && refused.message.hasPrefix("Nothing was written: "), "\(address)")
                #expect(refused.output.contains("! conflict segments/japan"))
            }
            #expect(await server.run("diff", path).status == 2)
            #expect(await server.run("apply", path, "--overwrite").status == 0)
            #expect(await server.run("diff", path).status == 0)
        }
    }

    @Test func `What --no-launch leaves out is an edit that no pull loses, and that is launched later`() async throws {
        try await CommandServer.run { server in
            let path = try Self.workspace(of: server)
            #expect(await server.run("apply", path, "--no-launch").status == 0)
            let pulled = await server.run("pull", path)
            let problem = "campaigns/spring.yaml: The file and the server differ."
            #expect(pulled.status == 1 && pulled.notes.contains(problem))
            let text = try server.folder.text(of: "workspace/campaigns/spring.yaml")
            #expect(text == Self.files["campaigns/spring.yaml"])
            // Nobody else has changed it.
            let launched = await server.run("apply", path)
            #expect(launched.status == 0 && launched.output.hasSuffix("Applied 1 object.\n"), "\(launched.everything)")
            #expect(await server.run("pull", path).output == "0 files changed, 5 unchanged.\n")
        }
    }

    @Test func `What an apply finds done, as by another folder, is no conflict for the next edit`() async throws {
        try await CommandServer.run { server in
            let path = try Self.workspace(of: server)
            _ = await server.run("apply", path)
            let segment = Self.files["segments/japan.yaml", default: ""]
            for folder in ["other", "workspace"] {
                let renamed = segment.replacing("name: Japan", with: "name: Ours")
                try server.folder.write(renamed, to: "\(folder)/segments/japan.yaml")
                let applied = await server.run("apply", server.folder.path(folder), "--only", "segments")
                #expect(applied.status == 0, "\(applied.everything)")
            }
            let edited = segment.replacing("name: Japan", with: "name: Mine")
            try server.folder.write(edited, to: "workspace/segments/japan.yaml")
            let applied = await server.run("apply", path)
            #expect(applied.status == 0 && applied.output.hasSuffix("Applied 1 object.\n"), "\(applied.everything)")
        }
    }

    @Test func `A file that can't be read keeps every command from writing, and is named with its line`() async throws {
        try await CommandServer.run { server in
            let path = try Self.workspace(of: server)
            try server.folder.write("id: broken\nname: 7\n", to: "workspace/segments/broken.yaml")
            for command in ["diff", "apply", "pull"] {
                let outcome = await server.run(command, path)
                #expect(outcome.status == 1 && outcome.output.isEmpty, "\(command)")
                #expect(outcome.notes.hasPrefix("segments/broken.yaml:2: name: "), "\(outcome.notes)")
                #expect(outcome.message.hasPrefix("Nothing was written"))
                let json = await server.run(command, path, "--json")
                #expect(json.json["problems"]?.array?.first?["line"] == 2)
            }
            #expect(try await server.store.campaign(Self.spring) == nil)
            #expect(!FileManager.default.fileExists(atPath: "\(path)/.placard"))
            // What isn't asked for isn't in the way.
            #expect(await server.run("apply", path, "--only", "content-blocks").status == 0)
        }
    }

    @Test func `Nothing is archived for a folder that has no file of the kind`() async throws {
        try await CommandServer.run { server in
            _ = await server.run("apply", try Self.workspace(of: server))
            let empty = server.folder.path("empty")
            try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
            let refused = await server.run("apply", empty, "--prune")
            #expect(refused.status == 1 && refused.message.hasPrefix("Nothing was written: the folder has no file in "))
            #expect(try await server.store.campaign(Self.spring)?.status == .active)
            try server.folder.write(Self.files["segments/japan.yaml", default: ""], to: "empty/segments/japan.yaml")
            let other = Self.files["campaigns/spring.yaml", default: ""].replacing("id: spring", with: "id: summer")
            try server.folder.write(other, to: "empty/campaigns/summer.yaml")
            #expect(await server.run("apply", empty, "--prune").status == 0)
            #expect(try await server.store.campaign(Self.spring)?.status == .archived)
        }
    }

    @Test(
        "Wrong usage ends with 64, before anything is read",
        arguments: [
            ["apply", "x", "--launch", "--no-launch"], ["diff", "x", "--only", "campaign"],
            ["pull", "x", "--only", "a,"],
            ["diff"], ["pull", "x", "y"],
        ]
    )
    func usage(_ words: [String]) async {
        let outcome = await CommandOutcome.run(words + ["--key", "sk_hush", "--server", "http://127.0.0.1:1"])
        #expect(outcome.status == 64 && outcome.output.isEmpty && !outcome.everything.contains("sk_hush"))
    }

    @Test func `Settings need a permission of their own, and no secret comes into a file`() async throws {
        try await CommandServer.run([.read]) { server in
            let path = server.folder.path("workspace")
            let refused = await server.run("pull", path)
            #expect(refused.status == 1 && refused.message.contains("leave them out with --only"))
            #expect(!FileManager.default.fileExists(atPath: path))
            #expect(await server.run("pull", path, "--only", "campaigns,segments").status == 0)
        }
        try await CommandServer.run { server in
            _ = await server.run("pull", server.folder.path("all"))
            let enumerator = FileManager.default.enumerator(atPath: server.folder.path("all"))
            while let name = enumerator?.nextObject() as? String {
                let text = (try? server.folder.text(of: "all/\(name)")) ?? ""
                #expect(!text.contains(server.key) && !text.contains(" sk_") && !text.contains("\"sk_"), "\(name)")
            }
        }
    }
}
