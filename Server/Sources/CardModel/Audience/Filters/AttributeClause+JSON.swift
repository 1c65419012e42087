import OrderedCollections
import WireJSON

extension AttributeClause {
    /// The longest text in a clause, in bytes.
    static let maximumText = 4_096
    /// The maximum number of values in a clause.
    static let maximumValues = 1_000
    /// The number of days that a clause can reach back or ahead: a century.
    static let days = 0.0...36_525.0

    init(json: JSONValue, at path: String) throws(ModelError) {
        let fields = try JSONFields(json, at: path, known: ["attribute", "comparison", "value"])
        try self.init(Name(try fields.requiredString("attribute")), fields, name: "attribute")
    }

    init(customAttribute json: JSONValue, at path: String) throws(ModelError) {
        let fields = try JSONFields(json, at: path, known: ["custom_attribute_name", "comparison", "value"])
        let name = "custom_attribute_name"
        try self.init(.custom(ByteString(try fields.requiredString(name))), fields, name: name)
    }

    /// Reads the field's filter on when the app was last used: `after` or `before` a time.
    init(lastUsedApp json: JSONValue, at path: String) throws(ModelError) {
        let fields = try JSONFields(json, at: path, known: ["comparison", "value"])
        try self.init(.system(.lastSeenAt), fields, name: "comparison")
        guard [.before, .after].contains(comparison) else {
            throw fields.invalid("comparison", "before or after is expected.")
        }
    }

    /// Reads the field's filter on a subscription, `is` or `is_not`; whoever never said is subscribed.
    static func subscription(
        _ attribute: StandardAttribute,
        json: JSONValue,
        at path: String
    ) throws(ModelError) -> Audience {
        let fields = try JSONFields(json, at: path, known: ["comparison", "value"])
        let status = try fields.requiredString("value")
        guard ["opted_in", "subscribed", "unsubscribed"].contains(status) else {
            throw fields.invalid("value", "opted_in, subscribed or unsubscribed is expected.")
        }
        let said = Audience.attribute(AttributeClause(.standard(attribute), .equals, .string(status)))
        let unsaid = Audience.attribute(AttributeClause(.standard(attribute), .doesNotExist))
        switch try fields.requiredString("comparison") {
        case "is": return status == "subscribed" ? .any([said, unsaid]) : said
        case "is_not": return status == "subscribed" ? .none([said, unsaid]) : .none([said])
        default: throw fields.invalid("comparison", "is or is_not is expected.")
        }
    }

    /// Reads comparison and value; `member` is what holds the name.
    init(_ name: Name, _ fields: JSONFields, name member: String) throws(ModelError) {
        if case .custom(let name) = name, !IdentityText.isValid(name.text) {
            guard !name.text.isEmpty else { throw fields.missing(member) }
            throw fields.invalid(member, "A name of 1 to 255 bytes without control characters is expected.")
        }
        let comparison = try Comparison(fields, default: .equals)
        let value = fields["value"] ?? .null
        try comparison.check(value, of: name, in: fields)
        self.init(name, comparison, value)
    }

    var json: JSONValue {
        switch name {
        case .standard(let attribute): named(attribute.rawValue)
        case .system(let attribute): named(attribute.rawValue)
        case .custom(let name) where Name(name.text) == self.name: named(name.text)
        // A custom attribute that shares its name with one of the server's can only be said at length.
        case .custom(let name):
            ["custom_attribute": .object(members.merging(["custom_attribute_name": .string(name.text)]) { $1 })]
        }
    }

    private func named(_ name: String) -> JSONValue {
        var named: JSONObject = ["attribute": .string(name)]
        named.merge(members) { $1 }
        return .object(named)
    }

    private var members: JSONObject {
        var members: JSONObject = ["comparison": .string(comparison.rawValue)]
        if !value.isNull { members["value"] = value }
        return members
    }
}

extension AttributeClause.Comparison {
    /// Reads the member `comparison`; the field's public API says *not equal* in two ways.
    init(_ fields: JSONFields, default standard: Self) throws(ModelError) {
        guard let spelling = try fields.string("comparison") else {
            self = standard
            return
        }
        guard let comparison = spelling == "does_not_equal" ? .notEqual : Self(rawValue: spelling) else {
            let known = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw fields.invalid("comparison", "There is no such comparison. Known: \(known).")
        }
        self = comparison
    }

    /// Refuses a value that the comparison cannot be made with.
    fileprivate func check(
        _ value: JSONValue,
        of name: AttributeClause.Name,
        in fields: JSONFields
    ) throws(ModelError) {
        if takesValue, value.isNull { throw fields.missing("value") }
        if let problem = problem(with: value, of: name) { throw fields.invalid("value", problem) }
        if value.bytes.count > AttributeClause.maximumText, value.array == nil {
            throw fields.invalid("value", "At most \(AttributeClause.maximumText) bytes are expected.")
        }
        guard self == .matchesRegex || self == .doesNotMatchRegex, let text = value.string else { return }
        do throws(TextPattern.PatternError) {
            _ = try TextPattern(text)
        } catch {
            throw ModelError(.patternInvalid, at: fields.place("value"), error.message)
        }
    }

    /// Whether there is something to compare with.
    var takesValue: Bool { self != .exists && self != .doesNotExist }

    private func problem(with value: JSONValue, of name: AttributeClause.Name) -> String? {
        switch self {
        case .exists, .doesNotExist: return value.isNull ? nil : "This comparison takes no value."
        case .greaterThan, .greaterThanOrEqual, .lessThan, .lessThanOrEqual:
            if name == .system(.appVersion) {
                return VersionNumber(value) == nil ? "A version such as 2.10.1 is expected." : nil
            }
            return Timestamp.moment(of: value) == nil ? "A number or an ISO 8601 time is expected." : nil
        case .before, .after:
            return Timestamp.moment(of: value) == nil ? "An ISO 8601 time or Unix seconds are expected." : nil
        case .lessThanDaysAgo, .greaterThanDaysAgo, .lessThanDaysAhead, .greaterThanDaysAhead:
            let isRight = value.double.map(AttributeClause.days.contains) ?? false
            // safe: a constant
            return isRight ? nil : "A number of days from 0 to \(Int(AttributeClause.days.upperBound)) is expected."
        case .contains, .doesNotContain: return value.string?.isEmpty == false ? nil : "A text is expected."
        case .matchesRegex, .doesNotMatchRegex: return value.string == nil ? "A regular expression is expected." : nil
        case .equals, .notEqual, .includesValue, .doesNotIncludeValue:
            return value.isScalar ? nil : "A string, number or truth value is expected."
        case .isAnyOf, .isNoneOf:
            guard let values = value.array, !values.isEmpty, values.count <= AttributeClause.maximumValues,
                values.allSatisfy(\.isScalar)
            else { return "1 to \(AttributeClause.maximumValues) strings, numbers or truth values are expected." }
            return nil
        }
    }
}

extension JSONValue {
    fileprivate var isScalar: Bool {
        switch self {
        case .bool, .integer, .number, .decimal, .string: true
        case .null, .array, .object: false
        }
    }
}
