import CardModel
import ServiceLifecycle
import Synchronization

/// The open live streams, by user.
final class LiveHub: Sendable {
    private struct State {
        var streams: [UserID: [UInt64: LiveStream]] = [:]
        var count = 0
        var nextID: UInt64 = 0
        /// When users with an open stream may have something new though nothing changes.
        var reminders: [UserID: UnixTime] = [:]
        var isClosed = false
    }

    /// How often a stream hears something, in seconds.
    static let heartbeatInterval: UInt64 = 15

    private let state = Mutex(State())

    /// How many streams are open.
    var count: Int { state.withLock { $0.count } }

    /// Opens a stream.
    ///
    /// It starts with `changed`, so that nothing is missed between a sync and the stream.
    func open(for user: UserID, device: String?) -> LiveStream {
        let stream = LiveStream(device: device)
        let id: UInt64? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.nextID += 1
            state.count += 1
            state.streams[user, default: [:]][state.nextID] = stream
            return state.nextID
        }
        guard let id else {
            stream.end()
            return stream
        }
        stream.onEnd { [weak self] in self?.remove(id, of: user) }
        stream.signal(.changed)
        return stream
    }

    private func remove(_ id: UInt64, of user: UserID) {
        state.withLock { state in
            guard state.streams[user]?.removeValue(forKey: id) != nil else { return }
            state.count -= 1
            if state.streams[user]?.isEmpty == true {
                state.streams[user] = nil
                state.reminders[user] = nil
            }
        }
    }

    /// Tells the devices of a user, but not the one that made the change.
    func publish(to user: UserID, except device: String?) {
        let streams = state.withLock { Array(($0.streams[user] ?? [:]).values) }
        for stream in streams where device == nil || stream.device != device { stream.signal(.changed) }
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
    func publishToAll() {
        for stream in everyStream { stream.signal(.changed) }
    }

    /// Gives every stream its heartbeat until the process is shut down, a fifteenth of them each second.
    func beat() async {
        var turn: UInt64 = 0
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(1)) }
            turn = (turn + 1) % Self.heartbeatInterval
            for stream in streams(ofTurn: turn) { stream.signal(.heartbeat) }
        }
        close()
    }

    private func streams(ofTurn turn: UInt64) -> [LiveStream] {
        state.withLock { state in
            state.streams.values.flatMap { $0.filter { $0.key % Self.heartbeatInterval == turn }.values }
        }
    }

    private var everyStream: [LiveStream] {
        state.withLock { state in state.streams.values.flatMap(\.values) }
    }

    /// Ends every stream and opens no more.
    func close() {
        state.withLock { $0.isClosed = true }
        for stream in everyStream { stream.end() }
    }
}
