public import WireJSON

extension Audience {
    /// The maximum depth of nested audiences.
    public static let maximumDepth = 20
    /// The maximum number of conditions in an audience, those that hold others included.
    public static let maximumSize = 1_000

    /// Reads an audience.
    ///
    /// `null` and `{}` are everybody. Otherwise an object with one of: `all`, `any`, `none` (arrays of audiences; `AND`
    /// and `OR` say the first two as well), `users` (an array of ids), `attribute` (a name, with `comparison` and
    /// `value`), `event`, `purchase`, `session`, `campaign`, `segment` (an id), `random_bucket`. The filters of the
    /// field's public API are read too: `custom_attribute`, `last_used_app`, `email_subscription_status` and
    /// `push_subscription_status`.
    ///
    /// - Throws: `ModelError` that names the wrong node.
    public init(json: JSONValue, at path: String = "audience") throws(ModelError) {
        var reader = AudienceReader()
        self = try reader.read(json, at: path, depth: 0)
    }
}

/// Reads one audience and counts its conditions.
private struct AudienceReader {
    private static let conditions = [
        "all", "any", "none", "users", "attribute", "event", "purchase", "session", "campaign", "segment",
        "random_bucket", "custom_attribute", "last_used_app", "email_subscription_status", "push_subscription_status",
    ]

    private var size = 0

    mutating func read(_ json: JSONValue, at path: String, depth: Int) throws(ModelError) -> Audience {
        guard !json.isNull else { return .everyone }
        guard let members = json.object else { throw ModelError(.fieldInvalid, at: path, "An object is expected.") }
        guard depth < Audience.maximumDepth else {
            throw ModelError(.fieldInvalid, at: path, "Audiences nest at most \(Audience.maximumDepth) deep.")
        }
        // safe: one more for each node, of which there are only so many
        size += 1
        guard size <= Audience.maximumSize else {
            throw ModelError(.fieldInvalid, at: path, "An audience has at most \(Audience.maximumSize) conditions.")
        }
        guard let (name, value) = members.first else { return .everyone }
        if members["attribute"] != nil { return .attribute(try AttributeClause(json: json, at: path)) }
        guard members.count == 1 else {
            throw ModelError(.fieldInvalid, at: path, "One condition is expected; put several in all, any or none.")
        }
        let place = "\(path).\(name)"
        switch name {
        case "all", "AND": return .all(try branches(value, at: place, depth: depth))
        case "any", "OR": return .any(try branches(value, at: place, depth: depth))
        case "none": return .none(try branches(value, at: place, depth: depth))
        default: return try Self.leaf(name, value, at: place)
        }
    }

    private mutating func branches(_ json: JSONValue, at path: String, depth: Int) throws(ModelError) -> [Audience] {
        guard let elements = json.array else { throw ModelError(.fieldInvalid, at: path, "An array is expected.") }
        var branches: [Audience] = []
        for (index, element) in elements.enumerated() {
            branches.append(try read(element, at: "\(path)[\(index)]", depth: depth + 1))
        }
        return branches
    }

    private static func leaf(_ name: String, _ value: JSONValue, at path: String) throws(ModelError) -> Audience {
        switch name {
        case "users": return .users(try users(value, at: path))
        case "event", "purchase", "session": return .history(try HistoryClause(json: value, kind: name, at: path))
        case "campaign": return .contact(try ContactClause(json: value, at: path))
        case "segment": return .segment(try segment(value, at: path))
        case "random_bucket": return .bucket(try RandomBucket(json: value, at: path))
        case "custom_attribute": return .attribute(try AttributeClause(customAttribute: value, at: path))
        case "last_used_app": return .attribute(try AttributeClause(lastUsedApp: value, at: path))
        case "email_subscription_status":
            return try AttributeClause.subscription(.emailSubscription, json: value, at: path)
        case "push_subscription_status":
            return try AttributeClause.subscription(.pushSubscription, json: value, at: path)
        default:
            let known = conditions.joined(separator: ", ")
            throw ModelError(.fieldUnknown, at: path, "There is no such condition. Known: \(known).")
        }
    }

    private static func segment(_ json: JSONValue, at path: String) throws(ModelError) -> SegmentID {
        guard let id = json.string.flatMap(SegmentID.init(checking:)) else {
            throw ModelError(.fieldInvalid, at: path, "The id of a saved segment is expected.")
        }
        return id
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
}

extension Audience {
    /// The audience as it is read back.
    public var json: JSONValue {
        switch self {
        case .everyone: .null
        case .all(let branches): ["all": .array(branches.map(\.nested))]
        case .any(let branches): ["any": .array(branches.map(\.nested))]
        case .none(let branches): ["none": .array(branches.map(\.nested))]
        case .users(let ids): ["users": .array(ids.sorted().map { .string($0.rawValue) })]
        case .attribute(let clause): clause.json
        case .history(let clause): clause.json
        case .contact(let clause): ["campaign": clause.json]
        case .segment(let id): ["segment": .string(id.rawValue)]
        case .bucket(let bucket): ["random_bucket": bucket.json]
        }
    }

    /// Inside an array, everybody is `{}`.
    private var nested: JSONValue { self == .everyone ? [:] : json }
}
