import Foundation

/// A place of the app that an address leads to.
enum Deeplink: Equatable {
    /// The page of a product, by its id.
    case tile(String)
    case home, messages, updates, cart, settings

    /// Reads `shop://tiles/compass`, `shop://cart` and the like; `nil` for addresses that are not the app's.
    init?(_ url: URL) {
        guard url.scheme?.lowercased() == "shop", let host = url.host?.lowercased() else { return nil }
        let rest = url.pathComponents.filter { $0 != "/" }
        switch host {
        case "tiles", "products":
            guard let id = rest.first else {
                self = .home
                return
            }
            self = .tile(id)
        case "home", "range", "sale": self = .home
        case "messages": self = .messages
        case "updates": self = .updates
        case "cart", "checkout": self = .cart
        case "settings", "membership": self = .settings
        default: return nil
        }
    }
}
