import CardModel
import WireJSON

/// One variant with its card.
struct VariantView {
    let row: String
    let index: Int
    let anchor: String
    /// The letter in its badge.
    let letter: String
    let id: String
    let variantName: String
    let share: String
    let isControl: Bool
    let isShown: Bool
    let canRemove: Bool
    let name: FieldView
    let weight: FieldView
    let layout: FieldView
    let texts: [FieldView]
    let opens: FieldView
    let pinned: FieldView
    let pairs: [PairView]
    let pairsPlace: String
    let translations: [TranslationView]
    let translationsPlace: String
    let hasTranslations: Bool
    let dismissible: FieldView
    let priority: FieldView
    let expiry: FieldView
    let expiresAt: FieldView
    let expiresAfter: DurationView
    let ratio: FieldView
    let language: FieldView
    let urls: [FieldView]

    init(
        _ fields: JSONValue,
        _ index: Int,
        _ split: EditorView.Split,
        letter: String,
        canRemove: Bool,
        _ types: [ContentTypeFields],
        _ maker: FieldMaker
    ) {
        row = "c.variants[\(index)]"
        self.index = index
        share = split.share
        self.canRemove = canRemove
        anchor = "variant-\(index)"
        id = fields.trimmed(.id)
        self.letter = letter
        variantName = fields.value(.name)
        isControl = fields.isOn(.control)
        isShown = !isControl
        let (place, path) = ("\(row).card", "variants[\(index)].card")
        maker.group = variantName.isEmpty ? localized("Variant \(id)") : variantName
        maker.name("variants[\(index)]", "variants{\(id)}")
        name = maker.make(
            .line,
            localized("Name"),
            at: "\(row).name",
            path: "variants[\(index)].name",
            value: variantName
        )
        weight = maker.make(
            .line,
            split.isPercent ? localized("Traffic split (%)") : localized("Weight"),
            at: "\(row).weight",
            path: "variants[\(index)].weight",
            value: fields[.weight]?.string ?? "1",
            .init(inputMode: "numeric", mark: "weight", compared: split.share)
        )
        let card = fields.part(.card)
        let form = CardForm(card, at: place, path: path, isShown ? maker : FieldMaker())
        layout = form.choice(.type, localized("Layout"), .radio, form.layouts)
        texts = CardTexts.all(card, at: place, path: path, form.maker)
        opens = form.check(.opensInWebView, localized("Open link in the app"))
        pinned = form.check(.pinned, localized("Pin to top"))
        let known = card.rows(.extras).first { $0.text(.key) == "class_type" }?.text(.value)
        let type = types.first { $0.classType == known }
        pairsPlace = "\(place).extras"
        pairs = CardTexts.pairs(card, at: place, path: path, form.maker, type)
        (dismissible, priority, ratio, language) = Self.more(form)
        (expiry, expiresAt, expiresAfter) = form.expiry()
        urls = form.urls()
        translationsPlace = "\(place).translations"
        hasTranslations = card[.translations]?.array?.isEmpty == false
        translations = card.rows(.translations).enumerated().map {
            TranslationView($1, at: "\(place).translations[\($0)]", path: "\(path).translations", form.maker, type)
        }
    }

    /// The fields that few cards need.
    private static func more(
        _ form: CardForm
    ) -> (dismissible: FieldView, priority: FieldView, ratio: FieldView, language: FieldView) {
        let dismissible = form.choice(
            .dismissible,
            localized("Dismissible"),
            .choice,
            [("", localized("Default: unless pinned")), ("yes", localized("Yes")), ("no", localized("No"))]
        )
        let priority = form.line(
            .priority,
            localized("Priority"),
            .init(hint: localized("Higher shows first."), placeholder: "0", inputMode: "numeric")
        )
        let ratio = form.line(
            .imageAspectRatio,
            localized("Image aspect ratio"),
            .init(hint: localized("Width divided by height: 1.5 for 3:2."), inputMode: "decimal")
        )
        let language = form.line(
            .language,
            localized("Default language"),
            .init(hint: localized("For example en."), names: "language-names")
        )
        return (dismissible, priority, ratio, language)
    }
}
