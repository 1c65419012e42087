import WireJSON

/// The server's side of the Model Context Protocol: what each line that an agent's program sends leads to.
///
/// A pure value: lines go in, and what is to be done comes out. Every line of an agent is input from outside.
package struct AgentSession: Sendable {
    /// The action that a line leads to.
    package enum Action: Sendable, Equatable {
        /// Nothing: it was a notification, or an answer to nothing that was asked.
        case none
        /// This is written.
        case reply(JSONValue)
        /// A tool is called; ``reply(to:_:)`` makes the answer.
        case call(Call)
        /// Each is done in turn, and what they answer is written as one list, if it is anything.
        case batch([Action])
    }

    /// A call of a tool.
    package struct Call: Sendable, Equatable {
        fileprivate let id: JSONValue
        /// The name of the tool, which is one of those that were listed.
        package let tool: String
        /// The arguments of the call.
        package let arguments: JSONObject
    }

    /// The answer of a tool.
    package struct Answer: Sendable, Equatable {
        /// The texts of the answer.
        package var texts: [String]
        /// Whether it failed.
        package var isError = false

        /// Creates an answer.
        package init(_ texts: [String], isError: Bool = false) {
            self.texts = texts
            self.isError = isError
        }
    }

    /// The greeting of this end of the session.
    package struct Greeting: Sendable {
        let name: String
        let version: String
        let instructions: String

        /// Creates what is said.
        package init(name: String, version: String, instructions: String) {
            self.name = name
            self.version = version
            self.instructions = instructions
        }
    }

    /// The versions of the protocol that are spoken, the newest first.
    package static let versions = ["2025-06-18", "2025-03-26", "2024-11-05"]
    /// Those in which a line may be a list of messages.
    private static let versionsWithBatches = ["2025-03-26", "2024-11-05"]
    /// The maximum number of messages in a line.
    private static let maximumBatch = 64
    /// The maximum depth of the JSON of a line.
    private static let maximumDepth = 64

    private let greeting: Greeting
    private let tools: [JSONValue]
    private let names: Set<String>
    /// The version that was agreed on, once that was.
    private var version: String?

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - greeting: What is said of this end.
    ///   - tools: The tools, as a list of them has them.
    package init(_ greeting: Greeting, tools: [JSONValue]) {
        self.greeting = greeting
        self.tools = tools
        names = Set(tools.compactMap { $0["name"]?.string })
    }

    /// Takes a line, without its end.
    package mutating func receive(_ line: [UInt8]) -> Action {
        guard line.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") }) else { return .none }
        guard let message = try? JSONValue(parsing: line, maximumDepth: Self.maximumDepth) else {
            return Self.failure(.null, .parse, "The line is not JSON in UTF-8.")
        }
        if let version, Self.versionsWithBatches.contains(version), let messages = message.array {
            guard (1...Self.maximumBatch).contains(messages.count) else {
                return Self.failure(.null, .request, "A list has 1 to \(Self.maximumBatch) messages.")
            }
            return .batch(messages.map { receive($0, isInBatch: true) })
        }
        return receive(message, isInBatch: false)
    }

    private mutating func receive(_ message: JSONValue, isInBatch: Bool) -> Action {
        guard message["jsonrpc"]?.string == "2.0", let members = message.object else {
            return Self.failure(.null, .request, "A message of JSON-RPC 2.0 is expected, one in a line.")
        }
        guard let method = members["method"] else {
            // An answer, though nothing was asked.
            if members["result"] != nil || members["error"] != nil { return .none }
            return Self.failure(.null, .request, "A message needs a method.")
        }
        guard let id = members["id"] else { return .none }
        guard id.string != nil || id.integer != nil, let method = method.string else {
            return Self.failure(.null, .request, "The method is a text, and the id a text or a whole number.")
        }
        guard !isInBatch || method != "initialize" else {
            return Self.failure(id, .request, "initialize is a line of its own.")
        }
        return answer(method, id, members["params"])
    }

    /// Returns the action for a line that was too long to be read.
    package func refuseLongLine(_ limit: Int) -> Action {
        Self.failure(.null, .request, "A line has \(limit) bytes at most.")
    }

    /// Returns what is written when a call is over.
    package func reply(to call: Call, _ answer: Answer) -> JSONValue {
        let content = answer.texts.map { text -> JSONValue in ["type": "text", "text": .string(text)] }
        return Self.success(call.id, ["content": .array(content), "isError": .bool(answer.isError)])
    }

    // MARK: Requests

    private mutating func answer(_ method: String, _ id: JSONValue, _ params: JSONValue?) -> Action {
        guard params.map({ $0.object != nil }) ?? true else {
            return Self.failure(id, .params, "The parameters are an object.")
        }
        switch method {
        case "initialize": return initialize(id, params)
        case "ping": return .reply(Self.success(id, [:]))
        case _ where version == nil: return Self.failure(id, .request, "Say initialize first.")
        case "tools/list":
            guard params?["cursor"]?.isNull ?? true else {
                return Self.failure(id, .params, "There is one page of tools, and no cursor.")
            }
            return .reply(Self.success(id, ["tools": .array(tools)]))
        case "tools/call": return call(id, params)
        default: return Self.failure(id, .method, "There is no method \(Self.quoted(method)).")
        }
    }

    private mutating func initialize(_ id: JSONValue, _ params: JSONValue?) -> Action {
        guard let wanted = params?["protocolVersion"]?.string else {
            return Self.failure(id, .params, "protocolVersion is missing.")
        }
        let version = Self.versions.first { $0 == wanted } ?? Self.versions[0]
        self.version = version
        return .reply(
            Self.success(
                id,
                [
                    "protocolVersion": .string(version), "capabilities": ["tools": ["listChanged": false]],
                    "serverInfo": ["name": .string(greeting.name), "version": .string(greeting.version)],
                    "instructions": .string(greeting.instructions),
                ]
            )
        )
    }

    private func call(_ id: JSONValue, _ params: JSONValue?) -> Action {
        guard let name = params?["name"]?.string else {
            return Self.failure(id, .params, "The name of a tool is missing.")
        }
        guard names.contains(name) else {
            return Self.failure(id, .params, "There is no tool \(Self.quoted(name)).")
        }
        let arguments = params?["arguments"] ?? .null
        guard let members = arguments.isNull ? [:] : arguments.object else {
            return Self.failure(id, .params, "The arguments are an object.")
        }
        return .call(Call(id: id, tool: name, arguments: members))
    }

    /// A name from outside, as far as it is worth repeating.
    private static func quoted(_ name: String) -> String { VisibleText.text(String(name.unicodeScalars.prefix(80))) }

    // MARK: Messages

    private enum Failure: Int64 {
        case parse = -32_700
        case request = -32_600
        case method = -32_601
        case params = -32_602
    }

    private static func failure(_ id: JSONValue, _ code: Failure, _ message: String) -> Action {
        .reply(["jsonrpc": "2.0", "id": id, "error": ["code": .integer(code.rawValue), "message": .string(message)]])
    }

    private static func success(_ id: JSONValue, _ result: JSONValue) -> JSONValue {
        ["jsonrpc": "2.0", "id": id, "result": result]
    }
}
