public import CardModel
public import WireJSON

/// Keeps the messages to members until they are sent.
///
/// A message is about secrets, such as a link to choose a password, so its content is encrypted like other secrets. It
/// goes with its member.
public protocol MailStore: Sendable {
    /// Adds a message that is due at once.
    ///
    /// One with a link to choose a password replaces those that wait for the same member, whose links are void.
    ///
    /// - Returns: Whether there was room: at most ``CardModel/Mail/limit`` wait.
    /// - Throws: `StoreError.notFound` where the recipient is no member.
    func insertMail(_ mail: Mail) async throws -> Bool

    /// Leases the message that is due the longest to a worker, so that no other node sends it at the same time, and
    /// removes those that have expired.
    ///
    /// The store's own time decides when a lease has ended, that of the database server where there is one: the clock
    /// of a node that is wrong by more than a lease would otherwise have it send what another one is sending.
    ///
    /// - Parameters:
    ///   - worker: The worker's name among those of all nodes.
    ///   - seconds: How long it has the message.
    ///   - now: The time, by which messages are due and expire.
    /// - Returns: The message, if there is one.
    /// - Throws: What keeps the store from reading or writing.
    func claimMail(for worker: String, seconds: Double, at now: UnixTime) async throws -> MailClaim

    /// Removes a message that was sent, or never will be, unless another worker has it by now.
    ///
    /// - Returns: Whether it was the worker's.
    func endMail(_ id: String, by worker: String) async throws -> Bool

    /// Notes that a message could not be sent, and when it is due again, unless another worker has it by now.
    ///
    /// - Returns: Whether it was the worker's.
    func postponeMail(
        _ id: String,
        until time: UnixTime,
        for failure: MailFailure,
        by worker: String
    ) async throws
        -> Bool

    /// Reads how many messages wait, and how it goes.
    func mailQueue() async throws -> MailQueue
}

/// The message that a worker gets when it asks for one.
public struct MailClaim: Sendable, Hashable {
    /// The message, or `nil` where none is due.
    public var mail: Mail?
    /// The number of attempts to send it that have failed.
    public var failures: Int
    /// The number of messages that had expired and were removed.
    public var expired: Int

    /// Creates a claim.
    public init(mail: Mail?, failures: Int, expired: Int) {
        self.mail = mail
        self.failures = failures
        self.expired = expired
    }
}

/// The reason why a message could not be sent.
public struct MailFailure: Sendable, Hashable {
    /// The reason, in the words of the mail server if they are known.
    @Bytewise public var reason: String
    /// The time of the failure.
    public var at: UnixTime

    /// Creates a failure.
    public init(_ reason: String, at time: UnixTime) {
        self.reason = reason
        at = time
    }
}

/// The messages that wait.
public struct MailQueue: Sendable, Hashable {
    /// Their number.
    public var waiting: Int64
    /// The time at which the oldest was created, or `nil` where none waits.
    public var oldestAt: UnixTime?
    /// The time at which there is something to do next, for a message that is due, whose lease has ended or that has
    /// expired; `nil` where none waits.
    public var dueAt: UnixTime?
    /// The last failure of those that wait, or `nil` where none has failed.
    public var lastFailure: MailFailure?

    /// Creates what is said of a queue.
    public init(waiting: Int64, oldestAt: UnixTime?, dueAt: UnixTime?, lastFailure: MailFailure?) {
        self.waiting = waiting
        self.oldestAt = oldestAt
        self.dueAt = dueAt
        self.lastFailure = lastFailure
    }
}
