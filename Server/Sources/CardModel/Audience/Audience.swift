public import WireJSON

/// Says who is meant: a tree of conditions on a user.
///
/// One form serves campaigns, segments, triggers and the command. ``AudienceMatcher`` answers it.
public indirect enum Audience: Sendable, Hashable {
    /// Everybody.
    case everyone
    /// Users that every branch means; everybody where there is none.
    case all([Audience])
    /// Users that at least one branch means; nobody where there is none.
    case any([Audience])
    /// Users that no branch means.
    case none([Audience])
    /// The users with those ids.
    case users(Set<UserID>)
    /// Users with an attribute that compares so.
    case attribute(AttributeClause)
    /// Users who did something so often, or at such a time.
    case history(HistoryClause)
    /// Users who had to do with a campaign.
    case contact(ContactClause)
    /// The users of a saved segment; nobody where there is none of that id.
    case segment(SegmentID)
    /// Users whose random number is in a range.
    case bucket(RandomBucket)
}

/// Names a saved segment: `seg_` and 22 letters and digits, or what the caller chose at creation.
public struct SegmentID: Identifier {
    /// The bytes by which the id is compared.
    public let bytes: ByteString

    /// Takes an id that was checked before.
    public init(rawValue: String) { bytes = ByteString(rawValue) }

    /// Takes an id from outside: 1 to 64 letters, digits, `_`, `-` and `.`.
    public init?(checking text: String) {
        guard Slug.isValid(text) else { return nil }
        bytes = ByteString(text)
    }
}

/// The time in which something has to have happened to count.
public enum TimeWindow: Sendable, Hashable {
    /// Within the last days of 24 hours each, up to this moment.
    case days(Double)
    /// On the last calendar days, 1 for today, in the user's time zone; in the workspace's where the user's is unknown.
    case calendarDays(Int)
}

/// A range of the random numbers from 0 to 9999.
///
/// A user's number never changes and says nothing of their variants. Another salt deals the numbers again.
public struct RandomBucket: Sendable, Hashable {
    /// The numbers that there are.
    public static let numbers = 0...9_999

    /// The numbers that are meant.
    public var range: ClosedRange<Int>
    /// The text that the numbers are dealt by; empty by default.
    @Bytewise public var salt: String

    /// Creates a range.
    public init(_ range: ClosedRange<Int>, salt: String = "") {
        self.range = range
        self.salt = salt
    }

    /// The number of a user.
    public static func number(of user: UserID, salt: String = "") -> Int {
        // safe: the high half of a product is below its second factor, 10,000
        Int(StableHash.of("bucket" + salt, user.rawValue).multipliedFullWidth(by: UInt64(numbers.count)).high)
    }

    func contains(_ user: UserID) -> Bool { range.contains(Self.number(of: user, salt: salt)) }
}

/// A condition on what a user had to do with a campaign.
public struct ContactClause: Sendable, Hashable {
    /// An event between a user and a campaign.
    public enum Contact: String, Sendable, CaseIterable {
        /// The user was given a card, the control's empty one included.
        case received
        /// A card was seen.
        case viewed
        /// A card was clicked.
        case clicked
        /// A card was dismissed.
        case dismissed
    }

    /// The campaign.
    public var campaign: CampaignID
    /// The variants that count; all where empty.
    public var variants: Set<VariantID>
    /// The event that is looked for.
    public var contact: Contact
    /// The time in which it last happened, or `nil` for ever.
    public var window: TimeWindow?

    /// Creates a clause.
    public init(
        _ contact: Contact,
        _ campaign: CampaignID,
        variants: Set<VariantID> = [],
        within window: TimeWindow? = nil
    ) {
        self.campaign = campaign
        self.variants = variants
        self.contact = contact
        self.window = window
    }
}
