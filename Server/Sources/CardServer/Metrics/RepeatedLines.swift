/// Limits how often a line of the log is repeated, so that a failure which every request meets doesn't fill the disk.
///
/// A pure value: lines go in with the time, and what is to be written comes out. Lines are told apart by level and
/// message; what differs in their metadata is in the first ones of each window.
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
    /// The number of different lines that are remembered.
    static let capacity = 256

    private struct Entry: Sendable {
        var start: Double
        var written = 0
        var omitted = 0
    }

    private var entries: [String: Entry] = [:]

    /// Decides about a line.
    ///
    /// - Parameters:
    ///   - line: What tells it apart.
    ///   - now: Seconds of a clock that never goes back.
    /// - Returns: Whether it is written.
    mutating func decide(_ line: String, at now: Double) -> Decision {
        var entry = entries[line] ?? Entry(start: now)
        if now - entry.start >= Self.window { entry = Entry(start: now, omitted: entry.omitted) }
        guard entry.written < Self.burst else {
            // safe: counted one by one
            entry.omitted += 1
            entries[line] = entry
            return .omit
        }
        if entries[line] == nil, entries.count >= Self.capacity { forget(at: now) }
        entry.written += 1
        let omitted = entry.omitted
        entry.omitted = 0
        entries[line] = entry
        return .write(omitted: omitted)
    }

    /// Forgets what wasn't repeated lately, or else everything.
    private mutating func forget(at now: Double) {
        entries = entries.filter { now - $0.value.start < Self.window }
        if entries.count >= Self.capacity { entries = [:] }
    }
}
