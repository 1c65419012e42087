import ContentCardsABK
import Foundation

/// Shows the feed by the documented names.
@main
struct App {
    @MainActor
    static func main() {
        Appboy.start(
            withApiKey: "pk_key", in: nil, withLaunchOptions: nil,
            withAppboyOptions: [ABKEndpointKey: "https://cards.example.com"])
        Appboy.sharedInstance()?.changeUser("user-42")
        let feed = ABKContentCardsTableViewController()
        feed.loadViewIfNeeded()
    }
}
