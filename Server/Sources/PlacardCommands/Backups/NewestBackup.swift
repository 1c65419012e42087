import CardModel
import Synchronization

/// The time at which the newest backup in a folder was made, looked up every few minutes at the most.
///
/// Monitoring asks often, and each file of the folder is opened.
final class NewestBackup: Sendable {
    /// The time for which an answer is given again, in seconds.
    static let lifetime = 300.0

    private let look: @Sendable (UnixTime) -> UnixTime?
    private let known = Mutex<(at: UnixTime, time: UnixTime)?>(nil)

    /// Creates a watch.
    ///
    /// - Parameter look: Returns when the newest backup was made, or `nil` where there is none; takes the time.
    init(_ look: @escaping @Sendable (UnixTime) -> UnixTime?) { self.look = look }

    /// Returns when the newest backup was made, or 0 where there is none.
    func time(at now: UnixTime) -> UnixTime {
        known.withLock { known in
            if let known, abs(now - known.at) < Self.lifetime { return known.time }
            let time = look(now) ?? 0
            known = (now, time)
            return time
        }
    }
}
