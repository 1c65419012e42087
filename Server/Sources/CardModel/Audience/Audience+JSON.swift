public import WireJSON

extension Audience {
    /// The maximum depth of nested audiences.
    public static let maximumDepth = 20
    /// The maximum number of conditions in an audience, those that hold others included.
    public static let maximumSize = 1_000

    /// Reads an audience.
    ///
    /// `null` and `{}` are everybody. Otherwise an object with one of: `all`, `any`, `none` (arrays of audiences; `AND`
    /// and `OR` say the first two as well), or the name of a filter. Those are in the folder of filters; the filters of
    /// the field's public API, such as `custom_attribute`, are among them.
    ///
    /// - Throws: `ModelError` that names the wrong node.
    public init(json: JSONValue, at path: String = "audience") throws(ModelError) {
        var reader = AudienceReader()
        self = try reader.read(json, at: path, depth: 0)
    }
}

/// Reads one audience and counts its conditions.
private struct AudienceReader {
    private static let filters: [String: any FilterSyntax.Type] = {
        let named = Audience.filters.flatMap { filter in filter.shapes.map { ($0.name, filter) } }
        return Dictionary(named) { first, _ in first }
    }()

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
        guard let filter = filters[name] else {
            let known = (["all", "any", "none"] + Audience.filterShapes.map(\.name)).joined(separator: ", ")
            throw ModelError(.fieldUnknown, at: path, "There is no such condition. Known: \(known).")
        }
        return try filter.audience(from: value, named: name, at: path)
    }
}

extension Audience {
    /// The audience as it is read back.
    public var json: JSONValue {
        switch structure {
        case .everyone: .null
        case .all(let branches): ["all": .array(branches.map(\.nested))]
        case .any(let branches): ["any": .array(branches.map(\.nested))]
        case .none(let branches): ["none": .array(branches.map(\.nested))]
        case .segment(let id): ["segment": .string(id.rawValue)]
        case .filter(let filter): filter.json
        }
    }

    /// Inside an array, everybody is `{}`.
    private var nested: JSONValue { self == .everyone ? [:] : json }
}
