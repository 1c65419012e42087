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
        // What aliases repeat is counted each time: a few lines can stand for more than any memory holds.
        var reader = YAMLReader(room: text.utf8.count + YAMLReader.smallestRoom)
        self = try reader.value(node, depth: 0)
    }
}

/// Makes JSON of the nodes of a document, up to a bound.
private struct YAMLReader {
    /// How many values any document may come to.
    static let smallestRoom = 10_000

    /// How many values there may still be.
    var room: Int

    mutating func value(_ node: Node, depth: Int) throws(YAMLError) -> JSONValue {
        guard room > 0, depth < JSONReader.defaultMaximumDepth else {
            throw YAMLError(message: "The document is too large or too deep", line: node.mark?.line)
        }
        room -= 1
        switch node {
        case .scalar(let scalar): return try value(scalar, node)
        case .sequence(let sequence):
            var elements: [JSONValue] = []
            for element in sequence { elements.append(try value(element, depth: depth + 1)) }
            return .array(elements)
        case .mapping(let mapping):
            var members: JSONObject = [:]
            for (name, member) in mapping {
                guard let name = name.scalar?.string else {
                    throw YAMLError(message: "A name has to be text", line: name.mark?.line)
                }
                members[name] = try value(member, depth: depth + 1)
            }
            return .object(members)
        case .alias:
            throw YAMLError(message: "There is no such anchor", line: node.mark?.line)
        }
    }

    private func value(_ scalar: Node.Scalar, _ node: Node) throws(YAMLError) -> JSONValue {
        guard scalar.style == .plain || scalar.style == .any else { return .string(scalar.string) }
        let value = CoreSchema.value(scalar.string)
        // Only `!!str` in the text makes a text of what looks like something else.
        if value.string == nil, scalar.tag.description.hasSuffix(":str") { return .string(scalar.string) }
        if case .number(let number) = value, !number.isFinite {
            throw YAMLError(message: "A number is too large", line: node.mark?.line)
        }
        return value
    }
}

/// The meaning of plain scalars in YAML 1.2 (its core schema).
///
/// The library knows that of YAML 1.1 alone, in which `NO` is false and `22:30` is 1350, and ends the process where such
/// a number does not fit 64 bits.
private enum CoreSchema {
    static func value(_ text: String) -> JSONValue {
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return true
        case "false", "False", "FALSE": return false
        default: return number(text) ?? .string(text)
        }
    }

    private static func number(_ text: String) -> JSONValue? {
        let unsigned = text.utf8.first.map { $0 == 0x2B || $0 == 0x2D } == true ? text.dropFirst() : text[...]
        guard let first = unsigned.utf8.first, 0x30...0x39 ~= first || first == UInt8(ascii: ".") else { return nil }
        for (prefix, radix) in [("0x", 16), ("0o", 8)] where text.hasPrefix(prefix) {
            return Int64(text.dropFirst(2), radix: radix).map(JSONValue.integer)
        }
        guard unsigned.utf8.allSatisfy({ 0x30...0x39 ~= $0 || ".eE+-".utf8.contains($0) }) else { return nil }
        guard unsigned.utf8.contains(where: { 0x30...0x39 ~= $0 }) else { return nil }
        if let number = try? JSONValue(parsing: text) { return number }
        return Int64(text).map(JSONValue.integer) ?? Double(text).map(JSONValue.number)
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
