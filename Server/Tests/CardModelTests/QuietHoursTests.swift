import CardModel
import Testing

@Suite("Quiet hours")
struct QuietHoursTests {
    @Test(
        "end with the first minute at which they are over, also while clocks are put forward or back",
        arguments: [
            // 2:00 to 1:00 in autumn, 1:00 to 2:00 in spring.
            ("Europe/London", "2027-10-31T01:00:00Z"), ("Europe/London", "2027-03-28T01:00:00Z"),
            ("America/New_York", "2027-11-07T06:00:00Z"), ("America/New_York", "2027-03-14T07:00:00Z"),
            // At midnight, by half an hour, by two hours, and over a whole day.
            ("Africa/Cairo", "2027-10-28T21:00:00Z"), ("Australia/Lord_Howe", "2027-04-03T15:00:00Z"),
            ("Antarctica/Troll", "2027-10-31T01:00:00Z"), ("Pacific/Apia", "2011-12-30T10:00:00Z"),
        ]
    )
    func quietAtChanges(zone: String, change: String) throws {
        let clock = try #require(TimeZoneClock(named: zone))
        let change = try #require(Timestamp.unixTime(of: change))
        #expect(clock.offset(at: change - 1) != clock.offset(at: change))
        let times = [(23, 30), (1, 30), (0, 0), (2, 0), (2, 30), (7, 15), (23, 45)].map { $0 * 60 + $1 }
        for (from, to) in times.flatMap({ from in times.map { (from, $0) } }) where from != to {
            let hours = QuietHours(from: from, to: to)
            // Backwards, minute by minute, so that each minute knows when the next begins that isn't quiet.
            var open = change + 4 * 86_400
            for minute in (-2_880...5_760).reversed() {
                let time = change + Double(minute) * 60
                let seconds = clock.local(at: time).seconds.truncatingRemainder(dividingBy: 86_400)
                let shown = Int(seconds / 60)
                let isQuiet = from < to ? (from..<to).contains(shown) : shown >= from || shown < to
                if !isQuiet { open = time }
                guard minute < 2_880, minute % 7 == 0 else { continue }
                #expect(hours.end(at: time, in: clock) == (isQuiet ? open : nil), "\(hours) at \(minute)")
            }
        }
    }
}
