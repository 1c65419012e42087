import CardModel
import HTTPTypes
import Synchronization

/// Counts the requests of every key against its limits, on this node.
final class RequestLimiter: Sendable {
    private struct Key: Hashable {
        let key: String
        let group: RateLimit.Group
    }

    /// As many windows as are kept; more keys than a workspace has.
    private static let capacity = 10_000

    private let windows = Mutex<[Key: RateWindow]>([:])

    /// Takes a request of a key and says whether it may go on.
    func take(_ group: RateLimit.Group, of key: Caller, _ settings: Settings, at now: UnixTime) -> RateWindow.Decision {
        let limit = settings.rateLimits[group] ?? group.standard
        return windows.withLock { windows in
            if windows.count >= Self.capacity {
                windows = windows.filter { !$0.value.isOver(limit, at: now) }
                if windows.count >= Self.capacity { windows = [:] }
            }
            return windows[Key(key: key.id, group: group), default: RateWindow(startingAt: now)].take(limit, at: now)
        }
    }
}

extension RateWindow.Decision {
    /// The headers by which a client learns how much it has left.
    var headers: [(name: HTTPField.Name, value: String)] {
        [
            (.rateLimitLimit, String(limit)), (.rateLimitRemaining, String(remaining)),
            (.rateLimitReset, String(resetsAt)),
        ]
    }
}
