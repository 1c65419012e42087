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
