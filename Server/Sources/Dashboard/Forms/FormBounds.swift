import WireJSON

/// The maximum size of a form, whoever sends it.
enum FormBounds {
    /// Says that a form is too large, and what to do.
    struct Exceeded: Error {
        let message: String
    }

    /// The maximum number of bytes, unless a page says less.
    static let bytes = 1 << 20
    /// The maximum number of fields.
    static let fields = 5_000
    /// The maximum number of rows, such as variants, conditions, translations and pairs, all together.
    static let rows = 500
    /// The maximum number of bytes in the name of a field.
    static let nameBytes = 300

    private static let tooManyFields = Exceeded(
        message: localized("The form has more than \(fields) fields. Go back and split it up.")
    )

    /// Checks the number of fields in a form that has yet to be read.
    static func check(encoded bytes: some Collection<UInt8>) throws(Exceeded) {
        var left = fields
        for byte in bytes where byte == UInt8(ascii: "&") {
            left -= 1
            guard left > 0 else { throw tooManyFields }
        }
    }

    /// Checks a form before anything is made of it.
    static func check(_ form: FormData) throws(Exceeded) {
        guard form.fields.count <= fields else { throw tooManyFields }
        for field in form.fields {
            guard field.name.utf8.count <= nameBytes else {
                throw Exceeded(message: localized("The form has an unknown field. Reload the page and try again."))
            }
            try FieldLimits.check(field.value, of: field.name)
        }
        guard rows(of: form) <= rows else {
            throw Exceeded(
                message: localized("The form has more than \(rows) rows. Go back and remove some.")
            )
        }
    }

    /// A row within another one, or within the form where that is 0.
    private struct Row: Hashable {
        let outer: Int
        let name: ArraySlice<UInt8>
    }

    /// The number of rows: every beginning of a name that ends with `]` is one.
    ///
    /// Each byte is looked at once, whatever the names are.
    private static func rows(of form: FormData) -> Int {
        var rows: [Row: Int] = [:]
        for field in form.fields {
            let name = Array(field.name.utf8)
            var outer = 0
            for part in name.split(separator: UInt8(ascii: "]"), omittingEmptySubsequences: false).dropLast() {
                let row = Row(outer: outer, name: part)
                outer = rows[row] ?? rows.count + 1
                rows[row] = outer
                if rows.count > Self.rows { return rows.count }
            }
        }
        return rows.count
    }
}

/// The maximum lengths of fields' values.
///
/// A limit is a number of UTF-16 code units, as `maxlength` of HTML counts them.
enum FieldLimits {
    /// The limit of a field without one of its own.
    static let standard = 1_000

    /// The limits by the last part of a field's name: that of `c.variants[0].card.title` is `title`.
    private static let limits = [
        // What forms carry on: a campaign as JSON, or a form that was sent when the session had ended.
        "base": FormBounds.bytes, "resume": 2 * FormBounds.bytes, "undo": 262_144, "next": 8_000, "back": 8_000,
        "csrf": 300,
        // Texts of cards are templates, which are longer than what they render to.
        "title": 65_536, "content": 65_536, "description": 65_536, "image": 16_384, "image_alt": 16_384, "url": 16_384,
        "domain": 2_000,
        "link_text": 2_000, "ios": 16_384, "android": 16_384, "web": 16_384,
        // A value may be a template, a list of 1,000 texts or a condition as JSON.
        "value": 300_000, "audience_json": 300_000, "preview_properties": 65_536,
        "query": 3_000, "name": 255, "tags": 8_000, "variants": 8_000, "key": 255, "former_key": 255, "id": 255,
        "email": 254, "role": 100, "kind": 100, "code": 100, "secret": 100, "ticket": 8_000,
        "public_keys": 20_000, "content_hosts": 30_000, "time_zone": 100,
    ]

    /// Returns the limit of a field.
    static func limit(of name: String) -> Int { limits[lastPart(of: name)] ?? standard }

    static func check(_ value: String, of name: String) throws(FormBounds.Exceeded) {
        let limit = limit(of: name)
        guard value.utf8.count > limit, value.utf16.count > limit else { return }
        throw FormBounds.Exceeded(
            message: """
                “\(label(of: name))” can have at most \(limit) characters, and has \(value.utf16.count). \
                Go back and shorten it.
                """
        )
    }

    /// The field as people read it: `Card limit` for `card_limit`.
    private static func label(of name: String) -> String {
        let words = lastPart(of: name).prefix(60).replacing("_", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private static func lastPart(of name: String) -> String {
        var part = name[...]
        while part.ends(withBytesOf: "]"), let bracket = part.utf8.lastIndex(of: UInt8(ascii: "[")) {
            // safe: an element of the text
            part = part[..<bracket]
        }
        return String(part.utf8.lastIndex(of: UInt8(ascii: ".")).map { part[part.utf8.index(after: $0)...] } ?? part)
    }
}
