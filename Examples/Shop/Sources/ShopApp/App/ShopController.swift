import Foundation

#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// The root of the app: a tab for each of its five parts.
final class ShopController: UITabBarController {
    let shop: Shop
    private lazy var home = HomeController(shop: shop)
    private lazy var messages = MessagesController(shop: shop)
    private lazy var updates = UpdatesController(shop: shop)
    private lazy var cart = CartController(shop: shop)
    private lazy var settings = SettingsController(shop: shop)

    init(shop: Shop) {
        self.shop = shop
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
    func open(_ link: Deeplink) {
        dismiss(animated: true)
        switch link {
        case .home: selectedIndex = 0
        case .messages: selectedIndex = 1
        case .updates: selectedIndex = 2
        case .cart: selectedIndex = 3
        case .settings: selectedIndex = 4
        case .tile(let id):
            selectedIndex = 0
            guard let tile = shop.tile(id: id) else { return }
            home.navigationController?.popToRootViewController(animated: false)
            home.show(tile)
        }
    }
}
