import CardModel
import Logging
import NIOCore
import Synchronization

/// Lets a line of the log that clients can cause as often as they like be written once a minute at the most.
///
/// The first line is written at once. The next one after a minute says how many were left out since; metrics count all
/// of them.
final class LogThrottle: Sendable {
    /// The lines, each of which is limited by itself.
    enum Line: Hashable, Sendable {
        case acceptWait
        case catalogBehind
        case damagedCard(CampaignID)
        case damagedEvents
        case eviction(ConnectionArrivals.Limit)
    }

    /// For how many seconds a line is left out once it was written.
    static let interval = 60.0

    private struct Entry {
        var writtenAt: Double
        var omitted = 0
    }

    /// Lines of more campaigns than that are left out.
    private static let most = 128

    private let uptime: @Sendable () -> Double
    private let entries = Mutex<[Line: Entry]>([:])

    /// Creates a throttle.
    ///
    /// - Parameter uptime: Returns seconds that only grow.
    init(uptime: @escaping @Sendable () -> Double = { Double(NIODeadline.now().uptimeNanoseconds) / 1e9 }) {
        self.uptime = uptime
    }

    /// Writes a line, or leaves it out where it was written within the last minute.
    ///
    /// - Parameters:
    ///   - line: Which line it is.
    ///   - write: Writes it, with the metadata that it is given: `omitted`, where some were left out since the last.
    func write(_ line: Line, _ write: (Logger.Metadata) -> Void) {
        let now = uptime()
        let omitted = entries.withLock { entries -> Int? in
            let last = entries[line]
            if let last, now - last.writtenAt < Self.interval {
                // safe: counted one by one
                entries[line]?.omitted += 1
                return nil
            }
            if entries.count >= Self.most { entries = entries.filter { now - $0.value.writtenAt < Self.interval } }
            guard last != nil || entries.count < Self.most else { return nil }
            entries[line] = Entry(writtenAt: now)
            return last?.omitted ?? 0
        }
        guard let omitted else { return }
        write(omitted > 0 ? ["omitted": "\(omitted)"] : [:])
    }
}
