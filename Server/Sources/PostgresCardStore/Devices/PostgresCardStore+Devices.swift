public import CardModel
public import CardStore
import WireJSON

extension PostgresCardStore {
    /// The reads of devices, for callers that have no task.
    public var deferredReads: (any DeferredReads)? { deviceReads }

    /// Reads the little of a user that tells whether anything has changed: one row by its key, together
    /// with those of others that ask at the same time.
    public func userRevision(of user: UserID) async throws -> UserRevision? {
        try await deviceReads.revisions.read(DeviceReads.UserRequest(user: user, fence: readFence))
    }

    /// Reads everything about a user that decides their feed.
    public func userState(
        of user: UserID,
        including parts: UserHistory.Parts,
        dueBy time: UnixTime
    ) async throws -> UserState? {
        try await deviceReads.states.read(StateRequest(user: user, parts: parts, time: time, fence: readFence))
    }

    /// Saves what was decided for a user, unless the user has changed since.
    public func saveFeed(_ change: FeedChange) async throws -> UserVersion? {
        try await writer.write([change.user], isConfined: true) { try $0.save(change) }
    }

    /// Notes what a device says of itself and that it was heard of.
    public func recordDevice(_ device: DeviceContext, of user: UserID, at now: UnixTime) async throws {
        try await writer.write([user], isConfined: true) { try $0.note(device, of: user, at: now) }
    }

    /// Reads a user's events, the newest first.
    public func userEvents(of user: UserID, limit: Int) async throws -> [StoredEvent] {
        let fence = readFence
        return try await read { connection in
            try EventRows(connection.rows(SQL.userEvents, [user.rawValue, PageLimit.clamp(limit)], fence)).events
        }
    }
}

extension PostgresConnection {
    func summaries(of user: UserID, _ parts: UserHistory.Parts) throws -> [(HistoryKey, HistorySummary)] {
        try rows(SQL.histories, [user.rawValue, Int64(parts.rawValue)]).map { try $0.history() }
    }
}

extension PostgresRow {
    /// Reads a user's profile.
    func profile(of user: UserID) throws -> UserProfile {
        var profile = UserProfile(id: user, createdAt: try double("created_at"))
        profile.firstSeenAt = try optionalDouble("first_seen_at")
        profile.lastSeenAt = try optionalDouble("last_seen_at")
        profile.device = try device()
        profile.custom = try StoredAttributes.custom(json("custom"))
        profile.standard = try StoredAttributes.standard(json("standard"), &profile.claimed)
        return profile
    }

    func device() throws -> DeviceContext {
        DeviceContext(
            locale: try optionalText("locale"),
            timeZone: try optionalText("time_zone"),
            appVersion: try optionalText("app_version")
        )
    }

    /// Reads a record of a user's history.
    func history() throws -> (HistoryKey, HistorySummary) {
        let part = UserHistory.Parts(rawValue: UInt8(truncatingIfNeeded: try integer("part")))
        let key = HistoryKey(part, name: try text("name"), currency: try text("currency"))
        let (count, first, last) = (try integer("count"), try double("first_at"), try double("last_at"))
        let summary = try withBytes("recent") { recent in
            try HistorySummary(of: part, count: count, first: first, last: last, recent: recent) {
                try amount("revenue")
            }
        }
        guard let summary else { throw StoreError.unreadable("a user's history") }
        return (key, summary)
    }

    func trigger() throws -> Trigger {
        Trigger(
            id: TriggerID(rawValue: try text("trigger_id")),
            campaign: CampaignID(rawValue: try text("campaign_id")),
            at: try double("at"),
            due: PlannedTime(try double("due_at"), isLocal: try flag("due_locally")),
            until: try double("until"),
            properties: try optionalBytes("properties")
        )
    }

    func delivery() throws -> Delivery {
        var delivery = Delivery(
            card: CardID(rawValue: try text("card_id")),
            campaign: CampaignID(rawValue: try text("campaign_id")),
            ordinal: try count("ordinal"),
            variant: VariantID(rawValue: try text("variant_id")),
            deliveredAt: try double("delivered_at"),
            changedAt: try integer("changed_at")
        )
        delivery.isViewed = try flag("viewed")
        delivery.isClicked = try flag("clicked")
        delivery.isDismissed = try flag("dismissed")
        delivery.end = try optionalText("ended").flatMap(Delivery.End.init)
        delivery.lastViewedAt = try optionalDouble("viewed_at")
        delivery.lastClickedAt = try optionalDouble("clicked_at")
        delivery.dismissedAt = try optionalDouble("dismissed_at")
        delivery.origin = DeliveryOrigin(
            trigger: try optionalText("trigger_id").map(TriggerID.init),
            properties: try optionalBytes("properties"),
            rendered: try optionalBytes("rendered")
        )
        return delivery
    }

    /// Parses a text as JSON, or returns `nil` for NULL.
    func json(_ column: String) throws -> JSONValue? {
        do {
            return try optionalText(column).map { try JSONValue(parsing: $0) }
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError.unreadable("a user's attributes")
        }
    }
}
