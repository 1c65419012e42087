import WireJSON

/// The differences for users of one language.
struct TranslationView {
    let row: String
    /// The anchor by which scripts find the box when the form is drawn again.
    let anchor: String
    let heading: String
    /// The beginning of the title, which tells translations apart while they are closed.
    let excerpt: String?
    /// Whether the fields are shown: those of a language that is new, or in which something is wrong.
    let isOpen: Bool
    let tag: FieldView
    let texts: [FieldView]
    let pairs: [PairView]
    let pairsPlace: String

    init(_ fields: JSONValue, at place: String, path: String, _ maker: FieldMaker, _ type: ContentTypeFields?) {
        row = place
        anchor = FieldMaker.fieldID(place)
        let language = fields.trimmed(.tag)
        let title = fields.trimmed(.title)
        excerpt = title.isEmpty ? nil : title.count > 60 ? String(title.prefix(60)) + "…" : title
        let path = "\(path).\(language.isEmpty ? "?" : language)"
        heading = LanguageNames.name(language) ?? localized("New language")
        let group = maker.group
        maker.group = "\(group) (\(heading))"
        defer { maker.group = group }
        tag = maker.make(
            .line,
            localized("Language"),
            at: "\(place).tag",
            path: path,
            value: language,
            .init(hint: localized("For example ja or pt-BR."), names: "language-names")
        )
        texts = CardTexts.all(fields, at: place, path: path, maker)
        pairsPlace = "\(place).extras"
        pairs = CardTexts.pairs(fields, at: place, path: path, maker, type)
        let shown = [tag] + texts + pairs.flatMap { [$0.key, $0.pairValue] }
        isOpen = language.isEmpty || shown.contains { $0.isWrong }
    }
}

/// The texts that a card and each of its translations have.
enum CardTexts {
    private static var fields: [(field: DraftField, label: String, rows: Int, hint: String?)] {
        [
            (.title, localized("Title"), 1, nil), (.description, localized("Text"), 3, nil),
            (.image, localized("Image URL"), 1, nil),
            (.imageAlt, localized("Alt text"), 1, localized("Describes the image to screen readers.")),
            (.url, localized("Link"), 1, localized("https://… or a deep link into your app.")),
            (.domain, localized("Link text"), 1, nil),
        ]
    }

    static func all(_ fields: JSONValue, at place: String, path: String, _ maker: FieldMaker) -> [FieldView] {
        Self.fields.map { field, label, rows, hint in
            maker.make(
                .text(rows: rows),
                label,
                at: "\(place).\(field.rawValue)",
                path: "\(path).\(field.rawValue)",
                value: fields.value(field),
                .init(hint: hint, mark: "text-\(field.rawValue)", isLiquid: true)
            )
        }
    }

    static func pairs(
        _ fields: JSONValue,
        at place: String,
        path: String,
        _ maker: FieldMaker,
        _ type: ContentTypeFields?
    ) -> [PairView] {
        fields.rows(.extras).enumerated().map { number, pair in
            PairView(
                pair,
                at: "\(place).extras[\(number)]",
                path: "\(path).extras",
                hint: type?.hint(of: pair.trimmed(.key)),
                maker
            )
        }
    }
}
