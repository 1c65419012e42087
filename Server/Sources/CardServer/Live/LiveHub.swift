import CardModel
import ServiceLifecycle
import Synchronization
import WireJSON

/// The open live streams, by user.
final class LiveHub: Sendable {
    /// The maximum numbers of open streams.
    struct LiveLimits: Sendable {
        /// Of one user.
        var perUser = DeviceLimits().liveStreamsPerUser
        /// Of one client address.
        var perAddress = 200
        /// In all.
        var total = 20_000
    }

    /// Says that no further stream can be opened.
    enum LiveError: Error, Sendable {
        /// The user has as many as a user may have.
        case user
        /// The address has as many as an address may have.
        case address
        /// There are as many as the server takes.
        case full
        /// The server is about to stop.
        case draining
    }

    /// The time between two signs of life of a stream, in seconds.
    static let heartbeatInterval: UInt64 = 15
    /// The time before a change is told once more, in seconds.
    private static let echoDelay: UInt64 = 2

    let state = Mutex(State())

    /// The number of open streams.
    var count: Int { state.withLock { $0.count } }

    /// Opens a stream.
    ///
    /// It starts with `changed`, so that nothing is missed between a sync and the stream. A stream that the same device
    /// has open already ends: a device that comes back after its network was gone has lost that one, though nobody has
    /// told the server.
    ///
    /// - Parameters:
    ///   - user: The user that it is for.
    ///   - device: The device that opens it.
    ///   - client: The address that it counts for.
    ///   - grant: What entitles the device to it.
    ///   - limits: How many streams may be open.
    /// - Returns: The stream; one that has ended already where the hub is closed.
    /// - Throws: The limit that is reached.
    func open(
        for user: UserID,
        device: String?,
        client: ClientKey? = nil,
        grant: LiveGrant = LiveGrant(),
        within limits: LiveLimits = LiveLimits()
    ) throws(LiveError) -> LiveSubscription {
        let stream = LiveSubscription(device: device, client: client, grant: grant)
        let (id, replaced) = try state.withLock { state throws(LiveError) in try state.add(stream, of: user, limits) }
        replaced?.end()
        guard let id else {
            stream.end()
            return stream
        }
        stream.onEnd { [weak self] in self?.remove(id, of: user) }
        stream.signal(.changed)
        return stream
    }

    private func remove(_ id: UInt64, of user: UserID) {
        state.withLock { state in _ = state.remove(id, of: user) }
    }

    /// Tells the devices of a user, but not the one that made the change.
    func publish(to user: UserID, except device: String?) {
        for stream in streams(of: user) where device == nil || !String?.haveSameBytes(stream.device, device) {
            stream.signal(.changed)
        }
    }

    /// Returns those of some users who have a stream open.
    func streaming(among users: some Collection<UserID>) -> [UserID] {
        state.withLock { state in users.filter { state.streams[$0] != nil } }
    }

    /// Tells the devices of a user once that moment has come, where one of them has a stream open now.
    ///
    /// The last word counts: a later call takes the place of an earlier one.
    func remind(_ user: UserID, at time: UnixTime) {
        state.withLock { state in
            if state.streams[user] != nil { state.reminders[user] = time }
        }
    }

    /// Tells the devices of users whose moment has come.
    func publishReminders(at now: UnixTime) {
        let due = state.withLock { state in
            let due = state.reminders.filter { $0.value <= now }.map(\.key)
            for user in due { state.reminders[user] = nil }
            return due
        }
        for user in due { publish(to: user, except: nil) }
    }

    /// Tells every device.
    ///
    /// - Parameter echoes: Whether each is told once more in place of a heartbeat, two seconds later at the earliest: a
    ///   sync that names no generation may come to another node before that has read the campaigns. It answers that
    ///   nothing is new, and later tells only the streams that it has itself.
    func publishToAll(echoes: Bool = false) {
        if echoes { state.withLock { $0.echoTurns = Self.echoDelay + Self.heartbeatInterval } }
        for stream in everyStream { stream.signal(.changed) }
    }

    /// Gives every stream its heartbeat until the process is shut down, a fifteenth of them each second.
    ///
    /// It waits before it begins, so this is no ``WorkLoop``.
    func beat() async {
        var turn: UInt64 = 0
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            await WorkLoop.waitUnlessStopped(1)
            turn = (turn + 1) % Self.heartbeatInterval
            beat(turn)
        }
        close()
    }

    /// Gives the streams whose turn it is their heartbeat, or tells them of a change once more.
    func beat(_ turn: UInt64) {
        let isEcho = state.withLock { state in
            guard state.echoTurns > 0 else { return false }
            // safe: it was more than 0
            state.echoTurns -= 1
            return state.echoTurns < Self.heartbeatInterval
        }
        for stream in streams(ofTurn: turn) { stream.signal(isEcho ? .changed : .heartbeat) }
    }

    /// Without a dictionary for each user: this looks at all streams each second, while others wait for the lock.
    private func streams(ofTurn turn: UInt64) -> [LiveSubscription] {
        state.withLock { state in
            var found: [LiveSubscription] = []
            for streams in state.streams.values {
                for (id, stream) in streams where id % Self.heartbeatInterval == turn { found.append(stream) }
            }
            return found
        }
    }

    private var everyStream: [LiveSubscription] {
        state.withLock { state in state.streams.values.flatMap(\.values) }
    }

    /// The open streams of a user.
    func streams(of user: UserID) -> [LiveSubscription] {
        state.withLock { Array(($0.streams[user] ?? [:]).values) }
    }

    /// Opens no more streams, and returns those that are open.
    func drain() -> [LiveSubscription] {
        state.withLock { $0.isDraining = true }
        return everyStream
    }

    /// Ends every stream and opens no more.
    func close() {
        state.withLock { $0.isClosed = true }
        for stream in everyStream { stream.end() }
    }
}
