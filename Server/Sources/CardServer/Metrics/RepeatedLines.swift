/// Limits how often a line of the log is repeated, so that a failure which every request meets doesn't fill the disk.
///
/// A pure value: lines go in with the time, and what is to be written comes out. Lines are told apart by level and
/// message; what differs in their metadata is in the first ones of each window. Lines of one kind differ in what a
/// client chooses, such as its address, and have a limit together: whoever has many addresses has no more of the log,
/// and takes nothing from lines of other kinds.
struct RepeatedLines: Sendable {
    /// A decision about a line.
    enum Decision: Sendable, Equatable {
        /// It is written; before it, how many like it were left out since the last one that was written, if any.
        case write(omitted: Int)
        /// It is left out.
        case omit
    }

    /// The length of a window, in seconds.
    static let window = 10.0
    /// The number of like lines that are written in a window.
    static let burst = 10
    /// The number of lines of one kind that are written in a window.
    static let kindBurst = 300
    /// The number of different lines that are remembered; others are limited by their kind alone.
    static let capacity = 2_048
    /// The number of kinds that are remembered; others count as one.
    static let kindCapacity = 64

    private struct Count: Sendable {
        var start: Double
        var written = 0
        var omitted = 0

        /// Begins the next window where this one is over; what was left out is yet to be told.
        mutating func advance(to now: Double) {
            if now - start >= RepeatedLines.window { self = Count(start: now, omitted: omitted) }
        }
    }

    private struct Line: Sendable {
        var kind: String
        var count: Count
    }

    /// The kind of lines for whose own kind there is no room; no message is empty.
    private static let otherKinds = ""

    private var lines: [String: Line] = [:]
    private var kinds: [String: Count] = [:]
    /// The time at which lines are next looked through for such as can be forgotten.
    private var forgettingFrom = -Double.infinity
    /// The number of times that all lines were looked through.
    private(set) var searches = 0

    /// Decides about a line.
    ///
    /// - Parameters:
    ///   - line: What tells it apart.
    ///   - kind: What it has in common with lines that differ in what a client chooses.
    ///   - now: Seconds of a clock that never goes back.
    /// - Returns: Whether it is written.
    mutating func decide(_ line: String, of kind: String, at now: Double) -> Decision {
        let kind = kindWithRoom(kind, at: now)
        if lines[line] == nil, lines.count >= Self.capacity, now >= forgettingFrom { forgetLines(at: now) }
        var own = lines[line] ?? Line(kind: kind, count: Count(start: now))
        own.count.advance(to: now)
        guard own.count.written < Self.burst else {
            // safe: counted one by one
            own.count.omitted += 1
            lines[line] = own
            return .omit
        }
        var all = kinds[kind] ?? Count(start: now)
        all.advance(to: now)
        guard all.written < Self.kindBurst else {
            // safe: counted one by one
            all.omitted += 1
            kinds[kind] = all
            return .omit
        }
        // safe: both count lines one by one
        let omitted = own.count.omitted + all.omitted
        own.count.omitted = 0
        all.omitted = 0
        own.count.written += 1
        all.written += 1
        kinds[kind] = all
        if lines[line] != nil || lines.count < Self.capacity { lines[line] = own }
        return .write(omitted: omitted)
    }

    /// Returns the kind for which a line counts.
    private mutating func kindWithRoom(_ kind: String, at now: Double) -> String {
        if kinds[kind] != nil || kinds.count < Self.kindCapacity { return kind }
        for (other, count) in kinds where now - count.start >= Self.window && other != Self.otherKinds {
            kinds[other] = nil
            note(count.omitted, of: Self.otherKinds, at: now)
        }
        return kinds.count < Self.kindCapacity ? kind : Self.otherKinds
    }

    /// Forgets what wasn't repeated lately; how much of it was left out is told by the next line of its kind.
    ///
    /// Once a second at most: a flood of different lines, none of which can be forgotten yet, would else look through
    /// all of them for each.
    private mutating func forgetLines(at now: Double) {
        forgettingFrom = now + 1
        searches += 1
        for (text, line) in lines where now - line.count.start >= Self.window {
            lines[text] = nil
            note(line.count.omitted, of: kinds[line.kind] == nil ? Self.otherKinds : line.kind, at: now)
        }
    }

    /// Has the next line of a kind tell of lines that were left out.
    private mutating func note(_ omitted: Int, of kind: String, at now: Double) {
        guard omitted > 0 else { return }
        // safe: both count lines one by one
        kinds[kind, default: Count(start: now)].omitted += omitted
    }
}
