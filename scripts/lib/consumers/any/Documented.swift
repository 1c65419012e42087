import AppboyUI
import UIKit

final class CardsAppDelegate: UIResponder, UIApplicationDelegate, ABKURLDelegate, ABKSdkAuthenticationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        Appboy.start(
            withApiKey: "pk_key",
            in: application,
            withLaunchOptions: launchOptions,
            withAppboyOptions: [ABKEndpointKey: "https://cards.example.com", ABKURLDelegateKey: self]
        )
        Appboy.sharedInstance()?.sdkAuthenticationDelegate = self
        Appboy.sharedInstance()?.changeUser("user-42", sdkAuthSignature: nil)
        Appboy.sharedInstance()?.user.firstName = "Anna"
        return true
    }

    func handleAppboyURL(_ url: URL?, from channel: ABKChannel, withExtras extras: [AnyHashable: Any]?) -> Bool {
        channel == .contentCardChannel && url?.scheme == "shop"
    }

    func handle(_ authError: ABKSdkAuthenticationError) {
        Appboy.sharedInstance()?.setSdkAuthenticationSignature(authError.reason ?? "")
    }
}

final class CardsViewController: ABKContentCardsTableViewController, ABKContentCardsTableViewControllerDelegate {
    override func viewDidLoad() {
        super.viewDidLoad()
        delegate = self
        NotificationCenter.default.addObserver(
            self,
            selector: #selector(updated),
            name: .ABKContentCardsProcessed,
            object: nil
        )
    }

    @objc private func updated(_ notification: Notification) {
        let isSuccessful = notification.userInfo?[ABKContentCardsProcessedIsSuccessfulKey] as? Bool
        title = isSuccessful == true ? nil : "Offline"
    }

    override func populateContentCards() {
        super.populateContentCards()
        let cards = Appboy.sharedInstance()?.contentCardsController.contentCards ?? []
        self.cards = NSMutableArray(array: cards.filter { $0.pinned || !$0.viewed })
    }

    override func registerTableViewCellClasses() {
        super.registerTableViewCellClasses()
        tableView.register(OwnClassicCell.self, forCellReuseIdentifier: "ABKClassicCardCell")
    }

    func contentCardTableViewController(
        _ viewController: ABKContentCardsTableViewController!,
        shouldHandleCardClick url: URL!
    ) -> Bool { url.scheme != "shop" }
}

class OwnClassicCell: ABKClassicContentCardCell {
    override func setUpUI() {
        super.setUpUI()
        titleLabel.textColor = .systemRed
    }

    override func apply(_ card: ABKClassicContentCard!) {
        super.apply(card)
        titleLabel.text = card.title.uppercased()
    }
}
