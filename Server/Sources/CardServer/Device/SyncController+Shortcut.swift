import CardModel
import CardStore
import NIOCore
import NIOHTTP1

extension SyncController: Shortcut {
    var proxies: TrustedProxies { services.proxies }

    func covers(_ method: HTTPMethod, _ uri: String) -> Bool { method == .POST && uri == "/v1/sync" }

    /// The reply where nothing has to be saved and the store can read at once; anything else, errors too, is left
    /// to ``sync(_:_:)``, which starts from the beginning.
    func answer(_ request: ShortcutRequest, _ body: ByteBuffer, _ memory: inout ShortcutMemory) -> ShortcutReply? {
        let start = ContinuousClock.now
        guard let reads = services.store.immediateReads, let reply = try? answer(request, body, &memory, reads) else {
            return nil
        }
        // safe: three digits
        let (duration, status) = (start.duration(to: .now), Int(reply.status.code))
        services.metrics.count(.sync, status: status, seconds: duration / .seconds(1))
        if let tracer = services.tracer { note(request, status, took: duration, in: tracer) }
        return reply
    }

    private func answer(
        _ request: ShortcutRequest,
        _ body: ByteBuffer,
        _ memory: inout ShortcutMemory,
        _ reads: any ImmediateReads
    ) throws -> ShortcutReply? {
        let (snapshot, now) = (services.catalog.current, services.clock())
        guard services.authenticator.allows(.device, request.authorization, snapshot, at: now, &memory),
            let key = memory.key
        else { return nil }
        let sync = try SyncRequest(body.readableBytesView)
        guard sync.events.isEmpty, !services.catalog.isShared || sync.knownGeneration <= snapshot.catalog.generation,
            snapshot.tokens.accepts(request.userToken, for: sync.user, at: now)
        else {
            return nil
        }
        let limits = snapshot.settings.deviceLimits
        let admission = AdmittedRequest(
            client: request.client.map { BucketKey(.address, $0) },
            key: key,
            user: BucketKey(.user, sync.user.rawValue)
        )
        do {
            try services.deviceLimiter.admit(admission, limits)
        } catch {
            var refusal = RequestError(error)
            refusal.requestID = request.requestID
            return ShortcutReply(refusal)
        }
        if let json = try? answer(sync, snapshot, reads, at: now) { return ShortcutReply(json: json) }
        services.deviceLimiter.withdraw(admission, limits)
        return nil
    }

    private func answer(
        _ sync: SyncRequest,
        _ snapshot: CatalogCache.Snapshot,
        _ reads: any ImmediateReads,
        at now: UnixTime
    ) throws -> [UInt8]? {
        if let cursor = sync.cursor, let revision = try reads.userRevision(of: sync.user),
            hasEverything(cursor, sync, revision, snapshot, at: now)
        {
            return SyncReplyWriter.unchanged(sync.cursorText, EventReceipt(), snapshot.settings).bytes
        }
        // Rendering templates is no work for an event loop.
        guard !snapshot.catalog.rendersTemplates else { return nil }
        let (parts, horizon) = (snapshot.catalog.historyParts, now + UserState.triggerLead)
        guard var user = try reads.userState(of: sync.user, including: parts, dueBy: horizon),
            FeedUpdate.isNoted(sync.context, in: user.profile, at: now)
        else { return nil }
        user.profile.device = sync.context.completed(by: user.profile.device)
        let decision = FeedDecision(for: user, in: snapshot.catalog, at: now, platform: sync.platform)
        guard decision.isEmpty else { return nil }
        if let recheckAt = decision.recheckAt { services.hub.remind(sync.user, at: recheckAt) }
        let reply = FeedReply(
            for: user,
            in: snapshot.catalog,
            since: sync.cursor,
            epoch: history(of: user),
            at: now,
            platform: sync.platform,
            recheckAt: decision.recheckAt
        )
        // What can't be read is counted, which is a write.
        guard reply.withheld.isEmpty else { return nil }
        return SyncReplyWriter.changed(reply, EventReceipt(), snapshot.settings).bytes
    }
}
