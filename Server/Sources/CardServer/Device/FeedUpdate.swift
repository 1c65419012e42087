import CardModel
import CardStore

/// The request of a device, once its events are counted.
struct FeedRequest: Sendable {
    let sync: SyncRequest
    /// The position of the device.
    let cursor: FeedCursor?
    /// Whether a session starts with it, so that the time is noted whenever the user was last seen.
    let startsSession: Bool
    /// Whether the user is known, or was taken from those that the client's address may create.
    var isAdmitted: Bool
    let now: UnixTime
}

/// Decides a user's feed and saves what was decided, until there is nothing left to decide.
///
/// A card may put its user into the audience of another campaign, so one decision is not always the last.
struct FeedUpdate: Sendable {
    /// A user as saved, and what was decided.
    struct FeedUpdateOutcome {
        var user: UserState
        var recheckAt: UnixTime?
        var withheld: [Withholding] = []
        /// Whether a decision at this moment would find nothing new.
        var isFinal = true
    }

    /// The time for which a user counts as just heard of, in seconds: noting it each time would make every read a
    /// write.
    static let noticeInterval = 900.0
    private static let attempts = 8

    let services: Services
    let request: FeedRequest
    let snapshot: CatalogCache.Snapshot

    private var sync: SyncRequest { request.sync }
    private var now: UnixTime { request.now }

    /// Whether what a device says of itself is known, and its user was just heard of.
    static func isNoted(_ context: DeviceContext, in profile: UserProfile, at now: UnixTime) -> Bool {
        profile.device == context.completed(by: profile.device)
            && abs(now - (profile.lastSeenAt ?? 0)) < noticeInterval
    }

    /// Decides and saves.
    ///
    /// - Throws: `RequestError` with 503 where others keep changing the user, and with 429 where the client's address
    ///   has created too many users.
    func run() async throws -> FeedUpdateOutcome {
        // What is saved on the way says that the user was seen, and audiences ask for the time before this sync.
        var lastSeen: UnixTime??
        for attempt in 0..<Self.attempts {
            let known = try await services.store.userState(
                of: sync.user,
                including: snapshot.catalog.historyParts,
                dueBy: now + UserState.triggerLead
            )
            if known == nil, attempt == 0, !request.isAdmitted {
                try services.admitNewUser(sync, snapshot.settings.deviceLimits)
            }
            var user = known ?? UserState(profile: UserProfile(id: sync.user, createdAt: now))
            let context = sync.context.withKnownZone
            user.profile.device = context.completed(by: user.profile.device)
            // For a new user, the first time that the app is heard of is this one.
            user.profile.firstSeenAt = user.profile.firstSeenAt ?? now
            if let lastSeen { user.profile.lastSeenAt = lastSeen } else { lastSeen = user.profile.lastSeenAt }
            let isNoted = known.map { Self.isNoted(context, in: $0.profile, at: now) } ?? false
            if let outcome = try await update(user, isKnown: known != nil, isNoted: isNoted && !request.startsSession) {
                return outcome
            }
        }
        throw RequestError.unavailable
    }

    /// Gives the user what they are to have, or returns `nil` where another request changed the user.
    private func update(_ user: UserState, isKnown: Bool, isNoted: Bool) async throws -> FeedUpdateOutcome? {
        var outcome = FeedUpdateOutcome(user: user)
        var (isKnown, isNoted) = (isKnown, isNoted)
        for _ in 0..<FeedForecast.rounds(for: user, in: snapshot.catalog) {
            let decision = try await decision(for: outcome.user)
            outcome.recheckAt = decision.recheckAt
            outcome.withheld += decision.withheld
            if isKnown, decision.isEmpty {
                guard !isNoted else { return outcome }
                try await services.store.recordDevice(outcome.user.profile.device, of: sync.user, at: now)
                return noted(outcome)
            }
            let change = change(of: outcome.user, decision)
            guard let version = try await services.store.saveFeed(change) else { return nil }
            outcome.user.apply(change, version: version)
            outcome = noted(outcome)
            (isKnown, isNoted) = (true, true)
        }
        outcome.isFinal = false
        return outcome
    }

    private func decision(for user: UserState) async throws -> FeedDecision {
        let (catalog, now, platform) = (snapshot.catalog, now, sync.platform)
        guard catalog.rendersTemplates else { return FeedDecision(for: user, in: catalog, at: now, platform: platform) }
        return try await services.rendering.render(for: sync.user) { budget in
            FeedDecision(for: user, in: catalog, at: now, platform: platform, budget: budget)
        }
    }

    /// Notes that the time at which the user was last seen has moved.
    private func noted(_ outcome: FeedUpdateOutcome) -> FeedUpdateOutcome {
        var outcome = outcome
        if snapshot.catalog.asksLastSeen { outcome.isFinal = false }
        return outcome
    }

    private func change(of user: UserState, _ decision: FeedDecision) -> FeedChange {
        let additions = decision.additions.map { addition in
            Delivery(
                card: services.makeCardID(),
                campaign: addition.campaign,
                ordinal: addition.ordinal,
                variant: addition.variant,
                deliveredAt: now,
                origin: addition.origin
            )
        }
        var change = FeedChange(
            user: sync.user,
            version: user.version,
            device: user.profile.device,
            additions: additions,
            endings: decision.endings,
            discards: decision.discards,
            at: now,
            origin: sync.device
        )
        change.allocations = snapshot.catalog.allocations(of: additions)
        return change
    }
}
