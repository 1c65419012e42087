import OrderedCollections
public import WireJSON

/// Something that users do: a custom event or a purchase, with conditions on its properties.
public struct EventCondition: Sendable, Hashable {
    /// The event or purchase that users perform.
    public enum ConditionSubject: Sendable, Hashable {
        /// A custom event of that name.
        case event(ByteString)
        /// A purchase, of that product where one is named.
        case purchase(product: ByteString?)
    }

    /// A condition on one property.
    public struct PropertyFilter: Sendable, Hashable {
        /// The property with its comparison and value; a purchase has `product_id`, `currency`, `price` and `quantity`
        /// beside its own.
        public var clause: AttributeClause

        /// Creates a filter.
        public init(_ property: String, _ comparison: AttributeClause.Comparison, _ value: JSONValue = .null) {
            clause = AttributeClause(.custom(ByteString(property)), comparison, value)
        }
    }

    /// The event or purchase that users perform.
    public var subject: ConditionSubject
    /// All of these have to hold.
    public var filters: [PropertyFilter]

    /// Creates a condition.
    public init(_ subject: ConditionSubject, filters: [PropertyFilter] = []) {
        self.subject = subject
        self.filters = filters
    }
}

/// A condition on events, made ready to be asked.
struct EventMatcher: Sendable {
    private let subject: EventCondition.ConditionSubject
    /// Properties compare as attributes do; `nil` where none is asked for.
    private let properties: AudienceMatcher?

    init(_ condition: EventCondition) {
        subject = condition.subject
        properties =
            condition.filters.isEmpty
            ? nil : AudienceMatcher(.all(condition.filters.map { .attribute($0.clause) }))
    }

    /// Whether the event is meant.
    func matches(_ readable: ReadableEvent) -> Bool {
        switch (subject, readable.event.kind) {
        case (.event(let name), .custom(let found)): guard name == found else { return false }
        case (.purchase(nil), .purchase): break
        case (.purchase(let product?), .purchase(let found)):
            guard product.text.hasSameBytes(as: found.productID) else { return false }
        default: return false
        }
        return properties?.matches(readable.facts) ?? true
    }
}

extension DeviceEvent {
    /// The values of the event that a condition or a template can read: its properties, and a purchase's own fields.
    public var readableProperties: JSONObject {
        var members = properties.flatMap { try? JSONValue(parsing: $0) }?.object ?? [:]
        guard case .purchase(let purchase) = kind else { return members }
        members["product_id"] = .string(purchase.productID)
        members["currency"] = .string(purchase.currency)
        members["price"] = JSONValue(purchase.price)
        members["quantity"] = .integer(purchase.quantity)
        return members
    }
}

// MARK: JSON

extension EventCondition {
    /// Reads `{"event": name}` or `{"purchase": product}` (`true` for any product), each with `properties`: an array of
    /// `{"property", "comparison", "value"}`.
    init(json: JSONValue, at path: String) throws(ModelError) {
        let fields = try JSONFields(json, at: path, known: ["event", "purchase", "properties"])
        self.init(try Self.subject(fields))
        for (index, element) in (try fields.array("properties") ?? []).enumerated() {
            filters.append(try PropertyFilter(json: element, at: fields.place("properties[\(index)]")))
        }
        guard filters.count <= 20 else { throw fields.invalid("properties", "At most 20 conditions are possible.") }
    }

    private static func subject(_ fields: JSONFields) throws(ModelError) -> ConditionSubject {
        switch (fields["event"], fields["purchase"]) {
        case (_?, nil):
            let name = try fields.requiredString("event")
            guard IdentityText.isValid(name) else {
                throw fields.invalid("event", "1 to 255 bytes without control characters are expected.")
            }
            return .event(ByteString(name))
        case (nil, let product?):
            if product.bool == true { return .purchase(product: nil) }
            guard let name = product.string, IdentityText.isValid(name) else {
                throw fields.invalid("purchase", "The id of a product, or true for any, is expected.")
            }
            return .purchase(product: ByteString(name))
        case (nil, nil): throw fields.missing("event")
        case (_?, _?): throw fields.invalid("purchase", "Give event or purchase, not both.")
        }
    }

    var json: JSONValue {
        var members: JSONObject = [:]
        switch subject {
        case .event(let name): members["event"] = .string(name.text)
        case .purchase(let product): members["purchase"] = product.map { .string($0.text) } ?? true
        }
        if !filters.isEmpty { members["properties"] = .array(filters.map(\.json)) }
        return .object(members)
    }
}

extension EventCondition.PropertyFilter {
    init(json: JSONValue, at path: String) throws(ModelError) {
        let fields = try JSONFields(json, at: path, known: ["property", "comparison", "value"])
        let name = try fields.requiredString("property")
        clause = try AttributeClause(.custom(ByteString(name)), fields, name: "property")
    }

    fileprivate var json: JSONValue {
        var members: JSONObject = [:]
        if case .custom(let name) = clause.name { members["property"] = .string(name.text) }
        members["comparison"] = .string(clause.comparison.rawValue)
        if !clause.value.isNull { members["value"] = clause.value }
        return .object(members)
    }
}
