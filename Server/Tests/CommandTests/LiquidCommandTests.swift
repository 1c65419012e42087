import Foundation
import Testing
import WireJSON

@testable import PlacardCommands

/// `placard liquid`, which asks no server.
struct LiquidCommandTests {
    /// Renders a template with some data.
    private static func render(
        _ template: String,
        data: String? = nil,
        _ words: String...
    ) async throws -> CommandOutcome {
        try await CommandFolder.with { folder in
            let file = try folder.write(template, to: "card.liquid")
            var arguments = ["liquid", file] + words
            if let data { arguments += ["--data", try folder.write(data, to: "data.json")] }
            return await CommandOutcome.run(arguments)
        }
    }

    /// Returns what a batch answers to a line.
    private static func answer(_ line: String) throws -> (text: String, json: JSONValue) {
        let record = ConsoleRecord()
        try Console.$record.withValue(record) { try LiquidCommand.answer(line) }
        return (record.result, try JSONValue(parsing: record.result))
    }

    @Test func `A template is rendered as it is, with data and without`() async throws {
        let hello = try await Self.render(#"Hello {{ ${first_name} | default: "you" }}"#)
        #expect(hello.status == 0 && hello.output == "Hello you" && hello.notes.isEmpty)
        let named = try await Self.render("{{ name }} {{ list[1] }}\r\n", data: #"{"name": "春", "list": [1, 2]}"#)
        #expect(named.output == "春 2\r\n")
        // What isn't there is nothing, and an empty template too.
        #expect(try await Self.render("[{{ nothing }}]").output == "[]")
        #expect(try await Self.render("").output.isEmpty)
    }

    @Test func `The standard language is Liquid alone`() async throws {
        let standard = try await Self.render("{{ 1 | plus: 2 }}{{ a }}", data: #"{"a": 4}"#, "--standard")
        #expect(standard.status == 0 && standard.output == "34")
    }

    @Test(
        "An error names the file, the line and the column",
        arguments: [("a\n {% nope %}", ":2:"), ("{% nope %}", ":1:"), ("a\n\n{% if a %}", ":")]
    )
    func errors(_ template: String, _ place: String) async throws {
        let outcome = try await Self.render(template)
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.message.contains("card.liquid" + place), "\(outcome.message)")
    }

    @Test(
        "Data that is no object is refused with its file's name",
        arguments: ["", "[1]", "7", "{", #""text""#, "null", #"{"a": 1} {"b": 2}"#]
    )
    func wrongData(_ data: String) async throws {
        let outcome = try await Self.render("{{ a }}", data: data)
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.message.contains("data.json"), "\(outcome.message)")
    }

    @Test func `A template that gives up renders nothing, and says why`() async throws {
        let reason = try await Self.render("a{% abort_message('no plan') %}b")
        #expect(reason.status == 1 && reason.output.isEmpty)
        #expect(reason.message == "The template gave up: no plan.")
        #expect(try await Self.render("{% abort_message %}").message == "The template gave up.")
    }

    @Test(
        "A file or a batch is needed, never both, and a batch has its own data",
        arguments: [
            [], ["--batch", "card.liquid"], ["--batch", "--data", "data.json"], ["a", "b"], ["--data", "d"],
        ]
    )
    func usage(_ words: [String]) async {
        let outcome = await CommandOutcome.run(["liquid"] + words)
        #expect(outcome.status == 64 && outcome.output.isEmpty)
    }

    @Test(
        "A batch keeps every character, and writes none that changes a terminal",
        arguments: [
            "a\u{2028}b", "\u{200E}x\u{200F}", "\u{202E}x", "\u{85}", "\u{7F}", "\u{1B}[2K", "é😀", "\"\\\n\t",
        ]
    )
    func characters(_ text: String) throws {
        let line: JSONValue = ["template": "{{ a }}", "data": ["a": .string(text)]]
        let (written, json) = try Self.answer(line.text)
        #expect(json["result"]?.string.map { Array($0.utf8) } == Array(text.utf8), "\(written)")
        #expect(written.hasSuffix("}\n") && written.dropLast().allSatisfy { $0 != "\n" })
        let hidden = "\u{2028}\u{200E}\u{200F}\u{202E}\u{85}\u{7F}\u{1B}".unicodeScalars
        #expect(!written.unicodeScalars.contains { hidden.contains($0) })
    }

    @Test func `Each line of a batch is answered by one line, whatever it is`() throws {
        #expect(try Self.answer(#"{"template": "{{ 1 | plus: 1 }}"}"#).json == ["result": "2"])
        #expect(try Self.answer(#"{"template": "{% abort_message('no') %}"}"#).json["result"] == nil)
        for line in ["", "{", "[]", "7", #"{"template": 1}"#, #"{"data": {}}"#, "\u{FFFD}", "{}"] {
            let (text, json) = try Self.answer(line)
            #expect(json["error"]?.string?.isEmpty == false && json["result"] == nil, "\(line)")
            #expect(text.split(separator: "\n").count == 1)
        }
    }
}
