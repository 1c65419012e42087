public import WireJSON

extension Campaign {
    /// Something that a campaign is to bring users to do, counted within a window after the card.
    public struct Conversion: Sendable, Hashable, Identifiable {
        /// The goal that users reach.
        public enum Goal: Sendable, Hashable {
            /// They do something, or buy something.
            case event(EventCondition)
            /// They open the app.
            case sessionStart
        }

        /// The event that opens the window.
        public enum Opening: String, Sendable, CaseIterable {
            /// The user is given the card.
            case delivery
            /// The user first sees the card.
            case impression
        }

        /// The maximum number of conversions of a campaign.
        public static let limit = 4
        /// The longest window, in seconds: 30 days.
        public static let longestWindow = 30.0 * 86_400
        /// The default window, in seconds: 3 days.
        public static let usualWindow = 3.0 * 86_400

        /// The id, under which it is counted; unique in the campaign.
        @Bytewise public var id: String
        /// The conversion's display name.
        @Bytewise public var name: String
        /// The goal that users reach.
        public var goal: Goal
        /// The length of the window, in seconds.
        public var window: Double
        /// The event that opens the window.
        public var opening: Opening

        /// Creates a conversion.
        public init(
            id: String,
            name: String = "",
            goal: Goal,
            window: Double = Conversion.usualWindow,
            opening: Opening = .delivery
        ) {
            self.id = id
            self.name = name
            self.goal = goal
            self.window = window
            self.opening = opening
        }

        /// Whether purchases bring users there, so that there are amounts.
        public var hasAmounts: Bool {
            if case .event(let condition) = goal, case .purchase = condition.subject { true } else { false }
        }
    }
}

/// A card as conversions see it.
public struct ConvertibleCard: Sendable, Hashable {
    /// The card.
    public var card: CardID
    /// The variant.
    public var variant: VariantID
    /// The time at which it was given.
    public var deliveredAt: UnixTime
    /// The time at which it was first seen, or `nil` for not yet.
    public var firstViewedAt: UnixTime?

    /// Creates a card.
    public init(card: CardID, variant: VariantID, deliveredAt: UnixTime, firstViewedAt: UnixTime?) {
        self.card = card
        self.variant = variant
        self.deliveredAt = deliveredAt
        self.firstViewedAt = firstViewedAt
    }
}

extension Campaign.Conversion {
    /// Whether something at that time is within the card's window: from its opening until just before its end.
    public func covers(_ time: UnixTime, of card: ConvertibleCard) -> Bool {
        let start = opening == .delivery ? card.deliveredAt : card.firstViewedAt
        guard let start else { return false }
        return start <= time && time < start + window
    }
}
