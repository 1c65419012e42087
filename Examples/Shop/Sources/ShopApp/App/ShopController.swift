import Foundation

#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// The root of the app: a tab for each of its five parts.
final class ShopController: UITabBarController {
    let shop: Shop
    /// The user whose pages are open.
    private var user: String
    #if !canImport(UIKit)
    /// Ends the session while the browser tab is hidden.
    var session: TabSession?
    #endif
    private lazy var home = HomeController(shop: shop)
    private lazy var messages = MessagesController(shop: shop)
    private lazy var updates = UpdatesController(shop: shop)
    private lazy var cart = CartController(shop: shop)
    private lazy var settings = SettingsController(shop: shop)

    init(shop: Shop) {
        self.shop = shop
        user = shop.preferences.value.user
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        let roots: [(UIViewController, String)] = [
            (home, "home"), (messages, "messages"), (updates, "updates"), (cart, "cart"), (settings, "settings"),
        ]
        viewControllers = roots.enumerated().map { index, root in
            let navigation = UINavigationController(rootViewController: root.0)
            navigation.tabBarItem = UITabBarItem(title: root.0.title, image: Assets.icon("tab-\(root.1)"), tag: index)
            return navigation
        }
        shop.open = { [weak self] in self?.open($0) }
        shop.preferences.follow(self) { [weak self] in self?.change(to: $0.user) }
        shop.cart.follow(self) { [weak self] cart in
            self?.viewControllers?[3].tabBarItem.badgeValue = cart.isEmpty ? nil : String(cart.count)
        }
        shop.cards.addObserver(self, for: [.message(.fullPage), .message(.webView)]) { [weak self] objects in
            let unread = MessageList(objects.compactMap { $0 as? any Message }).unreadCount
            self?.viewControllers?[1].tabBarItem.badgeValue = unread == 0 ? nil : String(unread)
        }
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        view.window?.tintColor = .brand
        shop.preferences.follow(self) { [weak self] preferences in
            let styles: [Preferences.Theme: UIUserInterfaceStyle] = [.light: .light, .dark: .dark]
            self?.view.window?.overrideUserInterfaceStyle = styles[preferences.theme] ?? .unspecified
        }
    }

    /// Opens a place of the app; a product that it does not know leads home.
    ///
    /// Pages that lie over the place are left.
    func open(_ link: Deeplink) {
        dismiss(animated: true)
        selectedIndex = link.tab
        leavePages(of: selectedViewController)
        if case .tile(let id) = link, let tile = shop.tile(id: id) { home.show(tile) }
    }

    private func leavePages(of tab: UIViewController?) {
        (tab as? UINavigationController)?.popToRootViewController(animated: false)
    }

    /// Lets go of the pages of the user before: their messages and prices are not those of another.
    private func change(to user: String) {
        guard user != self.user else { return }
        self.user = user
        for tab in viewControllers ?? [] { leavePages(of: tab) }
    }
}

extension Deeplink {
    /// The index of the tab that the place is in.
    fileprivate var tab: Int {
        switch self {
        case .home, .tile: 0
        case .messages: 1
        case .updates: 2
        case .cart: 3
        case .settings: 4
        }
    }
}
