import WireJSON

extension HistoryClause: AudienceFilter {
    static let shapes = [
        FilterShape(
            "event",
            label: "Event",
            .other(schema(["name": FilterSchema.text], measures: ["count", "first", "last"], required: ["name"]))
        ),
        FilterShape(
            "purchase",
            label: "Purchase",
            .other(
                schema(
                    [
                        "product_id": FilterSchema.text,
                        "currency": ["type": "string", "minLength": 3, "maxLength": 3],
                    ],
                    measures: ["count", "first", "last", "revenue"]
                )
            )
        ),
        FilterShape("session", label: "Session", .other(schema([:], measures: ["count", "first", "last"]))),
    ]

    private static func schema(_ own: JSONObject, measures: [String], required: [String] = []) -> JSONValue {
        var properties = own
        properties["measure"] = FilterSchema.choice(measures)
        properties["comparison"] = AttributeClause.Comparison.schema
        properties["value"] = ["type": ["number", "string"]]
        properties.merge(TimeWindow.schema) { first, _ in first }
        return FilterSchema.object(properties, required: required)
    }

    static func audience(from json: JSONValue, named name: String, at path: String) throws(ModelError) -> Audience {
        .history(try HistoryClause(json: json, kind: name, at: path))
    }

    var condition: String {
        switch subject {
        case .event: "event"
        case .purchase: "purchase"
        case .session: "session"
        }
    }

    var test: any FilterTest { HistoryTest(self) }

    var needs: AudienceNeeds {
        switch subject {
        case .event(let name): AudienceNeeds(parts: .events, events: [name], window: window)
        case .purchase: AudienceNeeds(parts: .purchases, window: window)
        case .session: AudienceNeeds(parts: .sessions, window: window)
        }
    }

    var dependsOnPresence: Bool { subject == .session }

    var blank: BlankPart? {
        switch subject {
        case .event(let name): name.text.isBlank ? .name : nil
        case .purchase(let product): product?.text.isBlank == true ? .name : nil
        case .session: nil
        }
    }

    func summary(_ formatter: AudienceFormatter) -> String {
        switch measure {
        case .count: return count(formatter)
        case .revenue(let currency):
            let amount = words(of: self.amount.description, formatter)
            let when = formatter.window(window)
            return formatter.localized("paid \(amount) \(currency)\(product(formatter))\(when)")
        case .first, .last:
            let deed = deed(formatter)
            if comparison == .exists { return formatter.localized("ever \(deed)") }
            if comparison == .doesNotExist { return formatter.localized("never \(deed)") }
            let isMoment = comparison == .before || comparison == .after
            let shown = isMoment ? Timestamp.text(of: value) : formatter.number(value)
            let name = measure == .first ? formatter.localized("first") : formatter.localized("last")
            return formatter.comparison(
                comparison,
                of: formatter.localized("\(name) time that \(deed)"),
                with: shown
            )
        }
    }

    private func count(_ formatter: AudienceFormatter) -> String {
        let deed = deed(formatter)
        let when = formatter.window(window)
        if comparison == .greaterThanOrEqual, value == 1 { return formatter.localized("\(deed)\(when)") }
        let amount = words(of: formatter.number(value), formatter)
        return value == 1
            ? formatter.localized("\(deed) \(amount) time\(when)")
            : formatter.localized("\(deed) \(amount) times\(when)")
    }

    private func words(of number: String, _ formatter: AudienceFormatter) -> String {
        switch comparison {
        case .equals: formatter.localized("exactly \(number)")
        case .notEqual: formatter.localized("anything but \(number)")
        case .greaterThan: formatter.localized("more than \(number)")
        case .lessThan: formatter.localized("less than \(number)")
        case .lessThanOrEqual: formatter.localized("at most \(number)")
        default: formatter.localized("at least \(number)")
        }
    }

    private func deed(_ formatter: AudienceFormatter) -> String {
        switch subject {
        case .event(let name): formatter.localized("did \(name.text)")
        case .purchase(let product?): formatter.localized("bought \(product.text)")
        case .purchase(nil): formatter.localized("bought anything")
        case .session: formatter.localized("opened the app")
        }
    }

    private func product(_ formatter: AudienceFormatter) -> String {
        if case .purchase(let product?) = subject { formatter.localized(" for \(product.text)") } else { "" }
    }
}
