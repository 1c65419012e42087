import WireJSON

extension AttributeClause: AudienceFilter {
    static let shapes = [
        FilterShape("attribute", label: "Attribute", .other(FilterSchema.text)),
        // What custom attributes that share their names with others are written as.
        FilterShape("custom_attribute", label: "Custom attribute", isOffered: false, .other(FilterSchema.anyObject)),
        FilterShape("last_used_app", .other(FilterSchema.anyObject)),
        FilterShape("email_subscription_status", .other(FilterSchema.anyObject)),
        FilterShape("push_subscription_status", .other(FilterSchema.anyObject)),
    ]

    static func audience(from json: JSONValue, named name: String, at path: String) throws(ModelError) -> Audience {
        switch name {
        case "custom_attribute": .attribute(try AttributeClause(customAttribute: json, at: path))
        case "last_used_app": .attribute(try AttributeClause(lastUsedApp: json, at: path))
        case "email_subscription_status": try subscription(.emailSubscription, json: json, at: path)
        case "push_subscription_status": try subscription(.pushSubscription, json: json, at: path)
        default: .attribute(try AttributeClause(json: json, at: path))
        }
    }

    var condition: String { "attribute" }
    var test: any FilterTest { AttributeTest(self) }

    var needs: AudienceNeeds {
        switch name {
        case .standard: AudienceNeeds(standard: true)
        case .custom(let name): AudienceNeeds(custom: [name])
        case .system(let name): AudienceNeeds(lastSeen: name == .lastSeenAt)
        }
    }

    var identifiesUsers: Bool { name.identifiesUsers }

    var dependsOnPresence: Bool {
        switch name {
        case .system(.createdAt), .system(.firstSeenAt), .system(.lastSeenAt): true
        case .system, .standard, .custom: false
        }
    }

    var blank: BlankPart? {
        if name.text.isBlank { return .name }
        return value.isBlank ? .value(name.text) : nil
    }

    func summary(_ formatter: AudienceFormatter) -> String {
        formatter.comparison(comparison, of: name.text, with: formatter.plain(value))
    }
}

extension AttributeClause.Comparison {
    /// The comparisons, as JSON Schema has them.
    package static let schema = FilterSchema.choice(allCases.map(\.rawValue))
}

extension AttributeClause.Name {
    /// Whether the attribute says who a user is.
    public var identifiesUsers: Bool {
        switch self {
        case .standard(let attribute): StandardAttribute.identifying.contains(attribute)
        case .system(let attribute): attribute == .userID
        case .custom: false
        }
    }
}

extension StandardAttribute {
    /// The attributes by which a person can be recognized.
    public static let identifying: Set<StandardAttribute> = [
        .firstName, .lastName, .email, .phone, .dateOfBirth, .biography, .imageURL,
    ]
}
