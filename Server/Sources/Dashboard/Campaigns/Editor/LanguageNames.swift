import Foundation

/// What languages are called in English.
enum LanguageNames {
    private static let common = [
        "ar", "de", "en", "es", "fr", "hi", "id", "it", "ja", "ko", "nl", "pl", "pt", "pt-BR", "ru", "sv", "th", "tr",
        "uk",
        "vi", "zh-Hans", "zh-Hant",
    ]

    /// The languages that fields offer.
    static let offered = common.map { FieldView.Choice(value: $0, name: name($0) ?? $0, isChosen: false) }

    /// `Portuguese (Brazil)` for `pt-BR`.
    static func name(_ tag: String) -> String? {
        tag.isEmpty ? nil : Locale(identifier: "en").localizedString(forIdentifier: tag) ?? tag
    }
}
