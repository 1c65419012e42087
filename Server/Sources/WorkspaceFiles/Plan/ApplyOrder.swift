import CardModel
import WireJSON

/// The order in which objects are applied: what others name comes before them, and what is archived comes last.
struct ApplyOrder {
    private let items: [ObjectReference: WorkspacePlan.Item]

    init(_ items: [WorkspacePlan.Item]) {
        self.items = Dictionary(items.map { ($0.reference, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func sorted(_ items: [WorkspacePlan.Item]) -> [WorkspacePlan.Item] {
        var (places, next): ([ObjectReference: Int], Int) = ([:], 0)
        for item in items.sorted(by: { $0.reference < $1.reference }) {
            visit(item.reference, &places, &next, depth: 0)
        }
        return items.sorted { left, right in
            let (isLast, isOtherLast) = (left.action == .archive, right.action == .archive)
            if isLast != isOtherLast { return isOtherLast }
            if left.reference.kind != right.reference.kind {
                // A campaign that names a segment is archived before it.
                return isLast ? left.reference.kind > right.reference.kind : left.reference.kind < right.reference.kind
            }
            return (places[left.reference] ?? 0) < (places[right.reference] ?? 0)
        }
    }

    private func visit(
        _ reference: ObjectReference,
        _ places: inout [ObjectReference: Int],
        _ next: inout Int,
        depth: Int
    ) {
        guard places[reference] == nil, let item = items[reference] else { return }
        // What leads back to itself is refused elsewhere.
        places[reference] = 0
        if depth < 1_000 {
            for other in Self.names(in: item).sorted() { visit(other, &places, &next, depth: depth + 1) }
        }
        // Those that are still waited for come behind, and have no place yet.
        next += 1
        places[reference] = next
    }

    /// The objects of the same kind that an object names.
    private static func names(in item: WorkspacePlan.Item) -> [ObjectReference] {
        switch item.wanted?.content {
        case .segment(let content, _): content.audience.segments.map { ObjectReference(.segment, $0.rawValue) }
        case .contentBlock(let block):
            TemplateEngine.contentBlocks(namedIn: block.content).map { ObjectReference(.contentBlock, $0) }
        default: []
        }
    }
}
