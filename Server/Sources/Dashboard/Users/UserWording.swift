import CardModel
import Foundation
import WireJSON

/// What is known of a user, as people read it.
enum UserWording {
    private static let names: [StandardAttribute: Phrase] = [
        .country: "Country", .language: "Language", .timeZone: "Time zone", .firstName: "First name",
        .lastName: "Last name", .email: "E-mail address", .phone: "Phone", .gender: "Gender",
        .dateOfBirth: "Date of birth", .homeCity: "City", .biography: "Biography", .imageURL: "Image URL",
        .emailSubscription: "E-mail", .pushSubscription: "Push",
    ]

    static func fact(_ attribute: StandardAttribute, _ value: JSONValue) -> UserPages.Fact {
        let text = value.fieldText
        let shown =
            switch attribute {
            case .country: "\(country(text)) (\(text))"
            case .language:
                TextCatalog.current.locale.localizedString(forLanguageCode: text).map { "\($0) (\(text))" } ?? text
            default: text
            }
        return UserPages.Fact(name: names[attribute].map(localized) ?? attribute.rawValue, value: shown)
    }

    /// `Germany` for `DE`, and the code itself where it is of no country.
    static func country(_ code: String) -> String {
        TextCatalog.current.locale.localizedString(forRegionCode: code) ?? code
    }
}
