// The constraints of a cell are there from `setUpUI` on; a cell that lays out nothing, as for control cards, has none.
// Its views may be replaced by an app's own, as outlets are.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

#if !os(tvOS)
import ContentCards
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

/// The base of all cells of cards: the card's box, the pin and the bar of unread cards.
///
/// A subclass overrides ``setUpUI()`` for what all cards share and ``apply(_:)`` for what depends on the card,
/// calling super first.
#if canImport(ObjectiveC)
@objcMembers
#endif
open class ContentCardCell: UITableViewCell, ImageRetrying {
    /// The box of the card: background, border, corners and shadow.
    open var rootView: UIView! = CardBox()
    /// Holds what is in the box, cut off at its corners.
    public let clippingView = UIView()
    /// Says that the card stays on top.
    open var pinImageView: UIImageView! = UIImageView()
    /// Says that the card is unread.
    open var unviewedLineView: UIView! = UIView()
    /// The colour of the bar of unread cards; `nil`, the default, takes the tint, also when that changes.
    open var unviewedLineViewColor: UIColor? { didSet { applyColors() } }
    /// Whether the bar is never shown.
    ///
    /// The default is `false`.
    open var hideUnreadIndicator = false { didSet { updateUnreadLine() } }
    /// The room at each side of the card, in points.
    ///
    /// The default is 10. It can be set at any time.
    open var cardSidePadding: CGFloat = 10 { didSet { applyInsets() } }
    /// The room between cards, in points, half of it above and half below.
    ///
    /// The default is 20.
    open var cardSpacing: CGFloat = 20 { didSet { applyInsets() } }
    /// The greatest width of the card, in points.
    ///
    /// The default is 380.
    open var maxCardWidth: CGFloat = 380 { didSet { cardWidthConstraint?.constant = maxCardWidth } }
    /// The look of the card.
    open var attributes = CardAttributes() {
        didSet { if attributes != oldValue { applyAttributes(changedFrom: oldValue) } }
    }
    /// The card that is shown.
    public private(set) var shownCard: ContentCard?
    /// Loads images; the shared one by default.
    open var imageLoader = CardImageLoader.shared
    /// Whether a tap on the card does something, as VoiceOver says it; `nil`, the default, goes by the card's address.
    open var isActionable: Bool? { didSet { if let shownCard { applyTraits(shownCard) } } }
    /// A closure that is told that the height of the cell has changed.
    package var onSizeChange: (@MainActor (ContentCardCell) -> Void)?
    /// A closure that is told that the card should go, by people who do not swipe; without it, they are not offered
    /// that.
    var onDelete: (@MainActor (ContentCardCell) -> Void)? { didSet { applyCustomActions() } }
    /// The image of the card that could not be had, and can be tried again.
    weak var failedImage: CardImageView? { didSet { if failedImage !== oldValue { applyCustomActions() } } }

    /// Keeps the room before the card.
    open var rootViewLeadingConstraint: NSLayoutConstraint!
    /// Keeps the room behind the card.
    open var rootViewTrailingConstraint: NSLayoutConstraint!
    /// Keeps the room above the card.
    open var rootViewTopConstraint: NSLayoutConstraint!
    /// Keeps the room below the card.
    open var rootViewBottomConstraint: NSLayoutConstraint!
    /// Keeps the card from becoming too wide.
    open var cardWidthConstraint: NSLayoutConstraint!
    private var unviewedHeightConstraint: NSLayoutConstraint?
    private var pinSizeConstraints: [NSLayoutConstraint] = []
    private(set) var isViewed = true

    /// Creates a cell.
    public override init(style: CellStyle, reuseIdentifier: String?) {
        super.init(style: style, reuseIdentifier: reuseIdentifier)
        setUp()
        setUpUI()
    }

    /// Creates a cell of a storyboard, and lays it out in code all the same.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        setUp()
        setUpUI()
    }

    // MARK: Override points

    /// Prepares the cell before anything is laid out: the place to change lengths such as `cardSidePadding`.
    open func setUp() {
        selectionStyle = .none
        backgroundColor = .clear
        contentView.backgroundColor = .clear
    }

    /// Lays out what all cards share.
    open func setUpUI() {
        contentView.addSubview(rootView)
        rootView.addSubview(clippingView)
        clippingView.addSubview(pinImageView)
        clippingView.addSubview(unviewedLineView)
        pinImageView.image = pinImage
        pinImageView.contentMode = .scaleToFill
        for view in [rootView, clippingView, pinImageView, unviewedLineView] as [UIView] {
            view.translatesAutoresizingMaskIntoConstraints = false
        }
        clippingView.layer.masksToBounds = true
        constrainBox()
        constrainMarks()
        isAccessibilityElement = true
        applyAttributes(changedFrom: nil)
    }

    /// Shows a card.
    open func apply(_ card: ContentCard) {
        shownCard = card
        isViewed = card.isViewed
        pinImageView.isHidden = card.isControl || !card.isPinned
        updateUnreadLine()
        applyAccessibility(card)
        adaptToTextSize()
    }

    /// Adapts the layout to the user's text size, as when a small image is above the text and no longer beside it.
    ///
    /// It is called when a card is shown, and when the text size changes.
    open func adaptToTextSize() {}

    /// The image of the pin, drawn in the pin's colour.
    ///
    /// Override it to use another.
    open var pinImage: UIImage? { CardArtwork.pin }

    /// Whether a tap on what has no view of its own is one on the card.
    var takesTapsBesideCard: Bool { false }

    /// A tap beside the card is none on it.
    open override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        let view = super.hitTest(point, with: event)
        let isBeside = view === self || view === contentView
        return isBeside && !takesTapsBesideCard ? nil : view
    }

    // MARK: Layout

    private func constrainBox() {
        let leading = rootView.leadingAnchor.constraint(equalTo: contentView.leadingAnchor)
        let trailing = contentView.trailingAnchor.constraint(equalTo: rootView.trailingAnchor)
        leading.priority = UILayoutPriority(999)
        trailing.priority = UILayoutPriority(999)
        let top = rootView.topAnchor.constraint(equalTo: contentView.topAnchor)
        let bottom = contentView.bottomAnchor.constraint(equalTo: rootView.bottomAnchor)
        let width = rootView.widthAnchor.constraint(lessThanOrEqualToConstant: maxCardWidth)
        let center = rootView.centerXAnchor.constraint(equalTo: contentView.centerXAnchor)
        NSLayoutConstraint.activate([leading, trailing, top, bottom, width, center])
        NSLayoutConstraint.activate(Self.pin(clippingView, to: rootView))
        (rootViewLeadingConstraint, rootViewTrailingConstraint) = (leading, trailing)
        (rootViewTopConstraint, rootViewBottomConstraint) = (top, bottom)
        cardWidthConstraint = width
        applyInsets()
    }

    private func constrainMarks() {
        let height = unviewedLineView.heightAnchor.constraint(equalToConstant: attributes.unreadHeight)
        unviewedHeightConstraint = height
        pinSizeConstraints = [pinImageView.widthAnchor, pinImageView.heightAnchor].map {
            $0.constraint(equalToConstant: Self.pinSize(cornerRadius: attributes.cornerRadius))
        }
        NSLayoutConstraint.activate(pinSizeConstraints)
        NSLayoutConstraint.activate([
            pinImageView.topAnchor.constraint(equalTo: clippingView.topAnchor),
            pinImageView.trailingAnchor.constraint(equalTo: clippingView.trailingAnchor),
            unviewedLineView.leadingAnchor.constraint(equalTo: clippingView.leadingAnchor),
            unviewedLineView.trailingAnchor.constraint(equalTo: clippingView.trailingAnchor),
            unviewedLineView.bottomAnchor.constraint(equalTo: clippingView.bottomAnchor),
            height,
        ])
    }

    static func pin(_ view: UIView, to other: UIView) -> [NSLayoutConstraint] {
        [
            view.topAnchor.constraint(equalTo: other.topAnchor),
            view.leadingAnchor.constraint(equalTo: other.leadingAnchor),
            view.trailingAnchor.constraint(equalTo: other.trailingAnchor),
            view.bottomAnchor.constraint(equalTo: other.bottomAnchor),
        ]
    }

    /// Both ends are written so that a greater constant always means more room.
    private func applyInsets() {
        rootViewLeadingConstraint?.constant = cardSidePadding
        rootViewTrailingConstraint?.constant = cardSidePadding
        rootViewTopConstraint?.constant = cardSpacing / 2
        rootViewBottomConstraint?.constant = cardSpacing / 2
    }

    /// Returns the width and height of the pin, in points: 20, and more where a round corner would cut off what it
    /// shows.
    static func pinSize(cornerRadius: CGFloat) -> CGFloat { 20 + max(0, cornerRadius - 6) * 0.9 }

    /// Brings pin and bar in front of what a subclass has added to the box.
    public func raiseMarks() {
        clippingView.bringSubviewToFront(pinImageView)
        clippingView.bringSubviewToFront(unviewedLineView)
    }

    // MARK: Looks

    /// Applies the attributes that differ from those that were applied before, all looks at first, so that what a
    /// subclass has set itself stays as it is.
    open func applyAttributes(changedFrom old: CardAttributes?) {
        let change = CardAttributeChange(from: old, to: attributes)
        change.ofLength(\.sidePadding) { cardSidePadding = $0 }
        change.ofLength(\.spacing) { cardSpacing = $0 }
        change.ofLength(\.maxWidth) { maxCardWidth = $0 }
        change.of(\.unreadHeight) { unviewedHeightConstraint?.constant = $0 }
        change.of(\.backgroundColor) { rootView.backgroundColor = $0 }
        change.of(\.cornerRadius) {
            rootView.layer.cornerRadius = $0
            rootView.setNeedsLayout()
            clippingView.layer.cornerRadius = $0
            for constraint in pinSizeConstraints {
                constraint.constant = Self.pinSize(cornerRadius: attributes.cornerRadius)
            }
        }
        change.of(\.borderWidth) { rootView.layer.borderWidth = $0 }
        change.of(\.shadowOpacity) { rootView.layer.shadowOpacity = $0 }
        change.of(\.shadowOffset) { rootView.layer.shadowOffset = $0 }
        change.of(\.shadowRadius) { rootView.layer.shadowRadius = $0 }
        change.of(\.borderColor) { _ in applyBorderColor() }
        change.of(\.highContrastBorderColor) { _ in applyBorderColor() }
        change.of(\.shadowColor) { _ in applyShadowColor() }
        applyColors()
    }

    /// Colours that follow by themselves, or with the tint.
    private func applyColors() {
        unviewedLineView.backgroundColor = unviewedLineViewColor ?? attributes.unreadColor ?? tintColor
        pinImageView.tintColor = attributes.pinColor ?? tintColor
    }

    /// Takes the new accent colour.
    open override func tintColorDidChange() {
        super.tintColorDidChange()
        applyColors()
    }

    /// Takes the new appearance.
    ///
    /// Border and shadow stay in the colours that the app has set itself.
    open override func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {
        super.traitCollectionDidChange(previousTraitCollection)
        guard let previousTraitCollection else { return }
        if traitCollection.languages != previousTraitCollection.languages, let shownCard {
            applyAccessibility(shownCard)
        }
        let category = traitCollection.preferredContentSizeCategory
        if category != previousTraitCollection.preferredContentSizeCategory {
            adaptToTextSize()
            onSizeChange?(self)
        }
        guard traitCollection.hasDifferentColorAppearance(comparedTo: previousTraitCollection) else { return }
        followAppearance(of: previousTraitCollection)
    }

    /// Whether the card looks unread, besides what the app has switched off.
    func setViewed(_ isViewed: Bool) {
        self.isViewed = isViewed
        updateUnreadLine()
        if let shownCard { applyAccessibility(shownCard) }
    }

    private func updateUnreadLine() {
        let isControl = shownCard?.isControl ?? false
        unviewedLineView.isHidden = isControl || hideUnreadIndicator || isViewed
    }

    // MARK: Accessibility

    private func applyAccessibility(_ card: ContentCard) {
        accessibilityLabel = spokenTexts(of: card).filter { !$0.isEmpty }.joined(separator: ", ")
        var values: [String] = []
        if !isViewed, !hideUnreadIndicator { values.append(text(.unread)) }
        if card.isPinned { values.append(text(.pinned)) }
        accessibilityValue = values.isEmpty ? nil : values.joined(separator: ", ")
        accessibilityLanguage = card.language
        applyTraits(card)
        accessibilityElementsHidden = card.isControl
        applyCustomActions()
    }

    private func applyTraits(_ card: ContentCard) {
        switch CardDestination(of: card).role(isActionable: isActionable) {
        case .text: accessibilityTraits = .staticText
        case .button: accessibilityTraits = .button
        case .link: accessibilityTraits = .link
        }
    }

    private func applyCustomActions() {
        if let shownCard { accessibilityCustomActions = customActions(for: shownCard) }
    }

    /// Returns what is read aloud of a card: what its image shows, then its texts; empty ones are left out.
    open func spokenTexts(of card: ContentCard) -> [String] {
        let image = card.imageURL == nil ? nil : card.spokenAlt
        return [image ?? "", card.title, card.description, card.domain ?? ""]
    }

    private func text(_ text: ContentCardsText) -> String { text.text(languages: traitCollection.languages) }

    func customActions(for card: ContentCard) -> [UIAccessibilityCustomAction] {
        guard !card.isControl else { return [] }
        var actions: [UIAccessibilityCustomAction] = []
        if let failedImage {
            actions.append(
                UIAccessibilityCustomAction(name: text(.retry)) { [weak failedImage] _ in
                    failedImage?.retry()
                    return failedImage != nil
                }
            )
        }
        guard card.isDismissible, onDelete != nil else { return actions }
        let delete = UIAccessibilityCustomAction(name: text(.delete)) { [weak self] _ in
            guard let self, let onDelete else { return false }
            onDelete(self)
            return true
        }
        return actions + [delete]
    }
}
#endif
