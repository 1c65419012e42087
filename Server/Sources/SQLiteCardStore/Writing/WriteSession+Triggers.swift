import CardModel
import CardStore

extension WriteSession {
    /// Keeps what a backend sent to users one by one.
    func trigger(_ send: TriggerSend) throws -> TriggerReceipt {
        var receipt = TriggerReceipt()
        for recipient in send.recipients {
            guard let version = try version(of: recipient.user, makingAt: send.makesUsers ? send.trigger.at : nil)
            else {
                receipt.unknown.append(recipient.user)
                continue
            }
            var trigger = send.trigger
            trigger.properties = recipient.properties
            guard try insert(trigger, for: recipient.user) else {
                receipt.duplicate += 1
                continue
            }
            receipt.accepted += 1
            // safe: versions go up by one
            try setVersion(version + 1, of: recipient.user)
        }
        if send.isScheduled, receipt.accepted > 0 { try ScheduleRow.insert(send, into: database) }
        return receipt
    }

    /// The version of a user, who is made where there is none and a time is given.
    private func version(of id: UserID, makingAt time: UnixTime?) throws -> UserVersion? {
        if let user = try user(id) { return user.version }
        guard let time else { return nil }
        try insertUser(UserProfile(id: id, createdAt: time), version: 0)
        return 0
    }

    /// Lets a trigger wait, or returns `false` where the user has one of that id.
    func insert(_ trigger: Trigger, for user: UserID) throws -> Bool {
        try statements.insertTrigger.use { statement in
            statement.bind(trigger, for: user)
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
