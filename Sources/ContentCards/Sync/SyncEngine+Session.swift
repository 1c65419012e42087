import Foundation

extension SyncEngine {
    /// Starts to work for the current user.
    ///
    /// A session begins only in the foreground. What the app's life has said since the launch is newer than what is
    /// given here.
    func begin(isInForeground: Bool? = nil) {
        take(.backlog(parts.events.counts))
        if let isInForeground { session.launch(isInForeground: isInForeground) }
        if session.isInForeground == false { take(.away) }
        if startsSession { enterSession() }
    }

    /// Whether a session begins by itself now.
    private var startsSession: Bool { parts.settings.startsSessions && session.isInForeground == true }

    /// The app came into use.
    func enterSession() {
        session.comeToForeground(at: parts.clock.uptime)
        let current = parts.feed.current
        guard let user = current.id, machine.obstacle(for: current) == nil else { return }
        if session.enter(user: current, at: parts.clock.uptime) {
            take(.sessionStarted)
            logSessionStart(user.text, wipes: current.wipes)
            take(.want(.sessionStart, waiter: nil, lastSync: parts.feed.lastSync))
        } else if !machine.inSession {
            take(.sessionStarted)
        }
        if live?.user != current { openLive(current, user) }
    }

    /// The app went out of use, now or at an uptime; the session ends unless it comes back soon.
    func leaveSession(at uptime: TimeInterval? = nil) {
        guard session.leave(at: uptime ?? parts.clock.uptime) else { return }
        take(.sessionEnded)
        closeLive()
        parts.saveFeed(true)
    }

    /// A user was identified; `isNew` if it is another one than before.
    func identify(isNew: Bool) {
        if isNew { updateBacklog() } else { takeTokens() }
        if startsSession || machine.inSession { enterSession() }
        let hasFailed = machine.backoff.failures > 0 || machine.pendingRequest != nil
        if isNew || parts.feed.lastSync == nil || hasFailed {
            take(.want(.identify, waiter: nil, lastSync: nil))
        }
    }

    /// Stops what was done for a user whose data were wiped, and forgets the tokens of all but the current one.
    func forgetUser() {
        if live?.user != parts.feed.current { closeLive() }
        // First: what was pending before would be sent otherwise.
        updateBacklog()
        take(.wiped)
    }

    /// Stops all work: content cards were disabled.
    func disable() {
        closeLive()
        take(.wake)
    }

    func close() {
        closeLive()
        take(.closed)
        stopTasks()
    }

    func updateBacklog() {
        take(.backlog(parts.events.counts))
    }

    private func logSessionStart(_ user: String, wipes: Int) {
        let time = parts.clock.now.timeIntervalSince1970
        _ = parts.events.append(.sessionStart, id: parts.settings.ids.next(), at: time, user: user, wipes: wipes)
        updateBacklog()
    }

    private func closeLive() {
        live?.task.cancel()
        live = nil
    }

    private func openLive(_ current: CurrentUser, _ user: BytewiseText) {
        closeLive()
        guard parts.settings.isLiveEnabled else { return }
        let silence = parts.settings.liveSilence
        let stream = LiveStream(
            clock: parts.clock,
            transport: parts.transport,
            random: parts.random,
            silence: silence,
            request: { [weak self] in await self?.livePermission(user, timeout: silence * 2) ?? .no },
            signal: { [weak self] in await self?.take($0, from: current) }
        )
        live = (current, Task { await stream.run() })
    }

    /// Whether the stream may be opened now.
    ///
    /// It waits as long as any answer with `Retry-After` said. The sync is what asks for new tokens: until it has one,
    /// the stream waits, too.
    private func livePermission(_ user: BytewiseText, timeout: TimeInterval) -> LiveStream.Permission {
        let rest = max(machine.blockedUntil, liveHeldUntil) - parts.clock.uptime
        if rest > 0 { return .later(rest) }
        takeTokens()
        var authorization =
            machine.authorizations[user] ?? TokenAuthorization(hasProvider: machine.settings.hasTokenProvider)
        guard case .go(let token) = authorization.check(at: parts.clock.uptime) else { return .no }
        return .open(parts.requests.live(user: user.text, token: token, timeout: timeout))
    }

    private func take(_ signal: LiveStream.Signal, from user: CurrentUser) {
        // Another user's stream goes to the same server.
        if case .heldOff(let seconds) = signal {
            liveHeldUntil = parts.clock.uptime + RetryAfter.spread(seconds, random: parts.random())
        }
        guard parts.feed.current == user, let id = user.id else { return }
        switch signal {
        case .changed(let generation):
            if let generation { announced = max(announced ?? 0, generation) }
            take(.want(.live, waiter: nil, lastSync: nil))
        case .refused(let token): take(.token(user: id, .refused(token)))
        case .heldOff: break
        }
    }
}
