/// A limit on attempts at something that can be guessed, such as a password.
///
/// Each subject has some attempts for free; after that the wait doubles with each, up to ``longestWait``. Attempts are
/// forgotten after a day without any.
public struct AttemptLimit: Sendable, Hashable {
    /// The longest wait between two attempts, in seconds.
    public static let longestWait = 900.0
    /// The time after which attempts are forgotten if there was none, in seconds.
    public static let memory = 86_400.0

    /// The number of attempts that cost no wait.
    public let free: Int

    /// Creates a limit.
    public init(free: Int) { self.free = free }

    /// Returns the seconds until another attempt is permitted, or 0.
    public func wait(after attempts: AttemptCount?, at now: UnixTime) -> Double {
        guard let attempts = attempts?.remembered(at: now), attempts.count >= free else { return 0 }
        let doublings = min(attempts.count - max(0, free), 10)
        let wait = min(Self.longestWait, 5 * Double(1 << doublings))
        // A last attempt further ahead than that was noted before the clock was set back, which locks nobody out; of
        // one just ahead, another node's clock is.
        guard attempts.lastAt <= now + wait else { return 0 }
        return max(0, min(attempts.lastAt, now) + wait - now)
    }
}

/// A count of attempts without success.
public struct AttemptCount: Sendable, Hashable {
    /// The largest number that is told apart.
    public static let largest = 1_000_000

    /// The number of attempts, 0 to ``largest``.
    public let count: Int
    /// The time of the last attempt.
    public let lastAt: UnixTime

    /// Creates a count.
    public init(count: Int, lastAt: UnixTime) {
        self.count = min(max(0, count), Self.largest)
        self.lastAt = lastAt
    }

    /// The count, or `nil` if it is forgotten by now.
    fileprivate func remembered(at now: UnixTime) -> AttemptCount? {
        now - lastAt < AttemptLimit.memory ? self : nil
    }

    /// Returns the count after one more attempt.
    public static func adding(to attempts: AttemptCount?, at now: UnixTime) -> AttemptCount {
        AttemptCount(count: (attempts?.remembered(at: now)?.count ?? 0) + 1, lastAt: now)
    }

    /// Returns the count without an attempt that succeeded, or `nil` if none is left.
    public func removingOne() -> AttemptCount? { count > 1 ? AttemptCount(count: count - 1, lastAt: lastAt) : nil }
}

/// Something whose attempts are counted, such as an account at one address.
public struct AttemptSubject: Sendable, Hashable {
    /// The effect of a success on the count, and the clients that its wait holds for.
    public enum Scope: Sendable, Hashable {
        /// Of one who tries: a success clears the count.
        case own
        /// Of many: a success takes back its own attempt alone.
        case shared
        /// Of many, and without a wait for those whose ``own`` count is still below ``newcomerAttempts``.
        ///
        /// So the failures of others slow those down who keep failing, and lock nobody out.
        case sharedExceptNewcomers
    }

    /// The number of attempts that ``Scope/sharedExceptNewcomers`` leaves to each newcomer.
    public static let newcomerAttempts = 3

    /// A hash of what is counted; the store knows nothing else of it.
    public let hash: [UInt8]
    /// The limit.
    public let limit: AttemptLimit
    /// The scope.
    public let scope: Scope

    /// Creates a subject.
    public init(hash: [UInt8], limit: AttemptLimit, scope: Scope) {
        self.hash = hash
        self.limit = limit
        self.scope = scope
    }
}

/// An attempt at something that can be guessed, with everything that it is counted for.
public struct GuessAttempt: Sendable, Hashable {
    /// The subjects that the attempt is counted for.
    public let subjects: [AttemptSubject]

    /// Creates an attempt.
    public init(_ subjects: [AttemptSubject]) { self.subjects = subjects }

    /// Decides whether the attempt is permitted.
    ///
    /// - Parameters:
    ///   - counts: What was counted for the subjects, by their hashes.
    ///   - now: The moment.
    /// - Returns: The seconds until it is, or 0.
    public func wait(_ counts: [[UInt8]: AttemptCount], at now: UnixTime) -> Double {
        let own = subjects.filter { $0.scope == .own }.map { subject in
            counts[subject.hash]?.remembered(at: now)?.count ?? 0
        }
        let isNewcomer = (own.max() ?? 0) < AttemptSubject.newcomerAttempts
        return subjects.filter { !isNewcomer || $0.scope != .sharedExceptNewcomers }
            .map { $0.limit.wait(after: counts[$0.hash], at: now) }.max() ?? 0
    }

    /// Returns what is left of a subject's count once the attempt is taken back, or `nil` where nothing is.
    ///
    /// - Parameters:
    ///   - count: What was counted for the subject; it is only read where that matters.
    ///   - hash: The subject's hash.
    ///   - clearing: Whether the attempt has succeeded, which clears the count of a subject of its own.
    /// - Returns: The count.
    public func rest(
        of count: @autoclosure () throws -> AttemptCount?,
        for hash: [UInt8],
        clearing: Bool
    ) rethrows -> AttemptCount? {
        if clearing, subjects.contains(where: { $0.hash == hash && $0.scope == .own }) { return nil }
        return try count()?.removingOne()
    }
}
