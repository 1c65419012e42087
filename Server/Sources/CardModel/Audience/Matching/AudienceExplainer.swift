/// Explains one audience to one user.
///
/// Segments share their conditions, so that a few of them can have very many: each is asked once, however often it
/// stands, and no more of them are shown than there is room for.
struct AudienceExplainer {
    /// The maximum depth at which conditions are shown, segments included: what reads JSON takes no more.
    private static let maximumDepth = 25

    private let facts: UserFacts
    /// The rest of the room.
    private(set) var room: AudienceExplanation.Room
    private var answers: [ObjectIdentifier: Bool] = [:]
    /// The conditions in which something took too much work to ask.
    private var unknown: Set<ObjectIdentifier> = []

    init(of facts: UserFacts, within room: AudienceExplanation.Room) {
        self.facts = facts
        self.room = room
    }

    mutating func explanation(of root: MatcherNode, at path: String) -> AudienceExplanation {
        guard room.isSpent else { return explanation(of: root, at: path, depth: 1) }
        return AudienceExplanation(
            path: path,
            matches: holds(root),
            condition: root.source.condition,
            summary: "more conditions than can be shown",
            note: .leftOut,
            branches: []
        )
    }

    private mutating func explanation(of node: MatcherNode, at path: String, depth: Int) -> AudienceExplanation {
        let source = node.source
        var explanation = AudienceExplanation(
            path: path,
            matches: holds(node),
            condition: source.condition,
            summary: source.summary,
            clause: source.isLeaf ? source.json : nil,
            found: node.found(facts),
            branches: []
        )
        if case .segment(nil) = node.test { explanation.note = .segmentUnknown }
        room.take(explanation)
        for (index, branch) in node.branches.enumerated() {
            guard depth < Self.maximumDepth, !room.isSpent else {
                explanation.note = .leftOut
                break
            }
            let place = source.isLeaf ? "\(path).segment" : "\(path).\(source.condition)[\(index)]"
            explanation.branches.append(self.explanation(of: branch, at: place, depth: depth + 1))
        }
        return explanation
    }

    /// Whether the condition holds.
    private mutating func holds(_ node: MatcherNode) -> Bool {
        let id = ObjectIdentifier(node)
        if let known = answers[id] { return known }
        let refusals = facts.patterns.refusals
        let answer: Bool
        switch node.test {
        case .all(let branches): answer = branches.allSatisfy { holds($0) }
        case .any(let branches): answer = branches.contains { holds($0) }
        case .none(let branches):
            let isOne = branches.contains { holds($0) }
            answer = !isOne && !branches.contains { isUnknown($0) }
        case .segment(let audience?): answer = holds(audience)
        case .segment(nil), .everyone, .filter:
            var until = UnixTime.infinity
            answer = node.holds(facts, &until)
        }
        answers[id] = answer
        if facts.patterns.refusals != refusals || node.branches.contains(where: { isUnknown($0) }) {
            unknown.insert(id)
        }
        return answer
    }

    private func isUnknown(_ node: MatcherNode) -> Bool { unknown.contains(ObjectIdentifier(node)) }
}
