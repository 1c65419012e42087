import Testing
import WireJSON

@testable import Dashboard

@Suite("Times in the editor's form")
struct DraftTimesTests {
    @Test("are read in the workspace's time zone, with or without seconds")
    func times() {
        let times = DraftTimes(zone: "Asia/Tokyo")
        #expect(times.value("2026-11-21T09:40", isLocal: false) == .number(1_795_221_600))
        #expect(times.value("2026-11-21T09:40:05", isLocal: false) == .number(1_795_221_605))
        #expect(times.value(nil, isLocal: false) == .null)
        #expect(times.value("2026-11-21T09:40", isLocal: true) == "2026-11-21T09:40:00")
    }

    @Test("of a delivery stay the moments that they were, also in an hour that clocks show twice")
    func repeatedHour() throws {
        // 01:30 in New York, for the second time: clocks were set back half an hour before.
        let base: JSONValue = ["type": "scheduled", "start_at": 1_793_514_600, "end_at": 1_794_146_400]
        let delivery = DeliveryFields(times: DraftTimes(zone: "America/New_York"))
        var fields = try #require(delivery.fields(of: base).object)
        #expect(fields["start"] == "2026-11-01T01:30" && fields["end"] == "2026-11-08T09:00")
        fields["end"] = "2026-11-08T10:00"
        let later = delivery.json(.object(fields), over: base, BaseValues())
        #expect(later["start_at"]?.double == 1_793_514_600 && later["end_at"]?.double == 1_794_150_000)
        fields["start"] = "2026-11-01T03:00"
        let moved = delivery.json(.object(fields), over: base, BaseValues())
        #expect(moved["start_at"]?.double == 1_793_520_000)
        // By the users' own clocks, the same field is another time.
        fields["start"] = "2026-11-01T01:30"
        fields["local"] = "on"
        let local = delivery.json(.object(fields), over: base, BaseValues())
        #expect(local["start_at"]?.string == "2026-11-01T01:30:00")
    }

    @Test(
        "stay as they are where they are no times, and the server lives",
        arguments: [
            "2026-11-21T09:40\u{301}", "2026-11-21T09:40\u{7F1}\u{FFFD}", "2026-11-21T09:40\r\n",
            "2026-11-21T\u{661}9:40", "2026-11-21T09:40:05\u{200D}", "x",
        ]
    )
    func others(text: String) {
        #expect(DraftTimes(zone: "UTC").value(text, isLocal: false) == .string(text))
    }
}
