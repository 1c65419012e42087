import CardModel
import WireJSON

/// A frequency cap as a row of the settings' form: so many cards within so many days.
struct CapFields {
    private static let most = 10

    let index: Int
    let cards: String
    let days: String
    let tag: String
    /// Whether the API has refused it.
    var isWrong = false

    /// The rows that a form shows: those that have something, and an empty one.
    ///
    /// - Parameters:
    ///   - form: The form.
    ///   - path: The field that the API has refused, or `nil`.
    /// - Returns: The rows.
    static func rows(in form: FormData, wrong path: String? = nil) -> [CapFields] {
        let filled = (0..<most).map { index in
            func text(_ name: String) -> String { form.value(named: "cap.\(index).\(name)").trimmingSpaces }
            return CapFields(index: index, cards: text("cards"), days: text("days"), tag: text("tag"))
        }.filter { !$0.isEmpty }
        let rows = filled.count < most ? filled + [CapFields(index: 0, cards: "", days: "", tag: "")] : filled
        return rows.enumerated().map { index, row in
            let isWrong = path?.hasPrefix("frequency_caps[\(index)]") == true
            return CapFields(index: index, cards: row.cards, days: row.days, tag: row.tag, isWrong: isWrong)
        }
    }

    static func fields(of caps: [FrequencyCap]) -> [(name: String, value: String)] {
        caps.enumerated().flatMap { index, cap in
            [
                ("cap.\(index).cards", String(cap.cards)), ("cap.\(index).days", String(cap.days)),
                ("cap.\(index).tag", PageFormatter.shown(cap.tag)),
            ]
        }
    }

    /// Whether nothing was typed but perhaps a tag.
    private var isEmpty: Bool { cards.isEmpty && days.isEmpty }

    /// The cap as the API takes it, or `nil` for the row that waits to be filled.
    var json: JSONValue? {
        guard !isEmpty else { return nil }
        return [
            "cards": SettingsForm.number(cards), "days": SettingsForm.number(days),
            "tag": tag.isEmpty ? .null : .string(tag),
        ]
    }
}
