extension Recorder {
    /// Records what a backend sent to users one by one: who gets the trigger, who is created for it, who had it before.
    ///
    /// - Parameters:
    ///   - send: The send.
    ///   - known: What the store has of the recipients; those who aren't in it are unknown.
    /// - Returns: What to write; nothing where more would wait for one of them than may.
    public func record(_ send: TriggerSend, for known: [UserID: KnownRecipient]) -> TriggerWrites {
        var (known, writes) = (known, TriggerWrites())
        for recipient in send.recipients {
            let id = recipient.user
            if known[id] == nil {
                guard send.makesUsers else {
                    writes.receipt.unknown.append(id)
                    continue
                }
                writes.creations.append(UserProfile(id: id, createdAt: send.trigger.at))
            }
            let user = known[id] ?? KnownRecipient(version: 0)
            guard user.hasTrigger || user.load.hasRoom(for: recipient.properties) else { return .beyondLimit }
            // safe: versions go up by one
            known[id] = KnownRecipient(version: user.hasTrigger ? user.version : user.version + 1, hasTrigger: true)
            writes.add(recipient, of: send, for: user)
        }
        return writes
    }
}

/// The state of a recipient of a send in a store.
public struct KnownRecipient: Sendable, Hashable {
    /// The user's version.
    public var version: UserVersion
    /// Whether the user has had a trigger of that campaign and id, used or not, or was given a card by a broadcast of
    /// it.
    public var hasTrigger: Bool
    /// The triggers that wait for the user and haven't ended, without what only covers broadcasts; what is beyond
    /// ``Trigger/TriggerLoad/limit`` need not be exact.
    public var load: Trigger.TriggerLoad

    /// Creates a known recipient; by default of a user who hasn't had the trigger, and has nothing waiting.
    public init(version: UserVersion, hasTrigger: Bool = false, load: Trigger.TriggerLoad = Trigger.TriggerLoad()) {
        self.version = version
        self.hasTrigger = hasTrigger
        self.load = load
    }
}

/// The writes that record a send, and their outcome.
public struct TriggerWrites: Sendable {
    /// A trigger that waits for a user from now on.
    public struct Waiting: Sendable, Hashable {
        /// The user.
        public let user: UserID
        /// The trigger.
        public let trigger: Trigger
        /// Whether it may be put off or canceled by its id until it is due.
        public let isScheduled: Bool
        /// The user's version afterwards.
        public let version: UserVersion
    }

    /// The users to create, of version 0.
    public internal(set) var creations: [UserProfile] = []
    /// The triggers that wait from now on, after the users are created.
    public internal(set) var waiting: [Waiting] = []
    /// The outcome.
    public internal(set) var receipt = TriggerReceipt()
    /// Whether more would wait for a user than may; there is nothing to write then.
    public internal(set) var isBeyondLimit = false

    fileprivate static var beyondLimit: TriggerWrites {
        var writes = TriggerWrites()
        writes.isBeyondLimit = true
        return writes
    }

    // safe: counts the recipients of a request, and versions go up by one
    fileprivate mutating func add(_ recipient: TriggerSend.Recipient, of send: TriggerSend, for user: KnownRecipient) {
        guard !user.hasTrigger else {
            receipt.duplicate += 1
            return
        }
        receipt.accepted += 1
        var trigger = send.trigger
        trigger.properties = recipient.properties
        waiting.append(
            Waiting(
                user: recipient.user,
                trigger: trigger,
                isScheduled: send.isScheduled,
                version: user.version + 1
            )
        )
    }
}
