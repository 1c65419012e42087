/// One step that turns the page that a browser shows into the next one.
struct NodeChange: Encodable, Equatable {
    /// The element.
    let id: String
    /// Set when the element is new.
    var tag: String?
    /// Changed attributes; an empty text means a flag, `nil` that the attribute goes.
    var attributes: [String: String?]?
    /// Changed properties of the style; `nil` means that the property goes.
    var style: [String: String?]?
    var text: String?
    var children: [String]?

    private enum CodingKeys: String, CodingKey {
        case id = "i"
        case tag = "n"
        case attributes = "a"
        case style = "s"
        case text = "t"
        case children = "c"
    }

    var isEmpty: Bool { tag == nil && attributes == nil && style == nil && text == nil && children == nil }
}

/// Compares two drawings by the ids of their elements.
///
/// A page that applies the changes shows the second.
struct NodeDiff: Encodable, Equatable {
    var changes: [NodeChange] = []
    var removed: [String] = []

    private enum CodingKeys: String, CodingKey {
        case changes = "p"
        case removed = "d"
    }

    var isEmpty: Bool { changes.isEmpty && removed.isEmpty }

    init(from old: [String: Node], to new: [String: Node]) {
        for (id, node) in new.sorted(by: { $0.key < $1.key }) where old[id] != node {
            let change = Self.change(id, from: old[id], to: node)
            if !change.isEmpty { changes.append(change) }
        }
        removed = old.keys.filter { new[$0] == nil }.sorted()
    }

    private static func change(_ id: String, from old: Node?, to new: Node) -> NodeChange {
        guard let old, old.tag == new.tag else {
            return NodeChange(
                id: id,
                tag: new.tag,
                attributes: delta([:], new.attributes),
                style: delta([:], new.style),
                text: new.text,
                children: new.children.isEmpty ? nil : new.children
            )
        }
        return NodeChange(
            id: id,
            attributes: delta(old.attributes, new.attributes),
            style: delta(old.style, new.style),
            text: old.text == new.text ? nil : new.text ?? "",
            children: old.children == new.children ? nil : new.children
        )
    }

    private static func delta(_ old: [String: String], _ new: [String: String]) -> [String: String?]? {
        var delta: [String: String?] = [:]
        for (key, value) in new where old[key] != value { delta[key] = .some(value) }
        for key in old.keys where new[key] == nil { delta.updateValue(nil, forKey: key) }
        return delta.isEmpty ? nil : delta
    }
}
