package import CardModel
import WireJSON

extension PlannedTime {
    /// Restores a time from its two columns.
    package init(_ seconds: Double, isLocal: Bool) {
        self = isLocal ? .local(LocalTime(seconds: seconds)) : .at(seconds)
    }

    /// The values of the two columns.
    package var columns: (seconds: Double, isLocal: Bool) {
        switch self {
        case .at(let time): (time, false)
        case .local(let time): (time.seconds, true)
        }
    }
}

extension Broadcast {
    /// The audience as a row holds it.
    package var storedAudience: String { audience.json.text }

    /// Restores a broadcast from its row.
    package init(_ row: some StoredRow) throws {
        guard let json = try? JSONValue(parsing: row.text("audience")), let audience = try? Audience(json: json) else {
            throw StoreError.unreadable("a broadcast")
        }
        self.init(
            Trigger(
                id: TriggerID(rawValue: try row.text("trigger_id")),
                campaign: CampaignID(rawValue: try row.text("campaign_id")),
                at: try row.double("at"),
                due: PlannedTime(try row.double("due_at"), isLocal: try row.flag("due_locally")),
                until: try row.double("until"),
                properties: try row.optionalText("properties").map { Array($0.utf8) }
            ),
            to: audience
        )
    }
}

extension StoreError {
    /// Says that more broadcasts would wait than may, if any would.
    package static func tooManyBroadcasts(_ load: Broadcast.BroadcastLoad) -> StoreError? {
        load.excess.map { StoreError(.limitReached, "\($0) Wait until some end, or name the users.") }
    }
}

extension StoreError {
    /// Says that more triggers would wait for a recipient of a send than may.
    package static let tooManyTriggers = StoreError(
        .limitReached,
        "At most \(Trigger.TriggerLoad.limit) sends and triggers wait for a user, with "
            + "\(Trigger.TriggerLoad.sizeLimit) bytes of properties, and one of the recipients would have more. "
            + "Nobody was sent anything. Wait until some are due and were fetched, cancel some, or leave that user out."
    )
}

extension PastTrigger {
    /// Restores a past trigger from its row.
    package init(_ row: some StoredRow) throws {
        guard let outcome = Trigger.TriggerOutcome(rawValue: try row.text("outcome")) else {
            throw StoreError.unreadable("a trigger")
        }
        self.init(trigger: TriggerID(rawValue: try row.text("trigger_id")), at: try row.double("at"), outcome: outcome)
    }
}
