/// Describes what the extras of a class type have to be, so that a marketer's mistake is found before launch.
public struct ContentTypeSchema: Sendable, Hashable {
    /// Describes one extra.
    public struct Field: Sendable, Hashable {
        /// The kinds of values, which arrive as text all the same.
        public enum Kind: Sendable, Hashable {
            /// Any text.
            case string
            /// A whole number.
            case integer
            /// A number.
            case decimal
            /// `true` or `false`.
            case boolean
            /// An address.
            case url
            /// A date: Unix seconds or ISO 8601.
            case date
            /// One of some values.
            case enumeration([String])
            /// JSON.
            case json
        }

        /// The name of the extra.
        public var name: String
        /// The kind that its text has to be.
        public var kind: Kind
        /// Whether it has to be there.
        public var isRequired: Bool

        /// Creates a description; `isRequired` is true by default.
        public init(_ name: String, _ kind: Kind, isRequired: Bool = true) {
            self.name = name
            self.kind = kind
            self.isRequired = isRequired
        }
    }

    /// The class type.
    public var classType: ContentCardClassType
    /// Its extras.
    public var fields: [Field]

    /// Creates a description.
    public init(classType: ContentCardClassType, fields: [Field]) {
        self.classType = classType
        self.fields = fields
    }
}

extension ContentTypeSchema {
    var json: JSONValue {
        ["class_type": .string(classType.rawValue), "fields": .array(fields.map(\.json))]
    }
}

extension ContentTypeSchema.Field {
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = ["name": .string(name), "required": .bool(isRequired)]
        members["type"] = .string(kind.wireName)
        if case .enumeration(let values) = kind { members["values"] = .array(values.map(JSONValue.string)) }
        return .object(members)
    }
}

extension ContentTypeSchema.Field.Kind {
    fileprivate var wireName: String {
        switch self {
        case .string: "string"
        case .integer: "integer"
        case .decimal: "decimal"
        case .boolean: "boolean"
        case .url: "url"
        case .date: "date"
        case .enumeration: "enum"
        case .json: "json"
        }
    }
}
