package import CardModel

/// The part of the log of events that is there, beside what was given out and counted: events that were deleted by
/// other means leave no trace but that.
package struct EventLogExtent: Sendable, Hashable {
    /// The days, today among them, whose events no pruning has removed whatever the settings were: they keep 31 at
    /// least.
    private static let days = 30.0
    /// Fewer missing events than this are no reason for a warning: some are given out and withdrawn at a limit, or were
    /// two users' who became one.
    private static let negligible: Int64 = 10
    private static let negligiblePositions: Int64 = 100
    /// Past this the positions were moved on, as after a backup took the database's place.
    private static let movedPositions: Int64 = 1 << 40

    /// The last position that was given out.
    package var last: Int64
    /// The greatest position that is kept, or `nil` where no event is.
    package var greatest: Int64?
    /// The number of impressions, clicks and content errors that were counted in the last days, or `nil` where these
    /// weren't looked at.
    package var counted: Int64?
    /// The number of such events that are kept of them.
    package var kept: Int64 = 0
    /// The number of users who were deleted in these days, and their events with them.
    package var recentErasures: Int64 = 0
    /// The number of users who were deleted at any time.
    package var erasures: Int64 = 0
    /// The number of users.
    package var users: Int64 = 0
    /// Whether the settings have old events removed.
    package var isPruned = false

    /// Creates an extent.
    package init(last: Int64, greatest: Int64?) {
        self.last = last
        self.greatest = greatest
    }

    /// The types of the events that are compared: each of them is counted, however often a card has it.
    package static let types = ["impression", "click", "content_error"]

    /// Returns the first of the days that end with a moment's, in UTC.
    package static func firstDay(at now: UnixTime) -> Int64 { Int64(Day(of: now - (days - 1) * 86_400).number) }

    /// Returns the finding of a doctor.
    ///
    /// - Parameter restoration: The command that brings back a backup.
    /// - Returns: A warning where events are missing for no reason that is known.
    package func finding(restoration: String) -> StoreFinding {
        guard let reason = lack else {
            let words = counted == nil ? "not compared with what was counted without --full" : "as many as were counted"
            return StoreFinding(level: .good, subject: "events", message: words)
        }
        return StoreFinding(
            level: .warning,
            subject: "events",
            message: "\(reason) Neither pruning nor deleted users explain that: events were deleted by other means. "
                + "Reports have them; exports, the webhook and activity lack them. A backup may have them.",
            command: restoration
        )
    }

    private var lack: String? {
        if let counted, let missing = missing(of: counted) {
            return "Of \(counted) impressions, clicks and content errors that were counted in the last 30 days, "
                + "\(missing) aren't in the log of events."
        }
        guard let gap = missingPositions else { return nil }
        return "The log of events gave out position \(last), and lacks the last \(Quantity.text(gap, "event"))."
    }

    private func missing(of counted: Int64) -> Int64? {
        let (missing, overflows) = counted.subtractingReportingOverflow(kept)
        guard !overflows, missing >= Self.negligible else { return nil }
        guard recentErasures > 0 else { return missing >= counted / 10 ? missing : nil }
        // Those who were deleted may have had many; half of all is too much where they are few.
        return missing >= counted / 2 && recentErasures <= users / 10 ? missing : nil
    }

    private var missingPositions: Int64? {
        let (gap, overflows) = last.subtractingReportingOverflow(greatest ?? 0)
        guard !overflows, (Self.negligiblePositions..<Self.movedPositions).contains(gap), erasures == 0 else {
            return nil
        }
        // Where all is gone and the settings remove what is old, it may have been old.
        guard let greatest else { return isPruned ? nil : gap }
        return gap >= greatest / 10 ? gap : nil
    }
}
