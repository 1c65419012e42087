import OrderedCollections
import WireJSON
import Yams

extension JSONValue {
    /// Reads one YAML document as the JSON that it says; JSON itself is YAML too.
    ///
    /// - Throws: `YAMLError` with the line of the first problem. Names that are not text, and numbers that JSON cannot
    ///   say, are problems.
    package init(yaml text: String) throws(YAMLError) {
        let node: Node?
        do {
            node = try Yams.compose(yaml: text)
        } catch let error as YamlError {
            throw YAMLError(error)
        } catch {
            throw YAMLError(message: "This is not YAML", line: nil)
        }
        guard let node else {
            self = .null
            return
        }
        self = try Self.value(node)
    }

    private static func value(_ node: Node) throws(YAMLError) -> JSONValue {
        switch node {
        case .scalar(let scalar): return try value(scalar, node)
        case .sequence(let sequence):
            var elements: [JSONValue] = []
            for element in sequence { elements.append(try value(element)) }
            return .array(elements)
        case .mapping(let mapping):
            var members: JSONObject = [:]
            for (name, member) in mapping {
                guard let name = name.scalar?.string else {
                    throw YAMLError(message: "A name has to be text", line: name.mark?.line)
                }
                members[name] = try value(member)
            }
            return .object(members)
        case .alias:
            throw YAMLError(message: "There is no such anchor", line: node.mark?.line)
        }
    }

    private static func value(_ scalar: Node.Scalar, _ node: Node) throws(YAMLError) -> JSONValue {
        guard scalar.style == .plain || scalar.style == .any else { return .string(scalar.string) }
        if node.null != nil { return .null }
        if let bool = node.bool { return .bool(bool) }
        if let integer = node.int { return .integer(Int64(integer)) }
        if let number = node.float, scalar.string.utf8.contains(where: { (0x30...0x39).contains($0) }) {
            guard number.isFinite else { throw YAMLError(message: "A number is too large", line: node.mark?.line) }
            return .number(number)
        }
        return .string(scalar.string)
    }
}

/// Says why a text is not YAML, and where.
package struct YAMLError: Error, Equatable, CustomStringConvertible {
    /// What is wrong.
    package let message: String
    /// The line, from 1, where it is known.
    package let line: Int?

    init(message: String, line: Int?) {
        self.message = message
        self.line = line
    }

    init(_ error: YamlError) {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            self.init(message: problem, line: mark.line)
        case .duplicatedKeysInMapping(_, let context):
            self.init(message: "A name stands twice in one object", line: context.mark.line)
        default: self.init(message: "This is not YAML", line: nil)
        }
    }

    /// The message with its line.
    package var description: String { line.map { "line \($0): \(message)" } ?? message }
}
