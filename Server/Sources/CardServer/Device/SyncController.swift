import CardModel
import CardStore
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import WireJSON

/// `POST /v1/sync` and `POST /v1/events`: what a device has to tell, and what it has to know.
///
/// A device that has everything costs one indexed read. All that is written by hand here, and the order of the steps,
/// serves that case.
struct SyncController: Sendable {
    /// How long a user counts as just heard of, in seconds: noting it each time would make every read a write.
    static let noticeInterval = 900.0
    private static let attempts = 8

    let services: Services

    @Sendable func sync(_ request: Request, _ context: AppContext) async throws -> Response {
        let snapshot = services.catalog.current
        let sync = try await read(request, snapshot)
        let now = services.clock()
        var receipt = EventReceipt()
        var cursor = sync.cursor
        var mayMeanOthers = false
        if !sync.events.isEmpty {
            let outcome = try await record(sync, snapshot, at: now)
            receipt = outcome.receipt
            // The device knows what it has just done: it need not be told of it, but for what that brought about.
            if cursor?.version == outcome.versionBefore, !outcome.bringsNews { cursor?.version = outcome.versionAfter }
            // What it did may have put its user into an audience.
            mayMeanOthers = !outcome.historyParts.isDisjoint(with: snapshot.catalog.historyParts)
        }
        if let cursor, !mayMeanOthers, let glance = try await services.store.glance(at: sync.user),
            hasEverything(cursor, sync, glance, snapshot, at: now)
        {
            let text = cursor == sync.cursor ? sync.cursorText : cursor.text
            return Response(json: SyncReply.unchanged(text, receipt, snapshot.settings))
        }
        let reply = try await feed(for: sync, since: cursor, snapshot, at: now)
        return Response(json: SyncReply.changed(reply, receipt, snapshot.settings))
    }

    @Sendable func events(_ request: Request, _ context: AppContext) async throws -> Response {
        let snapshot = services.catalog.current
        let sync = try await read(request, snapshot)
        let outcome = try await record(sync, snapshot, at: services.clock())
        var writer = JSONWriter()
        writer.raw(#"{"events":"#)
        SyncReply.write(outcome.receipt, to: &writer)
        writer.raw("}")
        return Response(json: writer)
    }

    private func read(_ request: Request, _ snapshot: CatalogCache.Snapshot) async throws -> SyncRequest {
        try services.authenticator.require(.device, request.headers)
        let sync = try SyncRequest(try await request.readBody().readableBytesView)
        if snapshot.tokens.mode != .disabled {
            try await snapshot.tokens.verify(request.headers[.placardUserToken], for: sync.user, at: services.clock())
        }
        return sync
    }

    // MARK: Events

    private func record(
        _ sync: SyncRequest,
        _ snapshot: CatalogCache.Snapshot,
        at now: UnixTime
    ) async throws -> EventOutcome {
        let judged = EventJudge(now: now, sentAt: sync.sentAt, keptDays: snapshot.settings.eventDays).judge(sync.events)
        var outcome = EventOutcome(receipt: EventReceipt(), versionBefore: 0, versionAfter: 0)
        if !judged.events.isEmpty {
            outcome = try await services.store.record(
                EventBatch(
                    user: sync.user,
                    events: judged.events,
                    receivedAt: now,
                    device: sync.device,
                    rules: snapshot.catalog.eventRules
                )
            )
        }
        outcome.receipt.rejected += judged.rejected
        services.metrics.count(outcome.receipt)
        return outcome
    }

    // MARK: Feed

    /// Whether a device that stands there has all there is, and nothing about it has to be noted.
    private func hasEverything(
        _ cursor: FeedCursor,
        _ sync: SyncRequest,
        _ glance: UserGlance,
        _ snapshot: CatalogCache.Snapshot,
        at now: UnixTime
    ) -> Bool {
        cursor.isCurrent(
            epoch: FeedCursor.history(of: glance.createdAt, in: services.store.epoch),
            generation: snapshot.catalog.generation,
            version: glance.version,
            at: now
        ) && isNoted(sync.context, in: glance, at: now)
    }

    private func isNoted(_ context: DeviceContext, in glance: UserGlance, at now: UnixTime) -> Bool {
        // What is not said is not compared; a context that is half said is completed from the whole user.
        (context == DeviceContext() || glance.device == context.fingerprint)
            && abs(now - glance.lastSeenAt) < Self.noticeInterval
    }

    private func isNoted(_ context: DeviceContext, in profile: UserProfile, at now: UnixTime) -> Bool {
        profile.device == context.completed(by: profile.device)
            && abs(now - (profile.lastSeenAt ?? 0)) < Self.noticeInterval
    }

    private func feed(
        for sync: SyncRequest,
        since cursor: FeedCursor?,
        _ snapshot: CatalogCache.Snapshot,
        at now: UnixTime
    ) async throws -> FeedReply {
        guard snapshot.catalog.fetchesContent else {
            return try await settledFeed(for: sync, since: cursor, snapshot, at: now)
        }
        let session = try await content(for: sync, snapshot.catalog, at: now)
        return try await ContentSession.$current.withValue(session) {
            try await settledFeed(for: sync, since: cursor, snapshot, at: now)
        }
    }

    /// What the templates of a feed ask for, found out before anything is decided for good.
    private func content(
        for sync: SyncRequest,
        _ catalog: Catalog,
        at now: UnixTime
    ) async throws -> ContentSession {
        var user =
            try await services.store.state(of: sync.user, including: catalog.historyParts)
            ?? UserState(profile: UserProfile(id: sync.user, createdAt: now))
        user.profile.device = sync.context.completed(by: user.profile.device)
        return await services.content.session(for: user, in: catalog, at: now, platform: sync.platform)
    }

    private func settledFeed(
        for sync: SyncRequest,
        since cursor: FeedCursor?,
        _ snapshot: CatalogCache.Snapshot,
        at now: UnixTime
    ) async throws -> FeedReply {
        for _ in 0..<Self.attempts {
            if let (user, decision) = try await settle(sync, snapshot, at: now) {
                let reply = reply(to: user, sync, since: cursor, snapshot, recheckAt: decision.recheckAt, at: now)
                let withheld = decision.withheld + reply.withheld
                if !withheld.isEmpty { try await services.store.withhold(withheld, from: sync.user, at: now) }
                return reply
            }
        }
        throw RequestError.unavailable
    }

    private func reply(
        to user: UserState,
        _ sync: SyncRequest,
        since cursor: FeedCursor?,
        _ snapshot: CatalogCache.Snapshot,
        recheckAt: UnixTime?,
        at now: UnixTime
    ) -> FeedReply {
        if let recheckAt { services.hub.remind(sync.user, at: recheckAt) }
        return FeedReply(
            for: user,
            in: snapshot.catalog,
            since: cursor,
            epoch: FeedCursor.history(of: user.profile.createdAt, in: services.store.epoch),
            at: now,
            platform: sync.platform,
            recheckAt: recheckAt
        )
    }

    /// Gives the user what they are to have and returns the user as saved, with what was decided, or `nil` where somebody
    /// else changed the user meanwhile.
    private func settle(
        _ sync: SyncRequest,
        _ snapshot: CatalogCache.Snapshot,
        at now: UnixTime
    ) async throws -> (UserState, FeedDecision)? {
        let known = try await services.store.state(of: sync.user, including: snapshot.catalog.historyParts)
        var user = known ?? UserState(profile: UserProfile(id: sync.user, createdAt: now))
        user.profile.device = sync.context.completed(by: user.profile.device)
        let decision = FeedDecision(for: user, in: snapshot.catalog, at: now, platform: sync.platform)
        if known != nil, decision.isEmpty {
            if let known, !isNoted(sync.context, in: known.profile, at: now) {
                try await services.store.note(user.profile.device, of: sync.user, at: now)
            }
            return (user, decision)
        }
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
        change.divisions = snapshot.catalog.divisions(of: additions)
        guard let version = try await services.store.save(change) else { return nil }
        user.apply(change, version: version)
        return (user, decision)
    }
}

// MARK: - Shortcut

extension SyncController: Shortcut {
    func covers(_ method: HTTPMethod, _ uri: String) -> Bool { method == .POST && uri == "/v1/sync" }

    /// The reply where nothing has to be saved and the store can read at once; whatever else comes up, errors too, is
    /// left to ``sync(_:_:)``, which begins anew.
    func answer(_ request: ShortcutRequest, _ body: ByteBuffer, _ memory: inout ShortcutMemory) -> [UInt8]? {
        let start = ContinuousClock.now
        guard let reads = services.store.immediateReads, let json = try? answer(request, body, &memory, reads) else {
            return nil
        }
        services.metrics.count(.sync, status: 200, seconds: start.duration(to: .now) / .seconds(1))
        return json
    }

    private func answer(
        _ request: ShortcutRequest,
        _ body: ByteBuffer,
        _ memory: inout ShortcutMemory,
        _ reads: any ImmediateReads
    ) throws -> [UInt8]? {
        let snapshot = services.catalog.current
        guard services.authenticator.allows(.device, request.authorization, snapshot, &memory) else { return nil }
        let sync = try SyncRequest(body.readableBytesView)
        let now = services.clock()
        guard sync.events.isEmpty, snapshot.tokens.accepts(request.userToken, for: sync.user, at: now) else {
            return nil
        }
        if let cursor = sync.cursor, let glance = try reads.glance(at: sync.user),
            hasEverything(cursor, sync, glance, snapshot, at: now)
        {
            return SyncReply.unchanged(sync.cursorText, EventReceipt(), snapshot.settings).bytes
        }
        // Rendering templates is no work for an event loop.
        guard !snapshot.catalog.rendersTemplates else { return nil }
        guard var user = try reads.state(of: sync.user, including: snapshot.catalog.historyParts),
            isNoted(sync.context, in: user.profile, at: now)
        else { return nil }
        user.profile.device = sync.context.completed(by: user.profile.device)
        let decision = FeedDecision(for: user, in: snapshot.catalog, at: now, platform: sync.platform)
        guard decision.isEmpty else { return nil }
        let reply = reply(
            to: user,
            sync,
            since: sync.cursor,
            snapshot,
            recheckAt: decision.recheckAt,
            at: now
        )
        return SyncReply.changed(reply, EventReceipt(), snapshot.settings).bytes
    }
}
