import AppboyUI
import UIKit

final class LinkRouter: NSObject, ABKURLDelegate {
    static let shared = LinkRouter()

    func handleAppboyURL(_ url: URL?, from channel: ABKChannel, withExtras extras: [AnyHashable: Any]?) -> Bool {
        guard let url = url, url.scheme == "bakery" else { return false }
        open(url, in: ABKUIUtils.activeApplicationViewController)
        return true
    }

    func open(_ url: URL, in controller: UIViewController?) {
        guard let tabBarController = (controller as? UITabBarController) ?? controller?.tabBarController else { return }
        switch url.host {
        case "messages":
            tabBarController.selectedIndex = 1
        case "feed":
            let feed = ABKContentCardsViewController()
            feed.contentCardsViewController = FeedViewController()
            tabBarController.present(feed, animated: true, completion: nil)
        default:
            (tabBarController.selectedViewController as? UINavigationController)?.popToRootViewController(
                animated: false
            )
        }
    }
}
