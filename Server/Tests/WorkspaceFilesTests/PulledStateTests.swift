import CardModel
import Foundation
import Testing
import WireJSON

@testable import WorkspaceFiles

/// What a folder remembers of the servers that it was pulled from.
final class PulledStateTests {
    private let path: String
    private let folder: WorkspaceFolder

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)").path
        folder = try WorkspaceFolder.open(path, create: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    private func state(_ address: String) throws -> PulledState {
        try PulledState(of: try #require(URL(string: address)), in: folder)
    }

    private func block(_ name: String, _ content: String = "x") throws -> WorkspaceObject {
        try WorkspaceObject(.contentBlock, json: ["name": .string(name), "content": .string(content)])
    }

    /// Notes an object of a server.
    private func note(_ object: WorkspaceObject, of address: String) throws {
        var pulled = try state(address)
        pulled.note(object.reference, file: object, server: object)
        try pulled.write(to: folder)
    }

    @Test(
        "is that of one server however its address is spelt",
        arguments: [
            "http://cards.example/", "HTTP://cards.example", "http://Cards.EXAMPLE", "http://cards.example:80",
            "http://cards.example:80//",
        ]
    )
    func spellings(_ address: String) throws {
        let object = try block("hello")
        try note(object, of: "http://cards.example")
        #expect(try state(address)[object.reference] != nil)
        try note(try block("hello", "y"), of: address)
        let text = try String(contentsOfFile: path + "/.placard/pulled.json", encoding: .utf8)
        #expect(try JSONValue(parsing: text)["servers"]?.object?.count == 1)
    }

    @Test(
        "is none of another server",
        arguments: [
            "https://cards.example", "http://cards.example:8080", "http://cards.example/staging", "http://cards.exampl",
            "http://cards.example:443",
        ]
    )
    func others(_ address: String) throws {
        let object = try block("hello")
        try note(object, of: "http://cards.example")
        #expect(try state(address)[object.reference] == nil)
        // What one server is told leaves what is known of the other.
        try note(object, of: address)
        #expect(try state("http://cards.example")[object.reference] != nil)
    }

    @Test func `Names of other bytes are other objects`() throws {
        func type(_ name: String) throws -> WorkspaceObject {
            try WorkspaceObject(.contentType, json: ["class_type": .string(name), "fields": []])
        }
        let (composed, decomposed) = (try type("\u{E9}"), try type("e\u{301}"))
        try note(composed, of: "http://a")
        #expect(try state("http://a")[decomposed.reference] == nil)
        try note(decomposed, of: "http://a")
        #expect(try state("http://a")[composed.reference] != nil && state("http://a")[decomposed.reference] != nil)
    }

    @Test func `A digest follows the content, and neither the order of members nor the version`() throws {
        let first = try WorkspaceObject(.segment, json: ["id": "a", "name": "A", "description": "D", "version": 1])
        let second = try WorkspaceObject(.segment, json: ["description": "D", "version": 2, "name": "A", "id": "b"])
        #expect(PulledState.digest(first) == PulledState.digest(second))
        let third = try WorkspaceObject(.segment, json: ["id": "a", "name": "A", "description": "d"])
        #expect(PulledState.digest(first) != PulledState.digest(third))
        let archived = try WorkspaceObject(
            .segment,
            json: ["id": "a", "name": "A", "description": "D", "archived": true]
        )
        #expect(PulledState.digest(first) != PulledState.digest(archived))
    }

    @Test(
        "that can't be read is an error, since conflicts would be missed without it",
        arguments: ["", "{", "[]", "{}", #"{"servers":[]}"#, "\u{0}"]
    )
    func damaged(_ text: String) throws {
        try folder.write(text, to: ".placard/pulled.json")
        let problem = #expect(throws: FileProblem.self) { try state("http://a") }
        #expect(problem?.description == ".placard/pulled.json: This can't be read. Remove it, and pull again.")
    }

    @Test func `An entry that isn't whole is none, and the others stay`() throws {
        let object = try block("hello")
        try note(object, of: "http://a")
        let text = try String(contentsOfFile: path + "/.placard/pulled.json", encoding: .utf8)
        let digest = PulledState.digest(object)
        try folder.write(text.replacing("\"server\":\"\(digest)\"", with: "\"server\":7"), to: ".placard/pulled.json")
        #expect(try state("http://a")[object.reference] == nil)
        try note(try block("other"), of: "http://a")
        #expect(try state("http://a")[ObjectReference(.contentBlock, "other")] != nil)
    }

    @Test func `The folder keeps itself out of a repository, and is written through no link`() throws {
        try note(try block("hello"), of: "http://a")
        #expect(try String(contentsOfFile: path + "/.placard/.gitignore", encoding: .utf8) == "*\n")
        try FileManager.default.removeItem(atPath: path + "/.placard")
        let outside = path + "-outside"
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: outside) }
        try FileManager.default.createSymbolicLink(atPath: path + "/.placard", withDestinationPath: outside)
        #expect(throws: FileProblem.self) { try state("http://a") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
    }
}
