import Foundation

#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// The app: where its server is, and its first screen.
@MainActor
public struct ShopApp {
    private let server: URL
    private let key: String
    private let user: String?

    /// Creates the app.
    ///
    /// - Parameters:
    ///   - server: the address of the Placard server.
    ///   - key: its publishable key.
    ///   - user: who uses the app first; the one of the last launch by default.
    public init(server: URL, key: String, user: String? = nil) {
        self.server = server
        self.key = key
        self.user = user
    }

    /// Makes the first screen of an app that keeps its cards and settings on the device: for iOS.
    public func makeRootViewController() -> UIViewController {
        let defaults = UserDefaults.standard
        let root = makeRoot(.onDevice(server: server, key: key), Preferences(defaults))
        root.shop.preferences.follow(root) { $0.save(defaults) }
        return root
    }

    /// Makes the first screen of an app that lives as long as its browser tab, and keeps nothing.
    public func makeTabViewController() -> UIViewController {
        let root = makeRoot(.inMemory(server: server, key: key), Preferences())
        #if !canImport(UIKit)
        root.session = TabSession(root.shop.cards, of: UIApplication.shared)
        #endif
        return root
    }

    /// Makes the first screen of an app with given cards.
    package static func makeRootViewController(cards: CardManager) -> UIViewController {
        makeRoot(cards, Preferences())
    }

    private func makeRoot(_ cards: CardManager, _ kept: Preferences) -> ShopController {
        var preferences = kept
        preferences.user = user ?? kept.user
        return Self.makeRoot(cards, preferences)
    }

    private static func makeRoot(_ cards: CardManager, _ preferences: Preferences) -> ShopController {
        let shop = Shop(cards: cards, tiles: Tile.bundled(), preferences: preferences)
        Task { await cards.identify(preferences.user) }
        return ShopController(shop: shop)
    }
}
