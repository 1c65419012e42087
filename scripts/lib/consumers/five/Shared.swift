import AppboyUI
import ContentCards
import ContentCardsUI
import UIKit

// Code from before actors: nothing says that it runs on the main thread, and UIKit takes it as it is.

class Coordinator: NSObject, ContentCardsTableViewControllerDelegate {
    static let shared = Coordinator()

    let controller = UINavigationController()
    var feed: ContentCardsTableViewController?

    func showFeed(of client: ContentCardsClient) {
        let feed = ContentCardsTableViewController(source: client)
        feed.clickDelegate = self
        feed.urlHandler = { _, _ in false }
        feed.attributes.card.cornerRadius = 3
        ContentCardsAttributes.defaults.pullToRefresh = false
        feed.imageLoader = CardImageLoader.shared
        controller.pushViewController(feed, animated: true)
        self.feed = feed
    }

    func contentCardTableViewController(
        _ viewController: ContentCardsTableViewController,
        shouldHandleCardClick url: URL
    ) -> Bool { true }
}

class Links: NSObject, ABKURLDelegate {
    static let shared = Links()

    func handleAppboyURL(_ url: URL?, from channel: ABKChannel, withExtras extras: [AnyHashable: Any]?) -> Bool {
        ABKUIUtils.activeApplicationViewController?.tabBarController?.selectedIndex = 1
        return true
    }
}

class Images: NSObject, ABKImageDelegate {
    static let shared = Images()

    func setImageFor(
        _ imageView: UIImageView,
        showActivityIndicator: Bool,
        with imageURL: URL?,
        imagePlaceHolder placeHolder: UIImage?,
        completed completion: ((UIImage?, Error?, Int, URL?) -> Void)?
    ) {
        imageView.image = placeHolder
        completion?(placeHolder, nil, 0, imageURL)
    }
}

class Tokens: NSObject, ABKSdkAuthenticationDelegate {
    func handle(_ authError: ABKSdkAuthenticationError) {
        Appboy.sharedInstance()?.setSdkAuthenticationSignature("token")
    }
}

class Feeds: NSObject, ABKContentCardsTableViewControllerDelegate {
    let feed = ABKContentCardsTableViewController()
    let tokens = Tokens()

    func start() {
        Appboy.start(
            withApiKey: "pk_key",
            in: UIApplication.shared,
            withLaunchOptions: nil,
            withAppboyOptions: [ABKURLDelegateKey: Links.shared, ABKImageDelegateKey: Images.shared]
        )
        Appboy.sharedInstance()?.sdkAuthenticationDelegate = tokens
        Coordinator.shared.controller.viewControllers = [feed]
        feed.delegate = self
        feed.cacheTimeout = 30
    }

    func contentCardTableViewController(
        _ viewController: ABKContentCardsTableViewController,
        shouldHandleCardClick url: URL
    ) -> Bool { ABKUIUtils.activeWindowScene == nil }
}

class Launcher: NSObject {
    lazy var impressions = ImpressionObserver(visible: { [] }, onImpression: { print($0) })
    let images = Images()

    func launch(_ client: ContentCardsClient) {
        Feeds().start()
        Coordinator.shared.showFeed(of: client)
        ContentCardsAttributes.defaults.pullToRefresh = false
        ABKTextContentCardCell.titleLabelColor = .systemRed
        CardImageLoader.shared = CardImageLoader(fetcher: URLSessionImages(), directory: nil)
        impressions.beginPresentation()
        if Links.shared.handleAppboyURL(nil, from: .contentCardChannel, withExtras: nil) {
            ABKUIUtils.activeApplicationViewController?.dismiss(animated: true)
        }
        images.setImageFor(
            UIImageView(),
            showActivityIndicator: false,
            with: nil,
            imagePlaceHolder: nil,
            completed: nil
        )
        let cell = ABKClassicContentCardCell(style: .default, reuseIdentifier: "card")
        cell.hideUnreadIndicator = true
    }
}
