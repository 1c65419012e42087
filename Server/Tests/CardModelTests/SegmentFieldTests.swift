import Testing
import WireJSON

@testable import CardModel

@Suite("Fields of segments")
struct SegmentFieldTests {
    private func failures(_ json: JSONValue, allowing others: Set<String> = []) -> [String] {
        do throws(ModelErrors) {
            _ = try Segment.SegmentContent.read(json, allowing: others)
            return []
        } catch {
            return error.all.map { "\($0.code.rawValue) \($0.path)" }
        }
    }

    private func named(_ members: JSONObject) -> JSONValue {
        var all: JSONObject = ["name": "VIP"]
        all.merge(members) { $1 }
        return .object(all)
    }

    @Test("Each wrong field has an error of its own, in the order of the fields")
    func errors() {
        #expect(failures([]) == ["field_invalid "] && failures(.null) == ["field_invalid "])
        #expect(failures([:]) == ["field_missing name"] && failures(["name": .null]) == ["field_missing name"])
        let wrong: JSONValue = [
            "extra": 1, "name": 5, "description": [], "tags": "x", "audience": ["every": []],
        ]
        #expect(
            failures(wrong) == [
                "field_unknown extra", "field_invalid name", "field_invalid description", "field_invalid tags",
                "field_unknown audience.every",
            ]
        )
        #expect(failures(named(["version": 1])) == ["field_unknown version"])
        #expect(failures(named(["version": 1]), allowing: ["version"]).isEmpty)
    }

    @Test("A name has 1 to 255 characters without control characters, however many bytes those have")
    func names() {
        func name(_ text: String) -> [String] { failures(named(["name": .string(text)])) }
        for unit in ["x", "\u{E9}", "\u{65E5}", "\u{1F600}"] {
            #expect(name(String(repeating: unit, count: 255)).isEmpty)
            #expect(name(String(repeating: unit, count: 256)) == ["field_invalid name"])
        }
        // One character may be many scalars, but not any number of them.
        #expect(name("e" + String(repeating: "\u{301}", count: 500)).isEmpty)
        #expect(name("e" + String(repeating: "\u{301}", count: 600)) == ["field_invalid name"])
        for wrong in ["", "a\nb", "a\tb", "\u{7F}"] { #expect(name(wrong) == ["field_invalid name"]) }
    }

    @Test("A description has two thousand characters and may have lines, and there are fifty tags, each once")
    func texts() throws {
        func description(_ text: String) -> [String] { failures(named(["description": .string(text)])) }
        #expect(description(String(repeating: "x", count: 2_000)).isEmpty && description("a\nb").isEmpty)
        #expect(description(String(repeating: "x", count: 2_001)) == ["field_invalid description"])
        func tags(_ count: Int) -> JSONValue { named(["tags": .array((0..<count).map { .string("t\($0)") })]) }
        #expect(failures(tags(50)).isEmpty && failures(tags(51)) == ["field_invalid tags"])
        #expect(failures(named(["tags": [1]])) == ["field_invalid tags[0]"])
        #expect(failures(named(["tags": [.string(String(repeating: "t", count: 256))]])) == ["field_invalid tags"])
        let twice = try Segment.SegmentContent(json: named(["tags": ["b", "a", "b", "caf\u{E9}", "cafe\u{301}"]]))
        #expect(twice.tags.map { Array($0.utf8) } == ["b", "a", "caf\u{E9}", "cafe\u{301}"].map { Array($0.utf8) })
    }

    @Test("A segment as JSON has what members see of it, and reads back without that")
    func json() throws {
        let plan = AttributeClause(.custom("plan"), .equals, "gold")
        let content = Segment.SegmentContent(name: "VIP", description: "d", tags: ["x"], audience: .attribute(plan))
        let segment = Segment(id: SegmentID(rawValue: "vip"), content: content, createdAt: 5)
        let json = segment.json
        #expect(json["id"] == "vip" && json["version"] == 1 && json["archived"] == false)
        #expect(json["summary"] == "plan is gold" && json["created_at"]?.double == 5 && json["updated_at"]?.double == 5)
        #expect(try Segment.SegmentContent(json: json, allowing: Segment.keptFieldNames) == content)
        #expect(throws: ModelError.self) { try Segment.SegmentContent(json: json) }
    }

    @Test("A change counts a version and its time, and no change counts nothing")
    func changes() {
        let content = Segment.SegmentContent(name: "VIP", audience: .everyone)
        let segment = Segment(id: SegmentID(rawValue: "vip"), content: content, createdAt: 5)
        #expect(segment.updating(content, at: 9) == segment && segment.archiving(false, at: 9) == segment)
        var other = content
        other.name = "Other"
        let updated = segment.updating(other, at: 9)
        #expect(updated.version == 2 && updated.updatedAt == 9 && updated.createdAt == 5 && updated.content == other)
        let archived = updated.archiving(true, at: 12)
        #expect(archived.version == 3 && archived.isArchived && archived.updatedAt == 12)
        #expect(archived.archiving(true, at: 20) == archived)
    }

    @Test(
        "Numbers in sentences are in groups of three, and those with a fraction as they are",
        arguments: [
            (0, "0"), (7, "7"), (999, "999"), (1_000, "1,000"), (-1_000, "-1,000"), (-999, "-999"),
            (1_000_000, "1,000,000"), (123_456, "123,456"), (.min, "-9,223,372,036,854,775,808"),
            (.max, "9,223,372,036,854,775,807"),
        ] as [(Int64, String)]
    )
    func numbers(number: Int64, text: String) {
        #expect(JSONFields.shown(number) == text)
        if number.magnitude < 1 << 53 { #expect(JSONFields.shown(Double(number)) == text) }
        #expect(JSONFields.shown(0.001) == "0.001" && JSONFields.shown(36_525.5) == "36525.5")
    }

    @Test("Every name of a zone that imports know is a zone, and is kept as that")
    func zones() {
        #expect(TimeZoneName.all.count > 100)
        for name in TimeZoneName.all {
            let identifier = TimeZoneName.identifier(of: name)
            #expect(identifier.flatMap(TimeZoneClock.init(named:)) != nil, "\(name)")
            // What is kept is read back as itself.
            #expect(identifier.flatMap(TimeZoneName.identifier(of:)) == identifier, "\(name)")
        }
        #expect(TimeZoneName.identifier(of: "Asia/Tokyo") == "Asia/Tokyo")
        #expect(TimeZoneName.identifier(of: "tokyo tower") == nil)
    }
}
