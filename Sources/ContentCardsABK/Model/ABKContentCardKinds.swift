// The documented image of a banner is implicitly unwrapped.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

import ContentCards

extension ContentCard.Kind {
    /// The documented class of the cards of this kind.
    var documentedClass: DocumentedCardClass {
        switch self {
        case .banner: DocumentedCardClass(ABKBannerContentCard.init(_:client:))
        case .captionedImage: DocumentedCardClass(ABKCaptionedImageContentCard.init(_:client:))
        case .classic: DocumentedCardClass(ABKClassicContentCard.init(_:client:))
        case .control, .unknown: DocumentedCardClass(ABKContentCard.init(_:client:))
        }
    }
}

/// A documented class of cards, and how an object of it is made.
struct DocumentedCardClass {
    let type: ABKContentCard.Type
    let make: (ContentCard, ContentCardsClient?) -> ABKContentCard

    /// Names the class of what an initializer makes.
    init<Card: ABKContentCard>(_ make: @escaping (ContentCard, ContentCardsClient?) -> Card) {
        type = Card.self
        self.make = make
    }
}

// `ABKContentCard` keeps all that can change behind a lock; the classes below add no state.

/// A card that is an image alone.
#if canImport(ObjectiveC)
@objc(ABKBannerContentCard)
#endif
open class ABKBannerContentCard: ABKContentCard, @unchecked Sendable {
    override class var kind: ContentCard.Kind { .banner }
    /// The address of the image.
    open var image: String! {
        get { contentCard.image ?? "" }
        set { change { $0.image = newValue } }
    }
    /// Width divided by height of the image, before it is loaded; 0 when unknown.
    open var imageAspectRatio: Float {
        get { ratio }
        set { ratio = newValue }
    }
}

/// A card with an image above title and text.
#if canImport(ObjectiveC)
@objc(ABKCaptionedImageContentCard)
#endif
open class ABKCaptionedImageContentCard: ABKContentCard, @unchecked Sendable {
    override class var kind: ContentCard.Kind { .captionedImage }
    /// The address of the image.
    open var image: String {
        get { contentCard.image ?? "" }
        set { change { $0.image = newValue } }
    }
    /// Width divided by height of the image, before it is loaded; 0 when unknown.
    open var imageAspectRatio: Float {
        get { ratio }
        set { ratio = newValue }
    }
    /// The headline.
    open var title: String {
        get { contentCard.title }
        set { change { $0.title = newValue } }
    }
    /// The text.
    open var cardDescription: String {
        get { contentCard.description }
        set { change { $0.description = newValue } }
    }
    /// The text of the link; `nil` without one.
    open var domain: String? {
        get { contentCard.domain }
        set { change { $0.domain = newValue } }
    }
}

/// A card with title and text, and perhaps a small image.
#if canImport(ObjectiveC)
@objc(ABKClassicContentCard)
#endif
open class ABKClassicContentCard: ABKContentCard, @unchecked Sendable {
    override class var kind: ContentCard.Kind { .classic }
    /// The address of the image; `nil` without one.
    open var image: String? {
        get { contentCard.image }
        set { change { $0.image = newValue } }
    }
    /// The headline.
    open var title: String {
        get { contentCard.title }
        set { change { $0.title = newValue } }
    }
    /// The text.
    open var cardDescription: String {
        get { contentCard.description }
        set { change { $0.description = newValue } }
    }
    /// The text of the link; `nil` without one.
    open var domain: String? {
        get { contentCard.domain }
        set { change { $0.domain = newValue } }
    }
}

extension ABKContentCard {
    fileprivate var ratio: Float {
        get { Float(contentCard.imageAspectRatio ?? 0) }
        set { change { $0.imageAspectRatio = newValue > 0 && newValue.isFinite ? Double(newValue) : nil } }
    }
}
