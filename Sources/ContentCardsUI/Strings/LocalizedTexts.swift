#if !os(tvOS)
import Foundation

/// The texts of the module in all of its languages.
enum LocalizedTexts {
    /// The languages that there is a translation for.
    static let languages = ["en", "ar", "de", "es", "fr", "it", "ja", "ko", "pt", "ru", "zh-Hans", "zh-Hant"]

    /// Returns the languages that an app speaks, the user's preferred one first: a feed speaks no other than the
    /// screens around it.
    static func preferred(by app: Bundle = .main) -> [String] { app.preferredLocalizations }

    /// Returns a text of the app, or else in the first of the languages that there is a translation for, or in English.
    static func text(_ key: String, languages: [String], app: Bundle) -> String? {
        let own = app.localizedString(forKey: key, value: key, table: nil)
        if own != key { return own }
        for language in languages {
            if let text = translation(language).flatMap({ tables[$0]?[key] }) { return text }
        }
        return tables["en"]?[key]
    }

    /// Returns the translation for a language, given by its BCP 47 name; `nil` where there is none.
    ///
    /// Chinese is written as the region does where the name has no script.
    static func translation(_ language: String) -> String? {
        // characters: a language of the system
        let parts = language.split(whereSeparator: { $0 == "-" || $0 == "_" }).map(String.init)
        guard parts.first?.lowercased() == "zh" else {
            return parts.first.flatMap { languages.contains($0.lowercased()) ? $0.lowercased() : nil }
        }
        let rest = parts.dropFirst().map { $0.lowercased() }
        if rest.contains("hans") { return "zh-Hans" }
        return rest.contains { ["hant", "tw", "hk", "mo"].contains($0) } ? "zh-Hant" : "zh-Hans"
    }

    private static let tables: [String: [String: String]] = {
        var tables: [String: [String: String]] = [:]
        for language in languages { tables[language] = table(language) }
        return tables
    }()

    /// Packages are built with the names of folders in lowercase by some tools.
    private static func table(_ language: String) -> [String: String]? {
        guard let shared = ResourceBundle.shared,
            let path = shared.path(forResource: language, ofType: "lproj")
                ?? shared.path(forResource: language.lowercased(), ofType: "lproj"),
            let bundle = Bundle(path: path)
        else { return nil }
        let plurals = PluralCategory.allCases.map { "content-cards.new.\($0)" }
        return (ContentCardsText.allCases.map(\.rawValue) + plurals).reduce(into: [:]) { table, key in
            let value = bundle.localizedString(forKey: key, value: "", table: "ContentCards")
            if !value.isEmpty, value != key { table[key] = value }
        }
    }
}

/// The plural categories of Unicode's CLDR.
enum PluralCategory: CaseIterable {
    case zero, one, two, few, many, other

    /// The category of a whole number in one of the languages of `LocalizedTexts`.
    init(of count: Int, in language: String) {
        let number = count.magnitude
        switch language {
        case "ja", "ko", "zh-Hans", "zh-Hant": self = .other
        case "fr", "pt": self = number <= 1 ? .one : .other
        case "ru": self = Self.russian(number)
        case "ar": self = Self.arabic(number)
        default: self = number == 1 ? .one : .other
        }
    }

    private static func russian(_ number: UInt) -> Self {
        switch (number % 10, number % 100) {
        case (1, let rest) where rest != 11: .one
        case (2...4, let rest) where !(12...14).contains(rest): .few
        default: .many
        }
    }

    private static func arabic(_ number: UInt) -> Self {
        switch (number, number % 100) {
        case (0, _): .zero
        case (1, _): .one
        case (2, _): .two
        case (_, 3...10): .few
        case (_, 11...99): .many
        default: .other
        }
    }
}
#endif
