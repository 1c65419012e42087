import Foundation

/// Holds the current user and their feed, and tells subscribers of every change.
///
/// It is the one owner of who the user is. All that happens to a feed happens under one lock, so a reply for one user
/// can never meet the feed of another.
final class FeedStore: Sendable {
    struct State {
        var isLoaded = false
        var isFinished = false
        /// The record that is kept about the device; its user is the current one.
        var device = DeviceRecord(deviceID: "")
        var generation = 0
        var wipes = 0
        /// Whether the app has disabled content cards since the launch; `nil` where it has said nothing of that.
        var choice: Bool?
        /// The record of the disk where that could not be read at the launch, until the engine takes it.
        var recovered: DeviceRecord?
        /// The tokens that came with users and that the engine has not taken yet.
        var tokens: [GivenToken] = []
        var feed = FeedState()
        /// Whether the file is behind.
        var isDirty = false
        /// Whether the file is behind in the time of the last sync alone, which is not worth writing all cards for.
        var isDated = false
        var subscribers: [Int: AsyncStream<CardFeed>.Continuation] = [:]
        var lastSubscriber = 0

        var isDisabled: Bool { device.isDisabled }
        var user: BytewiseText? { device.user.map(BytewiseText.init(_:)) }
        var current: CurrentUser {
            CurrentUser(id: user, isEnabled: !isDisabled, generation: generation, wipes: wipes)
        }

        /// Shows the feed of whoever is the user now, which the file has all of.
        mutating func show(_ feed: FeedState) {
            generation += 1
            self.feed = feed
            (isDirty, isDated) = (false, false)
        }
    }

    let state = Locked(State())
    let clock: any ContentCardsClock
    let sink: CardEventSink
    let expiry: ExpiryTimer

    init(clock: any ContentCardsClock, sink: CardEventSink) {
        self.clock = clock
        self.sink = sink
        expiry = ExpiryTimer(clock: clock)
    }

    /// The feed at this moment.
    var snapshot: CardFeed {
        state.withLock { snapshot(of: $0) }
    }

    var user: String? { state.withLock(\.device.user) }

    /// The current user; everything else works for them.
    var current: CurrentUser { state.withLock(\.current) }

    /// Takes the tokens that came with users, and returns the current user of the same moment.
    ///
    /// Work for a user begins with their token, or a request would go without it.
    func takeTokens() -> (current: CurrentUser, tokens: [GivenToken]) {
        state.withLock { state in
            defer { state.tokens = [] }
            return (state.current, state.tokens)
        }
    }

    /// Takes the record of the disk where that could not be read at the launch.
    func takeRecovered() -> DeviceRecord? {
        state.withLock { state in
            defer { state.recovered = nil }
            return state.recovered
        }
    }

    /// The feed that is shown, and its user; `nil` while there is none to show.
    var shown: (user: String, feed: FeedState)? {
        state.withLock { state in
            guard state.isLoaded, !state.isDisabled, let user = state.device.user else { return nil }
            return (user, state.feed)
        }
    }

    /// The record that is kept about the device, the current user included.
    var device: DeviceRecord { state.withLock(\.device) }

    var lastSync: Date? { state.withLock(\.feed.lastSync) }

    /// Changes the state and publishes the feed when `body` returns true.
    ///
    /// The timer is set under the lock: of two changes, the later one decides what it waits for.
    @discardableResult
    func change(_ body: (inout State) -> Bool) -> Bool {
        state.withLock { state in
            guard body(&state) else { return false }
            watchExpiry(of: state, notifySubscribers(of: state))
            return true
        }
    }

    /// Gives subscribers the feed, and returns it where there are any.
    private func notifySubscribers(of state: State) -> CardFeed? {
        guard !state.subscribers.isEmpty else { return nil }
        let feed = snapshot(of: state)
        for subscriber in state.subscribers.values { subscriber.yield(feed) }
        return feed
    }

    func publish() {
        change { $0.isLoaded }
    }

    func finish() {
        let subscribers = state.withLock { state in
            defer { state.subscribers = [:] }
            state.isFinished = true
            expiry.stop()
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.finish() }
    }

    private func watchExpiry(of state: State, _ feed: CardFeed?) {
        guard !state.isFinished else { return }
        let date: Date? = feed.map(\.nextExpiry) ?? state.feed.nextExpiry(after: clock.now)
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

    /// Takes a reply to a request that was made after so many changes of user, unless there was one more since.
    ///
    /// A reply without changes is published too.
    func merge(_ reply: SyncReply, generation: Int) -> Bool {
        change { state in
            guard state.user != nil, state.generation == generation, !state.isDisabled else { return false }
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
