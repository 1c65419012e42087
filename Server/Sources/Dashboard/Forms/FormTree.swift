import WireJSON

/// Makes one value of the fields of a form, whose names are places such as `variants[0].card.title`.
///
/// The gaps that removed rows leave are closed.
enum FormTree {
    private final class Node {
        var text: String?
        var members = StringMap<Node>()
        var elements: [Int: Node] = [:]

        var json: JSONValue {
            if !elements.isEmpty { return .array(elements.sorted { $0.key < $1.key }.map(\.value.json)) }
            if !members.isEmpty { return .object(members.mapValues(\.json)) }
            return .string(text ?? "")
        }
    }

    /// Returns the fields of a campaign or a segment, whose names begin with `c.`.
    static func fields(of form: FormData) -> JSONValue {
        let fields = json(form)["c"] ?? [:]
        return fields.object == nil ? [:] : fields
    }

    static func json(_ form: FormData) -> JSONValue {
        let root = Node()
        for (name, value) in form.fields {
            var node = root
            for step in steps(of: name) {
                if let index = Int(step) {
                    node.elements[index] = node.elements[index] ?? Node()
                    node = node.elements[index] ?? Node()
                } else {
                    node.members[step] = node.members[step] ?? Node()
                    node = node.members[step] ?? Node()
                }
            }
            node.text = value
        }
        return root.json
    }

    private static func steps(of name: String) -> [String] {
        name.split(atAnyOf: ".[]").prefix(60).map(String.init)
    }
}

extension JSONValue {
    /// A number where the text is one, a truth value where it is one, or else the text.
    static func guessing(_ text: String) -> JSONValue {
        // A telephone number or a code with zeros in front is no number.
        // characters: what has a mark is no number
        let digits = text.drop { $0 == "-" }
        // characters: what has a mark is no number
        if !text.hasPrefix("+"), !digits.hasPrefix("0") || digits == "0" || digits.hasPrefix("0.") {
            if let integer = Int64(text) { return .integer(integer) }
            if text.contains(where: \.isNumber), let number = Double(text), number.isFinite {
                return ExactDecimal(exactly: text).map { JSONValue($0) } ?? .number(number)
            }
        }
        return text == "true" ? true : text == "false" ? false : .string(text)
    }

    /// The value as it stands in a field.
    var fieldText: String {
        switch self {
        case .null: ""
        case .string(let text): text
        // safe: asked for in the same line
        case .number(let number) where Int64(exactly: number) != nil: String(Int64(number))
        default: text
        }
    }
}
