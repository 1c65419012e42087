import WireJSON

/// One way to write a filter, for whoever describes or edits audiences.
///
/// The schema of the API follows from it, and where a filter has nothing but plain fields, so does the form of the
/// dashboard.
package struct FilterShape: Sendable {
    /// The form of the value under the name.
    package enum FilterContent: Sendable {
        /// One value by itself.
        case value(FilterField)
        /// An object of plain fields, each of which may be absent.
        case members([FilterField])
        /// A value that plain fields can't describe, as JSON Schema has it; the form is written by hand.
        case other(JSONValue)
    }

    /// The name of the condition on the wire.
    package let name: String
    /// The name of the condition in the dashboard, or `nil` where that shows such a filter as JSON.
    package let label: Phrase?
    /// The form of the value under the name.
    package let content: FilterContent
    /// Whether the dashboard has a button that adds one.
    package let isOffered: Bool
    /// Whether the value is a list of users' ids, which not every member of the dashboard may see.
    package let listsUsers: Bool

    init(
        _ name: String,
        label: Phrase? = nil,
        isOffered: Bool = true,
        listsUsers: Bool = false,
        _ content: FilterContent
    ) {
        self.name = name
        self.label = label
        self.isOffered = isOffered && label != nil
        self.listsUsers = listsUsers
        self.content = content
    }

    /// The plain fields; empty where there are others.
    package var fields: [FilterField] {
        switch content {
        case .value(let field): [field]
        case .members(let fields): fields
        case .other: []
        }
    }

    /// The names of the members that are known.
    var memberNames: Set<String> { Set(fields.map(\.name)) }

    /// The JSON Schema of the value under the name.
    package var schema: JSONValue {
        switch content {
        case .value(let field): return field.schema
        case .members(let fields):
            var properties: JSONObject = [:]
            for field in fields { properties[field.name] = field.schema }
            return FilterSchema.object(properties)
        case .other(let schema): return schema
        }
    }
}

/// The parts of schemas that are written by hand.
enum FilterSchema {
    static let text: JSONValue = ["type": "string"]
    static let texts: JSONValue = ["type": "array", "items": ["type": "string"]]
    static let anyObject: JSONValue = ["type": "object"]

    static func choice(_ values: [String]) -> JSONValue {
        ["type": "string", "enum": .array(values.map(JSONValue.string))]
    }

    /// An object that has no other members.
    static func object(_ properties: JSONObject, required: [String] = []) -> JSONValue {
        var members: JSONObject = ["type": "object", "properties": .object(properties)]
        if !required.isEmpty { members["required"] = .array(required.map(JSONValue.string)) }
        members["additionalProperties"] = false
        return .object(members)
    }
}

/// One plain field of a filter.
package struct FilterField: Sendable {
    /// The kind of value that a field holds.
    package enum FilterFieldKind: Sendable {
        case text
        case texts
        case integer(ClosedRange<Int64>)
    }

    /// The name of the member; where the field is the only value, what forms call it.
    package let name: String
    /// The kind of value that the field holds.
    package let kind: FilterFieldKind
    /// The name of the field in the dashboard.
    package let label: Phrase
    /// The meaning of an empty field, such as `0`; `nil` for nothing to say.
    package let placeholder: String?

    init(_ name: String, _ kind: FilterFieldKind, label: Phrase, placeholder: String? = nil) {
        self.name = name
        self.kind = kind
        self.label = label
        self.placeholder = placeholder
    }

    fileprivate var schema: JSONValue {
        switch kind {
        case .text: FilterSchema.text
        case .texts: FilterSchema.texts
        case .integer(let range):
            ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
        }
    }
}
