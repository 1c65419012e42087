import Foundation
import Testing

@testable import ContentCards

@Suite("A date of HTTP")
struct HTTPDateTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test(
        "is read in each of its three forms",
        arguments: [
            ("Sun, 15 Nov 2026 08:00:00 GMT", 1_794_729_600), ("Sunday, 15-Nov-26 08:00:00 GMT", 1_794_729_600),
            ("Sun Nov 15 08:00:00 2026", 1_794_729_600), ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
            ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            ("Thu, 30 Jun 2016 23:59:60 GMT", 1_467_331_200),
        ] as [(String, Double)]
    )
    func forms(text: String, seconds: Double) {
        #expect(HTTPDate.time(of: text, at: now)?.timeIntervalSince1970 == seconds)
    }

    @Test(
        "is nothing else, whatever it looks like",
        arguments: [
            "", "Sun", "Sun, 15 Nov 2026 08:00:00", "Sun, 15 Nov 2026 08:00:00 +0100", "Sun, 15 Nov 26 08:00:00 GMT",
            "15 Nov 2026 08:00:00 GMT", "Sun, 31 Nov 2026 08:00:00 GMT", "Sun, 29 Feb 2100 08:00:00 GMT",
            "Sun, 15 Nov 2026 24:00:00 GMT", "Sun, 15 Nov 2026 08:60:00 GMT", "Sun, -5 Nov 2026 08:00:00 GMT",
            "Sun, 15 Nov 0000 08:00:00 GMT", "Sun, 15 Nov 2026 08:00 GMT", "Sun, 15 NOV 2026 08:00:00 GMT",
            "Su 16 Nov 2026 08:09\u{7F1}\u{FFFD}v 2026 0\u{FFFD}8:00:0 15 N\u{FFFD}GMT", "Sun Nov 15 08:00:00 2026\r\n",
            "Sun, 15 Nov 2026 08:00:00\u{301} GMT", "Sun, \u{661}5 Nov 2026 08:00:00 GMT",
        ]
    )
    func nothingElse(text: String) {
        #expect(HTTPDate.time(of: text, at: now) == nil)
        #expect(RetryAfter.seconds(text, date: text, at: now) == nil)
    }
}
