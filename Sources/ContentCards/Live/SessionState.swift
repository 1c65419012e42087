import Foundation

/// Decides when a session begins: after more than a short stay in the background, for another user, and after content
/// cards were disabled.
struct SessionState: Sendable, Equatable {
    let timeout: TimeInterval
    private(set) var isOpen = false
    private var user: CurrentUser?
    private var enteredAt: TimeInterval = -.infinity
    private var leftAt: TimeInterval?

    init(timeout: TimeInterval) {
        self.timeout = timeout
    }

    /// The app is in use by a user.
    ///
    /// Returns whether that is a new session.
    mutating func enter(user: CurrentUser, at uptime: TimeInterval) -> Bool {
        let continues = self.user == user && (isOpen || leftAt.map { uptime - $0 <= timeout } == true)
        isOpen = true
        self.user = user
        enteredAt = uptime
        leftAt = nil
        return !continues
    }

    /// The app is not in use any more since an uptime.
    ///
    /// Returns false where it came into use again after that: the news is late.
    @discardableResult
    mutating func leave(at uptime: TimeInterval) -> Bool {
        guard uptime >= enteredAt else { return false }
        guard isOpen else { return true }
        isOpen = false
        leftAt = uptime
        return true
    }
}
