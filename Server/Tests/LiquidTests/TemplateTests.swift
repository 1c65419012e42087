import Liquid
import Testing

@Suite("A compiled template")
struct TemplateTests {
    @Test("renders for many users at once, each with their own state")
    func concurrency() async throws {
        let source =
            "{% assign n = id | times: 2 %}{% for i in (1..20) %}{% increment c %}{% cycle 'a', "
            + "'b' %}{% endfor %}{{ n }} {{ name }}"
        let template = try standard.compile(source)
        try await withThrowingTaskGroup(of: (Int, String?).self) { group in
            for id in 0..<200 {
                group.addTask {
                    let data = LiquidHash([("id", .int(id)), ("name", .string("user \(id)"))])
                    return (id, try template.render(LiquidContext(data: data)).text)
                }
            }
            let turns = (0..<20).map { "\($0)\($0 % 2 == 0 ? "a" : "b")" }.joined()
            for try await (id, text) in group {
                #expect(text == "\(turns)\(id * 2) user \(id)")
            }
        }
    }

    @Test("asks an object only for what it reads, once a render")
    func laziness() throws {
        let user = RecordingObject()
        let template = try standard.compile("{{ plan }}{{ plan }}{% if no %}{{ secret }}{% endif %}{{ deep.inner }}")
        #expect(try template.render(LiquidContext(data: user)).text == "planplandeep.inner")
        #expect(user.keys == ["plan", "no", "deep", "deep.inner"])
    }

    @Test("prints text outside of tags byte for byte")
    func verbatim() throws {
        let text = "日本語 \u{1F600} { } % {x} \r\n\t\u{0}é"
        #expect(try rendered(text) == text)
        #expect(try rendered("") == "")
    }

    @Test("starts again with each render")
    func freshness() throws {
        let template = try standard.compile("{{ x }}{% assign x = 1 %}{{ x }}{% increment c %}")
        #expect(try template.render().text == "10")
        #expect(try template.render().text == "10")
    }
}

/// Answers every key but `no` with its own name, and notes which it was asked for.
private final class RecordingObject: LiquidObject, @unchecked Sendable {
    // Written by the one render of the one test that owns the object.
    private(set) var keys: [String] = []
    private let prefix: String
    private weak var owner: RecordingObject?

    init(prefix: String = "", owner: RecordingObject? = nil) {
        self.prefix = prefix
        self.owner = owner
    }

    subscript(key: String) -> LiquidValue? {
        let name = prefix + key
        (owner ?? self).keys.append(name)
        switch name {
        case "no": return nil
        case "deep": return .object(RecordingObject(prefix: "deep.", owner: self))
        default: return .string(name)
        }
    }
}

@Suite("Values from JSON")
struct JSONTests {
    @Test("keep their kinds and their order")
    func kinds() throws {
        let json = #" {"b": 1, "a": [true, false, null, -2.5e1, "x\u00e9\ud83d\ude00\n\/"], "c": {}} "#
        let expected: LiquidValue = ["b": 1, "a": [true, false, nil, -25.0, "xé😀\n/"], "c": [:]]
        let value = try LiquidValue(json: json.utf8)
        #expect(value == expected)
        #expect(value.text == #"{"b"=>1, "a"=>[true, false, nil, -25.0, "xé😀"# + "\n" + #"/"], "c"=>{}}"#)
    }

    @Test("take the last of equal keys, and whole numbers that do not fit as decimals")
    func edges() throws {
        #expect(try LiquidValue(json: #"{"a": 1, "a": 2}"#.utf8) == ["a": 2])
        #expect(try LiquidValue(json: "123456789012345678901".utf8) == .double(123_456_789_012_345_683_968))
        #expect(try LiquidValue(json: #""\ud800""#.utf8) == "\u{FFFD}")
    }

    @Test("find a key among many")
    func manyKeys() throws {
        let hash = LiquidHash((0..<100).map { ("key \($0)", .int($0)) })
        #expect(hash["key 77"] == 77)
        #expect(hash["key 100"] == nil)
        #expect(hash.count == 100)
    }

    @Test(
        "are refused when they are malformed",
        arguments: [
            "", "{", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "tru", "1 2", "\"a", "\"\\x\"", "\"\\u12\"", "-", "1e999",
            "]",
        ]
    )
    func malformed(_ json: String) {
        #expect(throws: LiquidError.self) { try LiquidValue(json: json.utf8) }
    }

    @Test("are refused when they nest too deep")
    func depth() {
        let json = String(repeating: "[", count: 100_000)
        #expect(throws: LiquidError.self) { try LiquidValue(json: json.utf8) }
    }
}
