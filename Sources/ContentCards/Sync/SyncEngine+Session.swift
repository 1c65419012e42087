import Foundation

extension SyncEngine {
    /// Starts to work for whom the feed was loaded.
    func begin() {
        take(.backlog(parts.events.counts))
        if parts.settings.sessions == .automatic { enterSession() }
    }

    /// The app came into use.
    func enterSession() {
        // The feed is switched before the machine is: in between there is nobody to begin a session for.
        guard let user = machine.user?.text, parts.feed.user.hasSameBytes(as: user), machine.obstacle == nil else {
            return
        }
        if session.enter(user: user, at: parts.clock.uptime) {
            take(.sessionStarted)
            logSessionStart(user)
            take(.want(.sessionStart, waiter: nil, lastSync: parts.feed.lastSync))
        } else if !machine.inSession {
            take(.sessionStarted)
        }
        if live == nil { openLive(user) }
    }

    /// The app went out of use; the session ends unless it comes back soon.
    func leaveSession() {
        session.leave(at: parts.clock.uptime)
        take(.sessionEnded)
        closeLive()
        parts.saveFeed(true)
    }

    /// Someone was identified; `isNew` if it is not who was there before.
    func identify(_ user: String, token: String?, isNew: Bool) {
        if let token { take(.token(user: ByteString(user), .given(token))) }
        if isNew {
            closeLive()
            session.end()
            take(.switched(to: ByteString(user)))
            take(.backlog(parts.events.counts))
        }
        if parts.settings.sessions == .automatic || machine.inSession { enterSession() }
        let hasFailed = machine.backoff.failures > 0 || machine.wish != nil
        if isNew || parts.feed.lastSync == nil || hasFailed {
            take(.want(.identify, waiter: nil, lastSync: nil))
        }
    }

    /// Nobody is there any more.
    func forgetUser() {
        closeLive()
        session.end()
        take(.switched(to: nil))
        take(.backlog(parts.events.counts))
    }

    func setEnabled(_ isEnabled: Bool) {
        if !isEnabled {
            closeLive()
            session.end()
        }
        take(.enabled(isEnabled))
        if isEnabled { begin() }
    }

    func close() {
        closeLive()
        take(.closed)
        stopTasks()
    }

    func updateBacklog() {
        take(.backlog(parts.events.counts))
    }

    private func logSessionStart(_ user: String) {
        let time = parts.clock.now.timeIntervalSince1970
        _ = parts.events.append(.sessionStart, id: parts.settings.ids.next(), at: time, user: user)
        updateBacklog()
    }

    private func closeLive() {
        live?.cancel()
        live = nil
    }

    private func openLive(_ user: String) {
        guard parts.settings.isLiveEnabled else { return }
        let silence = parts.settings.liveSilence
        let stream = LiveStream(
            clock: parts.clock,
            transport: parts.transport,
            random: parts.random,
            silence: silence,
            request: { [weak self] in await self?.livePermission(user, timeout: silence * 2) ?? .no },
            signal: { [weak self] in await self?.take($0, from: user) }
        )
        live = Task { await stream.run() }
    }

    /// Whether the stream may be opened now.
    ///
    /// It waits as long as any answer with `Retry-After` said. The sync is what asks for new tokens: until it has one, the
    /// stream waits, too.
    private func livePermission(_ user: String, timeout: TimeInterval) -> LiveStream.Permission {
        let rest = max(machine.blockedUntil, liveHeldUntil) - parts.clock.uptime
        if rest > 0 { return .later(rest) }
        var gate = machine.gates[ByteString(user)] ?? TokenGate(hasProvider: parts.settings.tokenProvider != nil)
        guard case .go(let token) = gate.check(at: parts.clock.uptime) else { return .no }
        return .open(parts.requests.live(user: user, token: token, timeout: timeout))
    }

    private func take(_ signal: LiveStream.Signal, from user: String) {
        // Another user's stream goes to the same server.
        if case .heldOff(let seconds) = signal {
            liveHeldUntil = parts.clock.uptime + RetryAfter.spread(seconds, random: parts.random())
        }
        guard parts.feed.user.hasSameBytes(as: user) else { return }
        switch signal {
        case .changed: take(.want(.live, waiter: nil, lastSync: nil))
        case .refused(let token): take(.token(user: ByteString(user), .refused(token)))
        case .heldOff: break
        }
    }
}
