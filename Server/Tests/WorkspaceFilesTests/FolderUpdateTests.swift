import CardModel
import Foundation
import Testing
import WireJSON
import WireYAML

@testable import WorkspaceFiles

@Suite("Pulled folders")
struct FolderUpdateTests {
    private let folder: WorkspaceFolder
    private let path: String
    private let address: URL

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)").path
        folder = try WorkspaceFolder.open(path, create: true)
        address = try #require(URL(string: "http://127.0.0.1:8080"))
    }

    private func server(_ names: (String, String)...) throws -> ServerState {
        var state = ServerState()
        for (id, name) in names {
            let json: JSONValue = [
                "id": .string(id), "name": .string(name), "audience": [:], "archived": false,
                "version": 1,
            ]
            let object = try ServerObject(.segment, json: json)
            state.objects[object.object.reference] = object
        }
        return state
    }

    /// Pulls, and returns the paths of what was changed.
    private func pull(
        _ server: ServerState,
        change: (inout FolderUpdate.UpdateOptions) -> Void = { _ in }
    ) throws -> (changed: [String], problems: [FileProblem]) {
        var options = FolderUpdate.UpdateOptions()
        change(&options)
        var pulled = try PulledState(of: address, in: folder)
        let contents = folder.read(Set(ObjectKind.allCases))
        let update = FolderUpdate(files: contents.files, server: server, pulled: pulled, options: options)
        for change in update.changes {
            switch change {
            case .create(let path, let text), .replace(let path, let text): try folder.write(text, to: path)
            case .remove(let path): try folder.remove(path)
            }
        }
        for (file, server) in update.results { pulled.note(file.reference, file: file, server: server) }
        try pulled.write(to: folder)
        return (update.changes.map(\.path), contents.problems + update.problems)
    }

    @Test("keep a file of which a part was applied, whatever else is known of it", arguments: [true, false])
    func applied(isKnown: Bool) throws {
        let text = "id: a\nname: Mine\naudience: {}\n"
        let state = try server(("a", "Theirs"))
        let object = try #require(state.objects.values.first).object
        if isKnown { _ = try pull(state) }
        try folder.write(text, to: "segments/a.yaml")
        var pulled = try PulledState(of: address, in: folder)
        pulled.note(object.reference, server: object)
        try pulled.write(to: folder)
        #expect(try pull(state).problems.map(\.file) == ["segments/a.yaml"])
        #expect(try folder.text(at: "segments/a.yaml") == text)
    }

    @Test("have a file for each id, also where a disk takes two for one, and change no byte the second time")
    func names() throws {
        let state = try server(("a", "A"), ("A", "B"), (".git", "C"))
        let (created, problems) = try pull(state)
        #expect(problems.isEmpty && Set(created.map { $0.lowercased() }).count == 3)
        #expect(created.allSatisfy { $0.hasPrefix("segments/") && !$0.contains("/.") })
        #expect(try pull(state).changed.isEmpty)
        #expect(folder.read([.segment]).files.count == 3)
    }

    @Test("keep files that were renamed and commented, and lose no edit")
    func edits() throws {
        _ = try pull(try server(("a", "A")))
        try folder.remove("segments/a.yaml")
        try folder.write("# Mine\nname: A\nid: a\n", to: "segments/mine.yml")
        #expect(try pull(try server(("a", "A"))).changed.isEmpty)
        // The server changed, and the file not.
        #expect(try pull(try server(("a", "B"))).changed == ["segments/mine.yml"])
        // The file changed, and the server not.
        try folder.write("id: a\nname: Edited\n", to: "segments/mine.yml")
        let (changed, problems) = try pull(try server(("a", "B")))
        #expect(changed.isEmpty && problems.map(\.file) == ["segments/mine.yml"])
        #expect(try pull(try server(("a", "B"))) { $0.overwrites = true }.changed == ["segments/mine.yml"])
        #expect(try pull(ServerState()).changed.isEmpty)
        #expect(try pull(ServerState()) { $0.prunes = true }.changed == ["segments/mine.yml"])
    }

    @Test("are neither read nor written through links")
    func links() throws {
        let outside = path + "-outside"
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: path + "/segments", withDestinationPath: outside)
        #expect(folder.read([.segment]).problems.map(\.file) == ["segments"])
        #expect(throws: FileProblem.self) { try folder.write("x", to: "segments/a.yaml") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
    }
}
