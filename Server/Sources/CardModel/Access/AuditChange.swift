public import WireJSON

/// A difference that an edit made in one field, as the audit log tells it.
public struct AuditChange: Sendable, Hashable {
    /// The name of the field, as the API has it.
    @Bytewise public var field: String
    /// The value before, or `null` for none.
    public var previous: JSONValue
    /// The value after, or `null` for none.
    public var current: JSONValue

    /// Creates a change of a field.
    public init(_ field: String, from previous: JSONValue, to current: JSONValue) {
        self.field = field
        self.previous = previous
        self.current = current
    }

    /// Reads a change from what the log keeps, or returns `nil` for anything else.
    public init?(json: JSONValue) {
        guard let field = json["field"]?.string else { return nil }
        self.init(field, from: json["previous"] ?? .null, to: json["current"] ?? .null)
    }

    /// The change as the log keeps it.
    public var json: JSONValue { ["field": .string(field), "previous": previous, "current": current] }

    /// Returns the changes that the details of an entry tell, or `nil` where they tell something else.
    public static func list(in details: JSONValue) -> [AuditChange]? {
        details["changes"]?.array?.compactMap(Self.init(json:))
    }
}
