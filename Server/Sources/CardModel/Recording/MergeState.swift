import WireJSON

/// The state of two users in a store who are to be one, as far as what the one has then depends on it.
public struct MergeState: Sendable {
    /// The state of one of them in a store.
    public struct Account: Sendable {
        /// The user.
        public var profile: UserProfile
        /// The user's version.
        public var version: UserVersion
        /// The user's aliases.
        public var aliases: [UserAlias] = []
        /// The records of the user's history.
        public var histories: [HistoryKey: HistorySummary] = [:]
        /// The campaigns that gave the user a card.
        public var campaigns: Set<CampaignID> = []
        /// The triggers that gave the user a card.
        public var given: Set<TriggerKey> = []
        /// The broadcasts that gave the user a card.
        public var broadcasts: [Trigger] = []
        /// The times at which the user's cards converted; no conversion without a card.
        public var conversions: [ConversionPlace: [CardID: CountedConversion]] = [:]
        /// The amounts that the user spent.
        public var spending: [SpendingPlace: Spending] = [:]

        /// Creates an account that has nothing but a profile.
        public init(_ profile: UserProfile, version: UserVersion) {
            self.profile = profile
            self.version = version
        }
    }

    /// The user without an id of their own.
    public var user: Account
    /// The user with the id, or `nil` where there is none.
    public var identity: Account?
    /// The custom events, purchases and session starts in ``user``'s log that are in ``identity``'s too, of the newest
    /// ``repeatedLimit`` by their ids.
    public var repeated: [DeviceEvent]

    /// The number of a user's newest events, by their ids, of which those are looked for that the identity has too.
    ///
    /// An app sends an event by two ids where it got no answer, shortly before its user became known; and a merge has
    /// to cost little however much a user has done.
    public static let repeatedLimit = 5_000

    /// Creates a state.
    public init(user: Account, identity: Account?, repeated: [DeviceEvent] = []) {
        self.user = user
        self.identity = identity
        self.repeated = repeated
    }
}

/// The decision that merging a user into another takes.
public enum MergeDecision: Sendable {
    /// Nothing changes, for that reason.
    case refused(Identification.IdentificationOutcome)
    /// The two are one.
    case accepted(MergeWrites)
}

/// The writes that merge a user into another.
///
/// Aliases move too, and so do the events and triggers of which the identity has none with the same id. Whatever is
/// left of the user is deleted with them.
public struct MergeWrites: Sendable {
    /// The identity as it is afterwards.
    public let profile: UserProfile
    /// Whether the store has a row for the identity.
    public let isStored: Bool
    /// The identity's version afterwards: above those of both, so that no device takes what it has for current.
    public let version: UserVersion
    /// The records of the history that change.
    public internal(set) var histories: [EventWrites.History] = []
    /// The campaigns whose cards move; of those that gave both a card, the identity's stays.
    public internal(set) var campaigns: Set<CampaignID> = []
    /// The triggers of the identity that no longer wait, as far as they do: sends that gave the user a card that is
    /// gone.
    public internal(set) var used: [UsedTrigger] = []
    /// The triggers that keep broadcasts from the identity, whose cards were the user's and are gone.
    ///
    /// A send gives a user one card, also where it is sent again; see ``takesPlace(_:)``.
    public internal(set) var covers: [Trigger] = []
    /// The conversions that move with their cards.
    public internal(set) var conversions: [EventWrites.ConversionWrite] = []
    /// The identity's spending that moves with cards, or knows of the user's purchases.
    public internal(set) var spending: [EventWrites.Spent] = []
    /// The rest of the user.
    public let end: UserEnd

    /// Returns whether a trigger of ``covers`` takes the place of one of its id, if the identity has one.
    ///
    /// It does where its broadcast is open: the other may have been used, or have covered the broadcast itself.
    public func takesPlace(_ cover: Trigger) -> Bool { cover.until > end.at }
}
