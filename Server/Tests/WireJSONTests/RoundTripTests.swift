import Foundation
import Statistics
import Testing
import WireJSON

@Suite("What is written is read back")
struct RoundTripTests {
    @Test("Random values survive writing and reading, and the system's parser reads the same")
    func survives() throws {
        var random = SplitMix(seed: 42)
        for _ in 0..<2_000 {
            let value = Self.value(depth: 4, &random)
            #expect(try JSONValue(parsing: value.bytes) == value)
            let system = try JSONSerialization.jsonObject(with: Data(value.bytes), options: .fragmentsAllowed)
            #expect(Self.agrees(value, system), "\(value.text)")
        }
    }

    @Test("What the system's writer writes is read the same")
    func readsSystem() throws {
        var random = SplitMix(seed: 43)
        for _ in 0..<500 {
            let system = try JSONSerialization.jsonObject(
                with: Data(Self.value(depth: 4, &random).bytes),
                options: .fragmentsAllowed
            )
            let text = try JSONSerialization.data(withJSONObject: system, options: [.fragmentsAllowed, .prettyPrinted])
            #expect(Self.agrees(try JSONValue(parsing: text), system))
        }
    }

    @Test("Every scalar survives, raw and escaped")
    func keepsScalars() throws {
        for plane in [0...0x2FFF, 0xD000...0xFFFF, 0x10000...0x100FF, 0x1F600...0x1F6FF, 0x10FFF0...0x10FFFF]
            as [ClosedRange<UInt32>]
        {
            let text = String(String.UnicodeScalarView(plane.compactMap(Unicode.Scalar.init)))
            #expect(try JSONValue(parsing: JSONValue.string(text).bytes) == .string(text))
            let escapes = text.utf16.map { "\\u" + String(UInt32($0) | 0x10000, radix: 16).dropFirst() }.joined()
            let read = try JSONValue(parsing: "\"\(escapes)\"").string
            #expect(read.map { Array($0.utf8) } == Array(text.utf8))
        }
    }

    @Test("A string that needs an escape at any place is written whole", arguments: 0..<20)
    func escapesAnywhere(place: Int) throws {
        for special in ["\"", "\\", "\n", "\u{0}", "\u{1F}", "é", "日", "😀"] {
            let text = String(repeating: "a", count: place) + special + String(repeating: "b", count: 20 - place)
            #expect(try JSONValue(parsing: JSONValue.string(text).bytes) == .string(text))
        }
    }

    @Test("Escapes are the short ones where JSON has them")
    func writesEscapes() {
        #expect(
            JSONValue.string("\"\\/\n\r\t\u{8}\u{0}\u{1f}é\u{7f}").text == #""\"\\/\n\r\t\u0008\u0000\u001fé"#
                + "\u{7f}\""
        )
    }

    @Test("Whole numbers are written digit by digit, the smallest and largest included")
    func writesIntegers() {
        var writer = JSONWriter()
        for value in [0, 9, 10, -1, .max, .min] as [Int64] {
            writer.integer(value)
            writer.raw(" ")
        }
        writer.integer(UInt64.max)
        writer.raw(" ")
        writer.integer(Int8.min)
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == "0 9 10 -1 9223372036854775807 -9223372036854775808 18446744073709551615 -128"
        )
    }

    @Test(
        "Numbers that JSON cannot say are null, and whole ones have no fraction",
        arguments: [
            (Double.nan, "null"), (.infinity, "null"), (-.infinity, "null"), (5, "5"), (-0.0, "0"),
            (1_790_000_000.25, "1790000000.25"), (1_790_000_000.001, "1790000000.001"), (-0.05, "-0.05"),
            (-2.5, "-2.5"), (99.99, "99.99"), (0.0001, "0.0001"), (0.1 + 0.2, "0.30000000000000004"),
            (4e15 + 0.5, "4000000000000000.5"),
            (0.1, "0.1"), (1e300, "1e+300"), (9_007_199_254_740_992, "9007199254740992.0"),
        ]
    )
    func writesNumbers(value: Double, text: String) {
        #expect(JSONValue.number(value).text == text)
    }

    @Test("Members keep their order, and the last of one name wins")
    func keepsOrder() throws {
        let value = try JSONValue(parsing: #"{"z":1,"a":2,"m":3,"a":4}"#)
        #expect(value.text == #"{"z":1,"a":4,"m":3}"#)
    }

    private static func value(depth: Int, _ random: inout SplitMix) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .integer(Int64.random(in: -1_000...1_000, using: &random))
        case 3: return .integer(Int64(bitPattern: random.next()))
        case 4: return .number(number(&random))
        case 5: return .string(string(&random))
        case 6: return .array((0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth: depth - 1, &random) })
        default:
            let pairs = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                (string(&random), value(depth: depth - 1, &random))
            }
            return .object(JSONObject(pairs, uniquingKeysWith: { _, last in last }))
        }
    }

    /// Any finite double that is not a small whole number: those are read back as integers.
    private static func number(_ random: inout SplitMix) -> Double {
        while true {
            let value = Double(bitPattern: random.next())
            if value.isFinite, value != value.rounded() || value.magnitude > 1e16 { return value }
        }
    }

    private static func string(_ random: inout SplitMix) -> String {
        let alphabet = Array("abcXYZ 019\"\\/\n\r\t\u{0}\u{1F}éß日本語😀\u{10FFFF}\u{2028}")
        return String(
            (0..<Int.random(in: 0...24, using: &random)).compactMap { _ in alphabet.randomElement(using: &random) }
        )
    }

    private static func agrees(_ value: JSONValue, _ system: Any) -> Bool {
        switch value {
        case .null: return system is NSNull
        case .bool(let value): return system as? Bool == value
        case .integer(let value): return (system as? NSNumber)?.int64Value == value
        case .number(let value):
            // The system reads some numbers by way of a decimal and misses the last bit.
            return (system as? NSNumber).map { abs($0.doubleValue - value) <= value.magnitude * 1e-14 } ?? false
        case .decimal(let value):
            return (system as? NSNumber).map { abs($0.doubleValue - value.double) <= abs(value.double) * 1e-14 }
                ?? false
        case .string(let value): return (system as? String).map { Array($0.utf8) } == Array(value.utf8)
        case .array(let elements):
            guard let others = system as? [Any], others.count == elements.count else { return false }
            return zip(elements, others).allSatisfy(agrees)
        case .object(let members):
            guard let others = system as? [String: Any], others.count == members.count else { return false }
            return members.allSatisfy { name, member in others[name].map { agrees(member, $0) } ?? false }
        }
    }
}
