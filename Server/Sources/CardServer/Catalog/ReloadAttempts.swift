import CardModel

/// The times at which a store that could not be read is read again.
struct ReloadAttempts: Sendable, Hashable {
    /// The longest pause, in seconds.
    static let longestPause = 30.0

    private var pause: Double = 0
    private var next = -UnixTime.infinity

    /// Returns whether to try now, where the last attempt failed: at once the first time, then after 1, 2, 4 … 30
    /// seconds.
    mutating func isDue(isStale: Bool, at now: UnixTime) -> Bool {
        guard isStale else {
            self = ReloadAttempts()
            return false
        }
        // A clock that was set back must not keep keys that were revoked.
        guard now >= next || next - now > Self.longestPause else { return false }
        pause = min(max(pause * 2, 1), Self.longestPause)
        next = now + pause
        return true
    }
}
