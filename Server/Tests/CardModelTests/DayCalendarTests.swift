import Foundation
import Statistics
import Testing

@testable import CardModel

@Suite("Days on which something is counted")
struct DayCalendarTests {
    private static let zones = [
        "UTC", "Asia/Tokyo", "Asia/Kolkata", "Asia/Kathmandu", "Pacific/Chatham", "Australia/Lord_Howe",
        "America/New_York", "America/St_Johns", "Europe/London", "Africa/Cairo", "Pacific/Kiritimati", "Pacific/Niue",
    ]

    private func local(_ time: UnixTime, _ zone: String) -> Day {
        let offset = TimeZone(identifier: zone)?.secondsFromGMT(for: Date(timeIntervalSince1970: time)) ?? 0
        return Day(of: time, offset: offset)
    }

    @Test("A day is that of the zone that is followed, however often it changes", arguments: 0..<10)
    func follows(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        var calendar = DayCalendar()
        for _ in 0..<40 {
            let zone = try #require(Self.zones.randomElement(using: &random))
            calendar.follow(zone: zone)
            for _ in 0..<20 {
                let time = Double.random(in: 1_500_000_000..<1_900_000_000, using: &random)
                let day = calendar.day(of: time)
                #expect(day.utc == Day(of: time))
                #expect(day.local == local(time, zone), "\(zone) at \(time)")
            }
        }
    }

    @Test(
        "The last moment of a day is of that day, and the next of the next, around each change of the clock",
        arguments: [
            // Changes of 2027 and one that left out a day.
            ("America/New_York", "2027-03-14"), ("America/New_York", "2027-11-07"),
            ("Europe/London", "2027-03-28"), ("Europe/London", "2027-10-31"),
            ("Africa/Cairo", "2027-04-30"), ("Africa/Cairo", "2027-10-29"), ("Australia/Lord_Howe", "2027-04-04"),
            ("Pacific/Apia", "2011-12-31"), ("Asia/Kathmandu", "2027-01-01"),
        ]
    )
    func changes(zone: String, name: String) throws {
        let midnight = try #require(Timestamp.unixTime(of: name))
        var calendar = DayCalendar()
        calendar.follow(zone: zone)
        var last = calendar.day(of: midnight - 4 * 86_400).local
        for quarter in (-3 * 96)...(3 * 96) {
            for moment in [-0.001, 0, 0.001] {
                let time = midnight + Double(quarter) * 900 + moment
                let day = calendar.day(of: time).local
                #expect(day == local(time, zone), "\(zone) at \(time)")
                #expect(day >= last, "No zone here has its clock put back over midnight.")
                last = day
            }
        }
    }

    @Test("A zone that isn't known is UTC, and following the same again changes nothing")
    func unknown() {
        var calendar = DayCalendar()
        let time = 1_800_000_000.0
        let utc = calendar.day(of: time)
        #expect(utc.local == utc.utc)
        calendar.follow(zone: "Asia/Tokyo")
        let late = 1_801_353_600.0 - 1
        #expect(calendar.day(of: late).local > calendar.day(of: late).utc)
        calendar.follow(zone: "Asia/Tokyo")
        #expect(calendar.day(of: late).local > calendar.day(of: late).utc)
        calendar.follow(zone: "Mars/Olympus")
        #expect(calendar.day(of: late).local == calendar.day(of: late).utc)
    }

    @Test("What it remembers of offsets is no other after very many days")
    func memory() {
        var calendar = DayCalendar()
        calendar.follow(zone: "America/New_York")
        let start = 1_700_000_000.0
        let first = (0..<200).map { calendar.day(of: start + Double($0) * 86_400) }
        for quarter in 0..<10_000 { _ = calendar.day(of: start + Double(quarter) * 900) }
        #expect((0..<200).map { calendar.day(of: start + Double($0) * 86_400) } == first)
    }

    @Test("The first and the last time that there is have days in every zone", arguments: zones)
    func bounds(zone: String) {
        var calendar = DayCalendar()
        calendar.follow(zone: zone)
        for time in [Timestamp.range.lowerBound, Timestamp.range.upperBound] {
            let day = calendar.day(of: time)
            #expect(day.utc == Day(of: time) && day.local == local(time, zone))
            #expect(abs(day.local.number - day.utc.number) <= 1)
        }
    }
}

@Suite("Days by the clocks of users")
struct LocalDayModelTests {
    @Test(
        "A day begins at the first moment at which the zone shows it, or a later one",
        arguments: [
            ("Europe/Berlin", "2027-03-28"), ("Europe/Berlin", "2027-10-31"), ("Africa/Cairo", "2027-04-30"),
            ("Africa/Cairo", "2027-10-29"), ("America/Sao_Paulo", "2018-11-04"), ("America/Sao_Paulo", "2018-02-18"),
            ("America/Havana", "2027-03-14"), ("America/Havana", "2027-11-07"), ("Asia/Beirut", "2027-03-28"),
            ("Australia/Lord_Howe", "2027-10-03"), ("America/St_Johns", "2010-11-07"), ("Pacific/Apia", "2011-12-30"),
            ("Pacific/Kwajalein", "1993-08-21"), ("Asia/Kolkata", "2028-02-29"), ("Pacific/Chatham", "2027-04-04"),
            ("Atlantic/Azores", "2027-10-31"), ("Antarctica/Troll", "2027-03-28"), ("Asia/Pyongyang", "2018-05-05"),
        ]
    )
    func beginnings(zone: String, name: String) throws {
        let days = LocalDays(try #require(TimeZone(identifier: zone)))
        let midnight = try #require(Timestamp.unixTime(of: name))
        let number = Int(midnight / 86_400)
        // By quarters of an hour, which all of these clocks are apart.
        let moments = (-4 * 96...4 * 96).map { midnight + Double($0) * 900 }
        for day in (number - 2)...(number + 2) {
            let first = moments.first { days.number(at: $0) >= day }
            #expect(days.start(of: day) == first, "\(zone), day \(day - number)")
        }
    }

    @Test("Each moment is in the day that has begun, and none is before its day", arguments: 0..<8)
    func moments(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        let names = ["Asia/Tokyo", "America/New_York", "Asia/Kolkata", "Pacific/Auckland", "America/Asuncion", "UTC"]
        for _ in 0..<400 {
            let zone = try #require(names.randomElement(using: &random).flatMap(TimeZone.init(identifier:)))
            let days = LocalDays(zone)
            let time = Double.random(in: 1_000_000_000..<2_000_000_000, using: &random).rounded()
            let day = days.number(at: time)
            #expect(days.start(of: day) <= time && time < days.start(of: day + 1), "\(zone.identifier) at \(time)")
            #expect(days.start(of: day + 1) - days.start(of: day) >= 23 * 3_600)
            #expect(days.start(of: day + 1) - days.start(of: day) <= 25 * 3_600)
        }
    }

    @Test("A window of calendar days has today and the days before, and ends with today")
    func windows() throws {
        var profile = UserProfile(id: UserID(rawValue: "u"), createdAt: 0)
        profile.standard[.timeZone] = "Europe/Berlin"
        // Noon on the day on which the clock is put forward.
        let now = try #require(Timestamp.unixTime(of: "2027-03-28T12:00:00+02:00"))
        let facts = Sample.facts(profile, at: now)
        let today = try #require(Timestamp.unixTime(of: "2027-03-28T00:00:00+01:00"))
        let tomorrow = try #require(Timestamp.unixTime(of: "2027-03-29T00:00:00+02:00"))
        #expect(tomorrow - today == 23 * 3_600)
        let window = OpenWindow(.calendarDays(1), of: facts)
        #expect(window.includes(today) && !window.includes(today - 1) && window.includes(now))
        #expect(!window.includes(now + 1) && window.awaits(now + 1) && !window.awaits(now))
        #expect(window.end(of: today) == tomorrow)
        let week = OpenWindow(.calendarDays(7), of: facts)
        let first = try #require(Timestamp.unixTime(of: "2027-03-22T00:00:00+01:00"))
        #expect(week.includes(first) && !week.includes(first - 1) && week.end(of: first) == tomorrow)
    }

    @Test("A window of days is over to the second, and without one nothing is ever over")
    func seconds() {
        let facts = Sample.facts(Sample.user().profile, at: 1_000_000)
        let window = OpenWindow(.days(2), of: facts)
        #expect(!window.includes(1_000_000 - 172_800) && window.includes(1_000_000 - 172_799))
        #expect(window.includes(1_000_000) && !window.includes(1_000_001) && window.awaits(1_000_001))
        #expect(window.end(of: 900_000) == 1_072_800)
        // Of no days nothing is within.
        #expect(!OpenWindow(.days(0), of: facts).includes(1_000_000))
        let ever = OpenWindow(nil, of: facts)
        #expect(ever.includes(-1e9) && ever.includes(1e12) && !ever.awaits(1e12) && ever.end(of: 0) == .infinity)
    }

    @Test("A user without a zone has that of the workspace, and UTC where that isn't known")
    func zones() {
        var user = Sample.user()
        func zone(_ workspace: String) -> String {
            UserFacts(user, at: 0, workspaceZone: workspace).timeZone.identifier
        }
        #expect(zone("Asia/Tokyo") == "Asia/Tokyo")
        #expect(zone("Mars/Olympus") == TimeZone.gmt.identifier)
        user.profile.device.timeZone = "Europe/Berlin"
        #expect(zone("Asia/Tokyo") == "Europe/Berlin")
        user.profile.device.timeZone = "Nowhere"
        #expect(zone("Asia/Tokyo") == "Asia/Tokyo")
        user.profile.standard[.timeZone] = "America/Lima"
        #expect(zone("Asia/Tokyo") == "America/Lima")
    }
}
