import Testing
import WireJSON

@testable import AgentProtocol

@Suite("A session of an agent")
struct AgentSessionTests {
    private static let tools: [JSONValue] = [["name": "read_campaign"], ["name": "create_campaign"]]

    private func session(isInitialized: Bool = true) -> AgentSession {
        let greeting = AgentSession.Greeting(name: "placard", version: "1", instructions: "Read.")
        var session = AgentSession(greeting, tools: Self.tools)
        if isInitialized { _ = session.receive(Array(Self.initialize("2025-06-18").utf8)) }
        return session
    }

    private static func initialize(_ version: String) -> String {
        #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"\#(version)","capabilities":{}}}"#
    }

    private func reply(_ line: String, isInitialized: Bool = true) -> JSONValue? {
        var session = session(isInitialized: isInitialized)
        guard case .reply(let json) = session.receive(Array(line.utf8)) else { return nil }
        return json
    }

    @Test(
        "speaks the version that was asked for, or the newest",
        arguments: [("2024-11-05", "2024-11-05"), ("2025-06-18", "2025-06-18"), ("1999-01-01", "2025-06-18")]
    )
    func versions(asked: String, spoken: String) {
        let result = reply(Self.initialize(asked), isInitialized: false)?["result"]
        #expect(result?["protocolVersion"]?.string == spoken)
        #expect(result?["serverInfo"]?["name"] == "placard" && result?["instructions"] == "Read.")
        #expect(result?["capabilities"]?["tools"] != nil)
    }

    @Test("takes lists of messages in each version that has them, and in no other", arguments: AgentSession.versions)
    func batches(version: String) {
        var session = session(isInitialized: false)
        _ = session.receive(Array(Self.initialize(version).utf8))
        let lines = [
            #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, #"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
            #"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read_campaign"}}"#, "7",
            Self.initialize(version),
        ]
        let action = session.receive(Array("[\(lines.joined(separator: ","))]".utf8))
        guard case .batch(let actions) = action else {
            #expect(version == "2025-06-18")
            return
        }
        #expect(version != "2025-06-18" && actions.count == 5 && actions[1] == .none)
        if case .call(let call) = actions[2] { #expect(call.tool == "read_campaign") } else { Issue.record("No call.") }
        for (index, code) in [(3, -32_600), (4, -32_600)] as [(Int, Int64)] {
            guard case .reply(let reply) = actions[index] else {
                Issue.record("\(index) is answered.")
                continue
            }
            #expect(reply["error"]?["code"] == .integer(code))
        }
        for bad in ["[]", "[\(Array(repeating: lines[0], count: 65).joined(separator: ","))]"] {
            guard case .reply(let reply) = session.receive(Array(bad.utf8)) else {
                Issue.record("A list of no use is refused.")
                continue
            }
            #expect(reply["error"]?["code"] == -32_600)
        }
    }

    @Test("lists tools and calls one that it listed, once it is initialized")
    func tools() {
        let list = #"{"jsonrpc":"2.0","id":"a","method":"tools/list"}"#
        #expect(reply(list)?["result"]?["tools"] == .array(Self.tools))
        #expect(reply(list)?["id"] == "a")
        #expect(reply(list, isInitialized: false)?["error"]?["code"] == -32_600)
        var session = session()
        let line =
            #"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read_campaign","arguments":{"id":"x"}}}"#
        guard case .call(let call) = session.receive(Array(line.utf8)) else {
            Issue.record("Nothing is called.")
            return
        }
        #expect(call.tool == "read_campaign" && call.arguments == ["id": "x"])
        let answer = session.reply(to: call, AgentSession.Answer(["a", "b"], isError: true))
        #expect(
            answer.text
                == #"{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"a"},"#
                + #"{"type":"text","text":"b"}],"isError":true}}"#
        )
    }

    @Test(
        "answers what it can't do with a code, and goes on",
        arguments: [
            ("{", -32_700), ("\u{FEFF}nothing", -32_700), (#"{"id":1}"#, -32_600), ("[]", -32_600), ("1", -32_600),
            (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32_600),
            (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":1}"#, -32_600), (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":1,"method":["ping"]}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, -32_601),
            (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32_602),
            (#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#, -32_602),
            (#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}"#, -32_602),
            (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"launch"}}"#, -32_602),
            (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#, -32_602),
            (
                #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_campaign","arguments":[]}}"#,
                -32_602
            ),
        ] as [(String, Int64)]
    )
    func failures(line: String, code: Int64) {
        let error = reply(line)?["error"]
        #expect(error?["code"]?.integer == code && error?["message"]?.string?.isEmpty == false)
    }

    @Test("says nothing to notifications, answers and empty lines")
    func silence() {
        var session = session()
        for line in [
            "", " \r", #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            #"{"jsonrpc":"2.0","method":"ping"}"#,
            #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            #"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"create_campaign","arguments":{}}}"#,
        ] { #expect(session.receive(Array(line.utf8)) == .none) }
    }

    @Test("takes no bytes that aren't UTF-8, and nothing that nests without end")
    func hostileBytes() {
        var session = session()
        let deep = Array(String(repeating: "[", count: 100_000).utf8)
        for line in [[0xFF, 0xFE], deep, Array("{\"jsonrpc\":\"2.0\",\"id\":\"".utf8) + [0xC3]] {
            guard case .reply(let json) = session.receive(line) else {
                Issue.record("It wasn't refused.")
                continue
            }
            #expect(json["error"]?["code"] == -32_700 && json["id"] == .null)
        }
    }

    @Test("repeats little of what it doesn't know, and nothing that isn't seen")
    func quoting() {
        let name = String(repeating: "x", count: 200) + "\u{202E}"
        let message = reply(#"{"jsonrpc":"2.0","id":1,"method":"\#(name)"}"#)?["error"]?["message"]?.string ?? ""
        #expect(message.utf8.count < 120)
        let hidden = reply(#"{"jsonrpc":"2.0","id":1,"method":"a\#u{E0041}\#u{202E}b"}"#)?["error"]?["message"]?.string
        #expect(hidden?.contains(#"a\udb40\udc41\u202eb"#) == true)
    }
}

@Suite("Lines of an agent")
struct LineBufferTests {
    @Test("are cut at their ends, wherever pieces end")
    func cutting() {
        for size in 1...7 {
            var buffer = LineBuffer(limit: 8)
            let bytes = Array("ab\n\ncdefgh\ni".utf8)
            var lines: [LineBuffer.Line] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                lines += buffer.add(bytes[start..<min(start + size, bytes.count)])
            }
            #expect(lines == [.bytes(Array("ab".utf8)), .bytes([]), .bytes(Array("cdefgh".utf8))])
            let rest = buffer.finish()
            #expect(rest == .bytes(Array("i".utf8)))
            let nothing = buffer.finish()
            #expect(nothing == nil)
        }
    }

    @Test("that are too long are told as such, once, and the next one is read")
    func tooLong() {
        var buffer = LineBuffer(limit: 4)
        let lines = buffer.add(Array("12345678901234\n1234\n".utf8))
        #expect(lines == [.tooLong, .bytes(Array("1234".utf8))])
    }
}

@Suite("Texts that an agent reads")
struct VisibleTextTests {
    @Test("shows every character that has no form, and the selector of an emoji as it is")
    func blanks() {
        let blank = (0x80...0x10FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init).filter { scalar in
            scalar.properties.isDefaultIgnorableCodePoint || [0x2800, 0x16FE4, 0x1D159].contains(scalar.value)
        }
        #expect(blank.count > 200)
        for scalar in blank where VisibleText.text("a\(scalar)") == "a\(scalar)" {
            Issue.record("U+\(String(scalar.value, radix: 16)) stays.")
        }
        #expect(VisibleText.text("\u{2764}\u{FE0F}") == "\u{2764}\u{FE0F}")
        #expect(VisibleText.text("e\u{FE0F}") == "e\\ufe0f")
    }

    @Test("show what nobody sees, and stay the same value in JSON")
    func hidden() throws {
        let text = "Aé日\u{200B}\u{202E}\u{E0041}\u{FE01}\u{2028}👩‍👩‍👧"
        let json = JSONValue.string(text).text
        let visible = VisibleText.text(json)
        #expect(visible.hasPrefix(#""Aé日\u200b\u202e\udb40\udc41\ufe01\u2028👩\u200d"#))
        #expect(try JSONValue(parsing: visible) == .string(text))
        #expect(VisibleText.text("Straße ❤️") == "Straße ❤️")
    }
}
