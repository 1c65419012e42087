import ContentCards
import Foundation

/// Says where a click on a card leads.
enum CardDestination: Equatable {
    /// Nowhere: the card has no usable address.
    case nowhere
    /// Nowhere: the address would run or read something inside the app.
    case refused(URL)
    /// To a page inside the app.
    case webView(URL)
    /// Out of the app, or to a place in it that the system finds.
    case system(URL)

    init(of card: ContentCard) {
        guard !card.isControl, let url = card.url, let scheme = url.scheme?.lowercased() else {
            self = .nowhere
            return
        }
        if Self.refusedSchemes.contains(scheme) {
            self = .refused(url)
        } else if card.opensInWebView, Self.isWeb(url) {
            self = .webView(url)
        } else {
            self = .system(url)
        }
    }

    /// The address, where there is one to open.
    var url: URL? {
        switch self {
        case .nowhere, .refused: nil
        case .webView(let url), .system(let url): url
        }
    }

    /// Says what a card is to people who don't see it.
    enum Role {
        /// Something to read.
        case text
        /// Something that the app does on a tap.
        case button
        /// A page of the web.
        case link
    }

    /// Returns whether a click on a card that leads here does something, where the app may be asked about it.
    func isActionable(asksApp: Bool) -> Bool { url != nil || self == .nowhere && asksApp }

    /// Returns the role of a card that leads here; whoever shows it can know whether a tap does something.
    func role(isActionable: Bool?) -> Role {
        guard isActionable ?? (url != nil) else { return .text }
        return url.map(Self.isWeb) == true ? .link : .button
    }

    private static let refusedSchemes: Set = ["javascript", "vbscript", "data", "file", "blob", "about"]

    /// Returns whether an address belongs in a web view.
    static func isWeb(_ url: URL) -> Bool {
        ["http", "https"].contains(url.scheme?.lowercased() ?? "")
    }

    /// Returns whether a page that a web view was asked for belongs to the system: another scheme, or the App Store.
    static func belongsToSystem(_ url: URL) -> Bool {
        !isWeb(url) || ["itunes.apple.com", "apps.apple.com"].contains(url.host?.lowercased() ?? "")
    }

    /// Returns whether a frame in a page may show an address: those of the web, and those that pages make themselves.
    static func belongsInFrame(_ url: URL) -> Bool {
        isWeb(url) || ["about", "blob", "data"].contains(url.scheme?.lowercased() ?? "")
    }

    /// Returns whether a page may be opened at all.
    static func isRefused(_ url: URL) -> Bool {
        refusedSchemes.contains(url.scheme?.lowercased() ?? "")
    }
}
