import CardModel
import Synchronization

/// One open live stream: signals that wait to be written.
///
/// However many signals come while the app reads slowly, at most one of each kind waits, and a heartbeat never takes
/// the place of a change.
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
    private let waiting = Mutex(Waiting())
    private let wakeups: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    private struct Waiting {
        var isChanged = false
        var isHeartbeat = false
        var isReconnect = false
    }

    init(device: String?, client: ClientKey? = nil, grant: LiveGrant = LiveGrant()) {
        self.device = device
        self.client = client
        rights = Mutex(grant)
        (wakeups, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Runs when the stream has ended, for whatever reason.
    func onEnd(_ body: @escaping @Sendable () -> Void) {
        continuation.onTermination = { _ in body() }
    }

    func signal(_ signal: Signal) {
        waiting.withLock { waiting in
            switch signal {
            case .changed: waiting.isChanged = true
            case .heartbeat: waiting.isHeartbeat = true
            case .reconnect: waiting.isReconnect = true
            }
        }
        continuation.yield()
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

    /// Ends the stream.
    func end() { continuation.finish() }

    /// The signals in their order, until the stream ends.
    var signals: some AsyncSequence<Signal, Never> & Sendable {
        wakeups.compactMap { [self] in take() }
    }

    /// The next signal.
    ///
    /// A change is news enough to stand for a heartbeat too, and whoever reconnects is told of a change first.
    @Sendable private func take() -> Signal? {
        waiting.withLock { waiting in
            defer { waiting = Waiting() }
            if waiting.isReconnect { return .reconnect }
            if waiting.isChanged { return .changed }
            return waiting.isHeartbeat ? .heartbeat : nil
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
