import AppboyUI
import UIKit

class CardManager: NSObject {
    static let shared = CardManager()

    var contentCards: [ABKContentCard]? {
        Appboy.sharedInstance()?.contentCardsController.contentCards as? [ABKContentCard]
    }

    func addObserverForContentCards(observer: Any, selector: Selector) {
        NotificationCenter.default.addObserver(
            observer,
            selector: selector,
            name: NSNotification.Name.ABKContentCardsProcessed,
            object: nil
        )
    }

    func requestContentCardsRefresh() {
        Appboy.sharedInstance()?.requestContentCardsRefresh()
    }

    func handleContentCardsUpdated(
        _ notification: Notification,
        for classTypes: [ContentCardClassType]
    ) -> [ContentCardable] {
        guard let isSuccessful = notification.userInfo?[ABKContentCardsProcessedIsSuccessfulKey] as? Bool, isSuccessful,
            let cards = contentCards
        else { return [] }
        return convert(cards, for: classTypes)
    }

    func logContentCardImpression(idString: String?) {
        card(with: idString)?.logContentCardImpression()
    }

    func logContentCardClicked(idString: String?) {
        card(with: idString)?.logContentCardClicked()
    }

    func logContentCardDismissed(idString: String?) {
        card(with: idString)?.logContentCardDismissed()
    }

    private func card(with idString: String?) -> ABKContentCard? {
        contentCards?.first(where: { $0.idString == idString })
    }

    private func convert(_ cards: [ABKContentCard], for classTypes: [ContentCardClassType]) -> [ContentCardable] {
        var contentCardables: [ContentCardable] = []
        for card in cards {
            let classType = ContentCardClassType(rawType: card.extras?[ContentCardKey.classType.rawValue] as? String)
            guard classTypes.contains(classType) else { continue }
            var metaData: [ContentCardKey: Any] = [:]
            switch card {
            case let banner as ABKBannerContentCard:
                metaData[.image] = banner.image
            case let captioned as ABKCaptionedImageContentCard:
                metaData[.title] = captioned.title
                metaData[.cardDescription] = captioned.cardDescription
                metaData[.image] = captioned.image
            case let classic as ABKClassicContentCard:
                metaData[.title] = classic.title
                metaData[.cardDescription] = classic.cardDescription
            default:
                break
            }
            metaData[.idString] = card.idString
            metaData[.created] = card.created
            metaData[.dismissible] = card.dismissible
            metaData[.urlString] = card.urlString
            metaData[.extras] = card.extras
            if let contentCardable = make(with: metaData, for: classType) { contentCardables.append(contentCardable) }
        }
        return contentCardables
    }

    private func make(with metaData: [ContentCardKey: Any], for classType: ContentCardClassType) -> ContentCardable? {
        switch classType {
        case .cake: return Cake(metaData: metaData, classType: classType)
        case .coupon: return Coupon(metaData: metaData, classType: classType)
        case .message: return Message(metaData: metaData, classType: classType)
        case .none: return nil
        }
    }
}
