import Foundation
import Statistics
import Testing
import WireJSON

@Suite("Numbers are read exactly")
struct NumberTests {
    private func double(_ text: String) throws -> Double {
        try JSONReader.read(text.utf8) { reader throws(JSONError) in try reader.readDouble() }
    }

    private func integer(_ text: String) throws -> Int64 {
        try JSONReader.read(text.utf8) { reader throws(JSONError) in try reader.readInteger() }
    }

    @Test(
        "Every spelling is the nearest double, to the last bit",
        arguments: [
            "0", "-0", "-0.0", "0.1", "0.2", "0.3", "1.7976931348623157e308", "2.2250738585072014e-308", "5e-324",
            "4.9e-324",
            "2.4703282292062327e-324", "1e-999", "1e-400", "1e22", "1e23", "1e-22", "1e-23", "9007199254740991",
            "9007199254740992", "9007199254740993", "9007199254740993.0", "9007199254740991e22", "123456789012345678",
            "1234567890123456789", "12345678901234567890", "123456789012345678901234567890",
            "0.000000000000000000000001",
            "0.1000000000000000055511151231257827", "1790000000.25", "1790000000.123456", "8.41e21",
            "5.0120080128127e-8",
            "0e999999999999", "1e-99999999999999999999", "0.0000000000000000000000000000000000000000000001e46",
            "100000000000000000000000000000000000000000e-41", "1e0", "1E+05",
        ]
    )
    func matchesFoundation(text: String) throws {
        #expect(try double(text).bitPattern == Double(text)?.bitPattern)
    }

    @Test("Random spellings are the nearest double, to the last bit")
    func matchesFoundationAtRandom() throws {
        var random = SplitMix(seed: 7)
        for _ in 0..<20_000 {
            let text = Self.spelling(&random)
            guard let expected = Double(text), expected.isFinite else { continue }
            #expect(try double(text).bitPattern == expected.bitPattern, "\(text)")
        }
    }

    private static func spelling(_ random: inout SplitMix) -> String {
        func digits(_ range: ClosedRange<Int>) -> String {
            String(
                (0..<Int.random(in: range, using: &random)).map { _ in "0123456789".randomElement(using: &random) ?? "0"
                }
            )
        }
        var text = Bool.random(using: &random) ? "-" : ""
        text += Bool.random(using: &random) ? "0" : "\(Int.random(in: 1...9, using: &random))\(digits(0...20))"
        if Bool.random(using: &random) { text += ".\(digits(1...20))" }
        if Bool.random(using: &random) { text += "e\(Int.random(in: -330...300, using: &random))" }
        return text
    }

    @Test(
        "Whole numbers of 64 bits stay whole",
        arguments: [
            ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("999999999999999999", 999_999_999_999_999_999),
            ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
            ("1000000000000000000", 1_000_000_000_000_000_000),
        ]
    )
    func keepsWholeNumbers(text: String, value: Int64) throws {
        #expect(try JSONValue(parsing: text) == .integer(value))
        #expect(try integer(text) == value)
    }

    @Test(
        "A whole number may be spelled with a point or an exponent",
        arguments: [
            ("5.0", 5), ("0.5e1", 5), ("5e0", 5), ("500e-2", 5), ("1e15", 1_000_000_000_000_000), ("-0.0", 0),
        ]
    )
    func readsWholeSpellings(text: String, value: Int64) throws {
        #expect(try integer(text) == value)
        #expect(try JSONValue(parsing: text) == .integer(value))
    }

    @Test(
        "What is not a whole number of 64 bits is none",
        arguments: [
            "0.5", "9223372036854775808", "-9223372036854775809", "1e19", "99999999999999999999999", "\"5\"", "true",
            "null",
        ]
    )
    func refusesOtherIntegers(text: String) {
        #expect(throws: JSONError.self) { try integer(text) }
    }

    @Test("A whole number too long for 64 bits is still a number")
    func readsLongWholeNumbers() throws {
        #expect(try JSONValue(parsing: "9223372036854775808") == .decimal(ExactDecimal(.max) + 1))
        #expect(try JSONValue(parsing: "-100000000000000000000") == .number(-1e20))
    }
}
