import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("A date of ISO 8601 in an extra")
struct ISODateTests {
    @Test(
        arguments: [
            ("2027-01-31T09:00:00Z", 1_801_386_000), ("2027-01-31t09:00:00z", 1_801_386_000),
            ("2027-01-31 09:00:00", 1_801_386_000), ("2027-01-31T09:00", 1_801_386_000),
            ("2027-01-31 09:00Z", 1_801_386_000), ("2027-01-31", 1_801_353_600),
            ("2027-01-31T09:00:00+09:00", 1_801_353_600), ("2027-01-31T09:00:00+0900", 1_801_353_600),
            ("2027-01-31T09:00:00+09", 1_801_353_600), ("2027-01-31T09:00-05:30", 1_801_405_800),
            ("2027-01-31T09:00:00.25Z", 1_801_386_000.25), ("2027-01-31T09:00:00,5", 1_801_386_000.5),
            ("2027-01-31T09:00:00.500000000000000000000Z", 1_801_386_000.5),
            ("2027-01-31T23:59:60Z", 1_801_440_000), ("2028-02-29", 1_835_395_200), ("2000-02-29", 951_782_400),
            ("1970-01-01", 0), ("1969-12-31T23:59:59Z", -1), ("0001-01-01", -62_135_596_800),
            ("0000-01-01", -62_167_219_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
        ] as [(String, Double)]
    )
    func `is read as the server reads it`(text: String, seconds: Double) {
        #expect(ISODate.time(of: text)?.timeIntervalSince1970 == seconds)
        #expect(ExtraText.date(text)?.timeIntervalSince1970 == seconds)
    }

    @Test(
        arguments: [
            "", "tomorrow", "2027-01", "2027-1-3", "27-01-31", "2027-13-01", "2027-00-01", "2027-02-30",
            "2027-02-29", "1900-02-29", "2027-04-31", "2027-01-00", "2027-01-31T", "2027-01-31T9:00", "2027-01-31T09",
            "2027-01-31T24:00:00Z", "2027-01-31T09:60:00Z", "2027-01-31T09:00:61Z", "2027-01-31T09:00:00.Z",
            "2027-01-31T09:00:00+24:00", "2027-01-31T09:00:00+09:60", "2027-01-31T09:00:00+9", "2027-01-31T09:00:00+",
            "2027-01-31T09:00:00Zjunk", "2027-01-31junk", "2027-01-31 junk", "2027-01-31Z", " 2027-01-31",
            "2027-01-31 ", "99999-01-01", "-2027-01-31", "\u{FF12}\u{FF10}\u{FF12}\u{FF17}-01-31",
            "2027-01-31\u{301}", "2027-01-31T09:00:00\u{2212}05:00", "Sun, 31 Jan 2027 09:00:00 GMT",
        ]
    )
    func `is none where it doesn't exist, or where something follows it`(text: String) {
        #expect(ISODate.time(of: text) == nil)
        #expect(ExtraText.date(text) == nil)
    }

    @Test func `is each day from 1890 to 2110 the one after the day before`() {
        var expected = -29_219.0 * 86_400
        for year in 1_890..<2_110 {
            for month in 1...12 {
                for day in 1...31 {
                    let digits = [month, day].map { $0 < 10 ? "0\($0)" : "\($0)" }
                    guard let time = ISODate.time(of: "\(year)-\(digits[0])-\(digits[1])") else { continue }
                    #expect(time.timeIntervalSince1970 == expected)
                    expected += 86_400
                }
            }
        }
        #expect(expected == 51_134 * 86_400)
    }

    private struct Sale: CardContent {
        static let classType = ContentCardClassType(rawValue: "sale")
        let starts: Date
    }

    @Test(
        arguments: [
            ("2027-01-31 09:00", 1_801_386_000), (" 2027-01-31\n", 1_801_353_600), ("2027-01-31 9h", nil),
        ] as [(String, Double?)]
    )
    func `keeps its time in the app's own type, and leaves the card out where it is none`(
        text: String,
        seconds: Double?
    ) {
        let card = ContentCard.fixture("c") { $0.extras = ["class_type": "sale", "starts": text] }
        let feed = CardFeed(cards: [card], at: Date(timeIntervalSince1970: 1_800_000_000))
        #expect(feed.objects(Sale.self).map(\.starts.timeIntervalSince1970) == [seconds].compactMap(\.self))
    }
}
