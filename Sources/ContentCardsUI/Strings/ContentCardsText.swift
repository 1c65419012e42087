#if !os(tvOS)
import Foundation

#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// Names the texts of the feed.
///
/// An app that has an entry with the same key in its own `Localizable` strings wins.
public enum ContentCardsText: String, Sendable, CaseIterable {
    /// Shown when there are no cards.
    case empty = "content-cards.empty"
    /// Shown when the cards could not be loaded and none are there.
    case failed = "content-cards.failed"
    /// The button that tries again.
    case retry = "content-cards.retry"
    /// Shown when a page could not be loaded.
    case noConnection = "content-cards.no-connection"
    /// Says of a card that it was not seen yet.
    case unread = "content-cards.unread"
    /// Says of a card that it stays on top.
    case pinned = "content-cards.pinned"
    /// The action that removes a card.
    case delete = "content-cards.delete"
    /// Says that cards are being loaded.
    case loading = "content-cards.loading"

    /// Returns the text in the first of the languages that there is a translation for, else in English.
    ///
    /// - Parameters:
    ///   - languages: BCP 47 names, the preferred one first; by default those of the user.
    ///   - app: the bundle whose strings win; the main one by default.
    /// - Returns: the text.
    public func text(languages: [String] = Locale.preferredLanguages, app: Bundle = .main) -> String {
        let own = app.localizedString(forKey: rawValue, value: rawValue, table: nil)
        if own != rawValue { return own }
        for language in languages {
            if let text = Self.table(for: language)?[rawValue] { return text }
        }
        return Self.table(for: "en")?[rawValue] ?? rawValue
    }

    private static func table(for language: String) -> [String: String]? {
        var parts = language.split(whereSeparator: { $0 == "-" || $0 == "_" }).map(String.init)
        while !parts.isEmpty {
            let name = parts.joined(separator: "-")
            if let table = tables[name] { return table }
            parts.removeLast()
        }
        return nil
    }

    private static let tables: [String: [String: String]] = {
        var tables: [String: [String: String]] = [:]
        for language in ["en", "ja"] {
            guard let path = ResourceBundle.shared?.path(forResource: language, ofType: "lproj"),
                let bundle = Bundle(path: path)
            else { continue }
            for text in allCases {
                let value = bundle.localizedString(forKey: text.rawValue, value: "", table: "ContentCards")
                if !value.isEmpty { tables[language, default: [:]][text.rawValue] = value }
            }
        }
        return tables
    }()
}

extension UITraitCollection {
    #if canImport(UIKit)
    /// The languages of the user, the preferred one first.
    package var languages: [String] { Locale.preferredLanguages }
    #else
    /// The languages of the user, the preferred one first: each browser tab has its own.
    package var languages: [String] { preferredLanguages }
    #endif
}
#endif
