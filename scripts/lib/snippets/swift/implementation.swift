// The Swift of the implementation guide, written for this check: an app whose objects come from cards, in the same
// form.
import AppboyUI
import ObjectiveC

// snippet: the protocol of such objects
protocol ContentCardable {
    var contentCardData: ContentCardData? { get }
    init?(metaData: [ContentCardKey: Any], classType contentCardClassType: ContentCardClassType)
}

extension ContentCardable {
    var isContentCard: Bool {
        return contentCardData != nil
    }

    func logContentCardClicked() {
        CardManager.shared.logContentCardClicked(idString: contentCardData?.contentCardId)
    }

    func logContentCardDismissed() {
        CardManager.shared.logContentCardDismissed(idString: contentCardData?.contentCardId)
    }

    func logContentCardImpression() {
        CardManager.shared.logContentCardImpression(idString: contentCardData?.contentCardId)
    }
}

// snippet: what they keep of their card
struct ContentCardData: Hashable {
    let contentCardId: String
    let contentCardClassType: ContentCardClassType
    let createdAt: Double
    let isDismissable: Bool
}

extension ContentCardData {
    static func == (lhs: ContentCardData, rhs: ContentCardData) -> Bool {
        return lhs.contentCardId == rhs.contentCardId
    }
}

struct CustomObject {
    let contentCardData: ContentCardData?
    let property: String?
}

// snippet: an object from a card
extension CustomObject: ContentCardable {
    init?(metaData: [ContentCardKey: Any], classType contentCardClassType: ContentCardClassType) {
        guard let idString = metaData[.idString] as? String,
            let createdAt = metaData[.created] as? Double,
            let isDismissable = metaData[.dismissible] as? Bool,
            let extras = metaData[.extras] as? [AnyHashable: Any]
        else { return nil }

        let contentCardData = ContentCardData(
            contentCardId: idString, contentCardClassType: contentCardClassType, createdAt: createdAt, isDismissable: isDismissable)
        let property = extras["property"] as? String

        self.init(contentCardData: contentCardData, property: property)
    }
}

// snippet: the kinds of objects
enum ContentCardClassType: Hashable {
    case yourValue
    case yourOtherValue
    case message(Page)
    case none

    enum Page { case fullPage, webView }

    init(rawType: String?) {
        switch rawType?.lowercased() {
        case "your_value":
            self = .yourValue
        case "your_other_value":
            self = .yourOtherValue
        default:
            self = .none
        }
    }
}

class ListController: UIViewController {
    // snippet: a request for cards
    func loadContentCards() {
        CardManager.shared.addObserverForContentCards(observer: self, selector: #selector(contentCardsUpdated))
        CardManager.shared.requestContentCardsRefresh()
    }

    // snippet: the app's objects, when they have come
    @objc func contentCardsUpdated(_ notification: Notification) {
        guard let contentCards = CardManager.shared.handleContentCardsUpdated(notification, for: [.yourValue]) as? [CustomObject],
            !contentCards.isEmpty
        else { return }
        print(contentCards)
    }
}

class CardManager {
    static let shared = CardManager()

    var contentCards: [ABKContentCard]? { Appboy.sharedInstance()?.contentCardsController.contentCards as? [ABKContentCard] }

    func addObserverForContentCards(observer: Any, selector: Selector) {
        NotificationCenter.default.addObserver(
            observer, selector: selector, name: NSNotification.Name.ABKContentCardsProcessed, object: nil)
    }

    func requestContentCardsRefresh() {
        Appboy.sharedInstance()?.requestContentCardsRefresh()
    }

    // snippet: the end of a refresh, for some kinds
    func handleContentCardsUpdated(_ notification: Notification, for classTypes: [ContentCardClassType]) -> [ContentCardable] {
        guard let updateIsSuccessful = notification.userInfo?[ABKContentCardsProcessedIsSuccessfulKey] as? Bool,
            updateIsSuccessful, let cards = contentCards
        else { return [] }

        return convertContentCards(cards, for: classTypes)
    }

    // snippet: cards into objects
    func convertContentCards(_ cards: [ABKContentCard], for classTypes: [ContentCardClassType]) -> [ContentCardable] {
        var contentCardables: [ContentCardable] = []

        for card in cards {
            let classTypeString = card.extras?[ContentCardKey.classType.rawValue] as? String
            let classType = ContentCardClassType(rawType: classTypeString)
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

            if let contentCardable = contentCardable(with: metaData, for: classType) {
                contentCardables.append(contentCardable)
            }
        }
        return contentCardables
    }

    // snippet: an object by its kind
    func contentCardable(with metaData: [ContentCardKey: Any], for classType: ContentCardClassType) -> ContentCardable? {
        switch classType {
        case .yourValue:
            return CustomObject(metaData: metaData, classType: classType)
        default:
            return nil
        }
    }
}

class Message: ContentCardable {
    let contentCardData: ContentCardData?

    required init?(metaData: [ContentCardKey: Any], classType contentCardClassType: ContentCardClassType) {
        contentCardData = CustomObject(metaData: metaData, classType: contentCardClassType)?.contentCardData
    }
}
class FullPageMessage: Message {}
class WebViewMessage: Message {}

class MessageController: UITableViewController {
    // snippet: a page by the kind of a message
    func addContentCardToView(with message: Message) {
        switch message.contentCardData?.contentCardClassType {
        case .message(.fullPage):
            loadContentCardFullPageView(with: message as! FullPageMessage)
        case .message(.webView):
            loadContentCardWebView(with: message as! WebViewMessage)
        default:
            break
        }
    }

    func loadContentCardFullPageView(with message: FullPageMessage) {}
    func loadContentCardWebView(with message: WebViewMessage) {}
}

// snippet: logging by the object
func log(_ customObject: CustomObject) {
    customObject.logContentCardImpression()
    customObject.logContentCardClicked()
    customObject.logContentCardDismissed()
}

// snippet: logging by the card
extension CardManager {
    func logContentCardImpression(idString: String?) {
        guard let contentCard = getContentCard(forString: idString) else { return }

        contentCard.logContentCardImpression()
    }

    func logContentCardClicked(idString: String?) {
        getContentCard(forString: idString)?.logContentCardClicked()
    }

    func logContentCardDismissed(idString: String?) {
        getContentCard(forString: idString)?.logContentCardDismissed()
    }

    private func getContentCard(forString idString: String?) -> ABKContentCard? {
        return contentCards?.first(where: { $0.idString == idString })
    }
}

// snippet: the keys
enum ContentCardKey: String {
    case idString
    case created
    case classType = "class_type"
    case dismissible
    case extras
    case image, title, cardDescription, urlString
}
