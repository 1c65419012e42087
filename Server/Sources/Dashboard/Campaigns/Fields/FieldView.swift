import WireJSON

/// A choice that a field or a filter of a page offers.
struct FieldOption {
    let value: String
    let name: String
    let isChosen: Bool
    /// The mark that the style sheet goes by, such as `takes-time`.
    var optionMark: String?
}

/// One field of a form as a page draws it.
struct FieldView {
    /// Something that is wrong in the field, or may be meant.
    struct Note {
        let noteID: String
        let text: String
        let isWarning: Bool
        /// The line of the text that is wrong, with a mark under the column.
        let excerpt: String?
        let line: Int?
        let column: Int?
    }

    enum Kind {
        case line
        case text(rows: Int)
        case choice
        case radio
        case check
        case moment
    }

    let fieldID: String
    let place: String
    let label: String
    let value: String
    let options: [FieldOption]
    let isChecked: Bool
    let isLine: Bool
    let isText: Bool
    let isChoice: Bool
    let isRadio: Bool
    let isCheck: Bool
    let isMoment: Bool
    let rows: Int
    /// The longest value, in UTF-16 code units.
    let maximum: Int
    let fieldHint: String?
    let placeholder: String?
    let inputMode: String?
    let names: String?
    let mark: String?
    /// The text behind the field, such as its unit.
    let suffix: String?
    let isLiquid: Bool
    let isBare: Bool
    let notes: [Note]
    let isWrong: Bool
    /// The ids of what describes the field.
    let describedBy: String?
}

extension FieldView {
    /// The style of a field beyond its kind.
    struct Style {
        var hint: String?
        var placeholder: String?
        /// `numeric`, `decimal` or `url`.
        var inputMode: String?
        /// The id of a list of names that the field offers.
        var names: String?
        /// A class for the style sheet.
        var mark: String?
        /// The text behind the field, such as its unit.
        var suffix: String?
        /// Whether templates can be written here.
        var isLiquid = false
        /// Whether the label is only read out.
        var isBare = false
        /// Whether it only says something together with others.
        var isPart = false
        /// The text that a comparison of campaigns shows in place of the value.
        var compared: String?

        static let number = Style(inputMode: "decimal")
    }
}

extension FieldView.Note {
    /// The note for a script.
    var json: JSONValue {
        [
            "id": .string(noteID), "text": .string(text), "warning": .bool(isWarning),
            "excerpt": excerpt.map(JSONValue.string) ?? .null,
            "line": line.map { .integer(Int64($0)) } ?? .null, "column": column.map { .integer(Int64($0)) } ?? .null,
        ]
    }
}
