import CardModel
import WireJSON

/// Makes the fields of one condition.
struct AudienceNodeForm {
    let fields: JSONValue
    let place: String
    let path: String
    let kind: String
    let maker: FieldMaker
    let names: AudienceNames

    var operators: FieldView {
        let choices = [
            ("all", localized("Match all")), ("any", localized("Match any")), ("none", localized("Match none")),
        ]
        return choice(
            .kind,
            localized("How filters in this group match"),
            path: "",
            choices.map { ($0.0, $0.1, nil) },
            kind
        )
    }

    var parts: [FieldView] {
        switch kind {
        case "attribute", "custom_attribute": attribute
        case "event", "purchase", "session": history
        case "campaign": campaign
        case "segment": [segment]
        default: plain ?? [line(.value, localized("Filter as JSON"), path: "")]
        }
    }

    /// The fields of a filter that has nothing but plain ones, or `nil` for another.
    private var plain: [FieldView]? {
        guard let form = PlainFilterForm(kind) else { return nil }
        return form.shape.fields.map { field in
            let label = localized(field.label)
            return maker.make(
                .line,
                label,
                at: "\(place).\(field.name)",
                path: join(form.path(of: field)),
                value: fields.value(named: field.name),
                .init(
                    placeholder: field.placeholder ?? label,
                    inputMode: PlainFilterForm.inputMode(of: field),
                    isBare: true,
                    isPart: true
                )
            )
        }
    }

    private var attribute: [FieldView] {
        let (own, base) = kind == "attribute" ? ("attribute", "") : ("custom_attribute_name", "custom_attribute.")
        let chosen = fields.text(.comparison) ?? "equals"
        let choices = ComparisonWords.choices(chosen)
        let takesTime = ComparisonFields.takesTime(chosen)
        return [
            // safe: both are lists
            line(.name, localized("Attribute"), path: base + own, .init(names: "attribute-names")),
            maker.make(
                .choice,
                localized("Comparison"),
                at: "\(place).comparison",
                path: join("\(base)comparison"),
                value: chosen,
                options: choices,
                .init(isBare: true, isPart: true)
            ),
            line(
                .value,
                localized("Value"),
                path: base + (takesTime ? "value#text" : "value"),
                .init(mark: "value-part")
            ),
            moment(localized("Time"), path: base + (takesTime ? "value" : "value#time")),
        ]
    }

    private var history: [FieldView] {
        let chosen = fields.text(.test) ?? HistoryFields.once
        var parts: [FieldView] = []
        if kind == "event" {
            parts.append(line(.name, localized("Event"), path: "event.name", .init(names: "event-names")))
        }
        if kind == "purchase" {
            parts.append(
                line(
                    .name,
                    localized("Product"),
                    path: "purchase.product_id",
                    .init(placeholder: localized("any product"), names: "product-names")
                )
            )
        }
        parts.append(
            maker.make(
                .choice,
                localized("Frequency"),
                at: "\(place).test",
                path: join("\(kind).comparison"),
                value: chosen,
                options: ComparisonWords.tests(of: kind, chosen),
                .init(isBare: true, isPart: true)
            )
        )
        let takesTime = HistoryFields.takesTime(chosen)
        let (number, time) = takesTime ? ("value#number", "value") : ("value", "value#time")
        let numberStyle = FieldView.Style(inputMode: "decimal", mark: "number-part")
        parts.append(line(.value, localized("Number"), path: "\(kind).\(number)", numberStyle))
        parts.append(moment(localized("Time"), path: "\(kind).\(time)"))
        if kind == "purchase" {
            parts.append(
                line(
                    .currency,
                    localized("Currency"),
                    path: "purchase.currency",
                    .init(placeholder: "JPY", mark: "money-part")
                )
            )
        }
        return parts + window(mark: "window-part")
    }

    private var campaign: [FieldView] {
        let contacts = [
            ("received", localized("received"), String?.none), ("viewed", localized("viewed"), nil),
            ("clicked", localized("clicked"), nil), ("dismissed", localized("dismissed"), nil),
        ]
        let id = fields.trimmed(.name)
        return [
            choice(
                .comparison,
                localized("Interaction"),
                path: "campaign.contact",
                contacts,
                fields.text(.comparison) ?? "received"
            ),
            line(
                .name,
                localized("Campaign"),
                path: "campaign.id",
                .init(
                    hint: (names.campaigns + names.otherCampaigns).first { $0.id == id }?.name,
                    names: "campaign-names"
                )
            ),
            line(
                .variants,
                localized("Variants, comma-separated"),
                path: "campaign.variants",
                .init(placeholder: localized("any variant"))
            ),
        ] + window(mark: nil)
    }

    private var segment: FieldView {
        let chosen = fields.trimmed(.value)
        var choices = names.segments.map { ($0.id, $0.name, String?.none) }
        if !choices.contains(where: { $0.0 == chosen }) {
            let name = names.otherSegments.first { $0.id == chosen }?.name ?? chosen
            choices.insert((chosen, chosen.isEmpty ? localized("Choose a segment") : name, nil), at: 0)
        }
        return choice(.value, localized("Segment"), path: "segment", choices, chosen)
    }

    private func window(mark: String?) -> [FieldView] {
        let chosen = fields.text(.window) ?? "days"
        let isCalendar = chosen == "calendar"
        return [
            choice(
                .window,
                localized("Time window"),
                path: "\(kind)#window",
                [
                    ("days", localized("in the last", in: "days"), nil),
                    ("calendar", localized("in the last, by calendar", in: "days"), nil),
                ],
                chosen,
                mark: mark.map { "unit-part \($0)" } ?? "unit-part"
            ),
            line(
                .days,
                localized("Number of days"),
                path: "\(kind).within_\(isCalendar ? "calendar_" : "")days",
                .init(
                    placeholder: localized("all", in: "days"),
                    inputMode: "decimal",
                    mark: mark.map { "days-part \($0)" } ?? "days-part",
                    suffix: localized("days", in: "window")
                )
            ),
        ]
    }

    // MARK: Fields

    private func join(_ name: String) -> String { name.isEmpty ? path : "\(path).\(name)" }

    /// Returns a field of one line, whose label is only read out and is the placeholder where the style has none.
    private func line(
        _ field: DraftField,
        _ label: String,
        path: String,
        _ style: FieldView.Style = .init()
    ) -> FieldView {
        var style = style
        style.placeholder = style.placeholder ?? label
        (style.isBare, style.isPart) = (true, true)
        return maker.make(
            .line,
            label,
            at: "\(place).\(field.rawValue)",
            path: join(path),
            value: fields.value(field),
            style
        )
    }

    private func moment(_ label: String, path: String) -> FieldView {
        maker.make(
            .moment,
            label,
            at: "\(place).time",
            path: join(path),
            value: fields.value(.time),
            .init(mark: "time-part", isBare: true, isPart: true)
        )
    }

    private func choice(
        _ field: DraftField,
        _ label: String,
        path: String,
        _ choices: [(String, String, String?)],
        _ chosen: String,
        mark: String? = nil
    ) -> FieldView {
        maker.make(
            .choice,
            label,
            at: "\(place).\(field.rawValue)",
            path: path.isEmpty ? "\(self.path)#\(field.rawValue)" : join(path),
            value: chosen,
            options: choices.map {
                FieldOption(value: $0.0, name: $0.1, isChosen: $0.0 == chosen, optionMark: $0.2)
            },
            .init(mark: mark, isBare: true, isPart: true)
        )
    }
}
