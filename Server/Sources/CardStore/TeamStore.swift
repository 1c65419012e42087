public import CardModel
public import WireJSON

/// Keeps the members of the team, who may use the dashboard.
///
/// A member is known by the e-mail address, in lower case. There is always an administrator once there is a member:
/// what would leave none is refused with `StoreError.conflict`.
public protocol TeamStore: Sendable {
    /// Reads the members, the oldest first.
    func members() async throws -> [TeamMember]

    /// Reads one member, or returns `nil`.
    func member(_ email: String) async throws -> TeamMember?

    /// Reads the member of an account at an OpenID provider, or returns `nil`.
    func member(identity: MemberIdentity) async throws -> TeamMember?

    /// Adds a member.
    ///
    /// - Throws: `StoreError.exists` where there is one of that e-mail address, or of that account at a provider.
    func insertMember(_ member: TeamMember, by actor: Actor) async throws

    /// Adds a member where there is none at all yet.
    ///
    /// - Returns: Whether there was none.
    func insertFirstMember(_ member: TeamMember) async throws -> Bool

    /// Saves a changed member, but for the language; a change of password, role or second factor ends the member's
    /// sessions but `session`.
    ///
    /// What was read before another change of role, password or second factor isn't saved: a form that a member sent
    /// before being demoted must not bring the role back.
    ///
    /// - Parameters:
    ///   - member: The member as it is to be; the e-mail address says which.
    ///   - action: What was done, for the audit log.
    ///   - session: The session that goes on, by its hash.
    ///   - now: The moment.
    ///   - actor: Who did it.
    /// - Throws: `StoreError.notFound`; `StoreError.conflict` where the account isn't in the state of
    ///   ``TeamMember/base``; `StoreError.exists` where another member has the account at a provider.
    func updateMember(
        _ member: TeamMember,
        action: String,
        keeping session: [UInt8]?,
        at now: UnixTime,
        by actor: Actor
    ) async throws

    /// Saves the language that a member has chosen for pages and messages, such as `ja`, or `nil` for that of the
    /// browser.
    ///
    /// - Throws: `StoreError.notFound`.
    func setLanguage(_ tag: String?, of email: String) async throws

    /// Removes a member, ends their sessions, and removes the messages that wait for them.
    ///
    /// - Returns: Whether there was such a member.
    func removeMember(_ email: String, at now: UnixTime, by actor: Actor) async throws -> Bool

    /// Saves the hash of a link by which a member can choose a password once, in place of an earlier one of that kind.
    ///
    /// A member can have one link of each kind, so that what anybody asks for voids none that an administrator made.
    /// The use of one, and a change of the password by other means, void both.
    ///
    /// - Parameters:
    ///   - hash: The hash of its token.
    ///   - expiry: Until when it works.
    ///   - email: The member.
    ///   - isRequested: Whether it was asked for by e-mail, which anybody can do.
    /// - Throws: `StoreError.notFound`.
    func setPasswordLink(
        _ hash: [UInt8],
        until expiry: UnixTime,
        of email: String,
        isRequested: Bool
    ) async throws

    /// Reads the member of a link that was neither used nor has expired, or returns `nil`.
    func linkedMember(passwordLink hash: [UInt8], at now: UnixTime) async throws -> TeamMember?

    /// Uses a link: sets the password that its member chose, ends the member's sessions, and voids the link.
    ///
    /// - Returns: Whether the link was neither used before nor has expired.
    func usePasswordLink(_ hash: [UInt8], passwordHash: String, at now: UnixTime) async throws -> Bool
}

/// A member of the team, who can sign in to the dashboard.
public struct TeamMember: Sendable, Hashable {
    /// The e-mail address, in lower case.
    public var email: String
    /// The name; may be empty.
    public var name: String
    /// The role, which says what they are allowed to do.
    public var role: Role
    /// The password's hash, with the parameters it was made with.
    public var passwordHash: String
    /// The time at which a temporary password expires, or `nil` for one that the member has chosen.
    ///
    /// Whoever signs in with a temporary password has to choose one before anything else.
    public var passwordExpiresAt: UnixTime?
    /// The secret of the second factor, or `nil` where there is none.
    public var codeSecret: [UInt8]?
    /// The last time step whose code was used, so that none is used twice.
    public var lastCodeStep: Int64
    /// The SHA-256 of each recovery code that was not used yet: one stands in for the second factor once.
    public var recoveryCodes: [[UInt8]] = []
    /// The language of pages and messages, such as `ja`, or `nil` where they have chosen none.
    ///
    /// It is changed by ``TeamStore/setLanguage(_:of:)`` alone.
    public var language: String?
    /// The account at an OpenID provider with which they sign in, or `nil` where they have done so never.
    public var identity: MemberIdentity?
    /// The time at which the account was created.
    public var createdAt: UnixTime
    /// The time at which they last signed in, or `nil` for never.
    public var lastSignedInAt: UnixTime?
    /// The part of the account that was stored when it was read: no store saves this value over another state, such as
    /// a role that an admin has changed since.
    public private(set) var base = AccountBase()

    /// Creates a member without a second factor.
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
    /// Notes that the store has the account as it is now.
    public mutating func noteStored() { base = AccountBase(self) }

    /// Returns whether the password is a temporary one that no longer works.
    public func hasExpiredPassword(at now: UnixTime) -> Bool { passwordExpiresAt.map { now >= $0 } ?? false }
}

/// An account at an OpenID provider: the provider, and its name for the account.
///
/// Both are compared byte by byte, as the standard asks.
public struct MemberIdentity: Sendable, Hashable {
    /// The provider.
    @Bytewise public var issuer: String
    /// The name, which the provider never gives to another account.
    @Bytewise public var subject: String

    /// Creates an identity.
    public init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }
}

/// The role, password, second factor and account at a provider of an account at one moment.
///
/// It says where a ``TeamMember`` comes from and not what it is, so that it makes no difference between two members.
public struct AccountBase: Sendable, Hashable {
    private struct State {
        let role: Role
        let identity: MemberIdentity?
        let passwordHash: String
        let passwordExpiresAt: UnixTime?
        let codeSecret: [UInt8]?
        let lastCodeStep: Int64
        let recoveryCodes: [[UInt8]]
    }

    private let state: State?

    /// Creates the base of an account that wasn't read from a store: any state will do.
    public init() { state = nil }

    fileprivate init(_ member: TeamMember) {
        state = State(
            role: member.role,
            identity: member.identity,
            passwordHash: member.passwordHash,
            passwordExpiresAt: member.passwordExpiresAt,
            codeSecret: member.codeSecret,
            lastCodeStep: member.lastCodeStep,
            recoveryCodes: member.recoveryCodes
        )
    }

    /// Returns whether an account, as it is stored, is still as it was.
    public func isState(of stored: TeamMember) -> Bool {
        guard let state else { return true }
        return admits(stored) && state.lastCodeStep == stored.lastCodeStep
            && state.recoveryCodes == stored.recoveryCodes
    }

    /// Returns whether whoever was let in with an account of this state is let in with it as it is stored.
    ///
    /// Codes that were used don't matter.
    public func admits(_ stored: TeamMember) -> Bool {
        guard let state else { return true }
        return state.role == stored.role && state.identity == stored.identity
            && state.passwordHash.hasSameBytes(as: stored.passwordHash)
            && state.passwordExpiresAt == stored.passwordExpiresAt && state.codeSecret == stored.codeSecret
    }

    /// Always true: see above.
    public static func == (left: Self, right: Self) -> Bool { true }

    /// Adds nothing: see above.
    public func hash(into hasher: inout Hasher) {}
}
