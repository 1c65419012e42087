public import CardModel

/// Keeps who may use the dashboard, and their sessions.
///
/// A member is known by the e-mail address, in lower case. There is always an administrator once there is a member:
/// what would leave none is refused with `StoreError.conflict`.
public protocol TeamStore: Sendable {
    // MARK: Members

    /// Reads the members, the oldest first.
    func members() async throws -> [TeamMember]

    /// Reads one member, or returns `nil`.
    func member(_ email: String) async throws -> TeamMember?

    /// Adds a member.
    ///
    /// - Throws: `StoreError.exists` where there is one of that e-mail address.
    func insert(_ member: TeamMember, by actor: Actor) async throws

    /// Adds a member where there is none at all yet.
    ///
    /// - Returns: Whether there was none.
    func insertFirst(_ member: TeamMember) async throws -> Bool

    /// Keeps a changed member; a change of password, role or second factor ends the member's sessions but `session`.
    ///
    /// - Parameters:
    ///   - member: The member as it is to be; the e-mail address says which.
    ///   - action: What was done, for the audit log.
    ///   - session: The session that goes on, by its hash.
    ///   - now: The moment.
    ///   - actor: Who did it.
    /// - Throws: `StoreError.notFound`.
    func update(
        _ member: TeamMember,
        action: String,
        keeping session: [UInt8]?,
        at now: UnixTime,
        by actor: Actor
    ) async throws

    /// Saves the hash of a link by which a member can choose a password once, in place of an earlier link.
    ///
    /// A change of the password by other means voids the link.
    ///
    /// - Throws: `StoreError.notFound`.
    func setPasswordLink(_ hash: [UInt8], until expiry: UnixTime, of email: String) async throws

    /// Reads the member of a link that was neither used nor has expired, or returns `nil`.
    func member(passwordLink hash: [UInt8], at now: UnixTime) async throws -> TeamMember?

    /// Uses a link: sets the password that its member chose, ends the member's sessions, and voids the link.
    ///
    /// - Returns: Whether the link was neither used before nor has expired.
    func usePasswordLink(_ hash: [UInt8], passwordHash: String, at now: UnixTime) async throws -> Bool

    /// Removes a member and ends their sessions.
    ///
    /// - Returns: Whether there was such a member.
    func removeMember(_ email: String, at now: UnixTime, by actor: Actor) async throws -> Bool

    // MARK: Sessions

    /// Begins a session, notes in the audit log that the member signed in, and forgets those that expired more
    /// than a week ago.
    ///
    /// A member has at most ``Session/limit`` sessions: beyond that, those that were used the longest ago end.
    func insert(_ session: Session) async throws

    /// Reads a session with its member, for a week after it has expired too.
    func session(_ hash: [UInt8]) async throws -> (session: Session, member: TeamMember)?

    /// Reads a member's sessions that have not expired, the one that was used last first.
    func sessions(of email: String, at now: UnixTime) async throws -> [Session]

    /// Notes that a session was used, and puts off its end as far as ``Session/endsAt``.
    func useSession(_ hash: [UInt8], at now: UnixTime, from address: String, until expiry: UnixTime) async throws

    /// Notes that the member has given the password in a session, which goes on under another hash.
    ///
    /// - Returns: Whether there was such a session.
    func confirmSession(_ hash: [UInt8], as newHash: [UInt8], at now: UnixTime) async throws -> Bool

    /// Ends a session.
    func endSession(_ hash: [UInt8]) async throws

    /// Ends the sessions of a member but one, if any is to go on, and notes it in the audit log.
    func endSessions(of email: String, but hash: [UInt8]?, at now: UnixTime, by actor: Actor) async throws

    /// Notes that a form was sent, by what is unique to it, and returns whether it was the first time.
    ///
    /// After `expiry` the form is refused anyway, and the note may go; it goes after two days in any case.
    func spendFormToken(_ token: [UInt8], until expiry: UnixTime, at now: UnixTime) async throws -> Bool

    // MARK: Attempts

    /// Takes a permit for an attempt at something that can be guessed: looks and counts in one step, so that of any
    /// number of attempts at once only as many are permitted as one after the other.
    ///
    /// The attempt is counted as a failure until ``returnAttempt(_:)``. What is kept is bounded: counts are
    /// forgotten after a day without attempts, and beyond some 50,000 the oldest are.
    ///
    /// - Returns: 0 where the attempt is permitted, or the seconds to wait; then nothing was counted.
    func takeAttempt(_ attempt: GuessAttempt, at now: UnixTime) async throws -> Double

    /// Gives a permit back.
    ///
    /// - Parameters:
    ///   - attempt: The attempt that was permitted.
    ///   - clearing: Whether the attempt has succeeded, so that earlier failures of the same one are forgotten.
    /// - Throws: `StoreError` where it cannot be written; then the attempt stays counted.
    func returnAttempt(_ attempt: GuessAttempt, clearing: Bool) async throws
}

/// Somebody who may sign in to the dashboard.
public struct TeamMember: Sendable, Hashable {
    /// The e-mail address, in lower case.
    public var email: String
    /// What people call them; may be empty.
    public var name: String
    /// What they may do.
    public var role: Role
    /// The password's hash, with the parameters it was made with.
    public var passwordHash: String
    /// When a temporary password stops working, or `nil` for one that the member has chosen.
    ///
    /// Whoever signs in with a temporary password has to choose one before anything else.
    public var passwordExpiresAt: UnixTime?
    /// The secret of the second factor, or `nil` where there is none.
    public var codeSecret: [UInt8]?
    /// The last time step whose code was used, so that none is used twice.
    public var lastCodeStep: Int64
    /// The SHA-256 of each recovery code that was not used yet: one stands in for the second factor once.
    public var recoveryCodes: [[UInt8]] = []
    /// When the account was made.
    public var createdAt: UnixTime
    /// When they last signed in, or `nil` for never.
    public var lastSignedInAt: UnixTime?

    /// Makes a member without a second factor.
    public init(email: String, name: String = "", role: Role, passwordHash: String, createdAt: UnixTime) {
        self.email = email
        self.name = name
        self.role = role
        self.passwordHash = passwordHash
        self.createdAt = createdAt
        lastCodeStep = 0
    }
}

extension TeamMember {
    /// Returns whether the password is a temporary one that no longer works.
    public func hasExpiredPassword(at now: UnixTime) -> Bool { passwordExpiresAt.map { now >= $0 } ?? false }
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
    /// When it began.
    public var createdAt: UnixTime
    /// When it ends, unless it is used before.
    public var expiresAt: UnixTime
    /// What was changed of the account between the member's last sign-in and this one, as the audit log calls it.
    public var accountChange: String?
    /// When it was last used, to the hour.
    public var lastUsedAt: UnixTime
    /// When the member last gave the password in it.
    public var confirmedAt: UnixTime
    /// The address that it was last used from.
    public var address: String
    /// What the browser called itself when the session began; at most 200 bytes.
    public var browser: String

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

    /// When it ends in any case.
    public var endsAt: UnixTime { createdAt + Self.longest }

    /// Returns whether the session has not ended, neither for want of use nor for its age.
    public func isOpen(at now: UnixTime) -> Bool { now < min(expiresAt, endsAt) }
}
