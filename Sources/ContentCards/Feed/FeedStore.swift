import Foundation

/// Holds the feed of the current user and tells subscribers of every change.
///
/// All that happens to a feed happens under one lock, so a reply for one user can never meet the feed of another.
final class FeedStore: Sendable {
    struct State {
        var isLoaded = false
        var isDisabled = false
        var isFinished = false
        var user: ByteString?
        var feed = FeedState()
        /// Whether the file is behind.
        var isDirty = false
        /// Whether the file is behind in the time of the last sync alone, which is not worth writing all cards for.
        var isDated = false
        var subscribers: [Int: AsyncStream<CardFeed>.Continuation] = [:]
        var lastSubscriber = 0
    }

    let state = Locked(State())
    let clock: any ContentCardsClock
    let sink: CardEventSink
    private let expiry: ExpiryTimer

    init(clock: any ContentCardsClock, sink: CardEventSink) {
        self.clock = clock
        self.sink = sink
        expiry = ExpiryTimer(clock: clock)
    }

    /// The feed at this moment.
    var snapshot: CardFeed {
        state.withLock { snapshot(of: $0) }
    }

    var user: String? { state.withLock { $0.user?.text } }

    var lastSync: Date? { state.withLock(\.feed.lastSync) }

    /// Changes the state and publishes the feed when `body` returns true.
    @discardableResult
    func change(_ body: (inout State) -> Bool) -> Bool {
        let (changed, nextExpiry) = state.withLock { state in
            guard body(&state) else { return (false, Date?.none) }
            guard !state.subscribers.isEmpty else { return (true, state.feed.nextExpiry(after: clock.now)) }
            let feed = snapshot(of: state)
            for subscriber in state.subscribers.values { subscriber.yield(feed) }
            return (true, feed.nextExpiry)
        }
        if changed { watchExpiry(nextExpiry) }
        return changed
    }

    func publish() {
        change { $0.isLoaded }
    }

    func finish() {
        expiry.stop()
        let subscribers = state.withLock { state in
            defer { state.subscribers = [:] }
            state.isFinished = true
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.finish() }
    }

    private func watchExpiry(_ date: Date?) {
        expiry.watch(date) { [weak self] in self?.publish() }
    }

    private func snapshot(of state: State) -> CardFeed {
        let now = clock.now
        return CardFeed(
            userID: state.isDisabled ? nil : state.user?.text,
            cards: state.feed.visible(at: now),
            lastSync: state.feed.lastSync,
            nextExpiry: state.feed.nextExpiry(after: now),
            sink: sink
        )
    }
}

extension FeedStore {
    /// Returns a stream that begins with the feed as it is, or as soon as it is loaded, and then has every change.
    ///
    /// A slow reader finds the newest 64 feeds.
    func subscribe() -> AsyncStream<CardFeed> {
        let (stream, continuation) = AsyncStream.makeStream(of: CardFeed.self, bufferingPolicy: .bufferingNewest(64))
        let id = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            state.lastSubscriber += 1
            if state.isLoaded { continuation.yield(snapshot(of: state)) }
            state.subscribers[state.lastSubscriber] = continuation
            return state.lastSubscriber
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.subscribers[id] = nil }
        }
        return stream
    }

    /// Shows what was loaded for a user; `nil` user for nobody.
    func load(user: String?, _ feed: FeedState, isDisabled: Bool) {
        change { state in
            state.isLoaded = true
            state.isDisabled = isDisabled
            state.user = user.map(ByteString.init(_:))
            state.feed = feed
            (state.isDirty, state.isDated) = (false, false)
            return true
        }
    }

    /// Takes a reply, unless the user changed meanwhile.
    ///
    /// A reply without changes is published too.
    func merge(_ reply: SyncReply, user: String) -> Bool {
        change { state in
            guard state.user == ByteString(user), !state.isDisabled else { return false }
            let cursor = state.feed.cursor
            if state.feed.merge(reply, at: clock.now) || !reply.cursor.hasSameBytes(as: cursor) { state.isDirty = true }
            state.isDated = true
            return true
        }
    }

    /// Hands over what has to be written, once.
    ///
    /// - Parameter isLeaving: whether nothing may be left behind, the time of the last sync included.
    /// - Returns: whose feed it is, and the feed; `nil` if the file has it all.
    func takeDirty(isLeaving: Bool) -> (user: String, feed: FeedState)? {
        state.withLock { state in
            guard state.isDirty || isLeaving && state.isDated, let user = state.user else { return nil }
            (state.isDirty, state.isDated) = (false, false)
            return (user.text, state.feed)
        }
    }
}
