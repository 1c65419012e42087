public import CardModel

/// Keeps users: changes them, finds them, and deletes them.
public protocol UserStore: Sendable {
    /// Changes users, creating those that the store does not know. At most 1000 at once.
    ///
    /// - Returns: For each user the limit of ``UserLimits`` that the update would have gone beyond, where it was left
    ///   out for that, or `nil` where it was made.
    @discardableResult
    func updateUsers(_ users: [UserUpdate], at now: UnixTime) async throws -> [UserLimits.Excess?]

    /// Writes what a backend tells of its users, in order and in one transaction.
    ///
    /// Attributes are changed from what they are at that moment, so that two callers may each add to a number. Events
    /// count as those of ``EventStore/recordEvents(_:)`` do, with their consequences by the rules. At most 1000 changes
    /// at once.
    func trackUsers(_ changes: [TrackedChange], rules: EventRules?, at now: UnixTime) async throws -> TrackOutcome

    /// Reads all that is known of users: for each reference those that it may mean, the one last changed first.
    ///
    /// An e-mail address or telephone number gives all that have it, up to ``UserMatch/limit``, whatever is preferred.
    /// At most 50 references.
    func userRecords(of users: [UserReference]) async throws -> [[UserRecord]]

    /// Reads the number of users, in a time that does not grow with it.
    func userCount() async throws -> Int64

    /// Reads users whose id begins with a text, by id, then those whose e-mail address does, in either case, by
    /// address.
    ///
    /// - Parameters:
    ///   - text: The text; all users where it is empty.
    ///   - place: The last user of the page before, or `nil` for the first page.
    ///   - limit: How many at most, 1 to 1000.
    /// - Returns: The users.
    /// - Throws: An error that keeps the store from reading.
    func listUsers(startingWith text: String, after place: UserID?, limit: Int) async throws -> [UserProfile]

    /// Reads users whose id, name or e-mail address has a text anywhere, in any case, with accents or without and in
    /// any width: first those whose id or address begins with it, as ``listUsers(startingWith:after:limit:)`` does,
    /// then all others by id.
    ///
    /// The search ends after a number of users that the store chooses, so that it is quick however many there are;
    /// ``UserSearchPage/next`` says where it goes on. A store of several databases finds what those have that answer;
    /// ``UserSearchPage/isPartial`` says that others may have more.
    ///
    /// - Parameters:
    ///   - text: The text; all users where it is empty.
    ///   - place: Where the page before ended, or `nil` for the first page.
    ///   - limit: How many at most, 1 to 1000.
    /// - Returns: The users.
    /// - Throws: An error that keeps the store from reading.
    func searchUsers(matching text: String, after place: UserSearchPlace?, limit: Int) async throws -> UserSearchPage

    /// Deletes a user: profile, deliveries and events. What was counted stays counted.
    ///
    /// A keyed hash of the id stays: devices can't create the user again, until a backend does. Until then
    /// ``EventStore/recordEvents(_:)``, ``DeviceStore/saveFeed(_:)`` and ``DeviceStore/recordDevice(_:of:at:)`` throw
    /// `StoreError.erased`.
    ///
    /// The audit log gets an entry about the user's ``pseudonym(of:)``, and the webhook a notice with the user's id and
    /// aliases.
    ///
    /// - Returns: Whether there was such a user.
    func deleteUser(_ user: UserID, at now: UnixTime, by actor: Actor) async throws -> Bool

    /// Deletes users as ``deleteUser(_:at:by:)`` does, in one transaction.
    ///
    /// - Returns: Those that were there.
    func deleteUsers(_ users: [UserReference], at now: UnixTime, by actor: Actor) async throws -> [UserID]

    /// Returns a text that stands for a user where the id must not be kept: a keyed hash, which only this store can
    /// tell from the id.
    func pseudonym(of user: UserID) -> String
}

extension UserStore {
    /// Writes what a backend tells of its users where no campaign waits for events.
    public func trackUsers(_ changes: [TrackedChange], at now: UnixTime) async throws -> TrackOutcome {
        try await trackUsers(changes, rules: nil, at: now)
    }
}

/// The place where a search for users goes on.
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
    /// The place where the search goes on, or `nil` where all users were looked at.
    public var next: UserSearchPlace?
    /// Whether users are missing whose database doesn't answer, in a store of several.
    public var isPartial: Bool

    /// Creates a page.
    public init(users: [UserProfile], next: UserSearchPlace?, isPartial: Bool = false) {
        self.users = users
        self.next = next
        self.isPartial = isPartial
    }
}
