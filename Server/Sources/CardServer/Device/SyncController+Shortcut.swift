import CardModel
import CardStore
import NIOCore
import NIOHTTP1

/// The reads of a store that need no task.
enum ShortcutReads: Sendable {
    /// Reads that don't wait.
    case immediate(any ImmediateReads)
    /// Reads that call back.
    case deferred(any DeferredReads)
    /// Only those that a task waits for.
    case awaited

    /// Finds those of a store.
    init(_ store: any CardStore) {
        if let reads = store.immediateReads {
            self = .immediate(reads)
        } else if let reads = store.deferredReads {
            self = .deferred(reads)
        } else {
            self = .awaited
        }
    }
}

extension SyncController: Shortcut {
    var proxies: TrustedProxies { services.proxies }

    func covers(_ method: HTTPMethod, _ uri: String) -> Bool { method == .POST && uri == "/v1/sync" }

    /// The reply where nothing has to be saved; anything else, errors too, is left to ``sync(_:_:)``, which starts from
    /// the beginning.
    func answer(
        _ request: ShortcutRequest,
        _ body: ByteBuffer,
        _ memory: inout ShortcutMemory,
        on eventLoop: any EventLoop
    ) -> ShortcutAnswer {
        let start = ContinuousClock.now
        switch reads {
        case .awaited: return .application
        case .immediate(let reads):
            guard let reply = try? answer(request, body, &memory, reads) else { return .application }
            count(reply, to: request, since: start)
            return .reply(reply)
        case .deferred(let reads):
            return (try? answer(request, body, &memory, reads, on: eventLoop, since: start)) ?? .application
        }
    }

    private func answer(
        _ request: ShortcutRequest,
        _ body: ByteBuffer,
        _ memory: inout ShortcutMemory,
        _ reads: any DeferredReads,
        on eventLoop: any EventLoop,
        since start: ContinuousClock.Instant
    ) throws -> ShortcutAnswer {
        switch try admit(request, body, &memory) {
        case .refuse(let reply):
            count(reply, to: request, since: start)
            return .reply(reply)
        case .leave: return .application
        case .read(let sync):
            let promise = eventLoop.makePromise(of: ShortcutReply?.self)
            let read = DeferredSync(sync: sync, reads: reads, controller: self, eventLoop: eventLoop) { json in
                let reply = json.map { ShortcutReply(json: $0) }
                if let reply { count(reply, to: request, since: start) } else { withdraw(sync) }
                promise.succeed(reply)
            }
            read.begin()
            return .later(promise.futureResult)
        }
    }

    private func count(_ reply: ShortcutReply, to request: ShortcutRequest, since start: ContinuousClock.Instant) {
        // safe: three digits
        let (duration, status) = (start.duration(to: .now), Int(reply.status.code))
        services.metrics.count(.sync, status: status, seconds: duration / .seconds(1))
        if let tracer = services.tracer { note(request, status, took: duration, in: tracer) }
    }

    private func answer(
        _ request: ShortcutRequest,
        _ body: ByteBuffer,
        _ memory: inout ShortcutMemory,
        _ reads: any ImmediateReads
    ) throws -> ShortcutReply? {
        switch try admit(request, body, &memory) {
        case .refuse(let reply): return reply
        case .leave: return nil
        case .read(let sync):
            if let json = try? answer(sync, reads) { return ShortcutReply(json: json) }
            withdraw(sync)
            return nil
        }
    }

    private func answer(_ sync: AdmittedSync, _ reads: any ImmediateReads) throws -> [UInt8]? {
        if sync.mayBeCurrent, let revision = try reads.userRevision(of: sync.request.user),
            let json = unchanged(sync, revision)
        {
            return json
        }
        // Rendering templates is no work for an event loop.
        guard !sync.snapshot.catalog.rendersTemplates,
            let user = try reads.userState(of: sync.request.user, including: sync.parts, dueBy: sync.horizon)
        else { return nil }
        return feed(sync, user)
    }
}

// MARK: - Admission

/// A sync that was let in, and may have an answer without anything being saved.
struct AdmittedSync: Sendable {
    let request: SyncRequest
    let snapshot: CatalogCache.Snapshot
    let now: UnixTime
    fileprivate let admission: AdmittedRequest

    fileprivate var limits: DeviceLimits { snapshot.settings.deviceLimits }
    /// Whether the device may have everything, so that the little of its user may be enough to read.
    var mayBeCurrent: Bool { request.mayBeCurrent(in: snapshot.catalog, at: now) }
    /// The parts of the user's history that decide the feed.
    var parts: UserHistory.Parts { snapshot.catalog.historyParts }
    /// The moment by which triggers are due whose properties are read.
    var horizon: UnixTime { now + UserState.triggerLead }
}

extension SyncController {
    private enum Admission {
        /// The user has to be read.
        case read(AdmittedSync)
        /// There are too many requests.
        case refuse(ShortcutReply)
        /// The application has to answer.
        case leave
    }

    /// Checks a request as far as that can be done on the spot, and takes it from what its client may send.
    private func admit(
        _ request: ShortcutRequest,
        _ body: ByteBuffer,
        _ memory: inout ShortcutMemory
    ) throws -> Admission {
        let (snapshot, now) = (services.catalog.current, services.clock())
        guard services.authenticator.allows(.device, request.authorization, snapshot, at: now, &memory),
            let key = memory.key
        else { return .leave }
        let sync = try SyncRequest(body.readableBytesView)
        guard sync.events.isEmpty, !services.catalog.isShared || sync.knownGeneration <= snapshot.catalog.generation,
            // Where the device can't have everything, cards are rendered.
            !snapshot.catalog.rendersTemplates || sync.mayBeCurrent(in: snapshot.catalog, at: now),
            snapshot.tokens.accepts(request.userToken, for: sync.user, at: now)
        else { return .leave }
        let admission = AdmittedRequest(
            client: request.client.map { BucketKey(.address, $0) },
            key: key,
            user: BucketKey(.user, sync.user.rawValue)
        )
        do {
            try services.deviceLimiter.admit(admission, snapshot.settings.deviceLimits)
        } catch {
            var refusal = RequestError(error)
            refusal.requestID = request.requestID
            return .refuse(ShortcutReply(refusal))
        }
        return .read(AdmittedSync(request: sync, snapshot: snapshot, now: now, admission: admission))
    }

    /// Takes back that a request was let in: the application asks again.
    private func withdraw(_ sync: AdmittedSync) { services.deviceLimiter.withdraw(sync.admission, sync.limits) }

    // MARK: Answers

    /// The answer for a device that has everything, or `nil` where it hasn't.
    fileprivate func unchanged(_ sync: AdmittedSync, _ revision: UserRevision) -> [UInt8]? {
        guard let cursor = sync.request.cursor,
            hasEverything(cursor, sync.request, revision, sync.snapshot, at: sync.now)
        else { return nil }
        return SyncReplyWriter.unchanged(sync.request.cursorText, EventReceipt(), sync.snapshot.settings).bytes
    }

    /// The feed of a user, or `nil` where something has to be saved first.
    fileprivate func feed(_ sync: AdmittedSync, _ known: UserState) -> [UInt8]? {
        let (request, snapshot, now) = (sync.request, sync.snapshot, sync.now)
        guard FeedUpdate.isNoted(request.context, in: known.profile, at: now) else { return nil }
        var user = known
        user.profile.device = request.context.completed(by: user.profile.device)
        let decision = FeedDecision(for: user, in: snapshot.catalog, at: now, platform: request.platform)
        guard decision.isEmpty else { return nil }
        if let recheckAt = decision.recheckAt { services.hub.remind(request.user, at: recheckAt) }
        let reply = FeedReply(
            for: user,
            in: snapshot.catalog,
            since: request.cursor,
            epoch: history(of: user),
            at: now,
            platform: request.platform,
            recheckAt: decision.recheckAt
        )
        // What can't be read is counted, which is a write.
        guard reply.withheld.isEmpty else { return nil }
        return SyncReplyWriter.changed(reply, EventReceipt(), snapshot.settings).bytes
    }
}

extension SyncRequest {
    /// Whether the device may have everything, as far as that can be told without its user.
    fileprivate func mayBeCurrent(in catalog: Catalog, at now: UnixTime) -> Bool {
        cursor?.mayBeCurrent(generation: catalog.generation, at: now) ?? false
    }
}

// MARK: - Deferred reads

/// A sync whose answer depends on reads that call back.
///
/// It goes on on the event loop after each of them, so that the store's threads only read.
private struct DeferredSync: Sendable {
    let sync: AdmittedSync
    let reads: any DeferredReads
    let controller: SyncController
    let eventLoop: any EventLoop
    /// Takes the answer, or `nil` where the application has to give one; called once, on the event loop.
    let complete: @Sendable ([UInt8]?) -> Void

    func begin() {
        guard sync.mayBeCurrent else { return readState() }
        reads.userRevision(of: sync.request.user) { result in
            eventLoop.execute { take(result) }
        }
    }

    private func take(_ result: Result<UserRevision?, StoreError>) {
        guard case .success(let revision?) = result else { return complete(nil) }
        if let json = controller.unchanged(sync, revision) { return complete(json) }
        // Rendering templates is no work for an event loop, and where the user was not just heard of, that is saved.
        guard !sync.snapshot.catalog.rendersTemplates,
            abs(sync.now - revision.lastSeenAt) < FeedUpdate.noticeInterval
        else { return complete(nil) }
        readState()
    }

    private func readState() {
        reads.userState(of: sync.request.user, including: sync.parts, dueBy: sync.horizon) { result in
            eventLoop.execute {
                guard case .success(let user?) = result else { return complete(nil) }
                complete(controller.feed(sync, user))
            }
        }
    }
}
