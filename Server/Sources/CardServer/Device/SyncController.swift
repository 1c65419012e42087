import CardModel
import CardStore
import HTTPTypes
import Hummingbird
import WireJSON

/// `POST /v1/sync` and `POST /v1/events`: what a device has to tell, and what it has to know.
///
/// A device that has everything costs one indexed read. All that is written by hand here, and the order of the steps,
/// serves that case.
struct SyncController: Sendable {
    let services: Services
    /// The reads by which the commonest syncs are answered without a task.
    let reads: ShortcutReads

    init(services: Services, reads: ShortcutReads? = nil) {
        self.services = services
        self.reads = reads ?? ShortcutReads(services.store)
    }

    @Sendable func sync(_ request: Request, _ context: AppContext) async throws -> Response {
        let (sync, snapshot) = try await read(request, context)
        let now = services.clock()
        var receipt = EventReceipt()
        var cursor = sync.cursor
        var decides = false
        var startsSession = false
        var isKnown = false
        if !sync.events.isEmpty {
            let outcome = try await record(sync, snapshot, at: now)
            receipt = outcome.receipt
            // The device knows what it has just done: it need not be told of it, but for what that brought about.
            if cursor?.version == outcome.versionBefore, !outcome.bringsNews { cursor?.version = outcome.versionAfter }
            // What the user did may entitle them to other cards: an audience, a card that is gone, room below the
            // limit.
            decides = receipt.accepted > 0
            startsSession = outcome.historyParts.contains(.sessions)
        }
        // Where campaigns have changed, the user is read as a whole whatever the revision says.
        if let cursor, !decides, cursor.mayBeCurrent(generation: snapshot.catalog.generation, at: now),
            let revision = try await services.store.userRevision(of: sync.user)
        {
            if hasEverything(cursor, sync, revision, snapshot, at: now) {
                let text = cursor == sync.cursor ? sync.cursorText : cursor.text
                return Response(json: SyncReplyWriter.unchanged(text, receipt, snapshot.settings))
            }
            isKnown = true
        }
        let request = FeedRequest(
            sync: sync,
            cursor: cursor,
            startsSession: startsSession,
            isAdmitted: isKnown,
            now: now
        )
        do {
            let reply = try await feed(for: request, snapshot)
            return Response(json: SyncReplyWriter.changed(reply, receipt, snapshot.settings))
        } catch let error as StoreError where error.code == .erased {
            return Response(
                json: SyncReplyWriter.changed(emptyFeed(for: request, snapshot), receipt, snapshot.settings)
            )
        }
    }

    @Sendable func events(_ request: Request, _ context: AppContext) async throws -> Response {
        let (sync, snapshot) = try await read(request, context)
        let outcome = try await record(sync, snapshot, at: services.clock())
        var writer = JSONWriter()
        writer.raw(#"{"events":"#)
        SyncReplyWriter.write(outcome.receipt, to: &writer)
        writer.raw("}")
        return Response(json: writer)
    }

    /// Reads what a device says, and the catalog that it is answered from, which is no older than what it knows.
    private func read(
        _ request: Request,
        _ context: AppContext
    ) async throws -> (sync: SyncRequest, snapshot: CatalogCache.Snapshot) {
        let key = try context.requireCaller()
        let known = services.catalog.current
        try limit { () throws(Wait) in
            try services.deviceLimiter.take(.key, of: key.id, known.settings.deviceLimits)
        }
        let body = try await request.readBody()
        var sync = try await services.bodies.read(body, from: context.clientKey) { try SyncRequest($0) }
        let snapshot = try await services.catalog(from: sync.knownGeneration, known)
        if snapshot.tokens.mode != .disabled {
            let token = request.headers[.placardUserToken]
            try snapshot.tokens.verify(token, for: sync.user, at: services.clock())
            sync.isProven = token != nil
        }
        sync.client = context.clientKey
        // Only now is it known that the request may speak for the user: nobody can use up what is another's.
        try limit { () throws(Wait) in
            try services.deviceLimiter.take(.user, of: sync.user.rawValue, snapshot.settings.deviceLimits)
        }
        return (sync, snapshot)
    }

    private typealias Wait = DeviceLimiter.Wait

    private func limit(_ body: () throws(Wait) -> Void) throws(RequestError) {
        do {
            try body()
        } catch {
            throw RequestError(error)
        }
    }

    // MARK: Events

    private func record(
        _ sync: SyncRequest,
        _ snapshot: CatalogCache.Snapshot,
        at now: UnixTime
    ) async throws -> EventOutcome {
        if !sync.events.isEmpty { try services.newestTime.check(now) }
        let validated = EventValidator(now: now, sentAt: sync.sentAt, keptDays: snapshot.settings.eventDays).validate(
            sync.events
        )
        var outcome = EventOutcome(receipt: EventReceipt(), versionBefore: 0, versionAfter: 0)
        if !validated.events.isEmpty {
            let reserved = try await admit(validated.events, sync, snapshot.settings.deviceLimits)
            let batch = EventBatch(
                user: sync.user,
                events: validated.events,
                receivedAt: now,
                device: sync.device,
                rules: snapshot.catalog.eventRules
            )
            do {
                defer { if reserved, outcome.versionBefore > 0 { giveBackNewUser(sync, snapshot) } }
                outcome = try await services.tracer.part("store.record_events") {
                    try await services.store.recordEvents(batch)
                }
            } catch let error as StoreError where error.code == .erased {
                outcome.receipt.rejected += validated.events.map { EventRejection(ofDeletedUser: $0.id) }
            }
        }
        outcome.receipt.rejected += validated.rejected
        services.metrics.count(outcome.receipt)
        return outcome
    }

    /// Takes events from what their user may send, and the user from those that may be created.
    ///
    /// An event that costs as much as several counts as these; see ``EventCost``.
    /// Whether the user is known turns out when the batch is recorded. To look first would cost each batch a read.
    ///
    /// - Returns: Whether a new user was taken, to be given back where the user is known.
    private func admit(_ events: [DeviceEvent], _ sync: SyncRequest, _ limits: DeviceLimits) async throws -> Bool {
        try limit { () throws(Wait) in try services.deviceLimiter.take(events, of: sync, limits) }
        guard !sync.isProven else { return false }
        if services.deviceLimiter.reserve(.newUsers, of: sync.client, limits) { return true }
        if try await services.store.userRevision(of: sync.user) == nil { try services.admitNewUser(sync, limits) }
        return false
    }

    private func giveBackNewUser(_ sync: SyncRequest, _ snapshot: CatalogCache.Snapshot) {
        services.deviceLimiter.giveBack(.newUsers, of: sync.client, snapshot.settings.deviceLimits)
    }

    // MARK: Feed

    /// Whether a device that stands there has all there is, and nothing about it has to be noted.
    func hasEverything(
        _ cursor: FeedCursor,
        _ sync: SyncRequest,
        _ revision: UserRevision,
        _ snapshot: CatalogCache.Snapshot,
        at now: UnixTime
    ) -> Bool {
        cursor.isCurrent(
            epoch: FeedCursor.history(
                of: sync.user,
                createdAt: revision.createdAt,
                in: services.store.userEpoch(of: sync.user)
            ),
            generation: snapshot.catalog.generation,
            version: revision.version,
            at: now
        ) && isNoted(sync.context, in: revision, at: now)
    }

    private func isNoted(_ context: DeviceContext, in revision: UserRevision, at now: UnixTime) -> Bool {
        // What is not said is not compared; a context that is half said is completed from the whole user.
        (context == DeviceContext() || revision.device == context.fingerprint)
            && abs(now - revision.lastSeenAt) < FeedUpdate.noticeInterval
    }

    private func feed(for request: FeedRequest, _ snapshot: CatalogCache.Snapshot) async throws -> FeedReply {
        guard snapshot.catalog.fetchesContent else { return try await settledFeed(for: request, snapshot) }
        var request = request
        if !request.isAdmitted {
            // First of all: nobody who can't be created makes the server ask another one.
            if try await services.store.userRevision(of: request.sync.user) == nil {
                try services.admitNewUser(request.sync, snapshot.settings.deviceLimits)
            }
            request.isAdmitted = true
        }
        let session = try await content(for: request.sync, snapshot.catalog, at: request.now)
        return try await ContentSession.$current.withValue(session) { [request] in
            try await settledFeed(for: request, snapshot)
        }
    }

    /// Returns the answers that the templates of a feed ask for, found out before anything is decided for good.
    private func content(
        for sync: SyncRequest,
        _ catalog: Catalog,
        at now: UnixTime
    ) async throws -> ContentSession {
        var user =
            try await services.store.userState(
                of: sync.user,
                including: catalog.historyParts,
                dueBy: now + UserState.triggerLead
            )
            ?? UserState(profile: UserProfile(id: sync.user, createdAt: now))
        user.profile.device = sync.context.completed(by: user.profile.device)
        return try await services.content.session(
            for: user,
            in: catalog,
            at: now,
            platform: sync.platform,
            by: services.rendering
        )
    }

    func history(of user: UserState) -> UInt64 {
        FeedCursor.history(
            of: user.profile.id,
            createdAt: user.profile.createdAt,
            in: services.store.userEpoch(of: user.profile.id)
        )
    }

    /// The feed of a user who was deleted: no cards, in place of all that the device has.
    private func emptyFeed(for request: FeedRequest, _ snapshot: CatalogCache.Snapshot) -> FeedReply {
        let user = UserState(profile: UserProfile(id: request.sync.user, createdAt: request.now))
        return FeedReply(
            for: user,
            in: snapshot.catalog,
            since: nil,
            epoch: history(of: user),
            at: request.now,
            platform: request.sync.platform,
            recheckAt: nil
        )
    }

    private func settledFeed(for request: FeedRequest, _ snapshot: CatalogCache.Snapshot) async throws -> FeedReply {
        let update = FeedUpdate(services: services, request: request, snapshot: snapshot)
        let outcome = try await services.tracer.part("feed.update") { try await update.run() }
        if let recheckAt = outcome.recheckAt { services.hub.remind(request.sync.user, at: recheckAt) }
        let reply = try await reply(to: outcome, request, snapshot.catalog)
        let withheld = outcome.withheld + reply.withheld
        if !withheld.isEmpty {
            services.metrics.note(damagedCardsOf: withheld, in: services.logger)
            try await services.store.recordSuppressions(withheld, from: request.sync.user, at: request.now)
        }
        return reply
    }
}

extension SyncController {
    private func reply(
        to outcome: FeedUpdate.FeedUpdateOutcome,
        _ request: FeedRequest,
        _ catalog: Catalog
    ) async throws -> FeedReply {
        let user = outcome.user
        let epoch = history(of: user)
        let reply: @Sendable (RenderBudget) -> FeedReply = { budget in
            FeedReply(
                for: user,
                in: catalog,
                since: request.cursor,
                epoch: epoch,
                at: request.now,
                platform: request.sync.platform,
                // The next sync decides again where this one has changed what it would find.
                recheckAt: outcome.isFinal ? outcome.recheckAt : request.now,
                budget: budget
            )
        }
        guard catalog.rendersTemplates else { return reply(.feed) }
        return try await services.rendering.render(for: request.sync.user, reply)
    }
}

extension Services {
    /// Takes a user who isn't known yet from those that the client's address may create.
    func admitNewUser(_ sync: SyncRequest, _ limits: DeviceLimits) throws(RequestError) {
        guard !sync.isProven else { return }
        do {
            try deviceLimiter.take(.newUsers, of: sync.client, limits)
        } catch {
            throw RequestError(error)
        }
    }
}
