// The Swift of the integration guide, written for this check: the same calls in the same form, in the least of an app
// that they need.
import AppboyUI
import ObjectiveC

// snippet: a subscription to updates
final class Subscriber {
    func subscribe() {
        // Whoever subscribes removes the observer in its own time.
        NotificationCenter.default.addObserver(self, selector:
            #selector(contentCardsUpdated),
            name: NSNotification.Name.ABKContentCardsProcessed, object: nil)
    }

    // snippet: the end of a refresh
    @objc private func contentCardsUpdated(_ notification: Notification) {
        if let updateIsSuccessful = notification.userInfo?[ABKContentCardsProcessedIsSuccessfulKey] as? Bool {
            if (updateIsSuccessful) {
                print(Appboy.sharedInstance()?.contentCardsController.contentCards as Any)
            }
        }
    }
}

final class StartController: UIViewController {
    // snippet: a feed in a navigation controller
    func pushFeed() {
        let contentCards = ABKContentCardsTableViewController()
        contentCards.title = "News"
        contentCards.disableUnreadIndicator = true
        navigationController?.pushViewController(contentCards, animated: true)
    }

    // snippet: a feed in a modal
    func presentFeed() {
        let contentCards = ABKContentCardsViewController()
        contentCards.contentCardsViewController.title = "News"
        contentCards.contentCardsViewController.disableUnreadIndicator = true
        self.present(contentCards, animated: true, completion: nil)
    }
}

// snippet: the members of cards, by table
func read(_ card: ABKContentCard) {
    let members: [Any?] = [
        card.idString, card.viewed, card.created, card.expiresAt, card.dismissible, card.pinned, card.dismissed, card.url,
        card.openURLInWebView, card.extras,
    ]
    switch card {
    case let banner as ABKBannerContentCard: print(banner.image ?? "", banner.imageAspectRatio)
    case let card as ABKCaptionedImageContentCard:
        print(card.image, card.imageAspectRatio, card.title, card.cardDescription, card.domain ?? "")
    case let classic as ABKClassicContentCard:
        print(classic.image ?? "", classic.title, classic.cardDescription, classic.domain ?? "")
    default: print(members)
    }
    card.logContentCardImpression()
    card.logContentCardClicked()
    card.logContentCardDismissed()
    print(card.isControlCard())
}
