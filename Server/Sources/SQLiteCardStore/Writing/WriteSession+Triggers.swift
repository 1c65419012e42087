import CardModel
import CardStore

extension WriteSession {
    /// Keeps what a backend sent to users one by one: loads the recipients, and applies what the recorder decides.
    func trigger(_ send: TriggerSend) throws -> TriggerReceipt {
        var known: [UserID: KnownRecipient] = [:]
        for id in Set(send.recipients.map(\.user)) {
            guard let user = try user(id) else { continue }
            known[id] = KnownRecipient(
                version: user.version,
                hasTrigger: try hasTrigger(send.trigger, id),
                load: try load(of: id, at: send.trigger.at)
            )
        }
        let writes = recorder.record(send, for: known)
        if writes.isBeyondLimit { throw StoreError.tooManyTriggers }
        for profile in writes.creations { try insertUser(profile, version: 0) }
        for waiting in writes.waiting {
            _ = try insert(waiting.trigger, for: waiting.user, isScheduled: waiting.isScheduled)
            try setVersion(waiting.version, of: waiting.user)
        }
        return writes.receipt
    }

    private func hasTrigger(_ trigger: Trigger, _ user: UserID) throws -> Bool {
        try statements.hasTrigger.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, trigger.campaign.rawValue)
            statement.bind(3, trigger.id.rawValue)
            return try statement.step()
        }
    }

    /// Returns the load of the triggers that wait for a user at a moment, as far as it limits what is sent.
    private func load(of user: UserID, at now: UnixTime) throws -> Trigger.TriggerLoad {
        try statements.waitingLoad.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, now)
            return try statement.triggerLoad()
        }
    }

    /// Lets a trigger wait, or returns `false` where the user has one of that id.
    func insert(_ trigger: Trigger, for user: UserID, isScheduled: Bool = false) throws -> Bool {
        try statements.insertTrigger.use { statement in
            statement.bind(trigger, for: user)
            statement.bind(9, isScheduled)
            return try statement.run() > 0
        }
    }

    /// Lets a trigger wait in the place of one of that id.
    func cover(_ trigger: Trigger, for user: UserID) throws {
        try statements.coverBroadcast.use { statement in
            statement.bind(trigger, for: user)
            try statement.run()
        }
    }
}

extension PreparedStatement {
    /// Reads the only row of `SQL.waitingCount` or `SQL.waitingLoad`.
    func triggerLoad() throws -> Trigger.TriggerLoad {
        guard try step() else { return Trigger.TriggerLoad() }
        return Trigger.TriggerLoad(count: Int(clamping: integer(0)), size: Int(clamping: integer(1)))
    }

    fileprivate func bind(_ trigger: Trigger, for user: UserID) {
        let due = trigger.due.columns
        bind(1, user.rawValue)
        bind(2, trigger.campaign.rawValue)
        bind(3, trigger.id.rawValue)
        bind(4, trigger.at)
        bind(5, due.seconds)
        bind(6, due.isLocal)
        bind(7, trigger.until)
        bind(8, utf8: trigger.properties)
    }
}
