import WireJSON

extension Audience {
    /// The audience in a sentence for people, such as
    /// `country is JP and did added_to_cart at least 2 times within 7 days`.
    public var summary: String { AudienceFormatter(localized: \.english).summary(self) }
}

/// Says audiences in the words of a language.
package struct AudienceFormatter {
    /// A phrase in the language.
    let localized: (Phrase) -> String
    /// The names of what audiences name by an id.
    let labels: AudienceLabels

    /// Creates the formatter of a language, with the names of segments and campaigns that are known.
    package init(labels: AudienceLabels = AudienceLabels(), localized: @escaping (Phrase) -> String) {
        self.labels = labels
        self.localized = localized
    }

    /// An audience in a sentence for people.
    package func summary(_ audience: Audience) -> String { summary(audience, isNested: false) }

    private func summary(_ audience: Audience, isNested: Bool) -> String {
        switch audience.structure {
        case .everyone: return localized("all users")
        case .all(let branches): return join(branches, localized(" and "), none: localized("all users"), isNested)
        case .any(let branches): return join(branches, localized(" or "), none: localized("nobody"), isNested)
        case .none(let branches):
            guard !branches.isEmpty else { return localized("all users") }
            return localized("not (\(join(branches, localized(" or "), none: "", false)))")
        case .segment(let id): return segment(id)
        case .filter(let filter): return filter.summary(self)
        }
    }

    private func join(_ branches: [Audience], _ word: String, none: String, _ isNested: Bool) -> String {
        guard let first = branches.first else { return none }
        guard branches.count > 1 else { return summary(first, isNested: isNested) }
        let text = branches.map { summary($0, isNested: true) }.joined(separator: word)
        return isNested ? "(\(text))" : text
    }

    /// Returns a window in words that follow what happened; nothing for ever.
    func window(_ window: TimeWindow?) -> String {
        switch window {
        case nil: ""
        case .days(1): localized(" within 1 day")
        case .days(let days): localized(" within \(number(days)) days")
        case .calendarDays(1): localized(" today")
        case .calendarDays(let days): localized(" in the last \(days) calendar days")
        }
    }

    /// A number without a fraction that it doesn't need.
    func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? JSONValue.number(value).text
    }

    /// A value as people write it: texts without quotes, arrays with commas.
    func plain(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): text.isEmpty ? "\"\"" : text
        case .array(let elements): elements.map(plain).joined(separator: ", ")
        default: value.text
        }
    }
}

extension AudienceFormatter {
    /// Returns how something of a name compares with a value.
    func comparison(
        _ comparison: AttributeClause.Comparison,
        of name: String,
        with value: String
    ) -> String {
        switch comparison {
        case .equals: localized("\(name) is \(value)")
        case .notEqual: localized("\(name) is not \(value)")
        case .isAnyOf: localized("\(name) is one of \(value)")
        case .isNoneOf: localized("\(name) is none of \(value)")
        case .exists: localized("\(name) is known")
        case .doesNotExist: localized("\(name) is not known")
        case .greaterThan: localized("\(name) is more than \(value)")
        case .greaterThanOrEqual: localized("\(name) is at least \(value)")
        case .lessThan: localized("\(name) is less than \(value)")
        case .lessThanOrEqual: localized("\(name) is at most \(value)")
        case .includesValue: localized("\(name) includes \(value)")
        case .doesNotIncludeValue: localized("\(name) does not include \(value)")
        case .contains: localized("\(name) contains \(value)")
        case .doesNotContain: localized("\(name) does not contain \(value)")
        case .matchesRegex: localized("\(name) matches \(value)")
        case .doesNotMatchRegex: localized("\(name) does not match \(value)")
        case .before: localized("\(name) is before \(value)")
        case .after: localized("\(name) is after \(value)")
        case .lessThanDaysAgo where value == "1": localized("\(name) was less than 1 day ago")
        case .greaterThanDaysAgo where value == "1": localized("\(name) was 1 day ago or more")
        case .lessThanDaysAhead where value == "1": localized("\(name) is within 1 day from now")
        case .greaterThanDaysAhead where value == "1": localized("\(name) is more than 1 day from now")
        case .lessThanDaysAgo: localized("\(name) was less than \(value) days ago")
        case .greaterThanDaysAgo: localized("\(name) was \(value) days ago or more")
        case .lessThanDaysAhead: localized("\(name) is within \(value) days from now")
        case .greaterThanDaysAhead: localized("\(name) is more than \(value) days from now")
        }
    }
}
