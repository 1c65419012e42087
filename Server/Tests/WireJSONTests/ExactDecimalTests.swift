import Foundation
import Statistics
import Testing
import WireJSON

@Suite("Decimals are exact")
struct ExactDecimalTests {
    @Test(
        "A text is read to its last digit and written in as few as it needs",
        arguments: [
            ("0", "0"), ("-0", "0"), ("-0.0", "0"), ("0.1", "0.1"), ("0.10", "0.1"), ("12.50", "12.5"),
            ("-1.25e1", "-12.5"),
            ("1e-9", "0.000000001"), ("1E+3", "1000"), ("5e20", "500000000000000000000"), (".5", "0.5"), ("5.", "5"),
            ("123456789012.123456789", "123456789012.123456789"), ("000.100", "0.1"), ("0e999999999999", "0"),
            ("99999999999999999999999999999.999999999", "99999999999999999999999999999.999999999"),
            ("0.000000000000000000001e12", "0.000000001"), ("1000000000000000000000000e-24", "1"),
        ]
    )
    func texts(_ text: String, _ expected: String) throws {
        let number = try #require(ExactDecimal(exactly: text))
        #expect(number.description == expected)
        #expect(ExactDecimal(exactly: number.description) == number)
    }

    @Test(
        "What is no number, has ten decimals or 30 digits before the point is none",
        arguments: [
            "", "-", ".", "1.2.3", "1e", "e5", "+1", "0x1F", "1 ", "nan", "inf", "0.1234567891", "1e-10", "1e29",
            "1e99999999999",
            "100000000000000000000000000000", "--1", "1e+", "1,5", "٣",
        ]
    )
    func others(_ text: String) {
        #expect(ExactDecimal(exactly: text) == nil)
    }

    @Test(
        "More than nine decimals are rounded, halves to even",
        arguments: [
            ("0.30000000000000004", "0.3"), ("0.9999999999999999", "1"), ("0.0000000005", "0"),
            ("0.0000000015", "0.000000002"),
            ("0.0000000025", "0.000000002"), ("0.00000000250000000000001", "0.000000003"),
            ("-0.0000000015", "-0.000000002"),
            ("1e-400", "0"), ("0.00000000049999", "0"), ("2.5e-9", "0.000000002"),
        ]
    )
    func rounding(_ text: String, _ expected: String) {
        #expect(ExactDecimal(rounding: text.utf8)?.description == expected)
        #expect(ExactDecimal(rounding: "99999999999999999999999999999.9999999999".utf8) == nil)
    }

    @Test("Sums, differences and products agree with the system's decimals")
    func arithmetic() throws {
        var random = SplitMix(seed: 15)
        for _ in 0..<5_000 {
            let texts = (0..<2).map { _ in Self.text(&random) }
            let count = Int64.random(in: -1_000_000...1_000_000, using: &random)
            let own = try texts.map { try #require(ExactDecimal(exactly: $0)) }
            let system = try texts.map { try #require(Decimal(string: $0)) }
            #expect((own[0] + own[1]).description == (system[0] + system[1]).description)
            #expect((own[0] - own[1]).description == (system[0] - system[1]).description)
            #expect((own[0] * count).description == (system[0] * Decimal(count)).description)
            #expect((own[0] < own[1]) == (system[0] < system[1]))
            #expect(own[0].double == Double(texts[0]))
        }
    }

    /// Up to 24 digits, 9 of them after the point.
    private static func text(_ random: inout SplitMix) -> String {
        let whole = Int64.random(in: 0...(1 << Int64.random(in: 0...49, using: &random)), using: &random)
        let part = Int64.random(in: 0...(1 << Int64.random(in: 0...29, using: &random)), using: &random)
        return "\(Bool.random(using: &random) ? "-" : "")\(whole).\(String(part + 1_000_000_000).dropFirst())"
    }

    @Test("Beyond its range a number stays at the end")
    func range() {
        let largest = ExactDecimal(billionths: .max)
        #expect(largest.description == "99999999999999999999999999999.999999999")
        #expect(largest + largest == largest && largest * 2 == largest && largest * -2 == -largest)
        #expect(-largest - largest == ExactDecimal(billionths: .min))
        #expect(ExactDecimal(.max).integer == .max && ExactDecimal(.min).integer == .min)
        #expect((ExactDecimal(.max) + 1).integer == nil)
    }

    @Test(
        "A JSON number with more digits than a Double holds keeps them, and others are as before",
        arguments: [
            ("123456789012345.123456789", true), ("12345678901234567890", true), ("9007199254740993.5", true),
            ("123456789012345.000000001", true), ("0.1", false), ("1234567.123456789", false),
            ("0.12345678901234567", false),
            ("1e300", false), ("12345678901234567000", false),
        ]
    )
    func json(_ text: String, isDecimal: Bool) throws {
        let value = try JSONValue(parsing: text)
        guard case .decimal(let number) = value else {
            #expect(!isDecimal)
            return
        }
        #expect(isDecimal && number.description == text && value.text == text)
        #expect(value.encodedSize == text.utf8.count)
        #expect(value.double == Double(text))
        #expect(try JSONValue(parsing: value.text) == value)
        #expect(JSONValue(number) == value)
    }

    @Test("A decimal is the JSON value that its text is read as")
    func canonical() throws {
        var random = SplitMix(seed: 16)
        for _ in 0..<5_000 {
            let number = try #require(ExactDecimal(exactly: Self.text(&random)))
            let value = JSONValue(number)
            #expect(value == (try JSONValue(parsing: number.description)))
            #expect(value.exact == number && value.roundedDecimal == number)
        }
    }

    @Test("A reader gives the decimal of what is written, and nil beyond the range")
    func reading() throws {
        func read(_ text: String) throws -> String? {
            try JSONReader.read(text.utf8) { reader throws(JSONError) in try reader.readDecimal() }?.description
        }
        #expect(try read("19.990") == "19.99")
        #expect(try read("0.30000000000000004") == "0.3")
        #expect(try read("1e40") == nil)
        #expect(throws: JSONError.self) { try read("\"1\"") }
    }
}
