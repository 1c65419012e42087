import CardModel
import WireJSON

/// A frequency cap as a row of the settings' form: so many cards within so many days.
struct CapFields {
    private static let most = 10

    let index: Int
    let cards: String
    let days: String
    let tag: String
    /// The problem of the number of cards, of the number of days or of the tag.
    var cardsMark: FieldMark?
    var daysMark: FieldMark?
    var tagMark: FieldMark?

    /// The rows that a form shows: those that have something, and an empty one.
    ///
    /// - Parameters:
    ///   - form: The form.
    ///   - marks: What is wrong with it, by the names of its fields.
    /// - Returns: The rows.
    static func rows(in form: FormData, _ marks: [String: FieldMark] = [:]) -> [CapFields] {
        let filled = (0..<most).map { index in
            func text(_ name: String) -> String { form.value(named: "cap.\(index).\(name)").trimmingSpaces }
            return CapFields(index: index, cards: text("cards"), days: text("days"), tag: text("tag"))
        }.filter { !$0.isEmpty }
        let rows = filled.count < most ? filled + [CapFields(index: 0, cards: "", days: "", tag: "")] : filled
        return rows.enumerated().map { index, row in
            func mark(_ part: String) -> FieldMark? {
                let name = "cap.\(index).\(part)"
                return marks[name]
            }
            return CapFields(
                index: index,
                cards: row.cards,
                days: row.days,
                tag: row.tag,
                cardsMark: mark("cards"),
                daysMark: mark("days"),
                tagMark: mark("tag")
            )
        }
    }

    /// The field that a path of the API leads to: `cap.0.days` for `frequency_caps[0].days`.
    static func field(of path: String) -> String {
        let parts = path.split(atAnyOf: ".[]").dropFirst()
        return parts.count == 2 ? "cap.\(parts.joined(separator: "."))" : "cap.0.cards"
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
            "cards": cards.isEmpty ? .null : SettingsForm.number(cards),
            "days": days.isEmpty ? .null : SettingsForm.number(days),
            "tag": tag.isEmpty ? .null : .string(tag),
        ]
    }
}
