import CardModel
import Foundation
import WireJSON

/// A formatter of what is known of a user.
enum UserFormatter {
    /// The name of a user, or `nil` without one; in Chinese, Japanese and Korean, the family name comes first.
    static func fullName(of user: UserProfile) -> String? {
        let names = [StandardAttribute.firstName, .lastName].compactMap { user.value(of: $0)?.string }
        guard !names.isEmpty else { return nil }
        let isFamilyFirst = names.contains { $0.unicodeScalars.contains(where: isEastAsian) }
        return (isFamilyFirst ? names.reversed() : names).joined(separator: " ")
    }

    /// Whether a character is of Han, Kana or Hangul.
    private static func isEastAsian(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3040...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7AF, 0xF900...0xFAFF,
            0xFF66...0xFF9D, 0x20000...0x323AF:
            true
        default: false
        }
    }

    private static let names: [StandardAttribute: Phrase] = [
        .country: "Country", .language: "Language", .timeZone: "Time zone", .firstName: "First name",
        .lastName: "Last name", .email: "Email address", .phone: "Phone", .gender: "Gender",
        .dateOfBirth: "Date of birth", .homeCity: "City", .biography: "Biography", .imageURL: "Image URL",
        .emailSubscription: "Email", .pushSubscription: "Push",
    ]

    /// The attributes in the order of the language of the page: in Japanese, the family name comes first.
    static var attributes: [StandardAttribute] {
        var all = StandardAttribute.allCases
        guard TextCatalog.current.isFamilyNameFirst, let first = all.firstIndex(of: .firstName),
            let last = all.firstIndex(of: .lastName), first < last
        else { return all }
        all.swapAt(first, last)
        return all
    }

    /// Returns the name of an attribute.
    static func name(of attribute: StandardAttribute) -> String {
        names[attribute].map(localized) ?? attribute.rawValue
    }

    static func fact(_ attribute: StandardAttribute, _ value: JSONValue) -> UserPages.UserFact {
        let text = value.fieldText
        let shown =
            switch attribute {
            case .country: "\(country(text)) (\(text))"
            case .language:
                TextCatalog.current.locale.localizedString(forLanguageCode: text).map { "\($0) (\(text))" } ?? text
            default: text
            }
        return UserPages.UserFact(name: name(of: attribute), value: shown)
    }

    /// `Germany` for `DE`, and the code itself where it is of no country.
    static func country(_ code: String) -> String {
        TextCatalog.current.locale.localizedString(forRegionCode: code) ?? code
    }

    /// Returns a condition in words.
    static func summary(of clause: AudienceExplanation, _ labels: AudienceLabels) -> String {
        if clause.note == .leftOut, clause.clause == nil { return localized("more conditions than can be shown") }
        return audience(of: clause)?.localizedSummary(labels) ?? clause.summary
    }

    /// Returns the audience that a condition is, or `nil` for one that holds others.
    static func audience(of clause: AudienceExplanation) -> Audience? {
        clause.clause.flatMap { try? Audience(json: $0) }
    }

    /// Returns the sentence that says why a campaign has or has no card in the feed.
    static func sentence(_ explanation: CampaignExplanation, _ labels: AudienceLabels) -> String {
        guard case .audience? = explanation.reason, explanation.reason?.code == explanation.code,
            let clause = explanation.audience.reasons.first
        else { return localized(sentence: explanation.sentence) }
        let found = clause.found.flatMap { $0.isNull ? nil : $0.text } ?? localized("nothing")
        let summary = summary(of: clause, labels)
        return clause.matches
            ? localized(
                "The user is not in the audience: “\(summary)” holds, and so leaves the user out; found: \(found)."
            )
            : localized("The user is not in the audience: “\(summary)” does not hold; found: \(found).")
    }

    /// Whether the reason names a moment in the user's local time: quiet hours, or a schedule in local time.
    static func isInLocalTime(_ explanation: CampaignExplanation) -> Bool {
        guard let reason = explanation.reason, reason.code == explanation.code else { return false }
        let schedule = explanation.campaign.content.delivery.schedule
        return switch reason {
        case .notStarted: schedule.start.map(\.isLocal) ?? false
        case .ended: schedule.end.map(\.isLocal) ?? false
        case .quietHours: true
        default: false
        }
    }
}

extension PlannedTime {
    fileprivate var isLocal: Bool { if case .local = self { true } else { false } }
}
