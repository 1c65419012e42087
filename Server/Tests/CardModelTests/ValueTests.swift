import CardModel
import Statistics
import Testing
import WireJSON

@Suite("Times, days, ids and cursors")
struct ValueTests {
    @Test(
        "A time is read however ISO 8601 spells it",
        arguments: [
            ("2027-01-31T09:00:00Z", 1_801_386_000), ("2027-01-31t09:00:00z", 1_801_386_000),
            ("2027-01-31 09:00:00", 1_801_386_000),
            ("2027-01-31T09:00", 1_801_386_000), ("2027-01-31T09:00Z", 1_801_386_000), ("2027-01-31", 1_801_353_600),
            ("2027-01-31T09:00:00+09:00", 1_801_353_600), ("2027-01-31T09:00:00+0900", 1_801_353_600),
            ("2027-01-31T09:00:00+09", 1_801_353_600), ("2027-01-31T09:00:00-05:30", 1_801_405_800),
            ("2027-01-31T09:00:00.25Z", 1_801_386_000.25), ("2027-01-31T09:00:00,5", 1_801_386_000.5),
            ("2027-01-31T23:59:60Z", 1_801_440_000), ("2028-02-29", 1_835_395_200), ("2000-02-29", 951_782_400),
            ("1970-01-01", 0), ("1969-12-31T23:59:59Z", -1), ("1960-04-01", -307_756_800),
            ("0001-01-01", -62_135_596_800),
            ("0000-03-01", -62_162_035_200), ("0000-01-01", -62_167_219_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
        ]
    )
    func readsTime(text: String, time: UnixTime) {
        #expect(Timestamp.unixTime(of: text) == time)
        let isInRange = Timestamp.range.contains(time)
        #expect(Timestamp.unixTime(of: .string(text)) == (isInRange ? time : nil))
    }

    @Test(
        "What is not a time, or goes on after one, or does not exist, is none",
        arguments: [
            "", "tomorrow", "2027", "2027-01", "20270131", "2027-1-3", "27-01-31", "2027-13-01", "2027-00-01",
            "2027-02-30",
            "2027-02-29", "1900-02-29", "2027-04-31", "2027-01-00", "2027-01-31T", "2027-01-31T9:00",
            "2027-01-31T24:00:00Z",
            "2027-01-31T09:60:00Z", "2027-01-31T09:00:61Z", "2027-01-31T09:00:00.Z", "2027-01-31T09:00:00+24:00",
            "2027-01-31T09:00:00+09:60", "2027-01-31T09:00:00+9", "2027-01-31T09:00:00+", "2027-01-31T09:00:00Zjunk",
            "2027-01-31junk", "2027-01-31Z", " 2027-01-31", "2027-01-31 ", "99999-01-01", "-2027-01-31", "２０２７-01-31",
        ]
    )
    func refusesTime(text: String) {
        #expect(Timestamp.unixTime(of: text) == nil)
    }

    @Test(
        "A time that has no year of four digits is written as the nearest that has",
        arguments: [
            (253_402_300_800, "9999-12-31T23:59:59Z"), (1e15, "9999-12-31T23:59:59Z"), (1e300, "9999-12-31T23:59:59Z"),
            (.infinity, "9999-12-31T23:59:59Z"), (253_402_300_799.9, "9999-12-31T23:59:59Z"),
            (.nan, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
        ] as [(Double, String)]
    )
    func writesTime(time: Double, text: String) throws {
        #expect(Timestamp.text(of: time) == text)
        let clause: JSONValue = ["session": ["measure": "last", "comparison": "after", "value": .number(time)]]
        guard time.isFinite else { return }
        #expect(try Audience(json: clause).summary == "last time that opened the app is after \(text)")
        #expect(Timestamp.text(of: -1e300) == Timestamp.text(of: -1e15))
        #expect(Day(number: .max).description == "9999-12-31")
    }

    @Test("Every day from 1890 to 2110 is the one after the day before")
    func countsDays() {
        var expected = -29_219.0 * 86_400
        for year in 1890..<2110 {
            for month in 1...12 {
                for day in 1...31 {
                    let digits = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
                    guard let time = Timestamp.unixTime(of: "\(year)-\(digits(month))-\(digits(day))") else { continue }
                    #expect(time == expected)
                    expected += 86_400
                }
            }
        }
        #expect(expected == 51_134 * 86_400)
    }

    @Test(
        "Unix seconds are taken as they are, within range",
        arguments: [
            (0, 0), (1_790_000_000.25, 1_790_000_000.25), (253_402_300_799, 253_402_300_799), (-1, nil),
            (253_402_300_800, nil),
            (true, nil), ("1790000000", nil), ([1], nil), (.null, nil),
        ] as [(JSONValue, UnixTime?)]
    )
    func readsSeconds(value: JSONValue, time: UnixTime?) {
        #expect(Timestamp.unixTime(of: value) == time)
    }

    @Test(
        "A day is the calendar's, in UTC or ahead of it",
        arguments: [
            (0, 0, "1970-01-01"), (86_399.9, 0, "1970-01-01"), (86_400, 0, "1970-01-02"), (-0.5, 0, "1969-12-31"),
            (1_790_000_000, 0, "2026-09-21"), (1_801_353_599, 32_400, "2027-01-31"), (1_801_353_600, -1, "2027-01-30"),
            (253_402_300_799, 0, "9999-12-31"),
        ] as [(UnixTime, Int, String)]
    )
    func namesDay(time: UnixTime, offset: Int, name: String) {
        #expect(Day(of: time, offset: offset).description == name)
    }

    @Test(
        "A time beyond any calendar is the last day, and ends nothing",
        arguments: [1e300, .infinity, .nan] as [Double]
    )
    func survivesTimes(time: Double) {
        #expect(Day(of: time) > Day(number: 0))
        #expect(Day(of: -.infinity) < Day(number: 0))
    }

    @Test("User ids are 1 to 512 bytes of any Unicode but control characters")
    func checksUserID() {
        let longest = String(repeating: "é", count: 256)
        for text in ["u", "ユーザー", "👩‍👩‍👧", "a b", "'; DROP TABLE", longest, "\u{A0}\u{200D}"] {
            #expect(UserID(checking: text)?.rawValue == text)
        }
        for text in ["", "a\nb", "\u{0}", "\u{7F}", "\u{80}", "\u{202E}", String(repeating: "é", count: 257)] {
            #expect(UserID(checking: text) == nil)
        }
    }

    @Test("Ids that people choose fit a path")
    func checksSlugs() {
        for text in ["a", "A-z_0.9", String(repeating: "x", count: 64)] {
            #expect(CampaignID(checking: text)?.rawValue == text)
            #expect(VariantID(checking: text)?.rawValue == text)
        }
        for text in ["", "a b", "a/b", "é", "a\u{0}", "[", "@", "`", "{", String(repeating: "x", count: 65)] {
            #expect(CampaignID(checking: text) == nil)
            #expect(VariantID(checking: text) == nil)
        }
    }

    @Test("An event id is a UUID, in either case, and keeps its bytes")
    func readsEventID() throws {
        let text = "0190b2f0-5f3e-7cc1-8b1e-0d4f6f0c7a11"
        let id = try #require(EventID(utf8: text.utf8))
        #expect(id.high == 0x0190_B2F0_5F3E_7CC1 && id.low == 0x8B1E_0D4F_6F0C_7A11)
        #expect(id.description == text)
        #expect(EventID(utf8: text.uppercased().utf8) == id)
        #expect(EventID(utf8: AnyCollection(Array(text.utf8))) == id)
        #expect(
            id.bytes == [1, 0x90, 0xB2, 0xF0, 0x5F, 0x3E, 0x7C, 0xC1, 0x8B, 0x1E, 0x0D, 0x4F, 0x6F, 0x0C, 0x7A, 0x11]
        )
        #expect(EventID(bytes: id.bytes) == id)
        #expect(EventID(bytes: id.bytes.dropLast()) == nil)
    }

    @Test("Random event ids survive as text and as bytes")
    func keepsEventIDs() {
        var random = SplitMix(seed: 1)
        for _ in 0..<1_000 {
            let id = EventID(high: random.next(), low: random.next())
            #expect(EventID(utf8: id.description.utf8) == id)
            #expect(EventID(bytes: id.bytes) == id)
        }
    }

    @Test(
        "What is not a UUID is no event id",
        arguments: [
            "", "0190b2f05f3e7cc18b1e0d4f6f0c7a11", "0190b2f0-5f3e-7cc1-8b1e-0d4f6f0c7a1",
            "0190b2f0-5f3e-7cc1-8b1e-0d4f6f0c7a111",
            "0190b2g0-5f3e-7cc1-8b1e-0d4f6f0c7a11", "0190b2f0_5f3e-7cc1-8b1e-0d4f6f0c7a11",
            "0190b2f-05f3e-7cc1-8b1e-0d4f6f0c7a11",
            "0190b2f0-5f3e-7cc1-8b1e-0d4f6f0c7aé",
        ]
    )
    func refusesEventID(text: String) {
        #expect(EventID(utf8: text.utf8) == nil)
    }

    @Test("A cursor survives as text")
    func keepsCursor() throws {
        for epoch in [0, 1, .max] as [UInt64] {
            for number in [0, 35, 36, .max] as [Int64] {
                var cursor = FeedCursor(
                    epoch: epoch,
                    generation: number,
                    version: number,
                    issuedAt: 1_790_000_000.9,
                    recheckAt: nil
                )
                #expect(cursor.issuedAt == 1_790_000_000 && cursor.recheckAt == 0)
                #expect(FeedCursor(cursor.text) == cursor)
                cursor.recheckAt = number
                #expect(FeedCursor(cursor.text) == cursor)
            }
        }
        #expect(FeedCursor(epoch: 0, generation: 0, version: 0, issuedAt: 0, recheckAt: 100.9).recheckAt == 100)
    }

    @Test(
        "What is no cursor of ours is none",
        arguments: [
            "", "2", "2.", "2.0.0.0.0.0", "2.0.0.0.0.0.0.0", "1.0.0.0.0.0.0", "2.0.0.0.0.0.", "2..0.0.0.0.0",
            "2.0.0.0.0.0.0 ", " 2.0.0.0.0.0.0", "2.0.-1.0.0.0.0", "2.0.+1.0.0.0.0", "2.0.A.0.0.0.0", "2.0.é.0.0.0.0",
            "2.0.1y2p0ij32e8e8.0.0.0.0", "2.3w5e11264sgsg.0.0.0.0.0", "2.0.0.0.0.0.0\u{0}", "22.0.0.0.0.0.0",
            "2.0.0.0.0.0.1",
        ]
    )
    func refusesCursor(text: String) {
        #expect(FeedCursor("2.0.0.0.0.0.0") != nil)
        #expect(FeedCursor(text) == nil)
    }

    @Test("A cursor with one wrong character is none")
    func refusesDamagedCursor() {
        let cursor = FeedCursor(epoch: 7, generation: 40, version: 9, issuedAt: 1_790_000_000, recheckAt: 1_790_000_900)
        let text = Array(cursor.text)
        for place in text.indices {
            for letter in "0123456789abcdefghijklmnopqrstuvwxyz.-" where letter != text[place] {
                var damaged = text
                damaged[place] = letter
                // A zero before a number changes nothing of it.
                if let found = FeedCursor(String(damaged)) { #expect(found == cursor) }
            }
        }
    }

    @Test("Cursors of two users who were made at one moment belong to two histories")
    func separatesUsers() {
        let histories = ["ann", "bob"].map { FeedCursor.history(of: UserID(rawValue: $0), createdAt: 5, in: 7) }
        #expect(histories[0] != histories[1])
    }

    @Test("A cursor is current until anything changes, its moment comes, or the clock is set back")
    func expires() {
        let cursor = FeedCursor(epoch: 1, generation: 2, version: 3, issuedAt: 100, recheckAt: 200)
        #expect(cursor.isCurrent(epoch: 1, generation: 2, version: 3, at: 199.9))
        #expect(!cursor.isCurrent(epoch: 1, generation: 2, version: 3, at: 200))
        #expect(!cursor.isCurrent(epoch: 9, generation: 2, version: 3, at: 150))
        #expect(!cursor.isCurrent(epoch: 1, generation: 3, version: 3, at: 150))
        #expect(!cursor.isCurrent(epoch: 1, generation: 2, version: 4, at: 150))
        #expect(!cursor.isCurrent(epoch: 1, generation: 2, version: 3, at: 99))
        let open = FeedCursor(epoch: 1, generation: 2, version: 3, issuedAt: 100, recheckAt: nil)
        #expect(open.isCurrent(epoch: 1, generation: 2, version: 3, at: 1e12))
    }

    @Test("A cursor can't be current for any user once campaigns change, its moment comes, or the clock is set back")
    func mayBeCurrent() {
        let cursor = FeedCursor(epoch: 1, generation: 2, version: 3, issuedAt: 100, recheckAt: 200)
        #expect(cursor.mayBeCurrent(generation: 2, at: 100))
        #expect(cursor.mayBeCurrent(generation: 2, at: 199.9))
        #expect(!cursor.mayBeCurrent(generation: 2, at: 200))
        #expect(!cursor.mayBeCurrent(generation: 2, at: 99))
        #expect(!cursor.mayBeCurrent(generation: 1, at: 150) && !cursor.mayBeCurrent(generation: 3, at: 150))
    }
}
