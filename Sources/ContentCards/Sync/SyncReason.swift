/// Says why a feed is refreshed.
public enum SyncReason: String, Sendable, Hashable, CaseIterable {
    /// A session began.
    case sessionStart = "session_start"
    /// A user was identified.
    case identify
    /// A feed came on screen; refreshes only when the last sync is older than the cache timeout.
    case feedOpened = "feed_opened"
    /// The user pulled the feed.
    case pulled
    /// The server said that something changed.
    case live
    /// A push message said that something changed.
    case push
    /// The system gave the app time in the background.
    case background
    /// The app asked for it.
    case manual

    /// Whether the refresh takes a token from the device's budget.
    ///
    /// All do but the live signal, which the server itself sends, and which has a pace of its own: a refresh by hand
    /// too, since an app that calls it in a loop is what the budget is there for.
    var isBudgeted: Bool { self != .live }

    /// Whether a caller waits for it, so that a delay after failures does not hold it back.
    var isUrgent: Bool {
        switch self {
        case .pulled, .manual, .identify, .feedOpened, .push, .background: true
        case .sessionStart, .live: false
        }
    }
}
