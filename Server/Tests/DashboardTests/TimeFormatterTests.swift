import CardModel
import Foundation
import Testing

@testable import Dashboard

@Suite("Dashboard: formatters of times")
struct TimeFormatterTests {
    private static let english = Locale(identifier: "en_GB")
    private static let japanese = Locale(identifier: "ja_JP")
    /// 21 November 2026, 00:40 in UTC.
    private static let moment: UnixTime = 1_795_221_600

    @Test("Each language, time zone and pattern has its own text, in whatever order they are asked for")
    func texts() {
        let formatters = TimeFormatters()
        for _ in 0..<2 {
            #expect(formatters.text(of: Self.moment, in: "UTC", "d MMM, HH:mm", Self.english) == "21 Nov, 00:40")
            #expect(formatters.text(of: Self.moment, in: "Asia/Tokyo", "d MMM, HH:mm", Self.english) == "21 Nov, 09:40")
            #expect(formatters.text(of: Self.moment, in: "UTC", "yyyy", Self.english) == "2026")
            #expect(formatters.text(of: Self.moment, in: "UTC", "M月d日", Self.japanese) == "11月21日")
            #expect(formatters.text(of: Self.moment, in: "Nowhere/Else", "HH:mm", Self.english) == "00:40")
        }
        #expect(formatters.count == 5)
    }

    @Test("A formatter is made once, and no more are kept than there is room for")
    func bounds() {
        let formatters = TimeFormatters(limit: 2)
        for _ in 0..<3 { _ = formatters.text(of: Self.moment, in: "UTC", "HH:mm", Self.english) }
        #expect(formatters.count == 1)
        for hours in 1...9 {
            let text = formatters.text(of: Self.moment, in: "GMT+\(hours)", "H:mm", Self.english)
            #expect(text == "\(hours):40")
            #expect(formatters.count <= 2)
        }
    }

    @Test("Pages that are made at the same time get the same texts as one alone")
    func concurrency() async {
        let formatters = TimeFormatters()
        let texts = await withTaskGroup(of: String.self) { group in
            for number in 0..<200 {
                let zone = number.isMultiple(of: 2) ? "UTC" : "Asia/Tokyo"
                group.addTask { formatters.text(of: Self.moment, in: zone, "HH:mm", Self.english) }
            }
            return await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(texts == ["00:40", "09:40"])
    }
}
