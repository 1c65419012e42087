import OrderedCollections
public import WireJSON

/// Says of one user, clause by clause, why an audience means them or does not.
public struct AudienceExplanation: Sendable, Hashable {
    /// The reason why a clause could not be asked.
    public enum Note: String, Sendable {
        /// There is no such segment.
        case segmentUnknown = "segment_unknown"
        /// Conditions in it are left out: there are more than can be shown.
        case leftOut = "left_out"
    }

    /// A limit on what explanations say together, so that no number of conditions makes them too large to be read.
    public struct Room: Sendable {
        private var conditions: Int
        private var bytes: Int

        /// Creates room for a number of conditions, and for the texts and values of them in bytes.
        public init(conditions: Int = 20_000, bytes: Int = 4_000_000) {
            self.conditions = conditions
            self.bytes = bytes
        }

        var isSpent: Bool { conditions <= 0 || bytes <= 0 }

        mutating func take(_ condition: AudienceExplanation) {
            let values = [condition.clause, condition.found].compactMap { $0?.text.utf8.count }
            let texts = [condition.path, condition.summary].map(\.utf8.count)
            conditions -= 1
            // safe: texts in memory, and taken only where there is some left
            bytes -= (values + texts).reduce(0, +)
        }
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
    /// The user's value that was found: the attribute, the count, the time; `nil` for nothing.
    public var found: JSONValue?
    /// The note beside the result.
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
        let reasons = branches.filter { $0.matches == wanted }.flatMap(\.reasons)
        // What decided may be among what is left out.
        return reasons.isEmpty ? [self] : reasons
    }
}

extension AudienceMatcher {
    /// Says clause by clause what holds, with what was found.
    ///
    /// Every clause is looked at, also where an earlier one has decided.
    public func explanation(of facts: UserFacts, at path: String = "audience") -> AudienceExplanation {
        var room = AudienceExplanation.Room()
        return explanation(of: facts, at: path, within: &room)
    }

    /// Says clause by clause what holds, with what was found, as far as there is room for it.
    public func explanation(
        of facts: UserFacts,
        at path: String = "audience",
        within room: inout AudienceExplanation.Room
    ) -> AudienceExplanation {
        var explainer = AudienceExplainer(of: facts, within: room)
        defer { room = explainer.room }
        return explainer.explanation(of: root, at: path)
    }
}

extension MatcherNode {
    /// Returns the value of the user that a clause compares.
    func found(_ facts: UserFacts) -> JSONValue? {
        if case .filter(let test) = test { test.found(facts) } else { nil }
    }
}

extension Audience {
    /// The name of the condition on the wire.
    var condition: String {
        switch structure {
        case .everyone: "everyone"
        case .all: "all"
        case .any: "any"
        case .none: "none"
        case .segment: "segment"
        case .filter(let filter): filter.condition
        }
    }

    /// Whether it is a clause rather than conditions put together.
    var isLeaf: Bool {
        switch structure {
        case .everyone, .all, .any, .none: false
        case .segment, .filter: true
        }
    }
}
