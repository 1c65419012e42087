public import WireJSON

extension UserUpdate {
    /// Reads what is to change of a user: `attributes` (standard ones) and `custom_attributes`; `null` removes one.
    ///
    /// - Throws: `ModelError` that names the wrong field.
    public init(id: UserID, json: JSONValue, allowing others: Set<String> = []) throws(ModelError) {
        self.init(id: id)
        let fields = try JSONFields(json, at: "", known: others.union(["attributes", "custom_attributes"]))
        try readStandard(fields)
        try readCustom(fields)
    }

    private mutating func readStandard(_ fields: JSONFields) throws(ModelError) {
        guard let attributes = fields["attributes"] else { return }
        guard let members = attributes.object else { throw fields.invalid("attributes", "An object is expected.") }
        for (name, value) in members {
            guard let attribute = StandardAttribute(rawValue: name) else {
                throw ModelError(
                    .fieldUnknown,
                    at: fields.place("attributes.\(name)"),
                    "There is no such standard attribute; put your own into custom_attributes."
                )
            }
            guard !value.isNull else {
                standard[attribute] = .null
                continue
            }
            guard let text = value.string.flatMap(attribute.value) else {
                throw fields.invalid("attributes.\(name)", attribute.expectation)
            }
            if [.email, .phone].contains(attribute), !text.isEmpty, !IdentityText.isValid(text) {
                throw fields.invalid("attributes.\(name)", "A text without control characters is expected.")
            }
            standard[attribute] = .string(text)
        }
    }

    private mutating func readCustom(_ fields: JSONFields) throws(ModelError) {
        guard let attributes = fields["custom_attributes"] else { return }
        guard let members = attributes.object else {
            throw fields.invalid("custom_attributes", "An object is expected.")
        }
        for (name, value) in members {
            guard IdentityText.isValid(name) else {
                throw fields.invalid(
                    "custom_attributes",
                    "An attribute's name has 1 to 255 bytes without control characters."
                )
            }
            guard value.bytes.count <= UserLimits.valueBytes else {
                throw fields.invalid(
                    "custom_attributes.\(name)",
                    "A value of at most \(UserLimits.valueBytes) bytes of JSON is expected."
                )
            }
            custom[name] = value
        }
    }
}

extension StandardAttribute {
    /// The expected kind of value.
    fileprivate var expectation: String {
        switch self {
        case .timeZone: "A time zone of the IANA database is expected, such as Asia/Tokyo."
        case .country: "A country of ISO 3166 is expected, such as JP, JPN or Japan."
        case .dateOfBirth: "A date is expected, such as 1990-12-31."
        case .gender: "One of M, F, O, N and P is expected."
        case .emailSubscription, .pushSubscription: "One of opted_in, subscribed and unsubscribed is expected."
        default: "A string of at most \(valueLimit) bytes is expected."
        }
    }
}
