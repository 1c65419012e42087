import CardModel
import SampleCampaigns
import Testing
import WireJSON
import WireYAML

@testable import WorkspaceFiles

@Suite("Objects as files")
struct WorkspaceObjectTests {
    private static let demo = SampleCampaign.demo { "https://cards.example/media/0/\($0.fileName)" }

    @Test("say what samples say, in as little as possible", arguments: demo.map(\.id.rawValue))
    func samples(id: String) throws {
        let sample = try #require(Self.demo.first { $0.id.rawValue == id })
        let draft = Campaign(id: sample.id, content: sample.content, createdAt: 1)
        let object = try ServerObject(.campaign, json: try draft.applying(.launch, at: 2).json).object
        let text = object.fileValue.yaml
        let again = try WorkspaceObject(.campaign, json: try JSONValue(yaml: text))
        #expect(again.content == .campaign(sample.content, WrittenStatus(.active)))
        #expect(FieldDifference.between(server: .object(object.members), file: .object(again.members)).isEmpty)
        #expect(again.fileValue.yaml == text)
        #expect(!text.contains("null") && !text.contains("\nversion:") && !text.contains("_at: 1"))
    }

    @Test("have times that people can read, where these are exact")
    func times() throws {
        let json: JSONValue = [
            "id": "a", "name": "A", "variants": [["card": ["type": "classic", "title": "t", "description": "d"]]],
            "delivery": ["type": "scheduled", "start_at": 1_800_000_000, "end_at": 1_800_000_000.123456],
        ]
        let object = try WorkspaceObject(.campaign, json: json)
        let file = object.fileValue
        #expect(file["delivery"]?["start_at"] == "2027-01-15T08:00:00Z")
        #expect(try WorkspaceObject(.campaign, json: file) == object)
    }

    @Test("that are for no one say so, and no more")
    func noOne() throws {
        let card: JSONValue = ["type": "classic", "title": "t", "description": "d"]
        let json: JSONValue = [
            "id": "a", "name": "A", "audience": ["any": []], "variants": [["card": card]],
        ]
        let object = try WorkspaceObject(.campaign, json: json)
        #expect(object.fileValue["audience"] == ["any": []] && !object.fileValue.text.contains("null"))
        #expect(try WorkspaceObject(.campaign, json: object.fileValue) == object)
    }

    @Test("say each wrong field")
    func wrong() throws {
        let error = #expect(throws: ObjectError.self) {
            try WorkspaceObject(
                .campaign,
                json: [
                    "id": "a", "name": 1, "variants": [["card": ["type": "classic", "title": 1, "description": "d"]]],
                ]
            )
        }
        #expect(error?.errors.map(\.path) == ["name", "variants[0].card.title"])
        for (kind, json): (ObjectKind, JSONValue) in [
            (.campaign, 1), (.segment, ["name": "S"]), (.contentBlock, ["name": "a/b", "content": ""]),
            (.contentBlock, ["name": "a", "content": "", "more": 1]), (.contentType, ["class_type": "a"]),
            (.contentType, ["class_type": "a", "fields": [["name": "b", "type": "string", "requierd": true]]]),
            (.settings, ["card_limt": 1]), (.segment, ["id": "a", "name": "S", "archived": 1]),
        ] {
            #expect(throws: ObjectError.self, "\(json.text)") { try WorkspaceObject(kind, json: json) }
        }
    }
}

@Suite("Differences of fields")
struct FieldDifferenceTests {
    private func paths(_ server: JSONValue, _ file: JSONValue) -> [String] {
        FieldDifference.between(server: server, file: file).map(\.path)
    }

    @Test("name the place, and elements by their ids")
    func places() {
        #expect(paths(["a": 1, "b": 2], ["b": 2, "a": 1]).isEmpty)
        #expect(paths(["a": ["b": 1]], ["a": ["b": 2, "c": 3]]) == ["a.b", "a.c"])
        let (first, second): (JSONValue, JSONValue) = (["id": "a", "w": 1], ["id": "b", "w": 1])
        #expect(paths(["v": [first, second]], ["v": [["id": "a", "w": 1], ["id": "b", "w": 2]]]) == ["v[b].w"])
        #expect(paths(["v": [first, second]], ["v": [first]]) == ["v[b]"])
        #expect(paths(["v": [first, second]], ["v": [second, first]]) == ["v (order)"])
        #expect(paths(["v": [1, 2]], ["v": [1, 3]]) == ["v[1]"])
        #expect(paths(["v": [1, 2]], ["v": [1]]) == ["v"])
        // Other bytes are other text.
        #expect(paths(["a": "é"], ["a": "e\u{301}"]) == ["a"])
    }

    @Test("show lines of texts that have several")
    func lines() {
        let difference = FieldDifference(path: "content", server: "a\nb\nc", file: "a\nx\nc")
        #expect(difference.lines == ["content:", "  - b", "  + x"])
        let hostile = FieldDifference(path: "a", server: nil, file: "\u{1B}[2J")
        #expect(hostile.lines == ["+ a: \"\\x1B[2J\""])
    }
}

extension FieldDifferenceTests {
    @Test(
        "cut long values between letters",
        arguments: ["a", "é", "春", "𠮷", "a春", "ab𠮷", "e\u{301}", "👩‍👩‍👧"]
    )
    func cut(_ unit: String) throws {
        let long = String(repeating: unit, count: 400)
        let line = try #require(FieldDifference(path: "a", server: nil, file: .string(long)).lines.first)
        #expect(line.hasPrefix("+ a: ") && line.hasSuffix("…") && !line.contains("\u{FFFD}"))
        #expect((158...170).contains(line.utf8.count), "\(line.utf8.count)")
        // What is shown is the beginning of the value, byte by byte.
        let shown = line.utf8.dropFirst("+ a: ".utf8.count).dropLast("…".utf8.count)
        #expect(JSONValue.string(long).yamlLine.utf8.starts(with: shown))
        let short = FieldDifference(path: "a", server: nil, file: .string(String(repeating: "a", count: 160)))
        #expect(short.lines.first?.hasSuffix("…") == false)
    }

    @Test("are one line each, whatever a field is called and whatever stood there before")
    func hostileNames() {
        let name = "x\n+ create campaigns/other\u{1B}[2J"
        let differences = FieldDifference.between(server: [:], file: .object([name: "1"]))
        #expect(differences.count == 1)
        for line in differences.flatMap(\.lines) {
            #expect(!line.contains("\n") && !line.contains("\u{1B}"), "\(line)")
        }
        // A number isn't a text without lines.
        #expect(FieldDifference(path: "a", server: 5, file: "x\ny").lines == ["a: 5 → \"x\\ny\""])
    }

    @Test("of many lines are shown up to a limit")
    func manyLines() {
        let old = (0..<100).map { "old \($0)" }.joined(separator: "\n")
        let new = (0..<100).map { "new \($0)" }.joined(separator: "\n")
        let lines = FieldDifference(path: "content", server: .string(old), file: .string(new)).lines
        #expect(lines.count == 42 && lines.first == "content:" && lines.last == "  … and 160 more lines")
        // Beyond what is worth comparing, both are shown as values.
        let huge = String(repeating: "a\n", count: 3_000)
        #expect(FieldDifference(path: "content", server: "b\n", file: .string(huge)).lines.count == 1)
    }

    @Test("are none exactly where both are the same value")
    func reflexive() {
        let values: [JSONValue] = [
            .null, true, 0, 1, 1.5, "", "1", [], [:], [1, 2], [["id": "a"], ["id": "b"]], ["a": ["b": [.null]]],
            [["id": "a"], ["id": "a"]], [["name": "a", "v": 1]], [["name": "a", "v": 2]], ["a": .null], "e\u{301}",
            "\u{E9}",
        ]
        for (index, value) in values.enumerated() {
            for (place, other) in values.enumerated() {
                let isSame = FieldDifference.between(server: value, file: other, at: "v").isEmpty
                #expect(isSame == (index == place), "\(value.text) and \(other.text)")
            }
        }
    }

    @Test("are the same in both directions, with the sides swapped")
    func symmetric() {
        let (one, other): (JSONValue, JSONValue) = (
            ["a": 1, "list": [["id": "x", "w": 1], ["id": "y"]], "only": true],
            ["a": 2, "list": [["id": "y"], ["id": "z"], ["id": "x", "w": 2]], "text": "t"]
        )
        let forth = FieldDifference.between(server: one, file: other)
        let back = FieldDifference.between(server: other, file: one)
        #expect(Set(forth.map(\.path)) == ["a", "list[x].w", "list[z]", "text", "only"])
        let swapped = forth.map { FieldDifference(path: $0.path, server: $0.file, file: $0.server) }
        #expect(Set(swapped) == Set(back))
        for difference in forth {
            #expect(difference.json["path"] == .string(difference.path))
            #expect(difference.json["server"] == difference.server ?? .null)
        }
    }
}
