import ContentCards
import Foundation
import Testing

@testable import ContentCardsABK

@Suite("Properties of events")
struct PropertyTests {
    private static var numbers: [(Any, JSONValue)] {
        [
            (NSNumber(value: 0), 0), (NSNumber(value: 1), 1), (NSNumber(value: 2), 2), (NSNumber(value: -1), -1),
            (NSNumber(value: true), true), (NSNumber(value: false), false), (NSNumber(value: 1.0), .number(1)),
            (NSNumber(value: 2.5), 2.5), (NSNumber(value: UInt64.max), .number(Double(UInt64.max))),
            (NSNumber(value: UInt64(1)), 1), (NSNumber(value: Int8(5)), 5), (NSDecimalNumber(string: "9.5"), 9.5),
            (1, 1), (true, true), (1.5, 1.5), (Int64.min, .integer(.min)), (Float(0.5), 0.5), (UInt8(1), 1),
        ]
    }

    @Test("take numbers as numbers and booleans as booleans, as Objective-C has both", arguments: 0..<numbers.count)
    func number(place: Int) {
        let (value, expected) = Self.numbers[place]
        #expect(JSONValue(loose: value) == expected)
        #expect(JSONValue(loose: [value]) == .array([expected]))
    }

    @Test("take texts, dates, lists and dictionaries, and what JSON does not have as text")
    func others() {
        #expect(JSONValue(loose: NSNull()) == .null)
        #expect(JSONValue(loose: "1") == "1")
        #expect(JSONValue(loose: Date(timeIntervalSince1970: 0)) == "1970-01-01T00:00:00Z")
        #expect(JSONValue(loose: ["a": [1, true] as [Any]]) == ["a": [1, true]])
        #expect(JSONValue(loose: [1: "a"] as [AnyHashable: Any]) == ["1": "a"])
    }
}
