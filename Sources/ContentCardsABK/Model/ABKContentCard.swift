import ContentCards
import Foundation

/// A card of the feed: a live object, whose changes the next look at the feed shows.
///
/// Cards of a control group, and of types that the SDK does not know, are of this very class.
#if canImport(ObjectiveC)
@objc(ABKContentCard) @objcMembers
#endif
open class ABKContentCard: NSObject, NSCopying, NSCoding, @unchecked Sendable {
    // `state` is a lock around all that can change; `client` is constant.
    let state: Locked<ContentCard>
    let client: ContentCardsClient?

    /// The kind of the cards of this class.
    class var kind: ContentCard.Kind { .control }

    /// Creates an empty card, for an app's own use: it has no id, and what it logs is logged nowhere.
    public override init() {
        state = Locked(ContentCard(id: "", kind: Self.kind))
        client = nil
    }

    init(_ card: ContentCard, client: ContentCardsClient?) {
        state = Locked(card)
        self.client = client
    }

    /// The card as a value, with all local changes.
    public var contentCard: ContentCard { state.withLock { $0 } }

    func change(_ change: (inout ContentCard) -> Void) {
        state.withLock { change(&$0) }
    }

    // MARK: Properties

    /// The id that the server gave the card.
    open var idString: String { contentCard.id }
    /// Whether the user has seen the card; setting it logs nothing.
    open var viewed: Bool {
        get { contentCard.isViewed }
        set { change { $0.isViewed = newValue } }
    }
    /// The time at which the card was created: Unix seconds.
    open var created: Double { contentCard.createdAt.timeIntervalSince1970 }
    /// The time at which the card expires: Unix seconds, or -1 for never.
    open var expiresAt: Double { contentCard.expiresAt?.timeIntervalSince1970 ?? -1 }
    /// Whether the user may dismiss the card; what the app sets here counts until the next change of the card.
    open var dismissible: Bool {
        get { contentCard.isDismissible }
        set { change { $0.isDismissible = newValue } }
    }
    /// Whether the card stays on top of the feed.
    open var pinned: Bool {
        get { contentCard.isPinned }
        set { change { $0.isPinned = newValue } }
    }
    /// Whether the user has dismissed the card; setting it logs nothing.
    open var dismissed: Bool {
        get { contentCard.isDismissed }
        set { change { $0.isDismissed = newValue } }
    }
    /// Whether the user has clicked the card; setting it logs nothing.
    open var clicked: Bool {
        get { contentCard.isClicked }
        set { change { $0.isClicked = newValue } }
    }
    /// The key-value pairs of the card, whose values are text; `nil` stores none.
    open var extras: [AnyHashable: Any]? {
        get { contentCard.extras }
        set { change { $0.extras = Self.texts(newValue) } }
    }
    /// Whether the card is a test sent from the dashboard.
    open var isTest: Bool { contentCard.isTest }
    /// The address of the click; `nil` without one.
    open var urlString: String? {
        get { contentCard.urlString }
        set { change { $0.urlString = newValue } }
    }
    /// The other name of ``urlString``.
    public var url: String? {
        get { urlString }
        set { urlString = newValue }
    }
    /// Whether a web address opens inside the app.
    ///
    /// The default is `false`.
    open var openUrlInWebView: Bool {
        get { contentCard.opensInWebView }
        set { change { $0.opensInWebView = newValue } }
    }
    /// The other name of ``openUrlInWebView``.
    public var openURLInWebView: Bool {
        get { openUrlInWebView }
        set { openUrlInWebView = newValue }
    }

    private static func texts(_ extras: [AnyHashable: Any]?) -> [String: String] {
        var texts: [String: String] = [:]
        for (key, value) in extras ?? [:] {
            if let key = key.base as? String { texts[key] = value as? String ?? "\(value)" }
        }
        return texts
    }

    // MARK: Logging

    /// Logs that the user has seen the card, at every call, and marks it viewed.
    open func logContentCardImpression() {
        if client?.logImpression(cardID: idString) == true { viewed = true }
    }

    /// Logs a click on a card that has a usable address, and marks it clicked.
    ///
    /// The address is that of this object, which the app may have changed. It opens nothing.
    open func logContentCardClicked() {
        let isUsable = contentCard.url != nil
        guard let client, isUsable || client.feed.card(id: idString)?.url == nil else { return }
        if client.logClick(cardID: idString, customAction: isUsable) { clicked = true }
    }

    /// Logs that the user has dismissed the card, unless it was dismissed before or is not dismissible.
    ///
    /// What ``dismissible`` of this object says counts, which the app may have changed.
    open func logContentCardDismissed() {
        guard dismissible, !dismissed else { return }
        if client?.logDismissalAllowedByApp(cardID: idString) == true { dismissed = true }
    }

    /// Returns whether the card belongs to a control group: nothing of it is shown, and its impression is logged.
    open func isControlCard() -> Bool { contentCard.isControl }

    /// Returns whether both are the same card, in whatever state.
    open func hasSameId(_ card: ABKContentCard) -> Bool { idString.hasSameBytes(as: card.idString) }

    // MARK: Equality, copies and data

    /// Returns whether both are the same card, in whatever state.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? ABKContentCard).map(hasSameId) ?? false
    }

    /// A number that is the same for the same card.
    open override var hash: Int { BytewiseText(idString).hashValue }

    /// Returns a card of its own, which can be changed without changing this one.
    open func copy(with zone: NSZone? = nil) -> Any {
        guard Swift.type(of: self) != Self.type(for: contentCard.kind) else {
            return Self.make(contentCard, client: client)
        }
        // A class of the app's own is known to the archive alone.
        let data = try? NSKeyedArchiver.archivedData(withRootObject: self, requiringSecureCoding: false)
        let reader = data.flatMap { try? NSKeyedUnarchiver(forReadingFrom: $0) }
        reader?.requiresSecureCoding = false
        let copy = reader?.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? ABKContentCard
        return copy ?? Self.make(contentCard, client: client)
    }

    /// Returns the card as JSON; `nil` on failure.
    open func serializeToData() -> Data? {
        try? JSONEncoder().encode(contentCard)
    }

    /// Returns the card that a dictionary describes, with the keys of ``serializeToData()`` or the documented short
    /// ones; `nil` if it describes none.
    #if canImport(ObjectiveC)
    @objc(deserializeCardFromDictionary:)
    #endif
    open class func deserializeCard(from dictionary: [AnyHashable: Any]?) -> ABKContentCard? {
        guard let dictionary = dictionary.map(WireKeys.spelledOut), JSONSerialization.isValidJSONObject(dictionary),
            let data = try? JSONSerialization.data(withJSONObject: dictionary),
            let card = try? JSONDecoder().decode(ContentCard.self, from: data)
        else { return nil }
        return make(card, client: StartedClient.current)
    }

    /// Writes the card into an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(serializeToData().map { $0 as NSData }, forKey: Self.archiveKey)
    }

    /// Reads a card from an archive; `nil` if there is none.
    public required init?(coder: NSCoder) {
        guard let data = coder.decodeObject(of: NSData.self, forKey: Self.archiveKey),
            let card = try? JSONDecoder().decode(ContentCard.self, from: Data(referencing: data))
        else { return nil }
        state = Locked(card)
        client = StartedClient.current
    }

    private static let archiveKey = "card"

    /// Returns an object of the class that fits the kind of a card.
    static func make(_ card: ContentCard, client: ContentCardsClient?) -> ABKContentCard {
        card.kind.documentedClass.make(card, client)
    }

    /// Returns the class that fits a kind of cards.
    static func type(for kind: ContentCard.Kind) -> ABKContentCard.Type { kind.documentedClass.type }
}
