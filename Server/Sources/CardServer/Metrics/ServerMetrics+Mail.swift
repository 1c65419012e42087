import CardModel
import CardStore

/// The result of a message to a member.
enum MailResult: String, CaseIterable, Sendable {
    /// The mail server has taken it.
    case sent
    /// An attempt has failed, and is made again.
    case failed
    /// The mail server will never take it.
    case rejected
    /// It was not sent in time.
    case expired
    /// Too many waited, or whoever caused it caused too many.
    case dropped
}

extension ServerMetrics {
    /// Counts messages, or attempts that failed.
    func countMails(_ result: MailResult, _ count: Int = 1) {
        // safe: counted one by one
        mails.withLock { $0[result, default: 0] += count }
    }

    /// Returns the counts, and the number of messages that wait; zeros without a mail server, so that rates and alerts
    /// find their metrics.
    ///
    /// - Parameters:
    ///   - queue: The messages that wait, or `nil` without a mail server.
    ///   - isKnown: Whether the store could say them. Where it couldn't, they are left out: a zero would end an alert.
    ///   - now: The time.
    /// - Returns: The lines.
    func mailLines(_ queue: MailQueue?, isKnown: Bool = true, at now: UnixTime) -> [String] {
        let (counts, name) = (mails.withLock { $0 }, "placard_mails")
        var lines = describe("\(name)_total", "counter", "Messages to members, by result.")
        lines += MailResult.allCases.map { "\(name)_total{result=\"\($0.rawValue)\"} \(counts[$0, default: 0])" }
        guard isKnown else { return lines }
        lines += describe("\(name)_waiting", "gauge", "Messages to members that wait.")
        lines.append("\(name)_waiting \(queue?.waiting ?? 0)")
        lines += describe("\(name)_oldest_seconds", "gauge", "How long the oldest of them has waited.")
        lines.append("\(name)_oldest_seconds \(queue?.oldestAt.map { max(0, now - $0) } ?? 0)")
        return lines
    }
}
