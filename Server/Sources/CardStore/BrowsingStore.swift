public import CardModel

/// What people look through: lists with search and filters, and sums over everything.
///
/// Each call reads as much as it gives back, however much the store holds; lists go on after the last item shown.
public protocol BrowsingStore: Sendable {
    /// Reads campaigns, those last changed first: `limit` at most, 1 to 1000.
    func campaigns(matching filter: CampaignFilter, after place: CampaignPlace?, limit: Int) async throws -> [Campaign]

    /// Counts the campaigns of each status.
    func campaignCounts() async throws -> [Campaign.Status: Int]

    /// Reads the tags that campaigns have, by name: `limit` at most, 1 to 1000.
    func campaignTags(limit: Int) async throws -> [String]

    /// Sums up what was counted of campaigns over all days.
    func totals(of campaigns: [CampaignID]) async throws -> [CampaignID: [VariantID: CampaignCounts]]

    /// Sums up what was counted on each day of the workspace's time zone, over all campaigns but not their controls.
    func dayTotals(from first: Day) async throws -> [Day: CampaignCounts]

    /// Reads users whose id begins with a text, by id, then those whose e-mail address does, in either case, by address.
    ///
    /// - Parameters:
    ///   - text: The text; everybody where it is empty.
    ///   - place: The last user of the page before, or `nil` for the first page.
    ///   - limit: How many at most, 1 to 1000.
    /// - Returns: The users.
    /// - Throws: What keeps the store from reading.
    func users(startingWith text: String, after place: UserID?, limit: Int) async throws -> [UserProfile]

    /// Reads users whose id, name or e-mail address has a text anywhere, in any case: first those whose id or address
    /// begins with it, as ``users(startingWith:after:limit:)`` does, then all others by id.
    ///
    /// The search ends after a number of users that the store chooses, so that it is quick however many there are;
    /// ``UserSearchPage/next`` says where it goes on.
    ///
    /// - Parameters:
    ///   - text: The text; all users where it is empty.
    ///   - place: Where the page before ended, or `nil` for the first page.
    ///   - limit: How many at most, 1 to 1000.
    /// - Returns: The users.
    /// - Throws: An error that keeps the store from reading.
    func users(matching text: String, after place: UserSearchPlace?, limit: Int) async throws -> UserSearchPage

    /// Reads the log of events, the newest first: `limit` at most, 1 to 1000.
    ///
    /// Where a filter matches little, the search ends after a number of events that the store chooses, and
    /// ``EventLogPage/searchedTo`` says where to go on.
    func eventLog(matching filter: EventLogFilter, before position: Int64?, limit: Int) async throws -> EventLogPage

    /// The position of the newest event, or 0.
    func lastEventPosition() async throws -> Int64
}

/// Which campaigns are looked for.
public struct CampaignFilter: Sendable, Hashable {
    /// Only those of that status; `nil` for all but the archived.
    public var status: Campaign.Status?
    /// Only those with that tag.
    public var tag: String?
    /// Only those whose name or id has that text, in either case.
    public var text: String?

    /// Makes a filter.
    public init(status: Campaign.Status? = nil, tag: String? = nil, text: String? = nil) {
        self.status = status
        self.tag = tag
        self.text = text
    }
}

/// Where a list of campaigns goes on.
public struct CampaignPlace: Sendable, Hashable {
    /// When the last one shown was changed.
    public var updatedAt: UnixTime
    /// Its id.
    public var id: CampaignID

    /// Makes a place.
    public init(updatedAt: UnixTime, id: CampaignID) {
        self.updatedAt = updatedAt
        self.id = id
    }
}

/// Where a search for users goes on.
public struct UserSearchPlace: Sendable, Hashable {
    /// The last user that was found or looked at.
    public var user: UserID
    /// Whether all users that begin with the text were found, so that the search is in those that have it inside.
    public var isInside: Bool

    /// Creates a place.
    public init(user: UserID, isInside: Bool) {
        self.user = user
        self.isInside = isInside
    }
}

/// A part of the users that were found.
public struct UserSearchPage: Sendable, Hashable {
    /// The users; fewer than were asked for where the search ended before it found enough.
    public var users: [UserProfile]
    /// Where the search goes on, or `nil` where all users were looked at.
    public var next: UserSearchPlace?

    /// Creates a page.
    public init(users: [UserProfile], next: UserSearchPlace?) {
        self.users = users
        self.next = next
    }
}

/// Which events are looked for.
public struct EventLogFilter: Sendable, Hashable {
    /// Only those of that type.
    public var type: String?
    /// Only those of that user.
    public var user: UserID?
    /// Only those of that campaign.
    public var campaign: CampaignID?

    /// Makes a filter.
    public init(type: String? = nil, user: UserID? = nil, campaign: CampaignID? = nil) {
        self.type = type
        self.user = user
        self.campaign = campaign
    }
}

/// A part of the log of events.
public struct EventLogPage: Sendable, Hashable {
    /// The events, the newest first.
    public var events: [StoredEvent]
    /// Where the search goes on, or `nil` where it has come to the beginning.
    public var searchedTo: Int64?

    /// Makes a page.
    public init(events: [StoredEvent], searchedTo: Int64?) {
        self.events = events
        self.searchedTo = searchedTo
    }
}
