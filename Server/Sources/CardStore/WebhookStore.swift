public import CardModel

/// Keeps the webhook, how far it is in the log of events, and the notices that wait for it.
public protocol WebhookStore: Sendable {
    /// Reads the webhook and how far it is, or returns `nil` where there is none.
    func webhookState() async throws -> WebhookState?

    /// Sets the webhook up, or removes it where it is `nil`.
    ///
    /// - Parameters:
    ///   - webhook: Where events go.
    ///   - expected: What is to be replaced.
    ///   - position: The position after which it begins, or `nil` to go on where the one before it is, or at the end
    ///     of the log where there was none.
    ///   - now: The time.
    ///   - actor: Who did it.
    /// - Throws: `StoreError.webhookChanged` where there is another webhook than was expected, or an error that keeps
    ///   the store from writing.
    func saveWebhook(
        _ webhook: Webhook?,
        inPlaceOf expected: ExpectedWebhook,
        after position: Int64?,
        at now: UnixTime,
        by actor: Actor
    ) async throws

    /// Gives the webhook another secret and leaves everything else as it is.
    ///
    /// - Returns: Whether there is a webhook.
    func setWebhookSecret(_ secret: String, at now: UnixTime, by actor: Actor) async throws -> Bool

    /// Leases the webhook to a worker, so that no other node sends the same events at the same time.
    ///
    /// The store's own time decides when a lease has ended, as for ``MailStore/claimMail(for:seconds:at:)``.
    ///
    /// - Parameters:
    ///   - worker: The worker's name among those of all nodes.
    ///   - seconds: How long it has the webhook; a worker can renew its own lease.
    /// - Returns: The webhook, or `nil` where there is none or another worker has it.
    /// - Throws: What keeps the store from reading or writing.
    func claimWebhook(for worker: String, seconds: Double) async throws -> WebhookState?

    /// Saves how far a worker has come, unless another one has the webhook by now or it was set up again.
    ///
    /// - Parameters:
    ///   - progress: How far it is in the log, and how it goes.
    ///   - position: The position up to which the receiver has the notices, which are removed, or `nil` for no new
    ///     ones.
    ///   - webhook: The webhook that the worker sent to.
    ///   - worker: The worker.
    /// - Returns: Whether it was saved.
    /// - Throws: An error that keeps the store from writing.
    func saveWebhookProgress(
        _ progress: WebhookProgress,
        noticesThrough position: Int64?,
        of webhook: Webhook,
        by worker: String
    ) async throws -> Bool

    /// Reads the notices that the webhook has not got yet, the oldest first: `limit` at most, 1 to 1000.
    ///
    /// A notice is kept by the change that it is about, in one transaction, where the webhook asks for its kind. At
    /// most 100,000 wait; the oldest are dropped beyond that.
    func webhookNotices(limit: Int) async throws -> [WebhookNotice]

    /// Reads how long events and notices wait for the webhook, or returns `nil` where there is none.
    ///
    /// It costs a row of each. An event that the webhook doesn't ask for waits too until a worker has passed over it,
    /// which takes seconds.
    func webhookQueue() async throws -> WebhookQueue?
}

/// The webhook that a change was made for.
public enum ExpectedWebhook: Sendable, Hashable {
    /// Any, or none.
    case any
    /// One that was read, or `nil` where there was none.
    case exactly(Webhook?)

    /// Throws where it isn't what is there.
    package func check(_ webhook: Webhook?) throws(StoreError) {
        guard case .exactly(let expected) = self else { return }
        guard expected == webhook else { throw .webhookChanged }
    }
}

extension WebhookStore {
    /// Sets the webhook up in place of any, or removes it where it is `nil`.
    public func saveWebhook(
        _ webhook: Webhook?,
        after position: Int64?,
        at now: UnixTime,
        by actor: Actor
    ) async throws {
        try await saveWebhook(webhook, inPlaceOf: .any, after: position, at: now, by: actor)
    }

    /// Saves how far a worker has come in the log, and leaves the notices.
    public func saveWebhookProgress(
        _ progress: WebhookProgress,
        of webhook: Webhook,
        by worker: String
    ) async throws -> Bool {
        try await saveWebhookProgress(progress, noticesThrough: nil, of: webhook, by: worker)
    }
}

/// The events and notices that wait for the webhook.
public struct WebhookQueue: Sendable, Hashable {
    /// The number of attempts in a row that have failed.
    public var failures: Int
    /// The time at which the oldest event or notice that waits arrived, or `nil` where none waits.
    public var oldestAt: UnixTime?

    /// Creates what is said of a queue; an empty one by default.
    public init(failures: Int = 0, oldestAt: UnixTime? = nil) {
        self.failures = failures
        self.oldestAt = oldestAt
    }
}

/// A webhook as the store has it.
public struct WebhookState: Sendable, Hashable {
    /// The webhook to which events are sent.
    public var webhook: Webhook
    /// The progress of the webhook.
    public var progress: WebhookProgress
    /// The number of notices that wait to be sent.
    public var pendingNotices: Int64 = 0
    /// The number of notices that were dropped since it was set up, because too many waited.
    public var droppedNotices: Int64 = 0

    /// Creates a state.
    public init(webhook: Webhook, progress: WebhookProgress) {
        self.webhook = webhook
        self.progress = progress
    }
}
