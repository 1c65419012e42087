import CardModel
import WireJSON

/// Makes the fields of one card.
struct CardForm {
    let card: JSONValue
    let place: String
    let path: String
    let maker: FieldMaker

    let layouts = CardTemplate.Layout.allCases.reversed().map { ($0.rawValue, $0.displayName) }

    init(_ card: JSONValue, at place: String, path: String, _ maker: FieldMaker) {
        self.card = card
        self.place = place
        self.path = path
        self.maker = maker
    }

    func line(_ field: DraftField, _ label: String, _ style: FieldView.Style) -> FieldView {
        let (place, path) = names(field)
        return maker.make(.line, label, at: place, path: path, value: card.value(field), style)
    }

    func check(_ field: DraftField, _ label: String) -> FieldView {
        let (place, path) = names(field)
        return maker.make(.check, label, at: place, path: path, value: card.isOn(field) ? "on" : "")
    }

    /// Returns the names of a field in the form and in the campaign.
    private func names(_ field: DraftField) -> (place: String, path: String) {
        ("\(place).\(field.rawValue)", "\(path).\(field.rawValue)")
    }

    func choice(_ field: DraftField, _ label: String, _ kind: FieldView.Kind, _ pairs: [(String, String)]) -> FieldView
    {
        // safe: there is one at least
        let chosen = card.text(field) ?? pairs[0].0
        let (place, path) = names(field)
        let options = pairs.map { FieldOption(value: $0.0, name: $0.1, isChosen: $0.0 == chosen) }
        return maker.make(
            kind,
            label,
            at: place,
            path: path,
            value: chosen,
            options: options
        )
    }

    func expiry() -> (FieldView, FieldView, DurationView) {
        let fields = card.part(.expiry)
        let chosen = fields.trimmed(.kind)
        let kinds = [
            ("", localized("Never"), nil), ("at", localized("At a fixed time"), "takes-time"),
            ("local", localized("In the user’s local time"), "takes-time"),
            ("after", localized("After delivery"), "takes-duration"),
        ]
        return (
            maker.make(
                .choice,
                localized("Expiration"),
                at: "\(place).expiry.kind",
                path: "\(path).expires_in_local_time",
                value: chosen,
                options: kinds.map {
                    FieldOption(value: $0.0, name: $0.1, isChosen: $0.0 == chosen, optionMark: $0.2)
                }
            ),
            maker.make(
                .moment,
                localized("Expires at"),
                at: "\(place).expiry.at",
                path: "\(path).expires_at",
                value: fields.value(.at),
                .init(mark: "time-part")
            ),
            DurationView(
                localized("Expires after"),
                fields.part(.after),
                at: "\(place).expiry.after",
                path: "\(path).expires_after",
                maker,
                mark: "duration-part"
            )
        )
    }

    func urls() -> [FieldView] {
        CardTemplate.Platform.allCases.map { platform in
            maker.make(
                .text(rows: 1),
                localized("Link on \(platform.displayName)"),
                at: "\(place).urls.\(platform.rawValue)",
                path: "\(path).urls.\(platform.rawValue)",
                value: card.part(.urls).value(named: platform.rawValue),
                .init(isLiquid: true)
            )
        }
    }
}

extension CardTemplate.Platform {
    var displayName: String {
        switch self {
        case .ios: "iOS"
        case .android: "Android"
        case .web: localized("the web")
        }
    }
}
