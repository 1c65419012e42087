import WireJSON

/// The size of a campaign as the form of the editor.
///
/// A form that is larger than ``FormBounds`` allows can be shown, and not be saved. So what doesn't fit isn't edited
/// here: with 20 variants in 100 languages, the page would have 2,000 rows and several megabytes.
struct EditorSize {
    /// The maximum size of what the page has beside the campaign's fields, such as the buttons' values and the token.
    private static let besides = (fields: 200, bytes: 16_384)
    /// The names of places that begin each field's name: `c.` before `variants[0].name`.
    private static let prefixBytes = 2

    /// Variants, translations, conditions and pairs, all together.
    private(set) var rows = 0
    private(set) var fields = EditorSize.besides.fields
    /// The bytes of the form as a browser encodes it.
    private(set) var bytes = EditorSize.besides.bytes

    /// Measures a draft, without making the form.
    init(_ draft: CampaignDraft) {
        add(draft.fields, nameBytes: Self.prefixBytes)
        // safe: texts in memory, of which three bytes for each are far fewer than 2^63
        bytes += Self.encodedBytes(of: draft.base.text)
    }

    /// Whether such a form is sent in vain.
    var isTooLarge: Bool { rows > FormBounds.rows || fields > FormBounds.fields || bytes > FormBounds.bytes }

    /// Whether a form has become too large by what was added to it; one from which something was taken never has.
    func isTooLarge(after former: EditorSize) -> Bool { isTooLarge && bytes > former.bytes }

    // safe: counts and bytes of what is in memory, see above
    private mutating func add(_ value: JSONValue, nameBytes: Int) {
        switch value {
        case .object(let members):
            for (name, member) in members { add(member, nameBytes: nameBytes + name.utf8.count + 1) }
        case .array(let elements):
            rows += elements.count
            // Brackets are three bytes each, and indexes at most three digits.
            for element in elements { add(element, nameBytes: nameBytes + 9) }
        default:
            fields += 1
            bytes += nameBytes + Self.encodedBytes(of: value.fieldText) + 2
        }
    }

    /// The bytes of a text in `application/x-www-form-urlencoded`: three for each but letters, digits and a few marks,
    /// and six for the two of a line break.
    private static func encodedBytes(of text: String) -> Int {
        text.utf8.reduce(0) { $0 + (isPlain($1) ? 1 : $1 == UInt8(ascii: "\n") ? 6 : 3) }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: " "):
            true
        default: false
        }
    }
}

/// Says that a campaign has more than the editor's form can.
struct EditorTooLarge: PageError {
    let size: EditorSize

    var view: ErrorView {
        let what =
            size.rows > FormBounds.rows
            ? localized("It has \(size.rows) rows, and a form can have \(FormBounds.rows).")
            : localized("It is larger than a form can be.")
        let how = localized(
            "Nothing was changed. Edit it as a file with “placard pull” and “placard apply”, or by the management API."
        )
        return ErrorView(
            status: .unprocessableContent,
            heading: localized("This campaign is too large for the editor"),
            text: "\(what) \(how)"
        )
    }

    /// The problem where a row would make a form larger than it can be.
    static var fullForm: FieldProblem {
        let message = localized("A form can have \(FormBounds.rows) rows and 1 MB. Remove some before you add others.")
        return FieldProblem(path: "variants", code: "form_too_large", message: message, isWarning: false)
    }
}
