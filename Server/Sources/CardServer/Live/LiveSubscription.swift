import CardModel
import Synchronization

/// One open live stream: signals that wait to be written.
///
/// However many signals come while the app reads slowly, at most one of each kind waits, and a heartbeat never takes
/// the place of a change. Who writes is woken, and takes what waits then.
final class LiveSubscription: Sendable {
    /// A signal that a stream is told.
    enum Signal: Sendable {
        case changed
        case heartbeat
        /// The stream ends; another node takes it.
        case reconnect
    }

    let device: String?
    /// The address that it counts for.
    let client: ClientKey?
    /// The right of the device to it.
    var grant: LiveGrant { rights.withLock { $0 } }
    private let rights: Mutex<LiveGrant>
    private let state = Mutex(State())

    /// The next thing that a stream has to write.
    enum Next: Sendable, Equatable {
        case signal(Signal)
        /// Nothing for now: whoever writes is woken once there is something.
        case nothing
        /// Nothing ever more.
        case end
    }

    private struct State {
        var isChanged = false
        var isHeartbeat = false
        var isReconnect = false
        var hasEnded = false
        /// Whether whoever writes was woken, and hasn't found that there is nothing more.
        var isAwake = false
        /// Wakes whoever writes.
        var wake: (@Sendable () -> Void)?
        var onEnd: (@Sendable () -> Void)?

        /// Returns what wakes whoever writes, unless that is awake already.
        mutating func waking() -> (@Sendable () -> Void)? {
            guard !isAwake, let wake else { return nil }
            isAwake = true
            return wake
        }
    }

    init(device: String?, client: ClientKey? = nil, grant: LiveGrant = LiveGrant()) {
        self.device = device
        self.client = client
        rights = Mutex(grant)
    }

    /// Runs once the stream has ended, for whatever reason; at once where it has.
    func onEnd(_ body: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.onEnd = body }
            return state.hasEnded
        }
        if hasEnded { body() }
    }

    /// Notes a signal, and wakes whoever writes; a stream that has ended takes none.
    func signal(_ signal: Signal) {
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.hasEnded else { return nil }
            switch signal {
            case .changed: state.isChanged = true
            case .heartbeat: state.isHeartbeat = true
            case .reconnect: state.isReconnect = true
            }
            return state.waking()
        }
        wake?()
    }

    /// Takes over who writes: `wake` is called once there is something to write, which may be at once, and not again
    /// before ``takeNext()`` has said that there is nothing.
    func attach(_ wake: @escaping @Sendable () -> Void) {
        let hasSome = state.withLock { state in
            state.wake = wake
            state.isAwake = state.hasEnded || state.isChanged || state.isHeartbeat || state.isReconnect
            return state.isAwake
        }
        if hasSome { wake() }
    }

    /// Whether both are of one device; devices that don't say who they are never are.
    func isOfSameDevice(as other: LiveSubscription) -> Bool {
        guard let device, let other = other.device else { return false }
        return device.utf8.elementsEqual(other.utf8)
    }

    /// Takes over until when the right to the stream lasts.
    func renew(until expiry: UnixTime) { rights.withLock { $0.expiresAt = expiry } }

    /// Returns whether the stream is of the user who was created at a moment, or `nil` for a user who isn't known.
    ///
    /// A stream that was opened before its user was known belongs to the first one that is seen.
    func isOfUser(createdAt: UnixTime?) -> Bool {
        rights.withLock { grant in
            guard let known = grant.userCreatedAt else {
                grant.userCreatedAt = createdAt
                return true
            }
            return known == createdAt
        }
    }

    /// Releases the writer, which writes nothing more.
    func detach() {
        // What the writer alone holds is released with it, outside the lock.
        let wake = state.withLock { state in
            defer { state.wake = nil }
            return state.wake
        }
        withExtendedLifetime(wake) {}
    }

    /// Ends the stream; what waits to be written still is.
    func end() {
        let (wake, onEnd) = state.withLock { state -> ((@Sendable () -> Void)?, (@Sendable () -> Void)?) in
            guard !state.hasEnded else { return (nil, nil) }
            state.hasEnded = true
            defer { state.onEnd = nil }
            return (state.waking(), state.onEnd)
        }
        onEnd?()
        wake?()
    }

    /// Takes what is to be written next.
    ///
    /// A change is news enough to stand for a heartbeat too, and whoever reconnects is told of a change first.
    func takeNext() -> Next {
        state.withLock { state in
            defer { (state.isChanged, state.isHeartbeat, state.isReconnect) = (false, false, false) }
            if state.isReconnect { return .signal(.reconnect) }
            if state.isChanged { return .signal(.changed) }
            if state.isHeartbeat { return .signal(.heartbeat) }
            state.isAwake = false
            // Nothing is told after the end, so what writes isn't kept any longer.
            if state.hasEnded { state.wake = nil }
            return state.hasEnded ? .end : .nothing
        }
    }
}

/// Keeps a place among the open streams until it is released, so that none is lost with an answer that is never
/// written.
final class LivePlace: Sendable {
    let stream: LiveSubscription

    init(_ stream: LiveSubscription) { self.stream = stream }

    deinit { stream.end() }
}
