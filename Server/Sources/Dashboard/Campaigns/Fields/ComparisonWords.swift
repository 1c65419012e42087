import CardModel

/// The words for comparisons in forms.
enum ComparisonWords {
    static func choices(_ chosen: String) -> [FieldOption] {
        AttributeClause.Comparison.allCases.map { comparison in
            FieldOption(
                value: comparison.rawValue,
                name: name(comparison),
                isChosen: comparison.rawValue == chosen,
                optionMark: mark(comparison)
            )
        }
    }

    private static func mark(_ comparison: AttributeClause.Comparison) -> String? {
        if ComparisonFields.withoutValue.contains(comparison) { return "takes-nothing" }
        return ComparisonFields.withTime.contains(comparison) ? "takes-time" : nil
    }

    private static func name(_ comparison: AttributeClause.Comparison) -> String {
        switch comparison {
        case .equals: localized("is")
        case .notEqual: localized("is not")
        case .isAnyOf: localized("is one of")
        case .isNoneOf: localized("is none of")
        case .exists: localized("exists")
        case .doesNotExist: localized("doesn’t exist")
        case .greaterThan: localized("is more than")
        case .greaterThanOrEqual: localized("is at least")
        case .lessThan: localized("is less than")
        case .lessThanOrEqual: localized("is at most")
        case .includesValue: localized("includes")
        case .doesNotIncludeValue: localized("doesn’t include")
        case .contains: localized("contains")
        case .doesNotContain: localized("doesn’t contain")
        case .matchesRegex: localized("matches regex")
        case .doesNotMatchRegex: localized("doesn’t match regex")
        case .before: localized("is before")
        case .after: localized("is after")
        case .lessThanDaysAgo: localized("was less than … days ago")
        case .greaterThanDaysAgo: localized("was … days ago or more")
        case .lessThanDaysAhead: localized("is within … days from now")
        case .greaterThanDaysAhead: localized("is more than … days from now")
        }
    }

    /// Returns the choices of what is asked of an event, a purchase or the sessions, and how it compares.
    static func tests(of kind: String, _ chosen: String) -> [FieldOption] {
        let verb =
            kind == "session" ? localized("opened") : kind == "purchase" ? localized("bought") : localized("done")
        let amounts: [(String, String)] = [
            ("greater_than_or_equal_to", localized("at least")), ("greater_than", localized("more than")),
            ("equals", localized("exactly")),
            ("not_equal", localized("any number but")), ("less_than_or_equal_to", localized("at most")),
            ("less_than", localized("fewer than")),
        ]
        var tests = [
            ("once", localized("at least once"), "takes-window"),
            ("never", localized("never", in: "event"), "takes-window"),
        ]
        tests += amounts.map { ("count:\($0.0)", localized("\($0.1) … times"), "takes-number takes-window") }
        if kind == "purchase" {
            tests += amounts.map {
                (
                    "revenue:\($0.0)", localized("paid \($0.1.replacing("fewer", with: "less")) …"),
                    "takes-number takes-money takes-window"
                )
            }
        }
        for (measure, name) in [("first", localized("first")), ("last", localized("last"))] {
            tests += [
                ("\(measure):before", localized("\(name) \(verb) before"), "takes-time"),
                ("\(measure):after", localized("\(name) \(verb) after"), "takes-time"),
                ("\(measure):less_than_x_days_ago", localized("\(name) \(verb) less than … days ago"), "takes-number"),
                ("\(measure):greater_than_x_days_ago", localized("\(name) \(verb) … days ago or more"), "takes-number"),
            ]
        }
        // What the API can say in more than one way stands in the list only where it was said so.
        for (value, name) in [
            ("first:exists", localized("ever \(verb)")), ("last:exists", localized("ever \(verb)")),
            ("first:does_not_exist", localized("never \(verb) at all")),
            ("last:does_not_exist", localized("never \(verb) at all")),
        ] where value == chosen { tests.append((value, name, "takes-nothing")) }
        return tests.map { FieldOption(value: $0.0, name: $0.1, isChosen: $0.0 == chosen, optionMark: $0.2) }
    }
}
