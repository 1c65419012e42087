import WireJSON

/// The view of what brings the card, and when.
struct DeliveryView {
    let kind: FieldView
    let start: FieldView
    let end: FieldView
    let local: FieldView
    let trigger: ConditionView
    let delay: DurationView
    let window: DurationView

    init(_ fields: JSONValue, _ maker: FieldMaker) {
        maker.group = localized("Delivery")
        let chosen = fields.text(.kind) ?? "scheduled"
        func moment(_ field: DraftField, _ label: String, _ hint: String) -> FieldView {
            maker.make(
                .moment,
                label,
                at: "c.delivery.\(field.rawValue)",
                path: "delivery.\(field.rawValue)_at",
                value: fields.value(field),
                .init(hint: hint)
            )
        }
        kind = maker.make(
            .radio,
            localized("Delivery"),
            at: "c.delivery.kind",
            path: "delivery.type",
            value: chosen,
            options: [
                ("scheduled", localized("Scheduled")), ("action", localized("Action-based")),
                ("api_triggered", localized("API-triggered")),
            ].map { FieldOption(value: $0.0, name: $0.1, isChosen: $0.0 == chosen) }
        )
        start = moment(.start, localized("Start"), localized("Leave blank to start immediately."))
        end = moment(.end, localized("End"), localized("Leave blank for no end date."))
        local = maker.make(
            .check,
            localized("In the user’s local time"),
            at: "c.delivery.local",
            path: "delivery.local_time",
            value: fields.isOn(.local) ? "on" : "",
            .init(mark: "for-scheduled")
        )
        let isAction = chosen == "action"
        let other = isAction ? maker : FieldMaker()
        trigger = ConditionView(fields.part(.trigger), at: "c.delivery.trigger", path: "delivery.trigger", other)
        delay = DurationView(
            localized("Delay"),
            fields.part(.delay),
            at: "c.delivery.delay",
            path: "delivery.delay",
            other,
            mark: "for-action"
        )
        window = DurationView(
            localized("Delivery window"),
            fields.part(.window),
            at: "c.delivery.window",
            path: "delivery.window",
            chosen == "scheduled" ? FieldMaker() : maker,
            hint: localized("Default: 30 days."),
            mark: "not-for-scheduled"
        )
    }
}

/// The view of the rules that limit a campaign's cards.
struct RulesView {
    let again: FieldView
    let days: FieldView
    let flags: [FieldView]
    let removals: [ConditionView]
    let canAddRemoval: Bool

    init(_ fields: JSONValue, _ maker: FieldMaker) {
        maker.group = localized("Rules")
        let chosen = fields.trimmed(.again)
        let kinds = [
            ("", localized("Default"), nil), ("never", localized("Not re-eligible"), nil),
            ("after", localized("Re-eligible after N days"), "takes-days"),
        ]
        again = maker.make(
            .choice,
            localized("Re-eligibility"),
            at: "c.rules.again",
            path: "rules.reeligible",
            value: chosen,
            options: kinds.map {
                FieldOption(value: $0.0, name: $0.1, isChosen: $0.0 == chosen, optionMark: $0.2)
            },
            .init(hint: localized("Default: once per user."))
        )
        days = maker.make(
            .line,
            localized("Days until re-eligible"),
            at: "c.rules.days",
            path: "rules.reeligible_after_days",
            value: fields.value(.days),
            .init(placeholder: "0", inputMode: "decimal", mark: "days-part")
        )
        flags = RulesFields.flags.map { flag in
            maker.make(
                .check,
                RulesFields.label(of: flag.field),
                at: "c.rules.\(flag.field.rawValue)",
                path: "rules.\(flag.name)",
                value: fields.isOn(flag.field) ? "on" : ""
            )
        }
        let conditions = fields.rows(.removeOn)
        canAddRemoval = conditions.count < 10
        removals = conditions.enumerated().map { number, condition in
            maker.group = localized("Removal event \(number + 1)")
            return ConditionView(
                condition,
                at: "c.rules.remove_on[\(number)]",
                path: "rules.remove_on[\(number)]",
                maker
            )
        }
    }
}

/// A conversion event of a campaign.
struct ConversionView {
    let row: String
    let heading: String
    let id: FieldView
    let name: FieldView
    let goal: ConditionView
    let window: DurationView
    let from: FieldView

    init(_ fields: JSONValue, _ number: Int, _ maker: FieldMaker) {
        row = "c.conversions[\(number)]"
        let (place, path) = (row, "conversions[\(number)]")
        let id = fields.trimmed(.id)
        heading = fields.text(.name) ?? id
        maker.group = localized("Conversion event \(heading)")
        maker.name(path, "conversions{\(id)}")
        name = maker.make(
            .line,
            localized("Name"),
            at: "\(place).name",
            path: "\(path).name",
            value: fields.value(.name),
            .init(placeholder: localized("Purchase"))
        )
        self.id = maker.make(
            .line,
            localized("Event ID"),
            at: "\(place).id",
            path: "\(path).id",
            value: id
        )
        goal = ConditionView(
            fields.part(.on),
            at: "\(place).on",
            path: "\(path).on",
            maker,
            hasSession: true
        )
        window = DurationView(
            localized("Conversion window"),
            fields.part(.window),
            at: "\(place).window",
            path: "\(path).window_seconds",
            maker,
            hint: localized("At most 30 days.")
        )
        let chosen = fields.text(.from) ?? "delivery"
        from = maker.make(
            .choice,
            localized("Attribution starts"),
            at: "\(place).from",
            path: "\(path).from",
            value: chosen,
            options: [("delivery", localized("On delivery")), ("impression", localized("On first impression"))].map {
                FieldOption(value: $0.0, name: $0.1, isChosen: $0.0 == chosen)
            }
        )
    }
}
