import Liquid
import Testing

@Suite("Arithmetic")
struct ArithmeticTests {
    private func text(_ source: String, _ values: LiquidValue...) throws -> String? {
        let data = zip(["a", "b"], values).map { (key: $0, value: $1) }
        return try standard.compile(source).render(LiquidContext(data: LiquidHash(data))).text
    }

    @Test(
        "rounds a quotient of whole numbers down, and gives its rest the sign of the divisor",
        arguments: [
            (7, 2, "3 1"), (-7, 2, "-4 1"), (7, -2, "-4 -1"), (-7, -2, "3 -1"), (6, 3, "2 0"), (-6, 3, "-2 0"),
            (0, 5, "0 0"), (0, -5, "0 0"), (1, 9, "0 1"), (-1, 9, "-1 8"), (1, -9, "-1 -8"), (-1, -9, "0 -1"),
            (Int.max, Int.max, "1 0"), (Int.min, Int.max, "-2 9223372036854775806"), (Int.max, Int.min, "-1 -1"),
            (Int.min, Int.min, "1 0"), (Int.min, 1, "-9223372036854775808 0"), (Int.min, 2, "-4611686018427387904 0"),
        ]
    )
    func floored(_ dividend: Int, _ divisor: Int, _ expected: String) throws {
        let source = "{{ a | divided_by: b }} {{ a | modulo: b }}"
        #expect(try text(source, .int(dividend), .int(divisor)) == expected)
    }

    @Test("puts quotient and rest together again, whatever was divided")
    func division() throws {
        var random = SeededRandom(seed: 11)
        let source = "{{ a | divided_by: b }},{{ a | modulo: b }}"
        for _ in 0..<500 {
            let bits = Int.random(in: 1...62, using: &random)
            let dividend = Int.random(in: Int.min...Int.max, using: &random) >> bits
            let divisor = Int.random(in: Int.min...Int.max, using: &random) >> Int.random(in: 1...62, using: &random)
            guard divisor != 0 else { continue }
            let parts = try #require(try text(source, .int(dividend), .int(divisor))).split(separator: ",")
            let (quotient, rest) = (try #require(Int(parts[0])), try #require(Int(parts[1])))
            #expect(quotient * divisor + rest == dividend)
            #expect(divisor > 0 ? (0..<divisor).contains(rest) : (divisor + 1...0).contains(rest))
        }
    }

    @Test("adds, subtracts and multiplies decimals as they are written")
    func decimals() throws {
        var random = SeededRandom(seed: 5)
        let source = "{{ a | plus: b }} {{ a | minus: b }} {{ a | times: b }}"
        for _ in 0..<500 {
            // In hundredths, and therefore exact.
            let left = Int.random(in: -999_999...999_999, using: &random)
            let right = Int.random(in: -999_999...999_999, using: &random)
            let expected = [
                decimal(left + right, 2), decimal(left - right, 2), decimal(left * right, 4),
            ].joined(separator: " ")
            let values = [left, right].map { LiquidValue.string(decimal($0, 2)) }
            #expect(try text(source, values[0], values[1]) == expected)
            let numbers = [left, right].map { LiquidValue.double(Double($0) / 100) }
            #expect(try text(source, numbers[0], numbers[1]) == expected)
        }
    }

    /// A whole number with its last digits behind a point, without zeros that mean nothing.
    private func decimal(_ units: Int, _ places: Int) -> String {
        var digits = String(units.magnitude)
        digits = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        var fraction = String(digits.suffix(places))
        while fraction.count > 1, fraction.hasSuffix("0") { fraction.removeLast() }
        return (units < 0 ? "-" : "") + digits.dropLast(places) + "." + fraction
    }

    @Test(
        "takes the rest of decimals as they are written, with the sign of the divisor",
        arguments: [
            ("0.5", "0.1", "0.0"), ("0.5", "-0.1", "0.0"), ("0.3", "-0.1", "0.0"), ("0.35", "-0.1", "-0.05"),
            ("-0.35", "0.1", "0.05"), ("-0.35", "-0.1", "-0.05"), ("10.1", "1", "0.1"), ("-10.1", "1", "0.9"),
            ("24.5", "12", "0.5"), ("1", "0.3", "0.1"), ("-1", "0.3", "0.2"), ("100.0", "-1", "0.0"),
            ("0.7", "-0.001", "0.0"),
        ]
    )
    func decimalRests(_ dividend: String, _ divisor: String, _ expected: String) throws {
        #expect(try text("{{ a | modulo: b }}", .string(dividend), .string(divisor)) == expected)
    }

    @Test(
        "rounds halves away from zero",
        arguments: [
            ("0.5", "0", "1"), ("-0.5", "0", "-1"), ("1.5", "0", "2"), ("0.49999999999999994", "0", "0"),
            ("1.005", "2", "1.01"), ("-1.005", "2", "-1.01"), ("2.345", "2", "2.35"), ("0.285", "2", "0.29"),
            ("1.45", "1", "1.5"), ("8.345", "2", "8.35"), ("1.0", "5", "1.0"), ("12345", "-1", "12350"),
            ("-12345", "-1", "-12350"), ("44", "-2", "0"), ("50", "-2", "100"), ("-50", "-2", "-100"), ("7", "3", "7"),
            ("999999.9999", "3", "1000000.0"), ("0.0004", "3", "0.0"), ("0.0005", "3", "0.001"),
        ]
    )
    func rounding(_ number: String, _ places: String, _ expected: String) throws {
        #expect(try text("{{ a | round: b }}", .string(number), .string(places)) == expected)
    }

    @Test(
        "goes up and down to whole numbers",
        arguments: [
            ("1.0", "1 1"), ("1.000001", "2 1"), ("-1.000001", "-1 -2"), ("-0.5", "0 -1"), ("0.5", "1 0"),
            ("9007199254740993", "9007199254740993 9007199254740993"), ("x", "0 0"), ("", "0 0"), ("  3.2 ", "4 3"),
        ]
    )
    func bounds(_ number: String, _ expected: String) throws {
        #expect(try text("{{ a | ceil }} {{ a | floor }}", .string(number)) == expected)
    }

    @Test(
        "reads of a text what is a number",
        arguments: [
            ("12", "12"), ("-12", "-12"), ("+12", "12"), (" 12 ", "12"), ("12abc", "12"), ("abc12", "0"), ("-", "0"),
            ("1.5", "1.5"), ("-1.5", "-1.5"), ("1.", "1"), (".5", "0"), ("1.5.2", "1"), ("1.5x", "1"), ("1e3", "1"),
            ("007", "7"), ("007.50", "7.5"), ("--1", "0"), ("1,000", "1"), ("0x10", "0"), ("٣", "0"), ("½", "0"),
            ("9223372036854775807", "9223372036854775807"), ("-9223372036854775808", "-9223372036854775808"),
        ]
    )
    func texts(_ number: String, _ expected: String) throws {
        #expect(try text("{{ a | plus: 0 }}", .string(number)) == expected)
    }

    @Test(
        "leaves whole numbers where they no longer fit",
        arguments: [
            ("plus", Int.max, 0, "9223372036854775807"), ("plus", Int.min, -1, "-9.223372036854776e+18"),
            ("plus", Int.max, Int.min, "-1"), ("minus", Int.min, 1, "-9.223372036854776e+18"),
            ("minus", 0, Int.min, "9.223372036854776e+18"), ("minus", -1, Int.max, "-9223372036854775808"),
            ("minus", Int.min, Int.min, "0"), ("minus", -1, Int.min, "9223372036854775807"),
            ("times", Int.max, 1, "9223372036854775807"), ("times", Int.max, 2, "1.8446744073709552e+19"),
            ("times", Int.min, -1, "9.223372036854776e+18"),
            ("times", 3_037_000_500, 3_037_000_500, "9.22337203700025e+18"),
            ("times", 3_037_000_499, 3_037_000_499, "9223372030926249001"),
            ("at_least", Int.max - 1, Int.max, "9223372036854775807"),
            ("at_most", Int.max - 1, Int.max, "9223372036854775806"),
        ]
    )
    func overflow(_ filter: String, _ left: Int, _ right: Int, _ expected: String) throws {
        #expect(try text("{{ a | \(filter): b }}", .int(left), .int(right)) == expected)
    }

    @Test("knows no negative zero where the sign is taken away, nor a number that is none where it divides")
    func zeros() throws {
        #expect(try text("{{ a | abs }} {{ b | abs }}", .double(-0.0), .string("-0.0")) == "0.0 0.0")
        #expect(failure("{{ 1 | divided_by: -0.0 }}")?.code == .zeroDivision)
        #expect(failure("{{ 1.5 | modulo: '0.00' }}")?.code == .zeroDivision)
        #expect(failure("{{ 1 | divided_by: nothing }}")?.code == .zeroDivision)
        #expect(failure("{{ 1 | divided_by: numbers }}")?.code == .zeroDivision)
    }

    @Test(
        "prints decimals as the reference language does",
        arguments: [
            (0.1, "0.1"), (1.0, "1.0"), (-2.50, "-2.5"), (1e15, "1000000000000000.0"), (1e16, "1.0e+16"),
            (9_999_999_999_999_998.0, "9999999999999998.0"), (12_345_678_901_234_568.0, "1.2345678901234568e+16"),
            (0.0001, "0.0001"), (0.00012, "0.00012"), (0.00001, "1.0e-05"), (0.0000123, "1.23e-05"),
            (1e100, "1.0e+100"), (1.5e300, "1.5e+300"), (-1e-300, "-1.0e-300"), (.infinity, "Infinity"),
            (-.infinity, "-Infinity"),
            (.nan, "NaN"), (.leastNonzeroMagnitude, "5.0e-324"), (123_456_789.125, "123456789.125"),
        ] as [(Double, String)]
    )
    func printing(_ number: Double, _ expected: String) throws {
        #expect(try text("{{ a }}", .double(number)) == expected)
    }
}
