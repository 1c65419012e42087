import Foundation

/// Holds one card of a user's feed, as the server sent it and with what the user did with it.
///
/// A card *is* its `id`: `hash(into:)` uses the id alone and ``hasSameID(as:)`` compares it. `==` compares every
/// property, so that a changed title or a new `isViewed` is a difference that SwiftUI and diffable data sources see.
///
/// It is a value. Change a copy as you like (translate the title, say) and show that; nothing is sent, and the feed
/// keeps what the server said.
public struct ContentCard: Sendable, Identifiable {
    /// The id that the server gave the card; unique within a user.
    public var id: String { identity.text }
    /// The id as what it is compared by: its bytes.
    package let identity: BytewiseText
    /// The look of the card.
    public var kind: Kind
    /// The headline; empty where the server sent none.
    public var title: String
    /// The text; empty where the server sent none.
    public var description: String
    /// The address of the image as it was sent; `nil` or blank without an image.
    ///
    /// See ``imageURL``.
    public var image: String?
    /// Width divided by height of the image, as a hint before it is loaded; `nil` when unknown, never 0 or negative.
    public var imageAspectRatio: Double?
    /// The alternative text of the image, for people who do not see it.
    public var imageAlt: String?
    /// The text of the link, such as `shop.example`.
    public var domain: String?
    /// The address of the click as it was sent.
    ///
    /// See ``url`` for the one to open.
    public var urlString: String?
    /// Whether a web address opens inside the app rather than in the browser.
    ///
    /// The default is `false`.
    public var opensInWebView: Bool
    /// The key-value pairs of the card.
    ///
    /// Values that were not text on the server arrive as their JSON text.
    public var extras: [String: String]
    /// Whether the card stays on top of the feed.
    public var isPinned: Bool
    /// Whether the user may dismiss the card.
    public var isDismissible: Bool
    /// The rank among cards that are equally pinned: higher comes first.
    ///
    /// The default is 0.
    public var priority: Int
    /// The time at which the card was created.
    public var createdAt: Date
    /// The time at which the card leaves the feed; `nil` means never.
    public var expiresAt: Date?
    /// Whether the user has seen the card, on this or another device.
    public var isViewed: Bool
    /// Whether the user has clicked the card, on this or another device.
    public var isClicked: Bool
    /// Whether the user has dismissed the card, on this or another device.
    public var isDismissed: Bool
    /// Whether the card is a test sent from the dashboard.
    public var isTest: Bool
    /// The campaign that the card belongs to.
    public var campaignID: String?
    /// The variant of the campaign.
    public var variantID: String?
    /// The language of the text (BCP 47).
    public var language: String?

    /// Creates a card, with the defaults that the server uses for what is left out.
    public init(
        id: String,
        kind: Kind = .classic,
        title: String = "",
        description: String = "",
        image: String? = nil,
        imageAspectRatio: Double? = nil,
        imageAlt: String? = nil,
        domain: String? = nil,
        urlString: String? = nil,
        opensInWebView: Bool = false,
        extras: [String: String] = [:],
        isPinned: Bool = false,
        isDismissible: Bool = true,
        priority: Int = 0,
        createdAt: Date = Date(timeIntervalSince1970: 0),
        expiresAt: Date? = nil,
        isViewed: Bool = false,
        isClicked: Bool = false,
        isDismissed: Bool = false,
        isTest: Bool = false,
        campaignID: String? = nil,
        variantID: String? = nil,
        language: String? = nil
    ) {
        identity = BytewiseText(id)
        self.kind = kind
        self.title = title
        self.description = description
        self.image = image
        self.imageAspectRatio = imageAspectRatio
        self.imageAlt = imageAlt
        self.domain = domain
        self.urlString = urlString
        self.opensInWebView = opensInWebView
        self.extras = extras
        self.isPinned = isPinned
        self.isDismissible = isDismissible
        self.priority = priority
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.isViewed = isViewed
        self.isClicked = isClicked
        self.isDismissed = isDismissed
        self.isTest = isTest
        self.campaignID = campaignID
        self.variantID = variantID
        self.language = language
    }
}

extension ContentCard: Hashable {
    /// Feeds the id into the hasher: cards that differ in anything else may share a hash.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identity)
    }
}
