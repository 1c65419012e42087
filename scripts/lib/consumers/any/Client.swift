import ContentCards
import ContentCardsTesting
import ContentCardsUI
import Foundation
import UIKit

/// Keeps the client of an app.
final class Cards {
    let client: ContentCardsClient

    init(endpoint: URL, account: Account) {
        var configuration = ContentCardsClient.Configuration()
        configuration.tokenProvider = { userID in try await account.token(of: userID) }
        configuration.log = { print($0) }
        configuration.random = { Double.random(in: 0..<1) }
        configuration.transport = HeaderTransport(base: URLSessionTransport())
        configuration.appGroupIdentifier = "group.com.example.shop"
        client = ContentCardsClient(endpoint: endpoint, key: "pk_key", configuration: configuration)
    }

    func signIn(_ userID: String) async throws {
        await client.identify(userID, token: nil)
        try await client.publishContentTypes([Coupon.self])
        try await client.flush()
        client.setAttribute("plan", to: "gold")
        client.setAttribute(.email, to: "anna@example.com")
        client.logEvent("signed_in", properties: ["by": "mail", "count": 1])
        client.logPurchase("tent-2", currency: "EUR", price: 249.90)
        for await diagnostic in client.diagnostics { print(diagnostic) }
    }

    func push(_ userInfo: [AnyHashable: Any]) async -> Bool {
        await client.handle(push: userInfo)?.value == .newCards
    }
}

/// Signs users.
actor Account {
    func token(of userID: String) async throws -> String? { userID }
}

/// Adds a header to every request.
struct HeaderTransport: Transport {
    let base: URLSessionTransport

    func send(_ request: TransportRequest) async throws -> TransportResponse { try await base.send(request) }
    func open(_ request: TransportRequest) async throws -> TransportStream { try await base.open(request) }
}

/// Shows what another source has.
struct Recorded: CardFeedSource {
    let feed: CardFeed

    var updates: AsyncStream<CardFeed> { AsyncStream { $0.yield(feed) } }
    func refresh(_ reason: SyncReason) async throws(ContentCardsError) {}
    func logImpression(_ card: ContentCard) -> Bool { true }
    func logClick(_ card: ContentCard, customAction: Bool) -> Bool { true }
    func logDismissal(_ card: ContentCard) -> Bool { true }
}

/// Fetches images with the app's own library.
struct OwnImages: ImageFetching {
    func data(from url: URL, isFresh: Bool) async throws -> Data { Data() }
}

struct Coupon: CardContent {
    static let classType = ContentCardClassType.coupon

    let card: ContentCard
    let couponCode: String
    let until: Date?
}

/// A type of an app, made of a card or by the app itself.
class Tile: ContentCardable {
    let contentCardData: ContentCardData?
    let title: String

    required init?(metaData: [ContentCardKey: Any], classType: ContentCardClassType) {
        guard let id = metaData[.idString] as? String, let created = metaData[.created] as? Double else { return nil }
        contentCardData = ContentCardData(
            contentCardId: id,
            contentCardClassType: classType,
            createdAt: created,
            isDismissible: true
        )
        title = metaData[.title] as? String ?? ""
    }

    static var contentCardClassTypes: [ContentCardClassType] { [.item(.tile)] }
}

@MainActor
func show(_ client: ContentCardsClient) -> [Tile] {
    CardImageLoader.shared = CardImageLoader(fetcher: OwnImages(), directory: nil)
    return client.feed.objects(Tile.self)
}
