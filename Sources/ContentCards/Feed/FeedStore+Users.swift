import Foundation

// The file work is done under the lock: no reply and no log call may come in between.
extension FeedStore {
    /// Shows what was kept of the last launch.
    func open(_ device: DeviceRecord, _ feed: FeedState) {
        change { state in
            state.isLoaded = true
            state.device = device
            state.show(feed)
            return true
        }
    }

    /// Shows what was kept of the last launch, which could not be read until now, for the user that was named since.
    ///
    /// - Parameters:
    ///   - read: reads the record of the device; it is told whether all data were wiped since the launch.
    ///   - load: reads a user's feed.
    /// - Returns: whether a user was named since the launch.
    func reopen(read: (_ isWiped: Bool) -> DeviceRecord?, load: (String) -> FeedState) -> Bool {
        var isNamed = false
        change { state in
            let (isWiped, named) = (state.wipes > 0, state.device.user)
            let kept = read(isWiped)
            let isDisabled = state.choice ?? kept?.isDisabled ?? false
            state.recovered = isWiped ? nil : kept
            state.device = state.device.merged(into: state.recovered, isDisabled: isDisabled, at: clock.now)
            state.show(isDisabled ? FeedState() : state.device.user.map(load) ?? FeedState())
            isNamed = named != nil
            return true
        }
        return isNamed
    }

    /// Shows another user's feed.
    ///
    /// Returns false if it is the one who is shown already; a token is kept for the engine even then.
    func switchUser(
        to user: String,
        token: String? = nil,
        load: (String) -> FeedState,
        save: (String, FeedState) -> Void,
        cleanUp: (DeviceRecord) -> Void = { _ in }
    ) -> Bool {
        change { state in
            if let token { state.tokens.append(GivenToken(user: BytewiseText(user), token: token)) }
            guard !state.device.user.hasSameBytes(as: user) else { return false }
            if let old = state.device.user, state.isDirty || state.isDated { save(old, state.feed) }
            state.device.formerUsers.change(from: state.device.user, to: user, at: clock.now)
            state.device.user = user
            state.show(state.isDisabled ? FeedState() : load(user))
            cleanUp(state.device)
            return true
        }
    }

    /// Shows nobody's feed on a device with another id, and forgets what else was kept about it.
    ///
    /// Nobody else's feed is loaded until `remove` has returned, which is told how many wipes there were with this one.
    func forgetUser(deviceID: String, remove: (_ wipes: Int) -> Void = { _ in }) {
        change { state in
            // safe: counts what one process was told
            state.wipes += 1
            state.device = DeviceRecord(deviceID: deviceID, isDisabled: state.device.isDisabled)
            state.tokens = []
            state.show(FeedState())
            remove(state.wipes)
            return true
        }
    }

    /// Shows no cards until content cards are enabled again.
    func disable() {
        change { state in
            state.choice = true
            state.device.isDisabled = true
            state.show(FeedState())
            return true
        }
    }

    /// Shows the feed of the current user again.
    func enable(load: (String) -> FeedState) {
        change { state in
            state.choice = false
            guard state.isDisabled else { return false }
            state.device.isDisabled = false
            state.show(state.device.user.map(load) ?? FeedState())
            return true
        }
    }

    /// Notes how many refreshes the device has left.
    func note(_ budget: RefreshBudget) {
        state.withLock { $0.device.budget = budget }
    }

    /// Notes until when the server asked to be left alone.
    func note(_ pause: RequestPause) {
        state.withLock { $0.device.pause = pause }
    }

    /// Returns the position at which the next sync continues, for a request that was made after so many changes of
    /// user.
    func cursor(generation: Int) -> String? {
        state.withLock { $0.generation == generation ? $0.feed.cursor(at: clock.now) : nil }
    }
}
