import CardModel

/// The users with a live stream who couldn't be looked for, because the store failed.
///
/// A pure value. They are looked for again at growing intervals, and not for ever: a user who was deleted would keep a
/// stream for as long as the store fails for it.
struct UnreviewedUsers: Sendable {
    /// The number of attempts after the first before a user's streams end.
    static let attempts = 5
    /// The time before the second attempt, in seconds; each later one waits twice as long.
    static let pause = 1.0

    private struct Attempt: Sendable {
        /// The number of attempts that have failed.
        var failures = 0
        /// The time of the next one, or `nil` until the time is known.
        var due: UnixTime?
    }

    private var users: [UserID: Attempt] = [:]

    /// Notes that a user couldn't be looked for.
    mutating func note(_ user: UserID) {
        users[user, default: Attempt()].failures += 1
        users[user]?.due = nil
    }

    /// Notes that a user wasn't looked for, because too many others couldn't be.
    mutating func postpone(_ user: UserID) { users[user, default: Attempt()].due = nil }

    /// Forgets a user who was looked for, or has no stream any more.
    mutating func forget(_ user: UserID) { users[user] = nil }

    /// Takes the users who are due, and those who were looked for too often, who are forgotten.
    mutating func take(at now: UnixTime) -> (due: [UserID], over: [UserID]) {
        var (due, over): ([UserID], [UserID]) = ([], [])
        for (user, attempt) in users {
            if attempt.failures > Self.attempts {
                over.append(user)
                users[user] = nil
            } else if let time = attempt.due {
                if time <= now { due.append(user) }
            } else {
                // safe: at most the number of attempts
                let doublings = max(0, attempt.failures - 1)
                // safe: not below zero
                users[user]?.due = now + (0..<doublings).reduce(Self.pause) { pause, _ in pause * 2 }
            }
        }
        return (due, over)
    }
}

/// The outcome of looking for users one after another.
///
/// A pure value. Each who can't be looked for may take as long as a connection to a store that is away, and whoever
/// looks for thousands does nothing else in that time.
struct ReviewPass: Sendable {
    /// The number of failures after which others are left for the next time.
    static let failureLimit = 8

    private var failures = 0
    private var isAnswered = false

    /// Notes that the store has answered for a user.
    mutating func noteAnswer() { isAnswered = true }

    /// Notes that the store has failed for a user.
    mutating func noteFailure() {
        failures += 1
    }

    /// Whether others are left for the next time.
    var isOver: Bool { failures >= Self.failureLimit }

    /// Whether the store has answered for none, so that it fails for the others, too.
    var isStoreAway: Bool { isOver && !isAnswered }
}
