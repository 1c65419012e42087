import OrderedCollections
import WireJSON

/// The values that fields stood for when the editing began.
///
/// A field shows less than a value can say: half a minute, or how a number is spelled. What nobody touched is therefore
/// not read back from its fields, but is what it was.
struct BaseValues: Sendable {
    private var values: [String: JSONValue] = [:]

    /// Notes that those fields stand for a value.
    mutating func add(_ fields: JSONValue, for value: JSONValue) {
        let key = fields.formKey
        if values[key] == nil { values[key] = value }
    }

    /// The value that the fields stood for, or `nil` where they were changed.
    subscript(fields: JSONValue) -> JSONValue? { values[fields.formKey] }
}

extension JSONValue {
    /// Whether nothing was typed into it.
    var isBlank: Bool {
        switch self {
        case .null: true
        case .string(let text): text.isEmpty
        case .array(let items): items.isEmpty
        case .object(let members): members.values.allSatisfy(\.isBlank)
        default: false
        }
    }

    /// Whether both say the same, whatever the order of the fields, and whether empty ones are there or not.
    func isSameForm(as other: JSONValue) -> Bool {
        isBlank && other.isBlank || formKey == other.formKey
    }

    /// The same text for the same fields: their order does not matter, nor whether empty ones are there.
    fileprivate var formKey: String {
        switch self {
        case .object(let members):
            let parts = members.filter { !$0.value.isBlank }.sorted { $0.key < $1.key }
            return "{" + parts.map { "\(JSONValue.string($0.key).text):\($0.value.formKey)" }.joined(separator: ",")
                + "}"
        case .array(let items): return "[" + items.map(\.formKey).joined(separator: ",") + "]"
        default: return text
        }
    }
}
