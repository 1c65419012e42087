import Foundation

/// Decides when a session begins: after more than a short stay in the background, for another user, and after content
/// cards were disabled; by itself in the foreground alone.
struct SessionState: Sendable, Equatable {
    let timeout: TimeInterval
    private(set) var isOpen = false
    private var user: CurrentUser?
    /// Whether the app is in the foreground; `nil` until that is known.
    private(set) var isInForeground: Bool?
    private var enteredAt: TimeInterval = -.infinity
    private var leftAt: TimeInterval?

    init(timeout: TimeInterval, isInForeground: Bool? = nil) {
        self.timeout = timeout
        self.isInForeground = isInForeground
    }

    /// The app was launched, in the foreground or in the background, unless something newer is known.
    mutating func launch(isInForeground: Bool) {
        guard self.isInForeground == nil else { return }
        self.isInForeground = isInForeground
    }

    /// The app came to the foreground, with or without a user.
    mutating func comeToForeground(at uptime: TimeInterval) {
        isInForeground = true
        enteredAt = uptime
    }

    /// The app is in use by a user.
    ///
    /// Returns whether that is a new session.
    mutating func enter(user: CurrentUser, at uptime: TimeInterval) -> Bool {
        let continues = self.user == user && (isOpen || leftAt.map { uptime - $0 <= timeout } == true)
        comeToForeground(at: uptime)
        isOpen = true
        self.user = user
        leftAt = nil
        return !continues
    }

    /// The app is not in use any more since an uptime.
    ///
    /// Returns false where it came into use again after that: the news is late.
    @discardableResult
    mutating func leave(at uptime: TimeInterval) -> Bool {
        guard uptime >= enteredAt else { return false }
        isInForeground = false
        guard isOpen else { return true }
        isOpen = false
        leftAt = uptime
        return true
    }
}
