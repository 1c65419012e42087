// The documented image of a banner is implicitly unwrapped.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

import ContentCards

// `ABKContentCard` keeps all that can change behind a lock; these add no state.

/// Is a card that is an image alone.
public class ABKBannerContentCard: ABKContentCard, @unchecked Sendable {
    /// The address of the image.
    public var image: String! {
        get { contentCard.image ?? "" }
        set { change { $0.image = newValue } }
    }
    /// Width divided by height of the image, before it is loaded; 0 when unknown.
    public var imageAspectRatio: Float {
        get { ratio }
        set { ratio = newValue }
    }
}

/// Is a card with an image above title and text.
public class ABKCaptionedImageContentCard: ABKContentCard, @unchecked Sendable {
    /// The address of the image.
    public var image: String {
        get { contentCard.image ?? "" }
        set { change { $0.image = newValue } }
    }
    /// Width divided by height of the image, before it is loaded; 0 when unknown.
    public var imageAspectRatio: Float {
        get { ratio }
        set { ratio = newValue }
    }
    /// The headline.
    public var title: String {
        get { contentCard.title }
        set { change { $0.title = newValue } }
    }
    /// The text.
    public var cardDescription: String {
        get { contentCard.description }
        set { change { $0.description = newValue } }
    }
    /// The text of the link; `nil` without one.
    public var domain: String? {
        get { contentCard.domain }
        set { change { $0.domain = newValue } }
    }
}

/// Is a card with title and text, and perhaps a small image.
public class ABKClassicContentCard: ABKContentCard, @unchecked Sendable {
    /// The address of the image; `nil` without one.
    public var image: String? {
        get { contentCard.image }
        set { change { $0.image = newValue } }
    }
    /// The headline.
    public var title: String {
        get { contentCard.title }
        set { change { $0.title = newValue } }
    }
    /// The text.
    public var cardDescription: String {
        get { contentCard.description }
        set { change { $0.description = newValue } }
    }
    /// The text of the link; `nil` without one.
    public var domain: String? {
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
