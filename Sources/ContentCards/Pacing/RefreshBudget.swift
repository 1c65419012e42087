import Foundation

/// A token bucket for refreshes, shared by the users of a device and kept over launches.
///
/// It runs on the wall clock, because it outlives the process. A clock that is set back costs at most one interval:
/// the bucket starts to count again from the new time.
struct RefreshBudget: Sendable, Equatable, Codable {
    /// Always usable, so that sums with it fit.
    private(set) var limit: RefreshLimit
    private(set) var tokens: Int
    /// The time at which the token that is now coming back began to come back.
    private(set) var since: Date

    init(limit: RefreshLimit = .standard, at now: Date) {
        self.limit = limit
        tokens = limit.burst
        since = now
    }

    /// Reads what was kept; a limit that cannot be meant is the usual one again.
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let kept = try fields.decode(RefreshLimit.self, forKey: .limit)
        limit = kept.isUsable ? kept : .standard
        tokens = min(max(try fields.decode(Int.self, forKey: .tokens), 0), limit.burst)
        since = try fields.decode(Date.self, forKey: .since)
    }

    private enum CodingKeys: String, CodingKey {
        case limit, tokens, since
    }

    /// Takes a token.
    ///
    /// Returns `nil` if there was one, or else the seconds until there is one.
    mutating func take(at now: Date) -> TimeInterval? {
        refill(at: now)
        guard tokens > 0 else { return max(0, limit.seconds - now.timeIntervalSince(since)) }
        if tokens == limit.burst { since = now }
        // safe: there was one
        tokens -= 1
        return nil
    }

    /// Gives back the token of a refresh that never left the device.
    mutating func giveBack() {
        // safe: there are no more than the burst
        tokens = min(limit.burst, tokens + 1)
    }

    /// Takes over what the server says.
    ///
    /// A larger burst gives the difference at once.
    mutating func adopt(_ new: RefreshLimit, at now: Date) {
        guard new != limit, new.isUsable else { return }
        refill(at: now)
        // safe: bursts that are usable are small, and there are no more tokens than that
        tokens = max(0, min(new.burst, tokens + new.burst - limit.burst))
        limit = new
    }

    private mutating func refill(at now: Date) {
        let elapsed = now.timeIntervalSince(since)
        guard elapsed >= 0 else {
            since = now
            return
        }
        guard limit.seconds > 0 else {
            tokens = limit.burst
            return
        }
        let earned = min(Double(limit.burst), (elapsed / limit.seconds).rounded(.down))
        guard earned >= 1 else { return }
        // safe: no more was earned than the burst, which is small
        tokens = min(limit.burst, tokens + Int(earned))
        since = tokens == limit.burst ? now : since.addingTimeInterval(earned * limit.seconds)
    }
}
