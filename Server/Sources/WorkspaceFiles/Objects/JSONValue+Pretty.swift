import WireJSON

extension JSONValue {
    /// The JSON text with a member a line, for people.
    package var prettyText: String { pretty(indentation: "") }

    private func pretty(indentation: String) -> String {
        let deeper = indentation + "  "
        switch self {
        case .object(let members) where !members.isEmpty:
            let lines = members.map { name, member in
                "\(deeper)\(JSONValue.string(name).text): \(member.pretty(indentation: deeper))"
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indentation)}"
        case .array(let elements) where !elements.isEmpty:
            let lines = elements.map { deeper + $0.pretty(indentation: deeper) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(indentation)]"
        default: return text
        }
    }
}
