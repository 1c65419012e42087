import Foundation

/// The names of languages in the language of the page.
enum LanguageNames {
    private static let common = [
        "ar", "de", "en", "es", "fr", "hi", "id", "it", "ja", "ko", "nl", "pl", "pt", "pt-BR", "ru", "sv", "th", "tr",
        "uk",
        "vi", "zh-Hans", "zh-Hant",
    ]

    /// The languages that fields offer.
    static var offered: [FieldOption] {
        common.map { FieldOption(value: $0, name: name($0) ?? $0, isChosen: false) }
    }

    /// `Portuguese (Brazil)` for `pt-BR`.
    static func name(_ tag: String) -> String? {
        tag.isEmpty ? nil : TextCatalog.current.locale.localizedString(forIdentifier: tag) ?? tag
    }
}
