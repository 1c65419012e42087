import Foundation

/// Does what the sync machine decides: sends, waits, asks for tokens, and ends waits.
actor SyncEngine {
    /// The parts that the engine works with.
    struct EngineParts: Sendable {
        var clock: any ContentCardsClock
        var transport: any Transport
        var random: @Sendable () -> Double
        var requests: RequestBuilder
        var feed: FeedStore
        var events: EventQueue
        var settings: EngineSettings
        var tokenProvider: (@Sendable (_ user: String) async throws -> String?)?
        var report: @Sendable (Diagnostic) -> Void
        var saveFeed: @Sendable (_ isLeaving: Bool) -> Void
        var saveDevice: @Sendable () -> Void
    }

    /// The settings that don't change while the engine works; see `ContentCardsClient.Configuration`.
    struct EngineSettings: Sendable {
        var ids: any IDSource
        /// Whether a session begins by itself.
        var startsSessions: Bool
        /// Whether the app is in the foreground for as long as it runs.
        var isAlwaysInForeground: Bool
        var sessionTimeout: TimeInterval
        var requestTimeout: TimeInterval
        var isLiveEnabled: Bool
        var liveSilence: TimeInterval
    }

    let parts: EngineParts
    private(set) var machine: SyncMachine
    var session: SessionState
    /// The open stream and its user.
    var live: (user: CurrentUser, task: Task<Void, Never>)?
    /// No live stream before this uptime: the server said so.
    ///
    /// Syncs go on.
    var liveHeldUntil: TimeInterval = -.infinity
    /// The newest generation of the campaigns that a live signal told of.
    ///
    /// Requests name it: they may come to another server than the signal did, which has to read the campaigns first.
    var announced: Int64?
    private var continuations: [Int: CheckedContinuation<ContentCardsError?, Never>] = [:]
    private var lastWaiter = 0
    private var requests: [Int: Task<Void, Never>] = [:]
    private var alarm: Task<Void, Never>?
    /// The events that were alone in a request that failed.
    private var suspects: [BytewiseText: UInt64]

    init(_ parts: EngineParts, machine: SyncMachine) {
        self.parts = parts
        self.machine = machine
        suspects = parts.events.suspects
        session = SessionState(
            timeout: parts.settings.sessionTimeout,
            isInForeground: parts.settings.isAlwaysInForeground ? true : nil
        )
    }

    /// Gives the machine an input and does what it says.
    func take(_ input: SyncMachine.Input) {
        handle(input, for: takeTokens())
    }

    /// Gives the machine the tokens that came with users, and returns the user that it works for now.
    @discardableResult
    func takeTokens() -> CurrentUser {
        let (current, tokens) = parts.feed.takeTokens()
        if let kept = parts.feed.takeRecovered() { recover(kept, for: current) }
        for given in tokens { handle(.token(user: given.user, .given(given.token)), for: current) }
        return current
    }

    /// Goes on with what an earlier launch has kept, where that could not be read at the beginning.
    private func recover(_ kept: DeviceRecord, for current: CurrentUser) {
        let moment = parts.clock.moment
        let pace = SyncState.RecordedPace(
            budget: kept.budget,
            blockedUntil: kept.pause.map { moment.uptime + $0.rest(at: moment.now) } ?? -.infinity,
            limits: parts.events.limits,
            suspects: Array(parts.events.suspects.keys)
        )
        suspects.merge(parts.events.suspects) { mine, _ in mine }
        handle(.recovered(pace), for: current)
    }

    private func handle(_ input: SyncMachine.Input, for current: CurrentUser) {
        for action in machine.handle(input, for: current, at: parts.clock.moment, random: parts.random()) {
            perform(action)
        }
    }

    private func perform(_ action: SyncMachine.Action) {
        switch action {
        case .send(let request): start(request)
        case .cancel(let id): requests.removeValue(forKey: id)?.cancel()
        case .askToken(let user): askToken(user: user.text)
        case .finish(let waiters, let error): finish(waiters, error)
        case .wake(let uptime): setAlarm(at: uptime)
        case .saveBudget:
            parts.feed.note(machine.budget)
            parts.saveDevice()
        case .savePause(let pause):
            parts.feed.note(pause)
            parts.saveDevice()
        case .report(let diagnostic): parts.report(diagnostic)
        case .saveLimit(let user, let limit): parts.events.note(limit: limit, user: user.text)
        case .noteSuspicion(let user):
            if let sequence = suspects[user] { parts.events.noteSuspicion(of: sequence, user: user.text) }
        case .countFailure(let user): countFailure(of: user)
        case .giveUpEvent(let user, let code): giveUpEvent(of: user.text, code)
        }
    }

    private func giveUpEvent(of user: String, _ code: String) {
        guard let event = parts.events.batch(user: user, count: 1, bytes: .max).first,
            event.sequence == suspects.removeValue(forKey: BytewiseText(user))
        else { return }
        parts.events.settle([event], user: user)
        parts.report(.eventRejected(id: event.id, code: code))
    }

    private func countFailure(of user: BytewiseText) {
        guard let sequence = suspects.removeValue(forKey: user) else { return }
        // What the event did to a card goes to the disk first, since only the event log knew it until now.
        parts.saveFeed(false)
        guard let event = parts.events.noteFailure(of: sequence, user: user.text) else { return }
        parts.report(.eventSetAside(id: event.id, type: event.type))
    }

    private func setAlarm(at uptime: TimeInterval) {
        alarm?.cancel()
        alarm = Task { [weak self, clock = parts.clock] in
            guard (try? await clock.sleep(for: uptime - clock.uptime)) != nil else { return }
            await self?.take(.wake)
        }
    }

    /// Asks the provider, which has as long as a request has: one that never returns would stop all requests of the
    /// user.
    private func askToken(user: String) {
        guard let provider = parts.tokenProvider else { return }
        let isOver = Locked(false)
        let limit = Task { [weak self, clock = parts.clock, timeout = parts.settings.requestTimeout] in
            guard (try? await clock.sleep(for: timeout)) != nil else { return }
            isOver.withLock { $0 = true }
            await self?.take(.token(user: BytewiseText(user), .failed))
        }
        Task { [weak self] in
            let answer: SyncMachine.TokenAnswer
            do {
                answer = .provided(try await provider(user))
            } catch {
                // It counted as failed when its time was over; the provider may have been asked again since.
                if isOver.withLock({ $0 }) { return }
                answer = .failed
            }
            limit.cancel()
            await self?.take(.token(user: BytewiseText(user), answer))
        }
    }

    func stopTasks() {
        alarm?.cancel()
        live?.task.cancel()
        for task in requests.values { task.cancel() }
        requests = [:]
    }
}

// MARK: Waiting

extension SyncEngine {
    /// Waits for a refresh, at most for the given seconds.
    ///
    /// The time of the last sync is looked up here: an answer that has come until now is one that an opened feed needs
    /// no other for.
    func refresh(_ reason: SyncReason, timeout: TimeInterval) async throws(ContentCardsError) {
        try await wait(timeout: timeout) { [feed = parts.feed] waiter in
            .want(reason, waiter: waiter, lastSync: feed.lastSync)
        }
    }

    /// Waits for an input to end, at most for the given seconds.
    func wait(
        timeout: TimeInterval,
        _ input: @Sendable (SyncMachine.Waiter) -> SyncMachine.Input
    ) async throws(ContentCardsError) {
        lastWaiter += 1
        let waiter = lastWaiter
        let input = input(waiter)
        let limit = Task { [weak self, clock = parts.clock] in
            guard (try? await clock.sleep(for: timeout)) != nil else { return }
            await self?.giveUp(waiter, .timeout)
        }
        defer { limit.cancel() }
        let error = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                continuations[waiter] = continuation
                take(input)
                if Task.isCancelled { giveUp(waiter, .cancelled) }
            }
        } onCancel: {
            Task { await self.giveUp(waiter, .cancelled) }
        }
        if let error { throw error }
    }

    private func giveUp(_ waiter: Int, _ error: ContentCardsError) {
        guard continuations[waiter] != nil else { return }
        take(.forget(waiter))
        finish([waiter], error)
    }

    private func finish(_ waiters: [Int], _ error: ContentCardsError?) {
        for waiter in waiters { continuations.removeValue(forKey: waiter)?.resume(returning: error) }
    }
}

// MARK: Requests

extension SyncEngine {
    private func start(_ request: SyncMachine.Request) {
        let batch = parts.events.batch(user: request.user.text, count: request.eventLimit, bytes: 512 * 1024)
        take(.sent(request: request.id, events: batch.count))
        if batch.count == 1, let event = batch.first { suspects[request.user] = event.sequence }
        let message = message(for: request, batch)
        requests[request.id] = Task { [weak self, parts] in
            let answer = await TimedExchange(parts).send(message)
            await self?.arrive(answer, for: request, batch)
        }
    }

    private func message(for request: SyncMachine.Request, _ batch: [LoggedEvent]) -> TransportRequest {
        let now = parts.clock.now
        switch request.kind {
        case .events:
            return parts.requests.events(
                user: request.user.text,
                generation: announced,
                events: batch,
                token: request.token,
                at: now
            )
        case .sync:
            let cursor = parts.feed.cursor(generation: request.generation)
            return parts.requests.sync(
                user: request.user.text,
                cursor: cursor,
                generation: announced,
                events: batch,
                token: request.token,
                at: now
            )
        }
    }

    private func arrive(
        _ response: Result<TransportResponse, RequestFailure>,
        for request: SyncMachine.Request,
        _ batch: [LoggedEvent]
    ) {
        guard requests.removeValue(forKey: request.id) != nil, machine.inFlightRequest?.request.id == request.id else {
            return
        }
        let answer: SyncMachine.SyncAnswer
        do {
            answer = .success(try accept(response.get(), for: request, batch))
        } catch {
            answer = .failure(error)
        }
        take(.answered(request: request.id, answer, backlog: parts.events.counts))
        // What the answer led to may have settled more.
        take(.backlog(parts.events.counts))
    }

    private func accept(
        _ response: TransportResponse,
        for request: SyncMachine.Request,
        _ batch: [LoggedEvent]
    ) throws(RequestFailure) -> RefreshLimit? {
        let now = parts.clock.now
        switch request.kind {
        case .events:
            settle(batch, try ReplyReader.read(response, as: EventsReply.self, at: now).events, user: request.user.text)
            return nil
        case .sync:
            let reply = try ReplyReader.read(response, as: SyncReply.self, at: now)
            if reply.skippedCards > 0 { parts.report(.cardsSkipped(count: reply.skippedCards)) }
            _ = parts.feed.merge(reply, generation: request.generation)
            if let receipt = reply.receipt { settle(batch, receipt, user: request.user.text) }
            parts.saveFeed(false)
            return reply.refresh
        }
    }

    /// Notes that the server has the events.
    ///
    /// What they did to the cards goes to the disk first, since only the event log knew it until now.
    private func settle(_ batch: [LoggedEvent], _ receipt: SyncReceipt, user: String) {
        guard !batch.isEmpty else { return }
        parts.saveFeed(false)
        parts.events.settle(batch, user: user)
        for rejection in receipt.rejected { parts.report(.eventRejected(id: rejection.id, code: rejection.code)) }
    }
}
