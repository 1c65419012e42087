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

    /// Brings about what an event entails, and returns whether that changed anything.
    func bringAbout(_ event: DeviceEvent, of batch: EventBatch, version: UserVersion) throws -> Bool {
        guard let consequences = batch.rules?.consequences(of: event, at: batch.receivedAt) else { return false }
        var isChanged = false
        for campaign in consequences.removals {
            if try remove(campaign, from: batch, at: event.at, version: version) { isChanged = true }
        }
        for trigger in consequences.triggers where try insert(trigger, for: batch.user) { isChanged = true }
        return isChanged
    }

    /// Takes away what a user has of a campaign and what waits of it.
    private func remove(
        _ campaign: CampaignID,
        from batch: EventBatch,
        at time: UnixTime,
        version: UserVersion
    ) throws -> Bool {
        let user = batch.user
        let cards = try statements.removeCards.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, campaign.rawValue)
            statement.bind(3, Delivery.End.removalEvent.rawValue)
            statement.bind(4, version)
            return try statement.run()
        }
        let triggers = try statements.removeTriggers.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, campaign.rawValue)
            statement.bind(3, Trigger.Outcome.removed.rawValue)
            statement.bind(4, time)
            return try statement.run()
        }
        let broadcasts = try statements.coverBroadcasts.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, campaign.rawValue)
            statement.bind(3, time)
            statement.bind(4, batch.receivedAt)
            return try statement.run()
        }
        return cards + triggers + broadcasts > 0
    }

    private func insert(_ trigger: Trigger, for user: UserID) throws -> Bool {
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
