import CardModel
import Foundation

/// Tells the days of the workspace's time zone.
struct DayClock {
    let zone: String

    func day(of time: UnixTime) -> Day {
        let zone = TimeZone(identifier: zone) ?? .gmt
        return Day(of: time, offset: zone.secondsFromGMT(for: Date(timeIntervalSince1970: time)))
    }
}
