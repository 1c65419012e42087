import CardModel
import CardStore
import WireJSON

/// The order of a backend for a campaign that waits for it.
struct TriggerOrder: Sendable {
    /// One user, and what only their card is to say.
    struct OrderRecipient: Sendable {
        var user: UserID
        var properties: JSONValue?
    }

    /// Names the send, so that a repeated one gives no second card; `nil` for one that is never repeated.
    var sendID: TriggerID?
    var recipients: [OrderRecipient] = []
    /// The audience that gets it in place of recipients, within the campaign's own, or `nil` where recipients are
    /// named.
    var broadcast: Audience?
    /// The audience that recipients have to be in as well, or `nil` for none.
    var recipientAudience: Audience?
    /// The properties that all of them get; a recipient's own properties take precedence one by one.
    var properties: JSONValue?
    /// The time at which the card can be given, or `nil` for now.
    var due: PlannedTime?
    /// Whether users that are not known are made; otherwise they get nothing.
    var makesUsers = false
    /// Whether it may be put off or called off until it is due.
    var isScheduled = false

    /// Throws `RequestError` where a key isn't allowed to order this, or not now.
    ///
    /// Who of the recipients an audience leaves out is to be seen by what is counted, put off and called off later, and
    /// by how long it takes; so whoever names both can find out what users are like.
    func admit(_ caller: BackendCaller) throws(RequestError) {
        if broadcast != nil { try caller.check(caller.take(.broadcast)) }
        guard recipientAudience == nil || caller.key.permits(.users) else { throw .audienceDenied }
    }
}

/// The result of an order.
struct TriggerResult: Sendable {
    var sendID: TriggerID
    var receipt: TriggerReceipt
}

/// Gives cards because a backend says so.
struct TriggerService: Sendable {
    let services: Services
    /// The catalog that was read for the request, or `nil` to read it.
    var catalog: Catalog?

    /// Keeps what is ordered of a campaign.
    ///
    /// Users who are named get their card at once where they are eligible, and their open apps hear of it; whoever is
    /// in a broadcast's audience gets it at the next sync. Takes the same time for any audience.
    ///
    /// - Throws: `RequestError` where the campaign does not exist, waits for no backend or is not active, or where
    ///   there is too much of something. Nothing is kept then.
    func send(_ order: TriggerOrder, of id: CampaignID, by actor: Actor) async throws -> TriggerResult {
        let trigger = try await trigger(order, of: id)
        guard order.recipients.count <= TriggerSend.recipientLimit else { throw RequestError.tooManyRecipients }
        let recipients = try await addressed(order).map { recipient in
            TriggerSend.Recipient(recipient.user, properties: try merged(order.properties, recipient.properties))
        }
        try order.broadcast?.checkSegments(in: try await services.store.segmentAudiences())
        var result = TriggerResult(sendID: trigger.id, receipt: TriggerReceipt())
        if !recipients.isEmpty {
            let send = TriggerSend(
                trigger,
                to: recipients,
                makesUsers: order.makesUsers,
                isScheduled: order.isScheduled
            )
            result.receipt = try await services.store.sendTriggers(send)
        }
        if let audience = order.broadcast {
            let isNew = try await services.store.insertBroadcast(Broadcast(trigger, to: audience), by: actor)
            if isNew { result.receipt.accepted += 1 } else { result.receipt.duplicate += 1 }
            // A sync that comes after this answer has to see the broadcast, on this node at least.
            try await services.catalog.reload()
        }
        return result
    }

    /// The recipients that are in the order's audience, each once; those who are not known are left for the store to
    /// name.
    private func addressed(_ order: TriggerOrder) async throws -> [TriggerOrder.OrderRecipient] {
        var named: Set<UserID> = []
        let recipients = order.recipients.filter { named.insert($0.user).inserted }
        guard let audience = order.recipientAudience else { return recipients }
        let segments = try await services.store.segmentAudiences()
        try audience.checkSegments(in: segments)
        let matcher = AudienceMatcher(audience, segments: segments)
        let (now, zone) = (services.clock(), services.catalog.current.settings.timeZone)
        var addressed: [TriggerOrder.OrderRecipient] = []
        for recipient in recipients {
            let known = try await services.store.userState(of: recipient.user, including: matcher.parts)
            let user = known ?? UserState(profile: UserProfile(id: recipient.user, createdAt: now))
            let isLeftToStore = known == nil && !order.makesUsers
            if isLeftToStore || matcher.matches(UserFacts(user, at: now, workspaceZone: zone)) {
                addressed.append(recipient)
            }
        }
        return addressed
    }

    /// Throws what ``send(_:of:by:)`` would, but for the recipients' own properties.
    func check(_ order: TriggerOrder, of id: CampaignID) async throws {
        _ = try await trigger(order, of: id)
    }

    private func trigger(_ order: TriggerOrder, of id: CampaignID) async throws -> Trigger {
        let known = if let catalog { catalog } else { try await services.catalog.latest().catalog }
        guard let campaign = known.entries[id]?.campaign else { throw RequestError.notFound("launched campaign") }
        guard case .apiTriggered(let delivery) = campaign.content.delivery else { throw RequestError.notTriggerable }
        guard campaign.status == .active else { throw RequestError.notActive }
        let now = services.clock()
        let due = order.due ?? .at(now)
        guard due.latest <= now + Campaign.longestWindow else {
            let days = Int(Campaign.longestWindow / 86_400)
            throw RequestError.fieldInvalid("at", expected: "at most \(days) days ahead")
        }
        return Trigger(
            id: order.sendID ?? TriggerID(rawValue: RandomText.uuid()),
            campaign: id,
            at: now,
            due: due,
            until: max(due.latest, now) + delivery.window,
            properties: try merged(order.properties, nil)
        )
    }

    /// The JSON object of both; `nil` for nothing.
    private func merged(_ shared: JSONValue?, _ own: JSONValue?) throws -> [UInt8]? {
        var members = shared?.object ?? [:]
        members.merge(own?.object ?? [:]) { _, own in own }
        guard !members.isEmpty else { return nil }
        let bytes = JSONValue.object(members).bytes
        guard bytes.count <= Trigger.propertyLimit else { throw RequestError.propertiesTooLarge }
        return bytes
    }
}

extension RequestError {
    static let audienceDenied = RequestError(
        .forbidden,
        "permission_denied",
        "An audience beside recipients tells what they are like, so it needs the permission users as well. "
            + "Leave one of them out.",
        details: [("path", "audience")]
    )
    static let tooManyRecipients = RequestError(
        .badRequest,
        "too_many_recipients",
        "At most \(TriggerSend.recipientLimit) recipients fit one request.",
        details: [("path", "recipients")]
    )
    static let recipientsInBroadcast = RequestError(
        .badRequest,
        "field_invalid",
        "A broadcast takes no recipients. Leave out one of recipients and broadcast.",
        details: [("path", "recipients")]
    )
    static let propertiesTooLarge = RequestError(
        .badRequest,
        "properties_too_large",
        "The trigger properties of one card are at most \(Trigger.propertyLimit) bytes of JSON.",
        details: [("path", "trigger_properties")]
    )
    static let notTriggerable = RequestError(
        .badRequest,
        "campaign_not_api_triggered",
        "Only a campaign whose delivery is api_triggered can be triggered."
    )
    static let notActive = RequestError(
        .conflict,
        "campaign_not_active",
        "The campaign is not active, so it gives nobody a card. Launch it first."
    )
}
