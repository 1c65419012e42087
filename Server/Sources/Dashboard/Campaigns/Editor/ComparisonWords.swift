import CardModel

/// How comparisons are called in forms.
enum ComparisonWords {
    static func choices(_ chosen: String) -> [FieldView.Choice] {
        AttributeClause.Comparison.allCases.map { comparison in
            FieldView.Choice(
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
        case .equals: "is"
        case .notEqual: "is not"
        case .isAnyOf: "is one of"
        case .isNoneOf: "is none of"
        case .exists: "exists"
        case .doesNotExist: "doesn’t exist"
        case .greaterThan: "is more than"
        case .greaterThanOrEqual: "is at least"
        case .lessThan: "is less than"
        case .lessThanOrEqual: "is at most"
        case .includesValue: "includes"
        case .doesNotIncludeValue: "doesn’t include"
        case .contains: "contains"
        case .doesNotContain: "doesn’t contain"
        case .matchesRegex: "matches regex"
        case .doesNotMatchRegex: "doesn’t match regex"
        case .before: "is before"
        case .after: "is after"
        case .lessThanDaysAgo: "was less than … days ago"
        case .greaterThanDaysAgo: "was … days ago or more"
        case .lessThanDaysAhead: "is within … days from now"
        case .greaterThanDaysAhead: "is more than … days from now"
        }
    }

    /// What is asked of an event, a purchase or the sessions, and how it compares.
    static func tests(of kind: String, _ chosen: String) -> [FieldView.Choice] {
        let verb = kind == "session" ? "opened" : kind == "purchase" ? "bought" : "done"
        let amounts: [(String, String)] = [
            ("greater_than_or_equal_to", "at least"), ("greater_than", "more than"), ("equals", "exactly"),
            ("not_equal", "any number but"), ("less_than_or_equal_to", "at most"), ("less_than", "fewer than"),
        ]
        var tests = [("once", "at least once", "takes-window"), ("never", "never", "takes-window")]
        tests += amounts.map { ("count:\($0.0)", "\($0.1) … times", "takes-number takes-window") }
        if kind == "purchase" {
            tests += amounts.map {
                (
                    "revenue:\($0.0)", "paid \($0.1.replacing("fewer", with: "less")) …",
                    "takes-number takes-money takes-window"
                )
            }
        }
        for (measure, name) in [("first", "first"), ("last", "last")] {
            tests += [
                ("\(measure):before", "\(name) \(verb) before", "takes-time"),
                ("\(measure):after", "\(name) \(verb) after", "takes-time"),
                ("\(measure):less_than_x_days_ago", "\(name) \(verb) less than … days ago", "takes-number"),
                ("\(measure):greater_than_x_days_ago", "\(name) \(verb) … days ago or more", "takes-number"),
            ]
        }
        // What the API can say in more than one way stands in the list only where it was said so.
        for (value, name) in [
            ("first:exists", "ever \(verb)"), ("last:exists", "ever \(verb)"),
            ("first:does_not_exist", "never \(verb) at all"), ("last:does_not_exist", "never \(verb) at all"),
        ] where value == chosen { tests.append((value, name, "takes-nothing")) }
        return tests.map { FieldView.Choice(value: $0.0, name: $0.1, isChosen: $0.0 == chosen, optionMark: $0.2) }
    }
}
