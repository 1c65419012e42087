import CardModel
import WireJSON

/// The audience builder as a page draws it: a list of rows, each with how deep it lies.
struct AudienceView {
    struct Choice {
        let value: String
        let name: String
        let isChosen: Bool
    }

    /// One node; groups hold others.
    final class Node {
        let place: String
        let kind: String
        let isGroup: Bool
        let isRoot: Bool
        let label: String
        let operators: [Choice]
        let items: [Node]
        let hasItems: Bool
        let nodeName: String?
        let nameLabel: String
        let nodeNames: String?
        let comparisons: [Choice]
        let hasComparisons: Bool
        let nodeValue: String?
        let valueLabel: String
        let nodeDays: String?
        let nodeFrom: String?
        let nodeTo: String?

        init(_ fields: JSONValue, at place: String, isRoot: Bool) {
            self.place = place
            self.isRoot = isRoot
            kind = fields.text("kind") ?? "all"
            isGroup = AudienceFields.groups.contains(kind)
            let items = fields["items"]?.array ?? []
            self.items = items.enumerated().map { Node($1, at: "\(place).items[\($0)]", isRoot: false) }
            hasItems = !items.isEmpty
            operators = AudienceView.choices(AudienceView.operators, kind)
            label = AudienceView.labels[kind] ?? kind
            let shown = AudienceView.parts[kind] ?? []
            func text(_ part: String, _ field: String) -> String? {
                shown.contains(part) ? fields[field]?.string ?? "" : nil
            }
            nodeName = text("name", "name")
            nameLabel = kind == "event" ? "Event" : kind == "campaign" ? "Campaign id" : "Attribute"
            nodeNames = kind == "attribute" ? "attribute-names" : nil
            nodeValue = text("value", "value")
            valueLabel = kind == "segment" ? "Segment id" : kind == "users" ? "User ids, with commas" : "Value"
            nodeDays = text("days", "days")
            nodeFrom = text("range", "from")
            nodeTo = text("range", "to")
            comparisons = AudienceView.comparisons(kind, fields.text("comparison") ?? "")
            hasComparisons = !comparisons.isEmpty
        }
    }

    let root: [Node]
    let isEveryone: Bool
    let attributes: [String]
    /// Where buttons that change the form send it.
    let reshape: String

    init(_ fields: JSONValue, reshape: String) {
        self.reshape = reshape
        let node = Node(fields, at: "c.audience", isRoot: true)
        root = [node]
        isEveryone = node.items.isEmpty
        attributes = AttributeNames.known
    }

    private static let operators = [
        ("all", "all of these hold"), ("any", "any of these holds"), ("none", "none of these holds"),
    ]
    private static let labels = [
        "attribute": "Attribute", "event": "Did", "campaign": "Met campaign", "segment": "In segment",
        "users": "Is one of", "random_bucket": "Random number", "json": "As JSON",
    ]
    private static let parts: [String: Set<String>] = [
        "attribute": ["name", "value"], "event": ["name", "value", "days"], "campaign": ["name", "days"],
        "segment": ["value"], "users": ["value"], "random_bucket": ["range"], "json": ["value"],
    ]

    private static func comparisons(_ kind: String, _ chosen: String) -> [Choice] {
        switch kind {
        case "attribute":
            choices(
                AttributeClause.Comparison.allCases.map { ($0.rawValue, $0.rawValue.replacing("_", with: " ")) },
                chosen
            )
        case "event":
            choices(
                [
                    ("", "at least once"), ("greater_than_or_equal_to", "at least … times"),
                    ("less_than", "fewer than … times"), ("equals", "exactly … times"),
                ],
                chosen
            )
        case "campaign": choices(["received", "viewed", "clicked", "dismissed"].map { ($0, $0) }, chosen)
        default: []
        }
    }

    static func choices(_ pairs: [(String, String)], _ chosen: String) -> [Choice] {
        pairs.map { Choice(value: $0.0, name: $0.1, isChosen: $0.0 == chosen) }
    }
}

/// Names that the form offers.
enum AttributeNames {
    static let known =
        StandardAttribute.allCases.map(\.rawValue)
        + ["user_id", "created_at", "first_seen_at", "last_seen_at", "app_version", "locale"]
}

extension AudienceFields {
    /// The fields with a condition or group added to the group at a place.
    static func adding(_ kind: String, to place: String, in fields: JSONValue) -> JSONValue {
        changing(fields, place: steps(place)) { group in
            guard case .object(var members)? = group else { return group }
            var items = members["items"]?.array ?? []
            items.append(groups.contains(kind) ? ["kind": .string(kind)] : ["kind": .string(kind), "new": "on"])
            members["items"] = .array(items)
            return .object(members)
        } ?? fields
    }

    /// The fields without what is at a place.
    static func removing(_ place: String, in fields: JSONValue) -> JSONValue {
        changing(fields, place: steps(place)) { _ in nil } ?? fields
    }

    /// The indices on the way from the root, of `c.audience.items[2].items[0]`.
    private static func steps(_ place: String) -> [Int] {
        place.split(whereSeparator: { ".[]".contains($0) }).compactMap { Int($0) }
    }

    private static func changing(
        _ fields: JSONValue,
        place: [Int],
        _ change: (JSONValue?) -> JSONValue?
    ) -> JSONValue? {
        guard let first = place.first else { return change(fields) }
        guard case .object(var members) = fields, var items = members["items"]?.array, items.indices.contains(first)
        else { return fields }
        if let changed = changing(items[first], place: Array(place.dropFirst()), change) {
            items[first] = changed
        } else {
            items.remove(at: first)
        }
        members["items"] = items.isEmpty ? JSONValue?.none : .array(items)
        return .object(members)
    }
}
