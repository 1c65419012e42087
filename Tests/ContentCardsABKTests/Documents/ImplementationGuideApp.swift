import ContentCardsABK

// What an app writes that follows the guide: the only file of it that knows the SDK, and the plain types that the rest
// of it uses. They have the names of types in `ContentCards`, as apps that came before that module do.

/// Lets an object of the app come from a card.
@MainActor
protocol ContentCardable {
    var contentCardData: ContentCardData? { get }
    init?(metaData: [ContentCardKey: Any], classType contentCardClassType: ContentCardClassType)
}

extension ContentCardable {
    var isContentCard: Bool { contentCardData != nil }

    func logContentCardImpression() {
        CardManager.shared.logContentCardImpression(idString: contentCardData?.contentCardId)
    }

    func logContentCardClicked() {
        CardManager.shared.logContentCardClicked(idString: contentCardData?.contentCardId)
    }

    func logContentCardDismissed() {
        CardManager.shared.logContentCardDismissed(idString: contentCardData?.contentCardId)
    }
}

struct ContentCardData: Hashable {
    let contentCardId: String
    let contentCardClassType: ContentCardClassType
    let createdAt: Double
    let isDismissable: Bool
}

extension ContentCardData {
    static func == (left: ContentCardData, right: ContentCardData) -> Bool {
        left.contentCardId == right.contentCardId
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(contentCardId)
    }
}

enum ContentCardKey: String {
    case idString
    case created
    case classType = "class_type"
    case dismissable
    case extras
    case image
    case title
    case cardDescription
    case urlString
    case messageHeader = "message_header"
}

enum ContentCardClassType: Hashable {
    case recipe
    case message(Page)
    case none

    enum Page: Hashable {
        case fullPage
        case webView
    }

    init(rawType: String?) {
        switch rawType?.lowercased() {
        case "recipe": self = .recipe
        case "message_full_page": self = .message(.fullPage)
        case "message_webview": self = .message(.webView)
        default: self = .none
        }
    }
}

/// Is the one file of the app that knows of the SDK.
@MainActor
final class CardManager {
    static let shared = CardManager()

    var contentCards: [ABKContentCard]? { Appboy.sharedInstance()?.contentCardsController.contentCards }

    #if canImport(ObjectiveC)
    func addObserverForContentCards(observer: AnyObject, selector: Selector) {
        NotificationCenter.default.addObserver(
            observer,
            selector: selector,
            name: NSNotification.Name.ABKContentCardsProcessed,
            object: nil
        )
    }
    #else
    func addObserverForContentCards(
        observer: AnyObject,
        selector: @escaping @MainActor (Notification) -> Void
    ) {
        NotificationCenter.default.addObserver(
            observer,
            selector: selector,
            name: NSNotification.Name.ABKContentCardsProcessed,
            object: nil
        )
    }
    #endif

    func requestContentCardsRefresh() {
        Appboy.sharedInstance()?.requestContentCardsRefresh()
    }

    func handleContentCardsUpdated(
        _ notification: Notification,
        for classTypes: [ContentCardClassType]
    ) -> [any ContentCardable] {
        guard let isSuccessful = notification.userInfo?[ABKContentCardsProcessedIsSuccessfulKey] as? Bool,
            isSuccessful, let cards = contentCards
        else { return [] }
        return convertContentCards(cards, for: classTypes)
    }

    func convertContentCards(
        _ cards: [ABKContentCard],
        for classTypes: [ContentCardClassType]
    ) -> [any ContentCardable] {
        cards.compactMap { card in
            let name = card.extras?[ContentCardKey.classType.rawValue] as? String
            let classType = ContentCardClassType(rawType: name)
            guard classTypes.contains(classType) else { return nil }
            return contentCardable(with: metaData(of: card), for: classType)
        }
    }

    private func metaData(of card: ABKContentCard) -> [ContentCardKey: Any] {
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
        metaData[.dismissable] = card.dismissible
        metaData[.urlString] = card.urlString
        metaData[.extras] = card.extras
        return metaData
    }

    func contentCardable(
        with metaData: [ContentCardKey: Any],
        for classType: ContentCardClassType
    ) -> (any ContentCardable)? {
        switch classType {
        case .recipe: Recipe(metaData: metaData, classType: classType)
        case .message(.fullPage): FullPageMessage(metaData: metaData, classType: classType)
        case .message(.webView): WebViewMessage(metaData: metaData, classType: classType)
        case .none: nil
        }
    }
}

extension CardManager {
    func logContentCardImpression(idString: String?) {
        getContentCard(forString: idString)?.logContentCardImpression()
    }

    func logContentCardClicked(idString: String?) {
        getContentCard(forString: idString)?.logContentCardClicked()
    }

    func logContentCardDismissed(idString: String?) {
        getContentCard(forString: idString)?.logContentCardDismissed()
    }

    private func getContentCard(forString idString: String?) -> ABKContentCard? {
        contentCards?.first(where: { $0.idString == idString })
    }
}

/// Is an object of the app that comes from cards or from the app itself.
struct Recipe: ContentCardable {
    let contentCardData: ContentCardData?
    let minutes: String?
}

extension Recipe {
    init?(metaData: [ContentCardKey: Any], classType contentCardClassType: ContentCardClassType) {
        guard let idString = metaData[.idString] as? String,
            let createdAt = metaData[.created] as? Double,
            let isDismissable = metaData[.dismissable] as? Bool,
            let extras = metaData[.extras] as? [AnyHashable: Any]
        else { return nil }
        let data = ContentCardData(
            contentCardId: idString,
            contentCardClassType: contentCardClassType,
            createdAt: createdAt,
            isDismissable: isDismissable
        )
        self.init(contentCardData: data, minutes: extras["minutes"] as? String)
    }
}

/// Is a message of the message centre.
protocol Message: ContentCardable {
    var header: String? { get }
}

struct FullPageMessage: Message {
    let contentCardData: ContentCardData?
    let header: String?

    init?(metaData: [ContentCardKey: Any], classType contentCardClassType: ContentCardClassType) {
        guard let recipe = Recipe(metaData: metaData, classType: contentCardClassType) else { return nil }
        contentCardData = recipe.contentCardData
        header = (metaData[.extras] as? [AnyHashable: Any])?[ContentCardKey.messageHeader.rawValue] as? String
    }
}

struct WebViewMessage: Message {
    let contentCardData: ContentCardData?
    let header: String?

    init?(metaData: [ContentCardKey: Any], classType contentCardClassType: ContentCardClassType) {
        guard let message = FullPageMessage(metaData: metaData, classType: contentCardClassType) else { return nil }
        contentCardData = message.contentCardData
        header = message.header
    }
}

/// Is a screen of the app: it loads recipes, and opens messages.
@MainActor
final class RecipeScreen {
    private(set) var recipes: [Recipe] = []
    private(set) var updateCount = 0
    private(set) var opened: [String] = []

    #if canImport(ObjectiveC)
    func loadContentCards() {
        CardManager.shared.addObserverForContentCards(observer: self, selector: #selector(contentCardsUpdated))
        CardManager.shared.requestContentCardsRefresh()
    }

    @objc private func contentCardsUpdated(_ notification: Notification) { update(notification) }
    #else
    func loadContentCards() {
        CardManager.shared.addObserverForContentCards(observer: self) { [weak self] in self?.update($0) }
        CardManager.shared.requestContentCardsRefresh()
    }
    #endif

    private func update(_ notification: Notification) {
        updateCount += 1
        guard
            let recipes = CardManager.shared.handleContentCardsUpdated(notification, for: [.recipe]) as? [Recipe],
            !recipes.isEmpty
        else { return }
        self.recipes = recipes
    }

    func addContentCardToView(with message: any Message) {
        switch message.contentCardData?.contentCardClassType {
        case .message(.fullPage): opened.append("page of \(message.header ?? "")")
        case .message(.webView): opened.append("web view of \(message.header ?? "")")
        default: break
        }
    }
}
