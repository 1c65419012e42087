/// Makes a type of the app usable as a card, so that cards and the app's own items can be shown alike.
///
/// Implement the initializer: take what you need from `metaData`, and return `nil` if something is missing. For a
/// control card (`metaData[.isControl]`) make the object even so: its view stays hidden, and its impression is logged.
/// For types that are `Decodable`, ``CardContent`` needs no such code.
public protocol ContentCardable {
    /// The card behind the object; `nil` for an item of the app's own.
    var contentCardData: ContentCardData? { get }

    /// Creates an object from a card, or returns `nil` if the card is not right for it.
    init?(metaData: [ContentCardKey: Any], classType contentCardClassType: ContentCardClassType)

    /// The class types that the type is made for.
    ///
    /// With an empty list, which is the default, `feed.objects(_:)` tries every card that has a class type.
    static var contentCardClassTypes: [ContentCardClassType] { get }
}

extension ContentCardable {
    /// No class types: any will do.
    public static var contentCardClassTypes: [ContentCardClassType] { [] }

    /// Whether there is a card behind the object.
    public var isContentCard: Bool { contentCardData != nil }

    /// Logs that the user has seen the card; without a card, nothing happens.
    public func logContentCardImpression() {
        contentCardData?.log(.impression)
    }

    /// Logs that the user has clicked the card, with a url or without, since it is the app that acts on it.
    ///
    /// Without a card, nothing happens.
    public func logContentCardClicked() {
        contentCardData?.log(.click)
    }

    /// Logs that the user has dismissed the card, by the rules of ``ContentCardsClient/logDismissal(_:)``.
    ///
    /// Without a card, nothing happens.
    public func logContentCardDismissed() {
        contentCardData?.log(.dismissal)
    }
}

/// Holds what an object of the app keeps of its card.
///
/// Two are equal if they are about the same card. It logs to the client whose feed the object was made from; made
/// outside of a feed, to the client that was made last.
public struct ContentCardData: Sendable {
    /// The id of the card.
    public let contentCardId: String
    /// The kind of card for the app.
    public let contentCardClassType: ContentCardClassType
    /// The time at which the card was created: Unix seconds.
    public let createdAt: Double
    /// Whether the user may dismiss the card.
    public let isDismissible: Bool
    /// Whether the card belongs to a control group: its view stays hidden, and its impression is logged.
    public let isControl: Bool
    private let sink: CardEventSink?

    /// The other spelling of ``isDismissible``.
    public var isDismissable: Bool { isDismissible }

    /// Creates the data; `isControl` is that of the card being converted by default.
    public init(
        contentCardId: String,
        contentCardClassType: ContentCardClassType,
        createdAt: Double,
        isDismissible: Bool,
        isControl: Bool? = nil
    ) {
        let conversion = Conversion.current
        self.contentCardId = contentCardId
        self.contentCardClassType = contentCardClassType
        self.createdAt = createdAt
        self.isDismissible = isDismissible
        self.isControl = isControl ?? conversion?.isControl ?? false
        sink = conversion.map(\.sink) ?? CardEventSink.current
    }

    /// Creates the data, with the other spelling of `isDismissible`.
    public init(
        contentCardId: String,
        contentCardClassType: ContentCardClassType,
        createdAt: Double,
        isDismissable: Bool,
        isControl: Bool? = nil
    ) {
        self.init(
            contentCardId: contentCardId,
            contentCardClassType: contentCardClassType,
            createdAt: createdAt,
            isDismissible: isDismissable,
            isControl: isControl
        )
    }

    func log(_ action: CardAction) {
        _ = sink?.receiver?.log(action, cardID: contentCardId, isCustomAction: action == .click)
    }
}

extension ContentCardData: Hashable {
    /// Returns whether both are about the same card.
    public static func == (left: ContentCardData, right: ContentCardData) -> Bool {
        left.contentCardId.hasSameBytes(as: right.contentCardId)
    }

    /// Feeds the id of the card into the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(BytewiseText(contentCardId))
    }
}

/// The card that is being converted, for the data that the app's initializer makes without knowing of clients.
struct Conversion: Sendable {
    @TaskLocal static var current: Conversion?

    var isControl: Bool
    var sink: CardEventSink?
}
