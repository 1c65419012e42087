#if !os(tvOS)
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
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
    /// The title of the screen with a code for tests.
    case testCode = "content-cards.test-code"
    /// Says what the code is for.
    case testCodePurpose = "content-cards.test-code.purpose"
    /// Says for how long the code is valid, with `{time}` for minutes and seconds.
    case testCodeValid = "content-cards.test-code.valid"
    /// Shown when there is no code.
    case testCodeFailed = "content-cards.test-code.failed"

    /// Returns the text in the first of the languages that there is a translation for, else in English.
    ///
    /// - Parameters:
    ///   - languages: BCP 47 names, the preferred one first; by default those that the app speaks, as the user prefers
    ///     them.
    ///   - app: the bundle whose strings win; the main one by default.
    /// - Returns: the text.
    public func text(languages: [String]? = nil, app: Bundle = .main) -> String {
        LocalizedTexts.text(rawValue, languages: languages ?? LocalizedTexts.preferred(by: app), app: app) ?? rawValue
    }

    /// Returns how many new cards there are, as VoiceOver says it: in the plural of the language, where it has one.
    ///
    /// An app's own strings have the key `content-cards.new.` and the plural category, and `{count}` for the number.
    /// - Parameters:
    ///   - count: the number of cards.
    ///   - languages: BCP 47 names, the preferred one first; by default those that the app speaks, as the user prefers
    ///     them.
    ///   - app: the bundle whose strings win; the main one by default.
    /// - Returns: the text.
    public static func newCards(_ count: Int, languages: [String]? = nil, app: Bundle = .main) -> String {
        let languages = languages ?? LocalizedTexts.preferred(by: app)
        let language = languages.lazy.compactMap(LocalizedTexts.translation).first ?? "en"
        let category = PluralCategory(of: count, in: language)
        let text =
            LocalizedTexts.text("content-cards.new.\(category)", languages: [language], app: app)
            ?? LocalizedTexts.text("content-cards.new.other", languages: [language], app: app) ?? "{count}"
        let number = count.formatted(.number.locale(Locale(identifier: language)))
        // characters: a text of the app
        return text.replacingOccurrences(of: "{count}", with: number)
    }
}

extension UITraitCollection {
    #if canImport(UIKit) && canImport(ObjectiveC)
    /// The languages that the app speaks, the user's preferred one first.
    package var languages: [String] { LocalizedTexts.preferred() }
    #else
    /// The languages of the user, the preferred one first: each browser tab has its own.
    package var languages: [String] { preferredLanguages }
    #endif
}
#endif
