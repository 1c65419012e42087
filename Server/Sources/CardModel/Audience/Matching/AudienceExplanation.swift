import OrderedCollections
public import WireJSON

/// Says of one user, clause by clause, why an audience means them or does not.
public struct AudienceExplanation: Sendable, Hashable {
    /// Why a clause could not be asked.
    public enum Note: String, Sendable {
        /// There is no such segment.
        case segmentUnknown = "segment_unknown"
    }

    /// The place in the audience, such as `audience.all[1]`.
    public var path: String
    /// Whether the condition holds.
    public var matches: Bool
    /// The name of the condition on the wire, such as `all` or `attribute`; `everyone` for the one that says nothing.
    public var condition: String
    /// The condition in words; see ``Audience/summary``.
    public var summary: String
    /// The clause itself; `nil` for one that holds others.
    public var clause: JSONValue?
    /// What was found of the user: the attribute, the count, the time; `nil` for nothing.
    public var found: JSONValue?
    /// What else has to be said.
    public var note: Note?
    /// The conditions inside, in their order; a segment has one, its audience.
    public var branches: [AudienceExplanation]

    /// The explanation as the API shows it.
    public var json: JSONValue {
        var members: JSONObject = [
            "path": .string(path), "condition": .string(condition), "summary": .string(summary),
            "matches": .bool(matches),
        ]
        if let clause {
            members["clause"] = clause
            members["found"] = found ?? .null
        }
        if let note { members["note"] = .string(note.rawValue) }
        if !branches.isEmpty { members["branches"] = .array(branches.map(\.json)) }
        return .object(members)
    }

    /// The clauses that decided: those without which the answer would be another, the first first.
    public var reasons: [AudienceExplanation] {
        guard !branches.isEmpty else { return [self] }
        let wanted: Bool
        switch condition {
        case "none": wanted = !matches
        default: wanted = matches
        }
        return branches.filter { $0.matches == wanted }.flatMap(\.reasons)
    }
}

extension AudienceMatcher {
    /// Says clause by clause what holds, with what was found.
    ///
    /// Every clause is looked at, also where an earlier one has decided.
    public func explanation(of facts: UserFacts, at path: String = "audience") -> AudienceExplanation {
        root.explanation(of: facts, at: path)
    }
}

extension MatcherNode {
    fileprivate func explanation(of facts: UserFacts, at path: String) -> AudienceExplanation {
        var until = UnixTime.infinity
        var explanation = AudienceExplanation(
            path: path,
            matches: holds(facts, &until),
            condition: source.condition,
            summary: source.summary,
            clause: source.isLeaf ? source.json : nil,
            found: found(facts),
            branches: []
        )
        if case .segment(nil) = test { explanation.note = .segmentUnknown }
        explanation.branches = branches.enumerated().map { index, branch in
            let place = source.isLeaf ? "\(path).segment" : "\(path).\(source.condition)[\(index)]"
            return branch.explanation(of: facts, at: place)
        }
        return explanation
    }

    private func found(_ facts: UserFacts) -> JSONValue? {
        switch (test, source) {
        case (_, .attribute(let clause)): facts.profile.value(of: clause.name)
        case (.history(let test), _): test.found(facts)
        case (.contact(let test), _): test.last(facts.deliveries).map(JSONValue.init(number:))
        case (.bucket(let bucket), _): .integer(Int64(RandomBucket.number(of: facts.profile.id, salt: bucket.salt)))
        case (.users, _): .string(facts.profile.id.rawValue)
        default: nil
        }
    }
}

extension Audience {
    /// The name of the condition on the wire.
    var condition: String {
        switch self {
        case .everyone: "everyone"
        case .all: "all"
        case .any: "any"
        case .none: "none"
        case .users: "users"
        case .attribute: "attribute"
        case .history(let clause):
            switch clause.subject {
            case .event: "event"
            case .purchase: "purchase"
            case .session: "session"
            }
        case .contact: "campaign"
        case .segment: "segment"
        case .bucket: "random_bucket"
        }
    }

    /// Whether it is a clause rather than conditions put together.
    var isLeaf: Bool {
        switch self {
        case .everyone, .all, .any, .none: false
        case .users, .attribute, .history, .contact, .segment, .bucket: true
        }
    }
}
