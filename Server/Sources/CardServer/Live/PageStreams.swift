import CardStore
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import Synchronization

/// The open live streams of the dashboard's pages: the store is asked once for all of them what is new.
package final class PageStreams: Service {
    /// The maximum numbers of open streams.
    struct PageStreamLimits: Sendable {
        /// Of one session.
        var perSession = 10
        /// Of one client address.
        var perAddress = 200
        /// In all.
        var total = 1_000
        /// In all, with those of devices.
        var withDevices = 20_000
    }

    /// Says that no further stream can be opened.
    package enum PageStreamError: Error, Sendable {
        /// The session has as many as a session may have.
        case session
        /// The address has as many as an address may have.
        case address
        /// There are as many as the server takes.
        case full
    }

    /// The sources that streams depend on.
    struct StreamSource: Sendable {
        /// The position of the store.
        var mark: @Sendable () async throws -> StoreMark = { StoreMark() }
        /// Returns the session with a hash and its member, or `nil` where it has ended.
        var session: @Sendable ([UInt8]) async throws -> (session: Session, member: TeamMember)? = { _ in nil }
        /// The number of streams that devices have open.
        var deviceStreams: @Sendable () -> Int = { 0 }
    }

    /// Returns whether a session and its member, as they are by now, entitle to a stream.
    package typealias Check = @Sendable (_ session: Session, _ member: TeamMember) -> Bool

    /// The time between two signs of life of a stream, in seconds: it keeps proxies from closing it.
    static let heartbeatInterval: UInt64 = 15

    fileprivate struct Entry {
        let stream: LiveSubscription
        let session: [UInt8]
        let isEntitled: Check
    }

    fileprivate struct State {
        var entries: [UInt64: Entry] = [:]
        var sessions: [[UInt8]: Int] = [:]
        var clients: [ClientKey: Int] = [:]
        var nextID: UInt64 = 0
        var mark: StoreMark?
        var isClosed = false
    }

    private let limits: PageStreamLimits
    private let source: StreamSource
    private let state = Mutex(State())

    init(_ limits: PageStreamLimits = PageStreamLimits(), _ source: StreamSource = StreamSource()) {
        (self.limits, self.source) = (limits, source)
    }

    /// Creates what has the streams of a server, within its limits.
    convenience init(_ store: any CardStore, beside hub: LiveHub, _ server: ServerLimits) {
        var limits = PageStreamLimits()
        (limits.perAddress, limits.withDevices) = (server.liveStreamsPerAddress, server.liveStreams)
        self.init(
            limits,
            StreamSource(
                mark: { try await StoreMark(store) },
                session: { try await store.session($0) },
                deviceStreams: { hub.count }
            )
        )
    }

    /// The number of open streams.
    var count: Int { state.withLock { $0.entries.count } }

    /// Opens a stream.
    ///
    /// - Parameters:
    ///   - session: The hash of the session that it counts for, with which it ends.
    ///   - client: The address that it counts for.
    ///   - isEntitled: Returns whether it may stay open.
    /// - Returns: The stream's place.
    /// - Throws: The limit that is reached.
    func open(
        for session: [UInt8],
        client: ClientKey?,
        while isEntitled: @escaping Check
    ) throws(PageStreamError) -> LivePlace {
        let stream = LiveSubscription(device: nil, client: client)
        let entry = Entry(stream: stream, session: session, isEntitled: isEntitled)
        let deviceStreams = source.deviceStreams()
        let id = try state.withLock { state throws(PageStreamError) in
            try state.add(entry, limits, beside: deviceStreams)
        }
        stream.onEnd { [weak self] in self?.remove(id) }
        if state.withLock(\.isClosed) { stream.end() }
        return LivePlace(stream)
    }

    private func remove(_ id: UInt64) {
        // What the entry holds is let go of outside the lock.
        _ = state.withLock { $0.remove(id) }
    }
}

extension PageStreams.State {
    fileprivate mutating func add(
        _ entry: PageStreams.Entry,
        _ limits: PageStreams.PageStreamLimits,
        beside deviceStreams: Int
    ) throws(PageStreams.PageStreamError) -> UInt64 {
        guard sessions[entry.session, default: 0] < limits.perSession else { throw .session }
        // safe: open streams
        guard entries.count < limits.total, entries.count + deviceStreams < limits.withDevices else { throw .full }
        if let client = entry.stream.client {
            guard clients[client, default: 0] < limits.perAddress else { throw .address }
            clients[client, default: 0] += 1
        }
        // safe: open streams
        sessions[entry.session, default: 0] += 1
        nextID += 1
        entries[nextID] = entry
        return nextID
    }

    fileprivate mutating func remove(_ id: UInt64) -> PageStreams.Entry? {
        guard let entry = entries.removeValue(forKey: id) else { return nil }
        // safe: more than one
        if let open = sessions[entry.session] { sessions[entry.session] = open > 1 ? open - 1 : nil }
        if let client = entry.stream.client, let open = clients[client] { clients[client] = open > 1 ? open - 1 : nil }
        return entry
    }
}

// MARK: What is new

extension PageStreams {
    /// Looks once a second what is new, until the process is shut down.
    ///
    /// It waits before it begins, so this is no ``WorkLoop``.
    package func run() async throws {
        var turn: UInt64 = 0
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            await WorkLoop.waitUnlessStopped(1)
            turn = (turn + 1) % Self.heartbeatInterval
            await look(turn)
        }
        close()
    }

    /// Ends every stream, and those that are opened from now on.
    func close() {
        let entries = state.withLock { state in
            state.isClosed = true
            return state.entries.values.map(\.stream)
        }
        for stream in entries { stream.end() }
    }

    /// Ends the streams whose right has ended, and tells the others what is new; asks nothing where there are none.
    ///
    /// - Parameter turn: Which of the streams hear something where nothing is new.
    func look(_ turn: UInt64) async {
        guard count > 0 else { return }
        await review()
        guard count > 0, let mark = try? await source.mark() else { return }
        // A stream that was opened since the last look is told, too: nothing may happen that it doesn't hear of.
        let (entries, isNew) = state.withLock { state in
            defer { state.mark = mark }
            return (state.entries, state.mark != mark)
        }
        for (id, entry) in entries {
            if isNew {
                entry.stream.signal(.changed)
            } else if id % Self.heartbeatInterval == turn {
                entry.stream.signal(.heartbeat)
            }
        }
    }

    /// Notes how far the store is where no page has asked lately, so that the first one isn't told of what it has.
    private func noteMark() async {
        guard count == 0, let mark = try? await source.mark() else { return }
        state.withLock { if $0.entries.isEmpty { $0.mark = mark } }
    }

    /// Ends the streams of sessions that have ended, or whose members may see less than before; a stream may be open
    /// for days.
    private func review() async {
        let entries = state.withLock { Array($0.entries.values) }
        for (session, entries) in Dictionary(grouping: entries, by: \.session) {
            let known = try? await source.session(session)
            for entry in entries {
                let isEntitled = known.map { entry.isEntitled($0.session, $0.member) } ?? false
                if !isEntitled { entry.stream.end() }
            }
        }
    }
}

// MARK: Answers

extension PageStreams {
    /// Answers a request for a stream, which is written until the page goes away, its right ends or the process is shut
    /// down.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - context: Where it comes from.
    ///   - session: The hash of its session.
    ///   - isEntitled: Returns whether the stream may stay open.
    /// - Returns: The answer.
    /// - Throws: The limit that is reached.
    package func response(
        to request: Request,
        _ context: AppContext,
        of session: [UInt8],
        while isEntitled: @escaping Check
    ) async throws(PageStreamError) -> Response {
        let headers: HTTPFields = [
            .contentType: "text/event-stream", .cacheControl: "no-store", .connection: "close",
        ]
        guard !context.isHead else { return Response(status: .ok, headers: headers, body: .ofUnknownLength) }
        await noteMark()
        let place = try open(for: session, client: context.clientKey, while: isEntitled)
        return Response(
            status: .ok,
            headers: headers,
            body: context.body(of: place, beginning: ByteBuffer(string: "retry: 2000\n\n")) { signal in
                signal == .changed ? Self.change : LiveStreamHandler.heartbeat
            }
        )
    }

    private static let change = ByteBuffer(string: "event: changed\ndata: {}\n\n")
}
