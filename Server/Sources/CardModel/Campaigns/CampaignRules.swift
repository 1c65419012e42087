import OrderedCollections
import WireJSON

extension Campaign {
    /// The rules that limit a campaign's cards beyond who gets them and when.
    public struct Rules: Sendable, Hashable {
        /// The rule by which a user who was given a card can be given another.
        public enum Reeligibility: Sendable, Hashable {
            /// Never; that is what a campaign does unless a backend triggers it.
            case never
            /// That many seconds after the last one was given, and not while a scheduled campaign's last one is still
            /// there; 0 for at once, which is what a campaign does that a backend triggers.
            case after(seconds: Double)
        }

        /// The rule by which a user who was given a card can be given another, or `nil` for what the delivery does by
        /// itself.
        public var reeligibility: Reeligibility?
        /// The events that remove a user's cards, and the triggers that wait.
        public var removal: [EventCondition]
        /// Whether a card is only there while its user is in the audience.
        public var followsAudience: Bool
        /// Whether a card keeps the texts that it was given with.
        public var freezes: Bool
        /// Whether the card is given, and not counted, whatever the workspace's caps say.
        public var ignoresFrequencyCaps: Bool
        /// Whether the card is given in quiet hours too.
        public var ignoresQuietHours: Bool

        /// Creates rules; what is left out is off.
        public init(
            reeligibility: Reeligibility? = nil,
            removal: [EventCondition] = [],
            followsAudience: Bool = false,
            freezes: Bool = false,
            ignoresFrequencyCaps: Bool = false,
            ignoresQuietHours: Bool = false
        ) {
            self.reeligibility = reeligibility
            self.removal = removal
            self.followsAudience = followsAudience
            self.freezes = freezes
            self.ignoresFrequencyCaps = ignoresFrequencyCaps
            self.ignoresQuietHours = ignoresQuietHours
        }
    }
}

extension Campaign.Content {
    /// The rule by which a user who was given a card can be given another.
    public var reeligibility: Campaign.Rules.Reeligibility {
        if let rule = rules.reeligibility { return rule }
        if case .apiTriggered = delivery { return .after(seconds: 0) }
        return .never
    }
}

// MARK: JSON

extension Campaign.Rules {
    init(json: JSONValue, at path: String) throws(ModelError) {
        guard !json.isNull else {
            self.init()
            return
        }
        let fields = try JSONFields(
            json,
            at: path,
            known: [
                "reeligible", "reeligible_after_days", "remove_on", "follow_audience", "freeze",
                "ignore_frequency_caps", "ignore_quiet_hours",
            ]
        )
        var removal: [EventCondition] = []
        for (index, element) in (try fields.array("remove_on") ?? []).enumerated() {
            removal.append(try EventCondition(json: element, at: fields.place("remove_on[\(index)]")))
        }
        guard removal.count <= 10 else { throw fields.invalid("remove_on", "At most 10 conditions are possible.") }
        self.init(
            reeligibility: try Self.reeligibility(fields),
            removal: removal,
            followsAudience: try fields.bool("follow_audience") ?? false,
            freezes: try fields.bool("freeze") ?? false,
            ignoresFrequencyCaps: try fields.bool("ignore_frequency_caps") ?? false,
            ignoresQuietHours: try fields.bool("ignore_quiet_hours") ?? false
        )
    }

    private static func reeligibility(_ fields: JSONFields) throws(ModelError) -> Reeligibility? {
        let days = try fields.double("reeligible_after_days", in: 0...3_650)
        switch (try fields.bool("reeligible"), days) {
        case (false?, _?): throw fields.invalid("reeligible_after_days", "This needs reeligible to be true.")
        case (false?, nil): return .never
        // safe: a number with a fraction, at most 3,650
        case (_, let days?): return .after(seconds: days * 86_400)
        case (true?, nil): return .after(seconds: 0)
        case (nil, nil): return nil
        }
    }

    /// The rules without those that are off.
    var json: JSONValue {
        var members: JSONObject = [:]
        switch reeligibility {
        case nil: break
        case .never: members["reeligible"] = false
        case .after(let seconds):
            members["reeligible"] = true
            members["reeligible_after_days"] = .number(seconds / 86_400)
        }
        if !removal.isEmpty { members["remove_on"] = .array(removal.map(\.json)) }
        if followsAudience { members["follow_audience"] = true }
        if freezes { members["freeze"] = true }
        if ignoresFrequencyCaps { members["ignore_frequency_caps"] = true }
        if ignoresQuietHours { members["ignore_quiet_hours"] = true }
        return .object(members)
    }
}
