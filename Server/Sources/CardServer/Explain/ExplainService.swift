package import CardModel
import CardStore
package import WireJSON

/// Says why users see what they see, for the management API and the dashboard.
package struct ExplainService: Sendable {
    /// The maximum number of a user's events that are looked through for what their devices could not read.
    private static let eventLimit = 1_000

    let services: Services

    /// Explains campaigns that were ever launched, those first that concern the user; or one, a draft too.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - campaign: The only campaign to explain, or `nil` for all.
    ///   - moment: When, or `nil` for now.
    ///   - limit: How many of all campaigns are explained at most.
    ///   - offset: How many of all campaigns are left out before.
    ///   - caller: Who asks.
    /// - Returns: The explanations, in the order of the campaigns.
    /// - Throws: `RequestError` with 404 where there is no such user or campaign.
    package func explanations(
        of user: UserID,
        campaign: CampaignID? = nil,
        at moment: UnixTime? = nil,
        limit: Int,
        offset: Int = 0,
        by caller: Caller
    ) async throws -> [CampaignExplanation] {
        let now = moment ?? services.clock()
        let user = try await state(of: user, at: now, by: caller)
        let errors = try await decodeErrors(of: user.profile.id)
        let past = try await services.store.lastTriggers(of: user.profile.id)
        let (catalog, rendering) = (await services.explained.catalog, services.rendering)
        let campaigns: [Campaign]
        if let campaign {
            guard let found = try await services.store.campaign(campaign) else {
                throw RequestError.notFound("campaign")
            }
            campaigns = [found]
        } else {
            // safe: an offset and a limit are never negative
            campaigns = Array(catalog.campaigns(concerning: user).dropFirst(offset).prefix(limit))
        }
        let content = try await services.content.session(for: user, in: catalog, at: now, by: rendering)
        return try await ContentSession.$current.withValue(content) {
            try await rendering.offload {
                catalog.explanations(
                    of: campaigns,
                    for: user,
                    past: past.mapValues(\.outcome),
                    decodeErrors: errors,
                    at: now
                )
            }
        }
    }

    /// Returns the cards of the feed that a sync at a moment would give, as devices get them.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - moment: When, or `nil` for now.
    ///   - caller: Who asks.
    /// - Returns: The cards in the order of the feed.
    /// - Throws: `RequestError` with 404 where there is no such user.
    package func feedCards(
        of user: UserID,
        at moment: UnixTime? = nil,
        by caller: Caller
    ) async throws -> [JSONValue] {
        let reply = try await feed(of: user, at: moment ?? services.clock(), on: nil, by: caller)
        var writer = JSONWriter()
        reply.writeCards(to: &writer)
        return try JSONValue(parsing: writer.bytes).array ?? []
    }

    /// Returns the feed that a sync at a moment would give, without giving it.
    func feed(
        of user: UserID,
        at now: UnixTime,
        on platform: CardTemplate.Platform?,
        by caller: Caller
    ) async throws -> FeedReply {
        let user = try await state(of: user, at: now, by: caller)
        let (catalog, rendering) = (await services.explained.catalog, services.rendering)
        let content = try await services.content.session(
            for: user,
            in: catalog,
            at: now,
            platform: platform,
            by: rendering
        )
        return try await ContentSession.$current.withValue(content) {
            try await rendering.offload {
                let user = FeedForecast(for: user, in: catalog, at: now, platform: platform).user
                return FeedReply(for: user, in: catalog, since: nil, epoch: 0, at: now, platform: platform)
            }
        }
    }

    /// The user as they are by now, and as a sync takes them, without the cards that they were given after the moment.
    private func state(of user: UserID, at now: UnixTime, by caller: Caller) async throws -> UserState {
        var user = try await UserService(services: services).state(of: user, by: caller)
        user.profile.firstSeenAt = user.profile.firstSeenAt ?? now
        if now < services.clock() { user.deliveries.removeAll { $0.deliveredAt > now } }
        return user
    }

    /// Returns the errors of cards that the user's devices could not read, by card: the last of each.
    private func decodeErrors(of user: UserID) async throws -> [CardID: String] {
        let events = try await services.store.userEvents(of: user, limit: Self.eventLimit)
        let errors = events.compactMap { event -> (CardID, String)? in
            guard event.isDecodingError, let card = event.card else { return nil }
            return (card, event.details["message"]?.string ?? "")
        }
        return Dictionary(errors, uniquingKeysWith: { newest, _ in newest })
    }
}

extension Services {
    /// The catalog that explanations are of: the store's, or what devices are answered from where that can't be read.
    fileprivate var explained: CatalogCache.Snapshot {
        get async { (try? await catalog.latest()) ?? catalog.current }
    }
}
