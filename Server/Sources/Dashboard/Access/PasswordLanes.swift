import CardModel

/// Decides whose password is checked next, and who is turned away.
///
/// A check takes a quarter of a second and 128 MiB, so a flood of guesses makes everybody wait unless it is decided who
/// comes first. Those with a session or a known device do. Of the others comes first whose address, and then
/// whose account at that address, was checked least in the last minute, and of equals who came last: whoever has
/// waited longest among many is one of a flood. So a new address waits for one check at most, whatever others have sent
/// before. A place is always found, by turning away the oldest of those who wait in the largest numbers.
struct PasswordLanes {
    /// The account or address on whose behalf a password is checked.
    enum Caller: Hashable, Sendable {
        /// A member who is signed in, or a browser in which the member was before.
        case known(account: String)
        case stranger(address: String, account: String)

        /// The group that shares a part of the places: an account, or an address.
        fileprivate var group: String {
            switch self {
            case .known(let account): account
            case .stranger(let address, _): address
            }
        }

        fileprivate var isKnown: Bool {
            if case .known = self { true } else { false }
        }
    }

    private struct Job {
        let id: UInt64
        let caller: Caller
        let since: UnixTime
    }

    private struct Check {
        let caller: Caller
        let at: UnixTime
    }

    /// The places for those who are known, and as many for strangers.
    static let places = 64
    /// The places for one address or account.
    static let placesOfGroup = 16
    /// The longest time that anybody waits, in seconds.
    static let patience = 15.0
    /// The time for which a check counts against an address, in seconds.
    private static let memory = 60.0
    /// After so many for those who are known comes a stranger.
    private static let precedence = 3

    private var jobs: [Job] = []
    private var checks: [Check] = []
    private var nextID: UInt64 = 0
    private var streak = 0

    /// Adds a job.
    ///
    /// - Returns: Its id, and the jobs that are turned away for it.
    mutating func add(_ caller: Caller, at now: UnixTime) -> (id: UInt64, refused: [UInt64]) {
        nextID &+= 1
        jobs.append(Job(id: nextID, caller: caller, since: now))
        let pool = jobs.filter { $0.caller.isKnown == caller.isKnown }
        let counts = Dictionary(pool.map { ($0.caller.group, 1) }, uniquingKeysWith: +)
        var crowded: String?
        if counts[caller.group] ?? 0 > Self.placesOfGroup {
            crowded = caller.group
        } else if pool.count > Self.places {
            // safe: what is at most the largest is taken off it
            func rank(_ job: Job) -> (Int, UInt64) { (counts[job.caller.group] ?? 0, .max - job.id) }
            crowded = pool.max { rank($0) < rank($1) }?.caller.group
        }
        guard let oldest = pool.first(where: { $0.caller.group == crowded })?.id else { return (nextID, []) }
        jobs.removeAll { $0.id == oldest }
        return (nextID, [oldest])
    }

    /// Takes the job that comes next.
    ///
    /// - Returns: Its id, or `nil` where none waits, and the jobs that have waited too long.
    mutating func next(at now: UnixTime) -> (id: UInt64?, refused: [UInt64]) {
        let late = jobs.filter { abs(now - $0.since) > Self.patience }.map(\.id)
        jobs.removeAll { late.contains($0.id) }
        checks.removeAll { abs(now - $0.at) > Self.memory }
        let (known, strangers) = (jobs.filter(\.caller.isKnown), jobs.filter { !$0.caller.isKnown })
        let isKnownNext = !known.isEmpty && (streak < Self.precedence || strangers.isEmpty)
        streak = isKnownNext ? streak + 1 : 0
        guard let next = isKnownNext ? firstOfKnown(known) : firstOfStrangers(strangers) else { return (nil, late) }
        jobs.removeAll { $0.id == next.id }
        checks.append(Check(caller: next.caller, at: now))
        return (next.id, late)
    }

    private func firstOfKnown(_ jobs: [Job]) -> Job? {
        let counts = Dictionary(checks.map { ($0.caller, 1) }, uniquingKeysWith: +)
        return jobs.min { (counts[$0.caller] ?? 0, $0.id) < (counts[$1.caller] ?? 0, $1.id) }
    }

    private func firstOfStrangers(_ jobs: [Job]) -> Job? {
        let groups = Dictionary(checks.map { ($0.caller.group, 1) }, uniquingKeysWith: +)
        let pairs = Dictionary(checks.map { ($0.caller, 1) }, uniquingKeysWith: +)
        func rank(_ job: Job) -> (Int, Int, UInt64) {
            // safe: what is at most the largest is taken off it
            (groups[job.caller.group] ?? 0, pairs[job.caller] ?? 0, .max - job.id)
        }
        return jobs.min { rank($0) < rank($1) }
    }
}
