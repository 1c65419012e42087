public import CardModel

/// Keeps the dashboard's sessions, and which forms were sent in them.
public protocol SessionStore: Sendable {
    /// Begins a session, notes in the audit log that the member signed in, and removes those that expired more
    /// than a week ago.
    ///
    /// A member has at most ``Session/limit`` sessions: beyond that, those that were used the longest ago end.
    ///
    /// - Throws: `StoreError.conflict` where ``Session/account`` isn't the state of the account any more.
    func insertSession(_ session: Session) async throws

    /// Reads a session with its member, for a week after it has expired too.
    func session(_ hash: [UInt8]) async throws -> (session: Session, member: TeamMember)?

    /// Reads a member's sessions that have not expired, the one that was used last first.
    func sessions(of email: String, at now: UnixTime) async throws -> [Session]

    /// Saves that a session was used, and puts off its end as far as ``Session/endsAt``.
    func useSession(_ hash: [UInt8], at now: UnixTime, from address: String, until expiry: UnixTime) async throws

    /// Saves that the member has given the password in a session, which goes on under another hash.
    ///
    /// - Returns: Whether there was such a session.
    func confirmSession(_ hash: [UInt8], as newHash: [UInt8], at now: UnixTime) async throws -> Bool

    /// Ends a session.
    func endSession(_ hash: [UInt8]) async throws

    /// Ends the sessions of a member but one, if any is to go on, and notes it in the audit log.
    func endSessions(of email: String, but hash: [UInt8]?, at now: UnixTime, by actor: Actor) async throws

    /// Saves that a form was sent, by what is unique to it, and returns whether it was the first time.
    ///
    /// After `expiry` the form is refused anyway, and the token may be removed; it is after two days in any case.
    func spendFormToken(_ token: [UInt8], until expiry: UnixTime, at now: UnixTime) async throws -> Bool
}

/// A browser in which a member is signed in.
public struct Session: Sendable, Hashable {
    /// The most sessions that a member has at a time.
    public static let limit = 50
    /// The most seconds that a session lasts, however much it is used: 30 days.
    public static let longest = 2_592_000.0

    /// The SHA-256 of what the browser's cookie holds.
    public var hash: [UInt8]
    /// The member's e-mail address.
    public var email: String
    /// The key that forms of this session are signed with.
    public var formKey: [UInt8]
    /// The time at which it began.
    public var createdAt: UnixTime
    /// The time at which it ends, unless it is used before.
    public var expiresAt: UnixTime
    /// The change of the account between the member's last sign-in and this one, as the audit log calls it.
    public var accountChange: String?
    /// The time at which it was last used, to the hour.
    public var lastUsedAt: UnixTime
    /// The time at which the member last gave the password in it.
    public var confirmedAt: UnixTime
    /// The address that it was last used from.
    public var address: String
    /// The browser's name for itself when the session began; at most 200 bytes.
    public var browser: String
    /// The account whose password was checked: a password that is reset while it is checked opens no session.
    public var account = AccountBase()

    /// Creates a session of a member who has just given the password.
    public init(
        hash: [UInt8],
        email: String,
        formKey: [UInt8],
        createdAt: UnixTime,
        expiresAt: UnixTime,
        address: String = "",
        browser: String = ""
    ) {
        self.hash = hash
        self.email = email
        self.formKey = formKey
        self.createdAt = createdAt
        self.expiresAt = min(expiresAt, createdAt + Self.longest)
        self.address = address
        self.browser = browser
        lastUsedAt = createdAt
        confirmedAt = createdAt
    }

    /// The time at which it ends in any case.
    public var endsAt: UnixTime { createdAt + Self.longest }

    /// Returns whether the session has not ended, neither for want of use nor for its age.
    public func isOpen(at now: UnixTime) -> Bool { now < min(expiresAt, endsAt) }
}
