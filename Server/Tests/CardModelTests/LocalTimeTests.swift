import CardModel
import Foundation
import Testing
import WireJSON

@Suite("Clocks where users are")
struct LocalTimeTests {
    private func moment(_ local: String, in zone: String) throws -> String {
        let clock = try #require(TimeZoneClock(named: zone))
        return Timestamp.text(of: clock.moment(of: try #require(LocalTime(local))))
    }

    @Test(
        "A time by the clock is one moment, also when the clocks change",
        arguments: [
            ("Asia/Tokyo", "2027-01-31T09:00:00", "2027-01-31T00:00:00Z"),
            ("America/New_York", "2027-01-31T09:00:00", "2027-01-31T14:00:00Z"),
            ("America/New_York", "2027-07-31T09:00:00", "2027-07-31T13:00:00Z"),
            // The clocks jump from 2:00 to 3:00: what they pass over is an hour after what it would have been.
            ("America/New_York", "2027-03-14T01:59:59", "2027-03-14T06:59:59Z"),
            ("America/New_York", "2027-03-14T02:30:00", "2027-03-14T07:30:00Z"),
            ("America/New_York", "2027-03-14T03:00:00", "2027-03-14T07:00:00Z"),
            // They go back from 2:00 to 1:00: what they show twice is the first.
            ("America/New_York", "2027-11-07T01:30:00", "2027-11-07T05:30:00Z"),
            ("America/New_York", "2027-11-07T02:00:00", "2027-11-07T07:00:00Z"),
            ("Europe/Paris", "2027-03-28T02:15:00", "2027-03-28T01:15:00Z"),
            ("Europe/Paris", "2027-10-31T02:15:00", "2027-10-31T00:15:00Z"),
            ("Australia/Lord_Howe", "2027-10-03T02:15:00", "2027-10-02T15:45:00Z"),
            ("Pacific/Kiritimati", "2027-01-01T00:00:00", "2026-12-31T10:00:00Z"),
            ("Asia/Kathmandu", "2027-01-01T05:45:00", "2027-01-01T00:00:00Z"),
        ]
    )
    func moments(zone: String, local: String, utc: String) throws {
        #expect(try moment(local, in: zone) == utc)
    }

    @Test("No clock is further ahead or behind than what is planned for every clock takes for possible")
    func furthest() throws {
        let noon = try #require(LocalTime("2027-01-01T12:00:00"))
        let planned = PlannedTime.local(noon)
        for name in TimeZone.knownTimeZoneIdentifiers {
            guard let clock = TimeZoneClock(named: name) else { continue }
            let moment = clock.moment(of: noon)
            #expect((planned.earliest...planned.latest).contains(moment), "\(name)")
            #expect(planned.isDue(by: moment), "\(name)")
        }
        let (first, last) = (
            try #require(TimeZoneClock(named: "Pacific/Kiritimati")), try #require(TimeZoneClock(named: "Etc/GMT+12"))
        )
        #expect(first.moment(of: noon) == planned.earliest && last.moment(of: noon) == planned.latest)
        #expect(!planned.isDue(by: planned.earliest.nextDown))
        #expect(PlannedTime.at(5).isDue(by: 5) && !PlannedTime.at(5).isDue(by: 4))
    }

    @Test("Every moment of a year is found again from what the clock shows, but for the hour that it shows twice")
    func roundTrip() throws {
        for zone in ["America/New_York", "Europe/London", "Australia/Lord_Howe", "Asia/Tokyo", "America/Sao_Paulo"] {
            let clock = try #require(TimeZoneClock(named: zone))
            for hour in stride(from: 0.0, to: 366 * 24, by: 0.5) {
                let time = 1_798_761_600 + hour * 3_600
                let found = clock.moment(of: clock.local(at: time))
                #expect(found == time || (found < time && clock.local(at: found) == clock.local(at: time)))
            }
        }
    }

    @Test("A local time has no zone", arguments: ["2027-01-31T09:00:00Z", "2027-01-31T09:00+01:00", "soon", "09:00"])
    func refusesZones(text: String) { #expect(LocalTime(text) == nil) }

    @Test("A local time is written as it was read")
    func text() throws {
        #expect(try #require(LocalTime("2027-01-31 09:00")).text == "2027-01-31T09:00:00")
        #expect(try #require(LocalTime("2027-01-31")).text == "2027-01-31T00:00:00")
    }

    @Test("A user's clock is the backend's word, or else the device's, or else the workspace's")
    func userClock() throws {
        let tokyo = try #require(TimeZoneClock(named: "Asia/Tokyo"))
        var user = Sample.user().profile
        #expect(user.clock(orElse: tokyo) == tokyo)
        user.device.timeZone = "Mars/Olympus"
        #expect(user.clock(orElse: tokyo) == tokyo)
        user.device.timeZone = "Europe/Paris"
        #expect(user.clock(orElse: tokyo) == TimeZoneClock(named: "Europe/Paris"))
        user.standard[.timeZone] = "America/New_York"
        #expect(user.clock(orElse: tokyo) == TimeZoneClock(named: "America/New_York"))
    }
}

@Suite("Languages")
struct LanguageTagTests {
    @Test(
        "The best match is the most exact one, and Chinese keeps its script",
        arguments: [
            ("ja-JP", ["en", "ja"], "ja"), ("ja_JP.UTF-8", ["en", "ja"], "ja"), ("pt-BR", ["pt", "pt-BR"], "pt-BR"),
            ("pt-BR", ["pt-PT", "en"], "pt-PT"), ("zh-TW", ["zh-Hans", "zh-Hant"], "zh-Hant"),
            ("zh-HK", ["zh-CN", "zh-TW"], "zh-TW"), ("zh-Hant-US", ["zh-TW", "zh"], "zh-TW"),
            ("zh-CN", ["zh-Hant", "zh-Hans"], "zh-Hans"), ("zh-TW", ["zh-CN", "zh"], nil),
            ("zh", ["zh-Hans"], "zh-Hans"),
            ("zh-TW-u-nu-latn", ["zh-Hans", "zh-Hant"], "zh-Hant"), ("zh-u-nu-latn", ["zh-Hant", "zh"], "zh"),
            ("sr-u-nu-latn", ["sr-Latn", "sr-Cyrl", "sr"], "sr"), ("en-u-ca-buddhist", ["en-GB"], "en-GB"),
            ("ar-EG-u-nu-latn", ["ar-Latn", "ar-SA"], "ar-SA"), ("ja-u-ca-japanese-x-corp", ["ja"], "ja"),
            ("de", ["de-u-co-phonebk"], "de-u-co-phonebk"), ("x-own", ["en"], nil), ("-", ["en"], nil),
            ("sr-Latn-RS", ["sr", "sr-Latn"], "sr-Latn"), ("de", ["fr", "en"], nil), ("EN-us", ["en-GB", "en"], "en"),
        ] as [(String, [String], String?)]
    )
    func matches(wanted: String, tags: [String], expected: String?) {
        #expect(LanguageTag.bestMatch(for: wanted, among: tags).map { tags[$0] } == expected)
    }

    @Test("A user's language is the backend's word, made more exact by a device that speaks the same")
    func userLanguage() {
        var user = Sample.user().profile
        #expect(user.languageTag == nil)
        user.device.locale = "pt-BR"
        #expect(user.languageTag == "pt-BR")
        user.standard[.language] = "pt"
        #expect(user.languageTag == "pt-BR")
        user.standard[.language] = "p"
        #expect(user.languageTag == "p")
        user.standard[.language] = "ja"
        #expect(user.languageTag == "ja")
    }

    @Test(
        "What no clock shows is no time zone, for users and for the workspace",
        arguments: [
            "GMT+15", "GMT+1401", "GMT-13", "GMT-1201", "GMT+18", "GMT-1800", "Mars/X", "", "Asia/Tokyo\0", "\0",
            "Asia/Tokyo\0/x", "Asia/Tokyo ", "Asia/T\u{F6}kyo", "../../etc/passwd",
        ]
    )
    func unknownZones(_ name: String) throws {
        #expect(TimeZoneClock(named: name) == nil)
        #expect(StandardAttribute.timeZone.value(of: name) == nil)
        #expect(throws: ModelError.self) { try Settings(json: ["time_zone": .string(name)]) }
        #expect(TimeZoneClock(named: "GMT+0900")?.offset(at: 0) == 32_400)
    }

    @Test func `Every zone that there is lies between the first and the last clock on Earth, in each year`() throws {
        let known = TimeZone.knownTimeZoneIdentifiers.filter { TimeZone(identifier: $0) != nil }
        for name in known + ["GMT+14", "GMT-12", "Etc/GMT-14", "Etc/GMT+12"] {
            let clock = try #require(TimeZoneClock(named: name), "\(name)")
            for year in stride(from: 0.0, to: 70 * 31_557_600, by: 15_778_800) {
                let local = clock.local(at: year)
                let planned = PlannedTime.local(local)
                #expect((planned.earliest...planned.latest).contains(year), "\(name) at \(year)")
            }
        }
    }
}
