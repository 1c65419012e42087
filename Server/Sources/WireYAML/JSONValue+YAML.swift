import OrderedCollections
import WireJSON
import Yams

extension JSONValue {
    /// Reads one YAML document as the JSON that it says; JSON itself is YAML too.
    ///
    /// - Throws: `YAMLError` with the line of the first problem. Names that are not text, and numbers that JSON cannot
    ///   say, are problems.
    package init(yaml text: String) throws(YAMLError) {
        guard let source = YAMLStandIns(text) else {
            throw YAMLError(message: "The document has every character for private use", line: nil)
        }
        // It holds the anchors of its nodes.
        let parser: Parser
        let node: Node?
        do {
            // All names are texts, whatever they look like.
            parser = try Parser(yaml: source.text, resolver: .basic)
            node = try parser.singleRoot()
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
        var reader = YAMLReader(source, room: text.utf8.count + YAMLReader.smallestRoom)
        self = try withExtendedLifetime(parser) { () throws(YAMLError) in try reader.value(node, depth: 0).value }
    }
}

/// Makes JSON of the nodes of a document, up to a bound.
private struct YAMLReader {
    /// The number of values that any document can have.
    static let smallestRoom = 10_000

    /// The value that a node stands for.
    struct Reading {
        let value: JSONValue
        /// The number of values that it has, itself among them, with what aliases repeat.
        var count = 1
        /// The number of levels in it.
        var height = 1
        /// The text of a scalar, which may be a name.
        var text: String?
    }

    private let source: YAMLStandIns
    /// The number of values that there can still be.
    private var room: Int
    /// The nodes that aliases stand for: each is read once, and shared.
    private var anchors: [String: Reading] = [:]

    init(_ source: YAMLStandIns, room: Int) { (self.source, self.room) = (source, room) }

    mutating func value(_ node: Node, depth: Int) throws(YAMLError) -> Reading {
        let reading: Reading
        switch node {
        case .scalar(let scalar): reading = try self.reading(scalar, node, depth: depth)
        case .sequence(let sequence):
            try take(1, depth: depth, at: node)
            var (elements, count, height): ([JSONValue], Int, Int) = ([], 1, 0)
            for element in sequence {
                let element = try value(element, depth: depth + 1)
                elements.append(element.value)
                (count, height) = (count + element.count, max(height, element.height))
            }
            reading = Reading(value: .array(elements), count: count, height: height &+ 1)
        case .mapping(let mapping):
            try take(1, depth: depth, at: node)
            var (members, count, height): (JSONObject, Int, Int) = ([:], 1, 0)
            for (key, member) in mapping {
                let name = try self.name(key)
                guard members[name] == nil else {
                    throw YAMLError(message: "A name stands twice in one object", line: key.mark?.line)
                }
                let member = try value(member, depth: depth + 1)
                members[name] = member.value
                (count, height) = (count + member.count, max(height, member.height))
            }
            reading = Reading(value: .object(members), count: count, height: height &+ 1)
        case .alias: throw YAMLError(message: "There is no such anchor", line: node.mark?.line)
        }
        if let anchor = node.anchor?.rawValue { anchors[anchor] = reading }
        return reading
    }

    /// Takes up room, and refuses what doesn't fit or is too deep.
    private mutating func take(_ count: Int, depth: Int, at node: Node) throws(YAMLError) {
        guard count <= room, depth < JSONReader.defaultMaximumDepth else {
            throw YAMLError(message: "The document is too large or too deep", line: node.mark?.line)
        }
        // safe: it fits
        room -= count
    }

    private func name(_ node: Node) throws(YAMLError) -> String {
        guard let scalar = node.scalar else {
            throw YAMLError(message: "A name has to be text", line: node.mark?.line)
        }
        guard let alias = alias(scalar) else { return source.restored(scalar.string) }
        guard let text = anchors[alias]?.text else {
            throw YAMLError(message: "A name has to be text", line: node.mark?.line)
        }
        return text
    }

    private func alias(_ scalar: Node.Scalar) -> String? {
        scalar.style == .plain || scalar.style == .any ? source.alias(scalar.string) : nil
    }

    private mutating func reading(_ scalar: Node.Scalar, _ node: Node, depth: Int) throws(YAMLError) -> Reading {
        guard let alias = alias(scalar) else {
            try take(1, depth: depth, at: node)
            let text = source.restored(scalar.string)
            return Reading(value: try value(text, scalar, node), text: text)
        }
        guard let reading = anchors[alias] else {
            throw YAMLError(
                message: "There is no such anchor. A text that begins with * needs quotation marks",
                line: node.mark?.line
            )
        }
        // safe: a height is at least one, and both are at most the greatest depth
        try take(reading.count, depth: depth + reading.height - 1, at: node)
        return reading
    }

    private func value(_ text: String, _ scalar: Node.Scalar, _ node: Node) throws(YAMLError) -> JSONValue {
        guard scalar.style == .plain || scalar.style == .any else { return .string(text) }
        let value = CoreSchema.value(text)
        // Only `!!str` in the text makes a text of what looks like something else.
        if value.string == nil, scalar.tag.description.hasSuffix(":str") { return .string(text) }
        if case .number(let number) = value, !number.isFinite {
            throw YAMLError(message: "A number is too large", line: node.mark?.line)
        }
        return value
    }
}

/// The meaning of plain scalars in YAML 1.2 (its core schema).
///
/// The library knows that of YAML 1.1 alone, in which `NO` is false and `22:30` is 1350, and ends the process where
/// such a number does not fit 64 bits.
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
    /// The message that says what is wrong.
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
