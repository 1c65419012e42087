public import OrderedCollections
public import WireJSON

/// The content that a variant shows.
public struct CardTemplate: Sendable, Hashable {
    /// The layouts that a card can have.
    public enum Layout: String, Sendable, CaseIterable {
        /// An image and nothing else.
        case banner
        /// An image with texts under it.
        case captionedImage = "captioned_image"
        /// Texts, beside an image if there is one.
        case classic

        /// The shape of the cards of a layout, from which forms, checks and lists follow.
        package var shape: LayoutShape {
            switch self {
            case .banner: LayoutShape(label: "Banner", requiredFields: ["image"])
            case .captionedImage:
                LayoutShape(label: "Captioned image", requiredFields: ["title", "description", "image"])
            case .classic: LayoutShape(label: "Classic", requiredFields: ["title", "description"])
            }
        }
    }

    /// The time at which a card expires.
    public enum CardExpiry: Sendable, Hashable {
        /// It does not.
        case never
        /// At one moment for everybody.
        case at(UnixTime)
        /// That time in the user's local time, wherever they are then.
        case atLocal(LocalTime)
        /// That many seconds after it was delivered to the user.
        case afterDelivery(seconds: Double)
    }

    /// The layout.
    public var layout: Layout
    /// The headline; required but for a banner.
    @Bytewise public var title: String?
    /// The text; required but for a banner.
    @Bytewise public var description: String?
    /// The image's URL; required but for a classic card.
    @Bytewise public var image: String?
    /// Width divided by height, a hint until the image is there.
    public var imageAspectRatio: Double?
    /// The alternative text of the image, for those who cannot see it.
    @Bytewise public var imageAlt: String?
    /// The text of the link.
    @Bytewise public var domain: String?
    /// The address that a click opens: http, https or a scheme of the app.
    @Bytewise public var url: String?
    /// Whether a click opens inside the app.
    public var opensURLInWebView = false
    /// Key-value pairs for the app.
    @Bytewise public var extras: StringMap<String> = [:]
    /// Whether the card stays at the top.
    public var isPinned = false
    /// Whether the user may dismiss the card; `nil` means that they may unless it is pinned.
    public var dismissible: Bool?
    /// Higher comes first among pinned and among other cards; 0 by default.
    public var priority = 0
    /// The time at which the card expires.
    public var expiry = CardExpiry.never
    /// The language of the texts, a BCP 47 tag.
    @Bytewise public var language: String?
    /// The addresses that a click opens on one platform in place of ``url``.
    public var platformURLs: OrderedDictionary<Platform, ByteString> = [:]
    /// The differences for users of other languages, by BCP 47 tag.
    public var translations: StringMap<Translation> = [:]

    /// Creates a template with nothing but its layout.
    public init(layout: Layout) { self.layout = layout }

    /// Whether the user may dismiss the card.
    public var isDismissible: Bool { dismissible ?? !isPinned }

    /// Returns the time at which a card delivered at that time expires, or `nil` for never.
    ///
    /// The clock where the user is now is asked for only where the user's own time counts.
    public func expiresAt(deliveredAt: UnixTime, clock: @autoclosure () -> TimeZoneClock) -> UnixTime? {
        switch expiry {
        case .never: nil
        case .at(let time): time
        case .atLocal(let time): clock().moment(of: time)
        case .afterDelivery(let seconds): deliveredAt + seconds
        }
    }

    /// The bytes of what the marketer wrote for one language, the one that has most: texts, URLs, keys and values.
    public var contentSize: Int {
        translations.keys.map { translated(to: $0).ownSize }.reduce(ownSize, max)
    }

    private var ownSize: Int {
        let texts =
            [title, description, image, imageAlt, domain, url].compactMap(\.self) + platformURLs.values.map(\.text)
        let pairs = extras.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        // safe: all of it is in memory
        return texts.reduce(pairs) { $0 + $1.utf8.count }
    }
}
