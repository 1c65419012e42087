import WireJSON

/// A length of time: a number and its unit, which are one thing to people.
struct DurationView {
    let number: FieldView
    let unit: FieldView

    init(
        _ label: String,
        _ fields: JSONValue,
        at place: String,
        path: String,
        _ maker: FieldMaker,
        hint: String? = nil,
        mark: String? = nil
    ) {
        let (amount, unit) = (fields.value(.number), fields.text(.unit) ?? "days")
        number = maker.make(
            .line,
            label,
            at: "\(place).number",
            path: path,
            value: amount,
            .init(hint: hint, inputMode: "decimal", mark: mark, isPart: true)
        )
        self.unit = maker.make(
            .choice,
            localized("Unit of “\(label)”"),
            at: "\(place).unit",
            path: "\(path)#unit",
            value: unit,
            options: DurationFields.units.map {
                FieldOption(value: $0.name, name: Self.name(of: $0.name), isChosen: $0.name == unit)
            },
            .init(mark: mark, isBare: true, isPart: true)
        )
        maker.note(label, path, number.fieldID, amount.isEmpty ? "" : "\(amount) \(Self.name(of: unit))")
    }

    private static func name(of unit: String) -> String {
        switch unit {
        case "days": localized("days")
        case "hours": localized("hours")
        case "minutes": localized("minutes")
        case "seconds": localized("seconds")
        default: unit
        }
    }
}

/// A key with its value.
struct PairView {
    let row: String
    let key: FieldView
    let pairValue: FieldView
    /// The key with its spaces, where it began or ended with one when the form was opened.
    let formerKey: String?

    init(_ fields: JSONValue, at place: String, path: String, hint: String?, _ maker: FieldMaker) {
        row = place
        let name = fields.value(.key)
        let former = fields.value(.formerKey)
        formerKey = former.isEmpty ? nil : former
        key = maker.make(
            .line,
            localized("Key", in: "pair"),
            at: "\(place).key",
            path: "\(path).\(name)#key",
            value: name,
            .init(placeholder: localized("key"), isBare: true, isPart: true)
        )
        pairValue = maker.make(
            .text(rows: 1),
            name.isEmpty ? localized("Value") : localized("Value of \(name)"),
            at: "\(place).value",
            path: "\(path).\(name)",
            value: fields.value(.value),
            .init(hint: hint, placeholder: localized("value"), isLiquid: true, isBare: true)
        )
    }
}

/// A condition on one property of an event.
struct FilterView {
    let row: String
    let property: FieldView
    let comparison: FieldView
    let filterValue: FieldView
    let filterTime: FieldView

    init(_ fields: JSONValue, at place: String, path: String, _ maker: FieldMaker) {
        row = place
        func bare(_ placeholder: String, names: String? = nil, mark: String? = nil) -> FieldView.Style {
            .init(placeholder: placeholder, names: names, mark: mark, isBare: true, isPart: true)
        }
        property = maker.make(
            .line,
            localized("Property"),
            at: "\(place).property",
            path: "\(path).property",
            value: fields.value(.property),
            bare("property", names: "property-names")
        )
        let chosen = fields.text(.comparison) ?? "equals"
        let takesTime = ComparisonFields.takesTime(chosen)
        comparison = maker.make(
            .choice,
            localized("Comparison"),
            at: "\(place).comparison",
            path: "\(path).comparison",
            value: chosen,
            options: ComparisonWords.choices(chosen),
            .init(isBare: true, isPart: true)
        )
        filterValue = maker.make(
            .line,
            localized("Property value"),
            at: "\(place).value",
            path: takesTime ? "\(path).value#text" : "\(path).value",
            value: fields.value(.value),
            bare("value", mark: "value-part")
        )
        filterTime = maker.make(
            .moment,
            localized("Property time"),
            at: "\(place).time",
            path: takesTime ? "\(path).value" : "\(path).value#time",
            value: fields.value(.time),
            bare("", mark: "time-part")
        )
        let words = comparison.options.first { $0.isChosen }?.name ?? chosen
        let value = filterValue.value.isEmpty ? filterTime.value : filterValue.value
        maker.note(
            localized("Filter on \(property.value)"),
            path,
            property.fieldID,
            "\(property.value) \(words) \(value)"
        )
    }
}

/// The view of what users do, with conditions on its properties.
struct ConditionView {
    let row: String
    let subject: FieldView
    let subjectName: FieldView
    let filters: [FilterView]
    let filtersPlace: String

    init(_ fields: JSONValue, at place: String, path: String, _ maker: FieldMaker, hasSession: Bool = false) {
        row = place
        let kind = fields.text(.subject) ?? "event"
        var subjects = [
            ("event", localized("Custom event"), "takes-name"), ("purchase", localized("Any purchase"), ""),
            ("product", localized("Purchase of product"), "takes-name"),
        ]
        if hasSession { subjects.append(("session", localized("Session start"), "takes-no-filters")) }
        subject = maker.make(
            .choice,
            localized("Event"),
            at: "\(place).subject",
            path: "\(path).purchase",
            value: kind,
            options: subjects.map {
                FieldOption(value: $0.0, name: $0.1, isChosen: $0.0 == kind, optionMark: $0.2.isEmpty ? nil : $0.2)
            },
            .init(isPart: true)
        )
        subjectName = maker.make(
            .line,
            localized("Event name or product ID"),
            at: "\(place).name",
            path: "\(path).event",
            value: fields.value(.name),
            .init(placeholder: "added_to_cart", names: "event-names", mark: "name-part", isPart: true)
        )
        let isNamed = kind == "event" || kind == "product"
        let words = subject.options.first { $0.isChosen }?.name ?? kind
        maker.note(localized("Event"), path, subjectName.fieldID, isNamed ? "\(words) “\(subjectName.value)”" : words)
        filtersPlace = "\(place).filters"
        filters = fields.rows(.filters).enumerated().map {
            FilterView($1, at: "\(place).filters[\($0)]", path: "\(path).properties[\($0)]", maker)
        }
    }
}
