import WireJSON

extension Audience {
    /// The audience in a sentence for people, such as `country is JP and did added_to_cart at least 2 times within 7 days`.
    public var summary: String { summary(isNested: false) }

    private func summary(isNested: Bool) -> String {
        switch self {
        case .everyone: return "everybody"
        case .all(let branches): return Self.join(branches, "and", none: "everybody", isNested)
        case .any(let branches): return Self.join(branches, "or", none: "nobody", isNested)
        case .none(let branches):
            guard !branches.isEmpty else { return "everybody" }
            return "not (\(Self.join(branches, "or", none: "", false)))"
        case .users(let users):
            if users.count == 1, let user = users.first { return "the user \(user.rawValue)" }
            return "one of \(users.count) listed users"
        case .attribute(let clause): return clause.summary
        case .history(let clause): return clause.summary
        case .contact(let clause): return clause.summary
        case .segment(let id): return "in segment \(id.rawValue)"
        case .bucket(let bucket): return "random number \(bucket.range.lowerBound) to \(bucket.range.upperBound)"
        }
    }

    private static func join(_ branches: [Audience], _ word: String, none: String, _ isNested: Bool) -> String {
        guard !branches.isEmpty else { return none }
        guard branches.count > 1 else { return branches[0].summary(isNested: isNested) }
        let text = branches.map { $0.summary(isNested: true) }.joined(separator: " \(word) ")
        return isNested ? "(\(text))" : text
    }
}

extension AttributeClause.Name {
    /// The name on the wire.
    package var text: String {
        switch self {
        case .standard(let attribute): attribute.rawValue
        case .kept(let attribute): attribute.rawValue
        case .custom(let name): name.text
        }
    }
}

extension AttributeClause {
    fileprivate var summary: String { "\(name.text) \(comparison.phrase(value))" }
}

extension AttributeClause.Comparison {
    /// What the comparison says of the value.
    fileprivate func phrase(_ value: JSONValue) -> String {
        let text = value.plain
        switch self {
        case .equals: return "is \(text)"
        case .notEqual: return "is not \(text)"
        case .isAnyOf: return "is one of \(text)"
        case .isNoneOf: return "is none of \(text)"
        case .exists: return "is known"
        case .doesNotExist: return "is not known"
        case .greaterThan: return "is more than \(text)"
        case .greaterThanOrEqual: return "is at least \(text)"
        case .lessThan: return "is less than \(text)"
        case .lessThanOrEqual: return "is at most \(text)"
        case .includesValue: return "includes \(text)"
        case .doesNotIncludeValue: return "does not include \(text)"
        case .contains: return "contains \(text)"
        case .doesNotContain: return "does not contain \(text)"
        case .matchesRegex: return "matches \(text)"
        case .doesNotMatchRegex: return "does not match \(text)"
        case .before: return "is before \(text)"
        case .after: return "is after \(text)"
        case .lessThanDaysAgo: return "was less than \(text) days ago"
        case .greaterThanDaysAgo: return "was \(text) days ago or more"
        case .lessThanDaysAhead: return "is within \(text) days from now"
        case .greaterThanDaysAhead: return "is more than \(text) days from now"
        }
    }

    /// How the comparison says a number.
    fileprivate func amount(_ number: String) -> String {
        switch self {
        case .equals: "exactly \(number)"
        case .notEqual: "anything but \(number)"
        case .greaterThan: "more than \(number)"
        case .lessThan: "less than \(number)"
        case .lessThanOrEqual: "at most \(number)"
        default: "at least \(number)"
        }
    }
}

extension HistoryClause {
    fileprivate var summary: String {
        let text = (measure.isRevenue ? JSONValue(amount) : JSONValue(number: value)).plain
        let when = window.map { " \($0.summary)" } ?? ""
        switch measure {
        case .count:
            if comparison == .greaterThanOrEqual, value == 1 { return deed + when }
            return "\(deed) \(comparison.amount(text)) \(value == 1 ? "time" : "times")\(when)"
        case .revenue(let currency): return "paid \(comparison.amount(text)) \(currency)\(product)\(when)"
        case .first, .last:
            if comparison == .exists { return "ever \(deed)" }
            if comparison == .doesNotExist { return "never \(deed)" }
            let isMoment = comparison == .before || comparison == .after
            let time = isMoment ? JSONValue.string(Timestamp.text(of: value)) : JSONValue(number: value)
            return "\(measure.name) time that \(deed) \(comparison.phrase(time))"
        }
    }

    private var deed: String {
        switch subject {
        case .event(let name): "did \(name.text)"
        case .purchase(let product): "bought \(product?.text ?? "anything")"
        case .session: "opened the app"
        }
    }

    private var product: String {
        if case .purchase(let product?) = subject { " for \(product.text)" } else { "" }
    }
}

extension ContactClause {
    fileprivate var summary: String {
        let some = variants.isEmpty ? "" : " (variant \(variants.map(\.rawValue).sorted().joined(separator: " or ")))"
        return "\(contact.rawValue) campaign \(campaign.rawValue)\(some)" + (window.map { " \($0.summary)" } ?? "")
    }
}

extension TimeWindow {
    fileprivate var summary: String {
        switch self {
        case .days(let days): "within \(JSONValue(number: days).plain) days"
        case .calendarDays(1): "today"
        case .calendarDays(let days): "on the last \(days) calendar days"
        }
    }
}

extension JSONValue {
    /// The value as people write it: texts without quotes, arrays with commas.
    fileprivate var plain: String {
        switch self {
        case .string(let text): text.isEmpty ? "\"\"" : text
        case .array(let elements): elements.map(\.plain).joined(separator: ", ")
        default: text
        }
    }
}
