import WireJSON

/// What brings the card, and when.
struct DeliveryView {
    let kind: FieldView
    let start: FieldView
    let end: FieldView
    let local: FieldView
    let trigger: ConditionView
    let delay: DurationView
    let window: DurationView

    init(_ fields: JSONValue, _ maker: FieldMaker) {
        maker.group = "When"
        let chosen = fields.text("kind") ?? "scheduled"
        func moment(_ name: String, _ label: String, _ hint: String) -> FieldView {
            maker.make(
                .moment,
                label,
                at: "c.delivery.\(name)",
                path: "delivery.\(name)_at",
                value: fields[name]?.string ?? "",
                .init(hint: hint)
            )
        }
        kind = maker.make(
            .radio,
            "Delivery",
            at: "c.delivery.kind",
            path: "delivery.type",
            value: chosen,
            options: [
                ("scheduled", "By schedule"), ("action", "After something users do"),
                ("api_triggered", "By your backend"),
            ].map { FieldView.Choice(value: $0.0, name: $0.1, isChosen: $0.0 == chosen) }
        )
        start = moment("start", "From", "at once where it is empty")
        end = moment("end", "Until", "open where it is empty")
        local = maker.make(
            .check,
            "By each user's own clock",
            at: "c.delivery.local",
            path: "delivery.local_time",
            value: fields.isOn("local") ? "on" : "",
            .init(mark: "for-scheduled")
        )
        let isAction = chosen == "action"
        let other = isAction ? maker : FieldMaker()
        trigger = ConditionView(fields["trigger"] ?? [:], at: "c.delivery.trigger", path: "delivery.trigger", other)
        delay = DurationView(
            "Wait before it is given",
            fields["delay"] ?? [:],
            at: "c.delivery.delay",
            path: "delivery.delay",
            other,
            mark: "for-action"
        )
        window = DurationView(
            "Wait for the device",
            fields["window"] ?? [:],
            at: "c.delivery.window",
            path: "delivery.window",
            chosen == "scheduled" ? FieldMaker() : maker,
            hint: "usually 30 days",
            mark: "not-for-scheduled"
        )
    }
}

/// What bounds a campaign's cards.
struct RulesView {
    let again: FieldView
    let days: FieldView
    let flags: [FieldView]
    let removals: [ConditionView]
    let canAddRemoval: Bool

    init(_ fields: JSONValue, _ maker: FieldMaker) {
        maker.group = "Rules"
        let chosen = fields.text("again") ?? ""
        let kinds = [
            ("", "As usual for this delivery", nil), ("never", "Never again", nil),
            ("after", "Again after some days", "takes-days"),
        ]
        again = maker.make(
            .choice,
            "The same user again",
            at: "c.rules.again",
            path: "rules.reeligible",
            value: chosen,
            options: kinds.map {
                FieldView.Choice(value: $0.0, name: $0.1, isChosen: $0.0 == chosen, optionMark: $0.2)
            },
            .init(hint: "usually once")
        )
        days = maker.make(
            .line,
            "Days until then",
            at: "c.rules.days",
            path: "rules.reeligible_after_days",
            value: fields["days"]?.string ?? "",
            .init(placeholder: "0", inputMode: "decimal", mark: "days-part")
        )
        flags = [
            ("follow", "follow_audience", "The card leaves when its user leaves the audience"),
            ("freeze", "freeze", "Keep each user's text as it was when first delivered"),
            ("uncapped", "ignore_frequency_caps", "Ignore frequency caps"),
            ("loud", "ignore_quiet_hours", "Ignore quiet hours"),
        ].map { name, path, label in
            let value = fields.isOn(name) ? "on" : ""
            return maker.make(.check, label, at: "c.rules.\(name)", path: "rules.\(path)", value: value)
        }
        let conditions = fields["remove_on"]?.array ?? []
        canAddRemoval = conditions.count < 10
        removals = conditions.enumerated().map { number, condition in
            maker.group = "Taken away \(number + 1)"
            return ConditionView(
                condition,
                at: "c.rules.remove_on[\(number)]",
                path: "rules.remove_on[\(number)]",
                maker
            )
        }
    }
}

/// What a campaign is to bring users to do.
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
        let id = fields.text("id") ?? ""
        heading = fields.text("name") ?? id
        maker.group = "Conversion \(heading)"
        maker.name(path, "conversions{\(id)}")
        name = maker.make(
            .line,
            "Name",
            at: "\(place).name",
            path: "\(path).name",
            value: fields["name"]?.string ?? "",
            .init(placeholder: "such as Purchase")
        )
        self.id = maker.make(
            .line,
            "Id",
            at: "\(place).id",
            path: "\(path).id",
            value: id,
            .init(hint: "under which it is counted")
        )
        goal = ConditionView(
            fields["on"] ?? [:],
            at: "\(place).on",
            path: "\(path).on",
            maker,
            hasSession: true
        )
        window = DurationView(
            "Within",
            fields["window"] ?? [:],
            at: "\(place).window",
            path: "\(path).window_seconds",
            maker,
            hint: "at most 30 days"
        )
        let chosen = fields.text("from") ?? "delivery"
        from = maker.make(
            .choice,
            "Counted from",
            at: "\(place).from",
            path: "\(path).from",
            value: chosen,
            options: [("delivery", "when the card is given"), ("impression", "when the card is first seen")].map {
                FieldView.Choice(value: $0.0, name: $0.1, isChosen: $0.0 == chosen)
            }
        )
    }
}
