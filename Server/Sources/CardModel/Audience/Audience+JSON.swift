import OrderedCollections
public import WireJSON

extension Audience {
    /// Reads an audience.
    ///
    /// `null` and `{}` are everybody. Otherwise an object with one of: `all`, `any`, `none` (arrays of audiences; `AND`
    /// and `OR` say the first two as well), `users` (an array of ids), `attribute` (a name, with `comparison` and
    /// `value`) or `custom_attribute` (an object with `custom_attribute_name`, `comparison`, `value`).
    ///
    /// - Throws: `ModelError` that names the wrong node.
    public init(json: JSONValue, at path: String = "audience") throws(ModelError) {
        try self.init(json: json, at: path, depth: 0)
    }

    private static let maximumDepth = 20

    private init(json: JSONValue, at path: String, depth: Int) throws(ModelError) {
        guard !json.isNull else {
            self = .everyone
            return
        }
        guard let members = json.object else { throw ModelError(.fieldInvalid, at: path, "An object is expected.") }
        guard depth < Self.maximumDepth else {
            throw ModelError(.fieldInvalid, at: path, "Audiences nest at most \(Self.maximumDepth) deep.")
        }
        guard let (name, value) = members.elements.first else {
            self = .everyone
            return
        }
        if members["attribute"] != nil {
            self = .attribute(try AttributeClause(json: json, at: path))
            return
        }
        guard members.count == 1 else {
            throw ModelError(.fieldInvalid, at: path, "One condition is expected; put several in all, any or none.")
        }
        let place = "\(path).\(name)"
        switch name {
        case "all", "AND": self = .all(try Self.branches(value, at: place, depth: depth))
        case "any", "OR": self = .any(try Self.branches(value, at: place, depth: depth))
        case "none": self = .none(try Self.branches(value, at: place, depth: depth))
        case "users": self = .users(try Self.users(value, at: place))
        case "custom_attribute": self = .attribute(try AttributeClause(customAttribute: value, at: place))
        default:
            throw ModelError(
                .fieldUnknown,
                at: place,
                "There is no such condition. Known: all, any, none, users, attribute, custom_attribute."
            )
        }
    }

    private static func branches(_ json: JSONValue, at path: String, depth: Int) throws(ModelError) -> [Audience] {
        guard let elements = json.array else { throw ModelError(.fieldInvalid, at: path, "An array is expected.") }
        var branches: [Audience] = []
        for (index, element) in elements.enumerated() {
            branches.append(try Audience(json: element, at: "\(path)[\(index)]", depth: depth + 1))
        }
        return branches
    }

    private static func users(_ json: JSONValue, at path: String) throws(ModelError) -> Set<UserID> {
        guard let elements = json.array else { throw ModelError(.fieldInvalid, at: path, "An array is expected.") }
        var ids: Set<UserID> = []
        for (index, element) in elements.enumerated() {
            guard let id = element.string.flatMap(UserID.init(checking:)) else {
                throw ModelError(.fieldInvalid, at: "\(path)[\(index)]", "A user id of 1 to 512 bytes is expected.")
            }
            ids.insert(id)
        }
        return ids
    }

    /// The audience as it is read back.
    public var json: JSONValue {
        switch self {
        case .everyone: .null
        case .all(let branches): ["all": .array(branches.map(\.nested))]
        case .any(let branches): ["any": .array(branches.map(\.nested))]
        case .none(let branches): ["none": .array(branches.map(\.nested))]
        case .users(let ids): ["users": .array(ids.map(\.rawValue).sorted().map(JSONValue.string))]
        case .attribute(let clause): clause.json
        }
    }

    /// Inside an array, everybody is `{}`.
    private var nested: JSONValue { self == .everyone ? [:] : json }
}

extension AttributeClause {
    init(json: JSONValue, at path: String) throws(ModelError) {
        let fields = try JSONFields(json, at: path, known: ["attribute", "comparison", "value"])
        let name = try fields.requiredString("attribute")
        self = try Self.make(StandardAttribute(rawValue: name).map(Name.standard) ?? .custom(name), fields)
    }

    init(customAttribute json: JSONValue, at path: String) throws(ModelError) {
        let fields = try JSONFields(json, at: path, known: ["custom_attribute_name", "comparison", "value"])
        self = try Self.make(.custom(try fields.requiredString("custom_attribute_name")), fields)
    }

    private static func make(_ name: Name, _ fields: JSONFields) throws(ModelError) -> AttributeClause {
        if name == .custom("") {
            throw fields.invalid(
                fields["attribute"] != nil ? "attribute" : "custom_attribute_name",
                "A name is expected."
            )
        }
        let spelling = try fields.string("comparison") ?? Comparison.equals.rawValue
        guard let comparison = Comparison(rawValue: spelling) else {
            let known = Comparison.allCases.map(\.rawValue).joined(separator: ", ")
            throw fields.invalid("comparison", "There is no such comparison. Known: \(known).")
        }
        let value = fields["value"]
        switch comparison {
        case .exists, .doesNotExist:
            if value != nil { throw fields.invalid("value", "This comparison takes no value.") }
        case .greaterThan, .greaterThanOrEqual, .lessThan, .lessThanOrEqual:
            guard let value else { throw fields.missing("value") }
            guard Timestamp.moment(of: value) != nil else {
                throw fields.invalid("value", "A number or an ISO 8601 time is expected.")
            }
        case .equals, .notEqual, .includesValue, .doesNotIncludeValue:
            guard let value else { throw fields.missing("value") }
            if value.array != nil || value.object != nil {
                throw fields.invalid("value", "A string, number or truth value is expected.")
            }
        }
        return AttributeClause(name, comparison, value ?? .null)
    }

    var json: JSONValue {
        var members: OrderedDictionary<String, JSONValue> = [:]
        switch name {
        case .standard(let attribute): members["attribute"] = .string(attribute.rawValue)
        case .custom(let name) where StandardAttribute(rawValue: name) == nil: members["attribute"] = .string(name)
        case .custom(let name):
            // A custom attribute that shares its name with a standard one can only be said at length.
            var inner: OrderedDictionary<String, JSONValue> = ["custom_attribute_name": .string(name)]
            inner["comparison"] = .string(comparison.rawValue)
            if !value.isNull { inner["value"] = value }
            return ["custom_attribute": .object(inner)]
        }
        members["comparison"] = .string(comparison.rawValue)
        if !value.isNull { members["value"] = value }
        return .object(members)
    }
}
