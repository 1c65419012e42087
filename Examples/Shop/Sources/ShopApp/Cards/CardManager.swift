import ContentCards
import Foundation

/// Stands between the app and its cards: observes the feed, asks for new cards, turns them into the app's own objects,
/// and logs what the user does with them.
@MainActor
package final class CardManager {
    private struct Observer {
        weak var owner: AnyObject?
        let classTypes: [ContentCardClassType]
        let handler: @MainActor ([any ContentCardable]) -> Void
    }

    /// The client from which feed screens take their cards.
    let client: ContentCardsClient
    /// Tells the time.
    let clock: any CardClock
    private var observers: [Observer] = []
    private var updates: Task<Void, Never>?

    /// Creates a manager of one client, and begins to observe its feed.
    package init(client: ContentCardsClient, clock: any CardClock = SystemClock()) {
        self.client = client
        self.clock = clock
        updates = Task { [weak self, updates = client.updates] in
            for await feed in updates { self?.handleUpdate(feed) }
        }
    }

    deinit {
        updates?.cancel()
    }

    /// Returns a manager whose cards are there at once after a launch, also without a network.
    static func onDevice(server: URL, key: String) -> CardManager {
        CardManager(client: ContentCardsClient(endpoint: server, key: key))
    }

    /// Returns a manager that keeps nothing: each browser tab is a device of its own.
    static func inMemory(server: URL, key: String) -> CardManager {
        var configuration = ContentCardsClient.Configuration()
        configuration.storage = .memory
        configuration.platform = .web
        return CardManager(client: ContentCardsClient(endpoint: server, key: key, configuration: configuration))
    }

    // MARK: Observing

    /// Calls a handler with the objects of some class types: now, from what is cached, and whenever the feed changes.
    ///
    /// The handler is forgotten with its owner.
    func addObserver(
        _ owner: AnyObject,
        for classTypes: [ContentCardClassType],
        _ handler: @escaping @MainActor ([any ContentCardable]) -> Void
    ) {
        observers.append(Observer(owner: owner, classTypes: classTypes, handler: handler))
        handler(objects(for: classTypes, in: client.feed))
    }

    /// Asks for new cards.
    ///
    /// Observers get them; without a network, they keep what they have.
    func requestRefresh() async {
        try? await client.refresh()
    }

    /// Asks for new cards where the last answer is more than a minute old: a screen that shows some has opened, with
    /// those that are cached.
    func screenOpened() {
        Task { [client] in try? await client.refresh(.feedOpened) }
    }

    private func handleUpdate(_ feed: CardFeed) {
        observers.removeAll { $0.owner == nil }
        for observer in observers { observer.handler(objects(for: observer.classTypes, in: feed)) }
    }

    // MARK: Converting

    /// The objects of some class types, in the order of the feed; a card that makes no object is left out and reported.
    private func objects(for classTypes: [ContentCardClassType], in feed: CardFeed) -> [any ContentCardable] {
        let order = Dictionary(zip(feed.cards.map(\.id), 0...)) { first, _ in first }
        return classTypes.flatMap { objects(of: $0, in: feed) }
            .sorted { place($0, in: order) < place($1, in: order) }
    }

    private func place(_ object: any ContentCardable, in order: [String: Int]) -> Int {
        object.contentCardData.flatMap { order[$0.contentCardId] } ?? .max
    }

    private func objects(of classType: ContentCardClassType, in feed: CardFeed) -> [any ContentCardable] {
        switch classType {
        case .ad: feed.objects(Ad.self, for: [classType])
        case .item(.tile): feed.objects(Tile.self, for: [classType])
        case .coupon: feed.objects(Coupon.self, for: [classType])
        case .message(.fullPage): feed.objects(FullPageMessage.self, for: [classType])
        case .message(.webView): feed.objects(WebViewMessage.self, for: [classType])
        default: []
        }
    }

    // MARK: Logging

    /// Logs that the user has seen a card, or would have seen it in a control group.
    func logImpression(cardID: String) {
        client.logImpression(cardID: cardID)
    }

    /// Logs something that happened in the app.
    func logEvent(_ name: String) {
        client.logEvent(name)
    }

    /// Logs a purchase at the price that was agreed on.
    func logPurchase(_ productID: String, price: Money, quantity: Int) {
        client.logPurchase(productID, currency: price.currency, price: price.amount, quantity: quantity)
    }

    /// Begins or ends the session, where the system doesn't tell the SDK that the app came on screen or left it.
    func setInUse(_ isInUse: Bool) async {
        if isInUse { await client.startSession() } else { await client.endSession() }
    }

    /// Says who uses the app, and returns whether that is who uses it now: the client refuses what is no user's ID.
    @discardableResult
    func identify(_ user: String) async -> Bool {
        await client.identify(user)
        return client.userID == user
    }
}
