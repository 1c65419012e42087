import Liquid
import Testing

@Suite("Filters of messaging and their models")
struct MessagingModelTests {
    private let environment = LiquidEnvironment()

    private func text(_ source: String, _ value: LiquidValue) throws -> String? {
        try environment.compile(source).render(LiquidContext(data: LiquidHash([("a", value)]))).text
    }

    @Test("Digits are put in groups of three from the right, and signs and decimals left alone")
    func delimiters() throws {
        var random = SeededRandom(seed: 61)
        for _ in 0..<300 {
            let number = Int.random(in: Int.min...Int.max, using: &random) >> Int.random(in: 0...63, using: &random)
            var groups: [String] = []
            var rest = String(number.magnitude)
            while rest.count > 3 {
                groups.insert(String(rest.suffix(3)), at: 0)
                rest = String(rest.dropLast(3))
            }
            let expected = (number < 0 ? "-" : "") + ([rest] + groups).joined(separator: ",")
            #expect(try text("{{ a | number_with_delimiter }}", .int(number)) == expected)
            #expect(try text("{{ a | number_with_delimiter }}", .string("\(number)")) == expected)
            #expect(try text("{{ a | number_with_delimiter }}", .string("\(number).12345")) == expected + ".12345")
        }
    }

    @Test(
        "What is no number is left as it is",
        arguments: ["", "-", ".5", "1,000", "1 000", "12a4", "+1000", "--1000", "1e10", "$1000", "١٢٣٤", "1000-"]
    )
    func noNumbers(_ value: String) throws {
        #expect(try text("{{ a | number_with_delimiter }}", .string(value)) == value)
    }

    /// A value of some depth, with texts that JSON has to escape.
    private func value(_ depth: Int, _ random: inout SeededRandom) -> LiquidValue {
        let texts = [
            "", "a", "\"", "\\", "\n\r\t", "\u{8}\u{C}\u{1F}\u{7F}", "é", "e\u{301}", "😀", "\u{2028}", "</script>",
            "\\u0041",
        ]
        switch Int.random(in: 0...(depth > 0 ? 7 : 5), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .int(Int.random(in: Int.min...Int.max, using: &random) >> Int.random(in: 0...63, using: &random))
        case 3: return .double(Double(Int.random(in: -9_999...9_999, using: &random)) / 8)
        case 4, 5: return .string(texts[Int.random(in: texts.indices, using: &random)])
        case 6:
            var items: [LiquidValue] = []
            for _ in 0..<Int.random(in: 0...4, using: &random) { items.append(value(depth - 1, &random)) }
            return .array(items)
        default:
            var pairs: [(key: String, value: LiquidValue)] = []
            for number in 0..<Int.random(in: 0...9, using: &random) {
                let key = texts[Int.random(in: texts.indices, using: &random)] + "\(number)"
                pairs.append((key: key, value: value(depth - 1, &random)))
            }
            return .hash(LiquidHash(pairs))
        }
    }

    @Test("What is written as JSON is read back the same, in its order, also by the filter")
    func roundTrip() throws {
        var random = SeededRandom(seed: 62)
        for _ in 0..<300 {
            let value = value(3, &random)
            let json = try #require(try text("{{ a | as_json_string }}", value))
            let back = try LiquidValue(json: json.utf8)
            #expect(back == value)
            // Printed alike, and so in the same order with the same kinds.
            #expect(back.text == value.text)
            #expect(json.utf8.allSatisfy { $0 >= 0x20 })
            #expect(try text("{{ a | json_parse | as_json_string }}", .string(json)) == json)
        }
    }

    @Test("A text that is escaped stands in a JSON string as it is")
    func escaping() throws {
        var random = SeededRandom(seed: 63)
        let letters: [Unicode.Scalar] = [
            "\"", "\\", "/", "\n", "\u{0}", "\u{1F}", "\u{85}", "\u{2028}", "\u{2029}", "u", "é", "😀",
        ]
        for _ in 0..<300 {
            var view = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                view.append(letters[Int.random(in: letters.indices, using: &random)])
            }
            let whole = String(view)
            let escaped = try #require(try text("{{ a | json_escape }}", .string(whole)))
            #expect(try LiquidValue(json: "\"\(escaped)\"".utf8) == .string(whole))
            #expect(try text("{{ a | as_json_string }}", .string(whole)) == "\"\(escaped)\"")
        }
    }

    @Test("An address keeps what has a meaning in it, and a part of one nothing but letters, digits and four signs")
    func addresses() throws {
        let kept = "ABCXYZabcxyz0189-_.~"
        let reserved = "!*'();:@&=+$,/?#[]"
        #expect(try text("{{ a | url_escape }}", .string(kept + reserved)) == kept + reserved)
        #expect(try text("{{ a | url_param_escape }}", .string(kept)) == kept)
        for byte in UInt8(0x20)...0x7E {
            let sign = String(Unicode.Scalar(byte))
            let digits = String(byte, radix: 16, uppercase: true)
            let coded = "%" + (digits.count < 2 ? "0" : "") + digits
            let asParameter = kept.contains(sign) || isLetterOrDigit(byte) ? sign : coded
            #expect(try text("{{ a | url_param_escape }}", .string(sign)) == asParameter)
            #expect(try text("{{ a | url_encode }}", .string(sign)) == (sign == " " ? "+" : asParameter))
            let asAddress = reserved.contains(sign) ? sign : asParameter
            #expect(try text("{{ a | url_escape }}", .string(sign)) == asAddress)
        }
        #expect(try text("{{ a | url_param_escape }}", "日 é") == "%E6%97%A5%20%C3%A9")
    }

    private func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    @Test(
        "What can't be decoded of an address stays, and what is no UTF-8 is refused",
        arguments: [
            ("%", "%"), ("%4", "%4"), ("%4G", "%4G"), ("%%41", "%A"), ("%41%", "A%"), ("%zz%41", "%zzA"),
            ("a+b%2B", "a b+"),
            ("%E6%97%A5", "日"), ("%e6%97%a5", "日"), ("%00", "\u{0}"), ("%E6%97", nil), ("%C0%80", nil), ("%FF", nil),
            ("%ED%A0%80", nil), ("日", "日"),
        ] as [(String, String?)]
    )
    func decoding(_ value: String, _ expected: String?) throws {
        if let expected {
            #expect(try text("{{ a | url_decode }}", .string(value)) == expected)
        } else {
            let context = LiquidContext(data: LiquidHash([("a", .string(value))]))
            #expect(failure("{{ a | url_decode }}", in: environment, context: context)?.code == .argument)
        }
    }
}
