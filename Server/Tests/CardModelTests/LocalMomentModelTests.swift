import CardModel
import Foundation
import Statistics
import Testing

/// Looks for the moments at which clocks show a time among all offsets that they have around it.
@Suite("Moments by users' clocks and their model")
struct LocalMomentModelTests {
    private static let hour = 3_600.0
    /// From 1990 to 2030.
    private static let years = 631_152_000.0..<1_893_456_000.0

    /// The moments at which the clocks of a zone are changed.
    private func changes(of zone: TimeZone) -> [UnixTime] {
        var changes: [UnixTime] = []
        var last = Date(timeIntervalSince1970: Self.years.lowerBound)
        while let next = zone.nextDaylightSavingTimeTransition(after: last), next > last,
            Self.years.contains(next.timeIntervalSince1970)
        {
            changes.append(next.timeIntervalSince1970)
            last = next
        }
        return changes
    }

    @Test(arguments: 0..<6)
    func `A time by the clock is the first moment at which the clock shows it, around each change`(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        let known = TimeZone.knownTimeZoneIdentifiers.filter { TimeZoneClock(named: $0) != nil }.sorted()
        var names = Array(known.shuffled(using: &random).prefix(12))
        // By half an hour, by two hours, at midnight, and far from UTC on both sides.
        names += ["Australia/Lord_Howe", "Antarctica/Troll", "America/Sao_Paulo", "Pacific/Apia", "Pacific/Chatham"]
        for name in names {
            let zone = try #require(TimeZone(identifier: name))
            let clock = try #require(TimeZoneClock(named: name))
            for change in changes(of: zone) {
                for _ in 0..<4 {
                    let distance = Double(Int.random(in: -150...150, using: &random)) * 60
                    let local = LocalTime(seconds: clock.local(at: change).seconds + distance)
                    let span = 36 * Self.hour
                    let around = stride(from: change - span, through: change + span, by: 3 * Self.hour)
                    let offsets = Set(around.map { clock.offset(at: $0) })
                    let shown = offsets.map { local.seconds - Double($0) }.filter { clock.local(at: $0) == local }
                    // What the clock passes over is as long after the change as it would have been.
                    let expected = shown.min() ?? local.seconds - Double(clock.offset(at: change - 1))
                    #expect(clock.moment(of: local) == expected, "\(local.text) in \(name)")
                }
            }
        }
    }

    @Test(arguments: 0..<4)
    func `A schedule by users' clocks is open for each of them when it is open anywhere at most`(seed: Int) throws {
        var random = SplitMix(seed: UInt64(100 + seed))
        let names = TimeZone.knownTimeZoneIdentifiers.filter { TimeZoneClock(named: $0) != nil }.sorted()
        for _ in 0..<150 {
            let clock = try #require(TimeZoneClock(named: names.randomElement(using: &random) ?? "UTC"))
            let begin = Double(Int.random(in: 1_700_000_000...1_900_000_000, using: &random))
            let start = LocalTime(seconds: begin)
            let end = LocalTime(seconds: begin + Double(Int.random(in: 1...60, using: &random)) * Self.hour)
            let delivery = Campaign.DeliveryMode.scheduledLocally(start: start, end: end)
            for step in -30...110 {
                let now = begin + Double(step) * Self.hour
                let isOpen = clock.moment(of: start) <= now && now < clock.moment(of: end)
                let phase = delivery.phase(at: now)
                if isOpen { #expect(phase == .running) }
                // By then, no clock on Earth shows less or more.
                if phase == .ahead { #expect(now < clock.moment(of: start)) }
                if phase == .over { #expect(now >= clock.moment(of: end)) }
                if PlannedTime.local(start).latest <= now, now < PlannedTime.local(end).earliest { #expect(isOpen) }
            }
        }
    }
}
