import Foundation
import Testing

@testable import ContentCards

@Suite("The text of an event")
struct EventTextTests {
    /// Characters that JSON escapes, that join with the quotation mark before them, or that some readers take for the
    /// end of a line or of a text.
    private static let scalars: [Unicode.Scalar] = [
        "a", "0", "\"", "\\", "/", "\n", "\r", "\t", "\u{0}", "\u{8}", "\u{C}", "\u{1F}", "\u{7F}", "\u{85}", "\u{A0}",
        "\u{301}", "\u{E9}", "\u{200D}", "\u{2028}", "\u{2029}", "\u{FE0F}", "\u{FEFF}", "\u{FFFD}", "\u{FFFF}",
        "\u{1F600}", "\u{10FFFF}", ",", ":", "{", "}",
    ]

    private func text(_ dice: inout Dice) -> String {
        var scalars = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...6, using: &dice) {
            scalars.append(Self.scalars.randomElement(using: &dice) ?? "a")
        }
        return String(scalars)
    }

    private func value(depth: Int, _ dice: inout Dice) -> JSONValue {
        let numbers = [0.1, -0.0, 1e16, 9.3e18, 1e300, -2.5e-300, 1.5, .nan, .infinity, Double(1 << 53) + 2, 1 / 3]
        switch Int.random(in: 0..<(depth == 0 ? 6 : 8), using: &dice) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &dice))
        case 2: return .integer([0, -1, .max, .min, 9_007_199_254_740_993].randomElement(using: &dice) ?? 0)
        case 3: return .number(numbers.randomElement(using: &dice) ?? 0)
        case 4, 5: return .string(text(&dice))
        case 6:
            var values: [JSONValue] = []
            for _ in 0..<Int.random(in: 0...3, using: &dice) { values.append(value(depth: depth - 1, &dice)) }
            return .array(values)
        default:
            var members: [String: JSONValue] = [:]
            for _ in 0..<Int.random(in: 0...3, using: &dice) { members[text(&dice)] = value(depth: depth - 1, &dice) }
            return .object(members)
        }
    }

    @Test(arguments: 1...6)
    func `is JSON whatever a value holds, and what is read from it has the same text`(seed: Int) throws {
        var dice = Dice(state: UInt64(seed))
        for _ in 0..<400 {
            let value = value(depth: 3, &dice)
            let read = try JSONDecoder().decode(JSONValue.self, from: Data(value.text.utf8))
            #expect(read.text.hasSameBytes(as: value.text))
        }
    }

    @Test func `gives back each text byte by byte`() throws {
        var dice = Dice(state: 11)
        var texts = (0..<500).map { _ in text(&dice) }
        let codes: Range<UInt32> = 0..<0x800
        texts += codes.compactMap { Unicode.Scalar($0) }.map { String(Character($0)) }
        for text in texts {
            let read = try JSONDecoder().decode([String].self, from: Data(JSONValue.array([.string(text)]).text.utf8))
            #expect(read.first?.hasSameBytes(as: text) == true, "\(text.unicodeScalars.map(\.value))")
        }
    }

    @Test(arguments: [CardAction.impression, .click, .dismissal])
    func `names the card that it is about, whatever its id looks like`(action: CardAction) throws {
        var dice = Dice(state: 12)
        var ids = ["c", "\"", "\\", "\u{301}", "\u{301}\"", "a\"", "a\\", "\",\"card_id\":\"b", "\u{FE0F}", "\n"]
        for _ in 0..<300 { ids.append(text(&dice)) }
        for id in ids where !id.isEmpty {
            let new = NewEvent.card(action, id)
            let event = LoggedEvent(sequence: 1, id: "e", type: new.type, time: 5, members: new.text)
            let found = try #require(event.cardAction)
            #expect(found.action == action && found.cardID.hasSameBytes(as: id), "\(id.unicodeScalars.map(\.value))")
            // So it is after it was in the log.
            guard case .event(let read) = JournalRecord(line: JournalRecord.event(event).line.dropLast().utf8) else {
                Issue.record("no event")
                continue
            }
            #expect(read.members.hasSameBytes(as: event.members))
            #expect(read.cardAction?.cardID.hasSameBytes(as: id) == true)
        }
    }

    @Test func `is never of a time after its sending, as a clock that is set back makes it`() throws {
        struct Sent: Decodable { var at: Double }
        let event = LoggedEvent(sequence: 1, id: "e", type: "custom", time: 1_000.5, members: "")
        for (sentAt, expected) in [(2_000, 1_000.5), (1_000.5, 1_000.5), (999.25, 999.25)] {
            let sent = try JSONDecoder().decode(Sent.self, from: Data(event.json(sentAt: sentAt).utf8))
            #expect(sent.at == expected)
        }
    }

    @Test(arguments: ["0", "9.99", "-0.1", "1000000000000", "0.000000001", "123456789.123456789", "100"])
    func `has a price to its last digit`(price: String) throws {
        let amount = try #require(Decimal(string: price))
        let text = NewEvent.purchase("p", "EUR", amount, 1, [:]).text
        #expect(text.hasSuffix(",\"price\":\(price)"))
        #expect(!NewEvent.purchase("p", "EUR", .nan, 1, [:]).text.lowercased().contains("nan"))
    }
}
