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
        let due = trigger.due.columns
        return try statements.insertTrigger.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, trigger.campaign.rawValue)
            statement.bind(3, trigger.id.rawValue)
            statement.bind(4, trigger.at)
            statement.bind(5, due.seconds)
            statement.bind(6, due.isLocal)
            statement.bind(7, trigger.until)
            statement.bind(8, utf8: trigger.properties)
            return try statement.run() > 0
        }
    }
}
