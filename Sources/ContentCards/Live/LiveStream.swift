import Foundation

/// Keeps one stream of signals open for a user, until it is cancelled.
struct LiveStream: Sendable {
    /// The signals of the stream.
    enum Signal: Sendable {
        /// A sync may bring something new: the campaigns are of that generation by now, where the server said so.
        case changed(generation: Int64?)
        case refused(token: String?)
        /// The server said when to come back, in seconds.
        case heldOff(seconds: TimeInterval)
    }

    /// Whether a connection may be opened.
    enum Permission: Sendable {
        case open(TransportRequest)
        /// In so many seconds: the server said so.
        case later(TimeInterval)
        /// Not until there is a token.
        case no
    }

    /// Says how a connection ended.
    private enum Ending {
        /// It worked for a time.
        case lasting
        /// It was closed soon, or not made at all.
        case brief
        /// There is no such stream, as behind a proxy that has none.
        case absent
    }

    /// Holds what was heard on a connection.
    private struct Heard: Sendable {
        var hasAny = false
        var isAbsent = false
        /// The uptime at which the last byte came.
        var at: TimeInterval
    }

    /// The number of seconds that a connection has to last to count as one that works: one that is closed at once, over
    /// and over, is opened at growing intervals.
    private static let settlingTime: TimeInterval = 20

    let clock: any ContentCardsClock
    let transport: any Transport
    let random: @Sendable () -> Double
    /// The number of seconds without a byte after which the connection counts as dead; the server sends one every 15 s.
    let silence: TimeInterval
    let request: @Sendable () async -> Permission
    let signal: @Sendable (Signal) async -> Void

    func run() async {
        var backoff = Backoff(base: 1, limit: 60)
        var absence = Backoff(base: 1, limit: 3_600)
        while !Task.isCancelled {
            let delay: TimeInterval
            switch await request() {
            case .later(let seconds): delay = seconds
            case .no: delay = backoff.fail(random: random())
            case .open(let request):
                let ending = await connect(request)
                if ending == .lasting {
                    backoff.succeed()
                    absence.succeed()
                }
                delay = ending == .absent ? absence.fail(random: random()) : backoff.fail(random: random())
            }
            guard (try? await clock.sleep(for: delay)) != nil else { return }
        }
    }

    /// Holds one connection as long as it lasts.
    ///
    /// Returns how it ended.
    private func connect(_ request: TransportRequest) async -> Ending {
        let began = clock.uptime
        let heard = Locked(Heard(at: began))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await listen(request, heard) }
            group.addTask { await watch(heard) }
            await group.next()
            group.cancelAll()
        }
        if heard.withLock(\.isAbsent) { return .absent }
        return heard.withLock(\.hasAny) && clock.uptime - began >= Self.settlingTime ? .lasting : .brief
    }

    private func listen(_ request: TransportRequest, _ heard: Locked<Heard>) async throws {
        let stream = try await transport.open(request)
        guard stream.status == 200 else {
            heard.withLock { $0.isAbsent = Self.isAbsent(stream.status) }
            return await refused(stream, request)
        }
        var parser = ServerSentEvents()
        for try await piece in stream.bytes {
            heard.withLock { ($0.hasAny, $0.at) = (true, clock.uptime) }
            let events = parser.read(piece)
            if parser.isOverflown { return }
            let changes = events.filter { $0.name == "changed" }
            if !changes.isEmpty { await signal(.changed(generation: changes.compactMap(\.generation).max())) }
        }
    }

    /// Returns whether a status says that there is no stream, and not that a token, a user or time is missing.
    private static func isAbsent(_ status: Int) -> Bool {
        status == 501 || (400..<500).contains(status) && ![401, 407, 408, 429].contains(status)
    }

    private func refused(_ stream: TransportStream, _ request: TransportRequest) async {
        if stream.status == 401 { await signal(.refused(token: request.headers["Placard-User-Token"])) }
        guard stream.status == 429 || stream.status >= 500 else { return }
        let (header, date) = (stream.headers["retry-after"], stream.headers["date"])
        guard let seconds = RetryAfter.seconds(header, date: date, at: clock.now) else { return }
        await signal(.heldOff(seconds: seconds))
    }

    private func watch(_ heard: Locked<Heard>) async {
        while !Task.isCancelled {
            let rest = heard.withLock(\.at) + silence - clock.uptime
            guard rest > 0, (try? await clock.sleep(for: rest)) != nil else { return }
        }
    }
}

extension ServerSentEvents.Event {
    /// The greatest whole number that JSON keeps exactly wherever it is read.
    private static let greatest: Int64 = 1 << 53

    /// The generation of the campaigns that the server has told of, or `nil` for none that can be one.
    fileprivate var generation: Int64? {
        struct Members: Decodable { var generation: Int64? }
        let members = try? JSONDecoder().decode(Members.self, from: Data(data.utf8))
        return members?.generation.flatMap { (0...Self.greatest).contains($0) ? $0 : nil }
    }
}
