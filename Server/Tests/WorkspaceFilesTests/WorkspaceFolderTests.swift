import CardModel
import Foundation
import Testing
import WireJSON

@testable import WorkspaceFiles

/// Folders as people, editors and attackers leave them.
final class WorkspaceFolderTests {
    private let path: String
    private let folder: WorkspaceFolder

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)").path
        folder = try WorkspaceFolder.open(path, create: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    private static let segment = "id: a\nname: A\n"

    private func write(_ data: Data, to name: String) throws {
        let file = URL(filePath: path).appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try data.write(to: file)
    }

    private func read(_ kinds: ObjectKind...) -> WorkspaceFolder.Contents {
        folder.read(kinds.isEmpty ? Set(ObjectKind.allCases) : Set(kinds))
    }

    @Test func `What editors and systems leave is passed over`() throws {
        let others = [
            "segments/.a.yaml.swp", "segments/a.yaml~", "segments/#a.yaml#", "segments/.yaml", "segments/README.md",
            ".git/config", ".DS_Store", "README.md", "segments/a.yaml.orig", "segments/yaml", ".placard/pulled.json",
        ]
        for name in others { try folderWrite(name) }
        try folder.write(Self.segment, to: "segments/a.yaml")
        let contents = read()
        #expect(contents.files.map(\.path) == ["segments/a.yaml"] && contents.problems.isEmpty)
    }

    private func folderWrite(_ name: String) throws { try write(Data("{".utf8), to: name) }

    @Test(
        "What stands in the wrong place is named: it would be thought to be applied",
        arguments: [
            ("campaign/a.yaml", "campaign"), ("a.yaml", "a.yaml"), ("Settings.yaml", "Settings.yaml"),
            ("segments/old/a.yaml", "segments/old"), ("segments.yaml", "segments.yaml"),
            ("settings/a.yaml", "settings"),
        ]
    )
    func misplaced(_ file: String, _ named: String) throws {
        try write(Data(Self.segment.utf8), to: file)
        let contents = read()
        #expect(contents.files.isEmpty && contents.problems.map(\.file) == [named])
    }

    @Test func `Two files of one object are a problem of the second, whatever their forms`() throws {
        try folder.write(Self.segment, to: "segments/b.yml")
        try folder.write(#"{"id": "a", "name": "B"}"#, to: "segments/c.json")
        try folder.write("id: a\nname: 7\n", to: "segments/d.yaml")
        try folder.write("card_limit: 1\n", to: "settings.yaml")
        try folder.write(#"{"card_limit": 2}"#, to: "settings.json")
        let problems = read().problems.filter { $0.message.hasSuffix(", too.") }
        #expect(
            problems.map(\.description) == [
                "segments/c.json: segments/b.yml describes segments/a, too.",
                "segments/d.yaml: segments/c.json describes segments/a, too.",
                "settings.yaml: settings.json describes settings, too.",
            ]
        )
    }

    @Test func `Names of other bytes are other objects, though they look alike`() throws {
        try folder.write("class_type: \u{E9}\nfields: []\n", to: "content-types/a.yaml")
        try folder.write("class_type: e\u{301}\nfields: []\n", to: "content-types/b.yaml")
        let contents = read(.contentType)
        #expect(contents.files.count == 2 && contents.problems.isEmpty)
    }

    @Test(
        "A file that isn't text, is empty or too large is one problem of that file",
        arguments: [
            Data([0xFF, 0xFE, 0x69, 0x00]), Data([0x69, 0x64, 0x3A, 0x20, 0xE9]), Data(),
            Data(repeating: 0x20, count: WorkspaceFolder.maximumFileBytes + 1), Data([0]), Data("- a\n- b\n".utf8),
        ]
    )
    func unreadable(_ data: Data) throws {
        try write(data, to: "segments/a.yaml")
        try folder.write("id: b\nname: B\n", to: "segments/b.yaml")
        let contents = read(.segment)
        #expect(Set(contents.problems.map(\.file)) == ["segments/a.yaml"])
        #expect(contents.files.map(\.path) == ["segments/b.yaml"])
    }

    @Test func `A file of the largest size is read, and so is one with a byte order mark`() throws {
        let line = "# " + String(repeating: "x", count: 98) + "\n"
        let count = (WorkspaceFolder.maximumFileBytes - Self.segment.utf8.count) / line.utf8.count
        try folder.write(Self.segment + String(repeating: line, count: count), to: "segments/a.yaml")
        try folder.write("\u{FEFF}id: b\nname: B\n", to: "segments/b.yaml")
        let contents = read(.segment)
        #expect(contents.problems.isEmpty && contents.files.count == 2)
    }

    @Test func `Pipes and links are neither followed nor waited for`() throws {
        try folder.write(Self.segment, to: "segments/a.yaml")
        #expect(mkfifo(path + "/segments/pipe.yaml", 0o600) == 0)
        for (name, target) in [("link.yaml", path + "/segments/a.yaml"), ("loop.yaml", "loop.yaml")] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(path)/segments/\(name)",
                withDestinationPath: target
            )
        }
        try FileManager.default.createDirectory(atPath: path + "/segments/dir.yaml", withIntermediateDirectories: true)
        let contents = read(.segment)
        #expect(contents.files.count == 1)
        #expect(
            contents.problems.map(\.file) == [
                "segments/dir.yaml", "segments/link.yaml", "segments/loop.yaml", "segments/pipe.yaml",
            ]
        )
        // A link is replaced by a file, and what it leads to stays.
        try folder.write("id: c\nname: C\n", to: "segments/link.yaml")
        #expect(try String(contentsOfFile: path + "/segments/a.yaml", encoding: .utf8) == Self.segment)
        #expect(read(.segment).files.count == 2)
    }

    @Test func `A file is written as a whole, and leaves no draft behind`() throws {
        try folder.write("first", to: "segments/a.yaml")
        try folder.write("second", to: "segments/a.yaml")
        #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/segments") == ["a.yaml"])
        try FileManager.default.createDirectory(atPath: path + "/segments/b.yaml/c", withIntermediateDirectories: true)
        let problem = #expect(throws: FileProblem.self) { try folder.write("x", to: "segments/b.yaml") }
        #expect(problem?.file == "segments/b.yaml")
        let names = try FileManager.default.contentsOfDirectory(atPath: path + "/segments")
        #expect(names.sorted() == ["a.yaml", "b.yaml"])
    }

    @Test func `A file that is gone already is an error with its name, and a folder that isn't there none`() {
        #expect(throws: Never.self) { try folder.remove("segments/a.yaml") }
        #expect(throws: FileProblem.self) { try folder.remove("settings.yaml") }
        #expect(throws: FileProblem.self) { _ = try WorkspaceFolder.open(path + "/none") }
    }

    @Test func `Problems are one line each, without what steers a terminal`() {
        let hostile = "a\u{1B}[2J\nb\u{202E}.yaml"
        let problem = FileProblem(hostile, line: 3, hostile)
        #expect(!problem.description.contains("\n") && !problem.description.contains("\u{1B}"))
        #expect(!problem.description.contains("\u{202E}") && problem.description.contains(":3: "))
        #expect(problem.json["file"] == .string(hostile) && problem.json["line"] == 3)
        #expect(FileProblem("a", "x").json["line"] == .null)
        let sorted = [FileProblem("b", "1"), FileProblem("a", line: 9, "2"), FileProblem("a", line: 10, "3")].sorted()
        #expect(sorted.map(\.message) == ["2", "3", "1"])
    }
}
