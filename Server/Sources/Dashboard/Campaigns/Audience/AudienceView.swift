import CardModel
import WireJSON

extension PageDescriptor {
    /// The builder, which the editors of campaigns and of segments show.
    static let audienceBuilder = PageDescriptor(
        templates: [
            "audience": PackageResources.audience_mustache,
            "audience-node": PackageResources.audience_node_mustache,
        ]
    )
}

/// The audience builder as a page draws it: a tree of nodes.
struct AudienceView {
    let root: [AudienceNode]
    let isEveryone: Bool
    /// The audience as JSON, and what is wrong with it.
    let audienceJSON: FieldView
    /// The address to which buttons that change the form send it.
    let reshape: String

    init(
        _ fields: JSONValue,
        json: String,
        reshape: String,
        _ maker: FieldMaker,
        _ names: AudienceNames = .init()
    ) {
        self.reshape = reshape
        maker.group = localized("Target audience")
        let node = AudienceNode(fields, at: "c.audience", path: "audience", depth: 0, maker, names)
        root = [node]
        isEveryone = node.items.isEmpty && node.kind != "any"
        audienceJSON = maker.make(
            .text(rows: 10),
            localized("Audience as JSON"),
            at: "audience_json",
            path: "#audience",
            value: json,
            .init(isPart: true)
        )
    }
}

extension AudienceView {
    static func choices(_ pairs: [(String, String)], _ chosen: String) -> [FieldOption] {
        pairs.map { FieldOption(value: $0.0, name: $0.1, isChosen: $0.0 == chosen) }
    }
}

/// The names that the builder offers.
struct AudienceNames: Sendable {
    struct Named: Sendable {
        let id: String
        let name: String
    }

    var segments: [Named] = []
    var campaigns: [Named] = []
    /// The segments that an audience names and that aren't offered: they are archived, or were changed long ago.
    var otherSegments: [Named] = []
    /// The campaigns that an audience names and that aren't offered.
    var otherCampaigns: [Named] = []
}

/// One node of the tree; groups hold others.
final class AudienceNode {
    /// A filter that can be added.
    struct Addition {
        let kind: String
        let name: String
    }

    let row: String
    let kind: String
    let isGroup: Bool
    let isNested: Bool
    let anchor: String
    let label: String
    let operators: FieldView?
    let items: [AudienceNode]
    let itemsPlace: String
    /// The filters that the group offers to add.
    let additions: [Addition]
    let isNobody: Bool
    /// The parts of the condition, in order.
    let parts: [FieldView]

    init(_ fields: JSONValue, at place: String, path: String, depth: Int, _ maker: FieldMaker, _ names: AudienceNames) {
        row = place
        isNested = depth > 0
        itemsPlace = "\(place).items"
        let kind = fields.text(.kind) ?? "all"
        self.kind = kind
        isGroup = AudienceFields.groups.contains(kind)
        anchor = FieldMaker.fieldID(place)
        label = kind == "json" ? localized("As JSON") : Self.label(of: kind) ?? kind
        let children = fields.rows(.items)
        items = children.enumerated().map {
            let inner = "\(path).\(kind)[\($0)]"
            return AudienceNode($1, at: "\(place).items[\($0)]", path: inner, depth: depth + 1, maker, names)
        }
        isNobody = kind == "any" && children.isEmpty
        let form = AudienceNodeForm(fields: fields, place: place, path: path, kind: kind, maker: maker, names: names)
        operators = isGroup ? form.operators : nil
        additions = isGroup ? Self.additions : []
        parts = isGroup ? [] : form.parts
    }

    private static var additions: [Addition] {
        Audience.filterShapes.filter(\.isOffered).map { shape in
            Addition(kind: shape.name, name: label(of: shape.name) ?? shape.name)
        }
    }

    private static func label(of kind: String) -> String? {
        Audience.filterShapes.first { $0.name == kind }?.label.map(localized)
    }
}
