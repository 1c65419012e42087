import Foundation

/// Keeps one stream of signals open for a user, until it is cancelled.
struct LiveStream: Sendable {
    /// What the stream tells.
    enum Signal: Sendable {
        case changed
        case refused(token: String?)
    }

    let clock: any ContentCardsClock
    let transport: any Transport
    let random: @Sendable () -> Double
    /// After how many seconds without a byte the connection counts as dead; the server sends one every 15 s.
    let silence: TimeInterval
    let request: @Sendable () async -> TransportRequest?
    let signal: @Sendable (Signal) async -> Void

    func run() async {
        var backoff = Backoff(base: 1, limit: 60)
        while !Task.isCancelled {
            if await connect() { backoff.succeed() }
            let delay = backoff.fail(random: random())
            guard (try? await clock.sleep(for: delay)) != nil else { return }
        }
    }

    /// Holds one connection as long as it lasts.
    ///
    /// Returns whether it worked at all.
    private func connect() async -> Bool {
        guard let request = await request() else { return false }
        let heard = Locked((hasAny: false, at: clock.uptime))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await listen(request, heard) }
            group.addTask { await watch(heard) }
            await group.next()
            group.cancelAll()
        }
        return heard.withLock(\.hasAny)
    }

    private func listen(_ request: TransportRequest, _ heard: Locked<(hasAny: Bool, at: TimeInterval)>) async throws {
        let stream = try await transport.open(request)
        guard stream.status == 200 else {
            if stream.status == 401 { await signal(.refused(token: request.headers["Placard-User-Token"])) }
            return
        }
        var parser = ServerSentEvents()
        for try await piece in stream.bytes {
            heard.withLock { $0 = (true, clock.uptime) }
            let events = parser.read(piece)
            if parser.isOverflown { return }
            if events.contains(where: { $0.name == "changed" }) { await signal(.changed) }
        }
    }

    private func watch(_ heard: Locked<(hasAny: Bool, at: TimeInterval)>) async {
        while !Task.isCancelled {
            let rest = heard.withLock(\.at) + silence - clock.uptime
            guard rest > 0, (try? await clock.sleep(for: rest)) != nil else { return }
        }
    }
}
