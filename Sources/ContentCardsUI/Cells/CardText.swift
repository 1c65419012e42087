#if !os(tvOS)
import ContentCards
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

/// Holds the texts of a card: title, description and link, one below the other.
@MainActor
package final class CardText {
    /// The title.
    package var titleLabel = UILabel()
    /// The text.
    package var descriptionLabel = UILabel()
    /// The text of the link; hidden where the card has none.
    package var linkLabel = UILabel()
    /// The room around the text, in points.
    package var padding: CGFloat = 25 { didSet { applyPadding() } }
    /// Hold where the card has no link.
    package var descriptionConstraints: [NSLayoutConstraint] = []
    /// Hold where the card has a link.
    package var linkConstraints: [NSLayoutConstraint] = []
    /// Hold where the texts are beside an image, and where they are under it.
    private(set) var (constraintsBeside, constraintsUnder): ([NSLayoutConstraint], [NSLayoutConstraint]) = ([], [])
    private var isStacked = false
    /// Keep what is before the second and the third text.
    private var gaps: (description: NSLayoutConstraint, link: NSLayoutConstraint)?
    /// Constraints whose constant is the padding.
    private(set) var paddedConstraints: [NSLayoutConstraint] = []

    /// The room above the texts.
    static let topPadding: CGFloat = 17
    /// The room between title and description.
    static let descriptionGap: CGFloat = 6
    /// The room between description and link.
    static let linkGap: CGFloat = 8
    /// The width and height of an image beside the texts.
    static let imageSide: CGFloat = 57.5
    /// The room between that image and the texts.
    static let imageGap: CGFloat = 12

    /// Creates empty texts.
    package init() {
        for label in [titleLabel, descriptionLabel, linkLabel] {
            label.numberOfLines = 0
            label.adjustsFontForContentSizeCategory = true
            label.translatesAutoresizingMaskIntoConstraints = false
        }
        titleLabel.lineBreakMode = .byWordWrapping
        descriptionLabel.lineBreakMode = .byWordWrapping
        linkLabel.lineBreakMode = .byCharWrapping
        linkLabel.isHidden = true
    }

    // MARK: Layout

    /// Places the texts alone in the box of a card.
    package func layOut(in box: UIView) {
        layOut(in: box, below: box.topAnchor)
    }

    /// Places the texts under an image that has the width of the box.
    package func layOut(in box: UIView, under image: UIView) {
        NSLayoutConstraint.activate([
            image.topAnchor.constraint(equalTo: box.topAnchor),
            image.leadingAnchor.constraint(equalTo: box.leadingAnchor),
            image.trailingAnchor.constraint(equalTo: box.trailingAnchor),
        ])
        layOut(in: box, below: image.bottomAnchor)
    }

    /// Places the texts beside a small image, which the box is never too low for; at accessibility sizes, where words
    /// would be broken beside it, under the image.
    package func layOut(in box: UIView, beside image: UIView) {
        image.translatesAutoresizingMaskIntoConstraints = false
        (image as? CardImageView)?.greatestWidth = Self.imageSide
        box.addSubview(image)
        let bottom = box.bottomAnchor.constraint(greaterThanOrEqualTo: image.bottomAnchor)
        paddedConstraints.append(bottom)
        NSLayoutConstraint.activate([
            padded(image.leadingAnchor, from: box.leadingAnchor), bottom,
            image.topAnchor.constraint(equalTo: box.topAnchor, constant: Self.topPadding),
            image.widthAnchor.constraint(equalToConstant: Self.imageSide),
            image.heightAnchor.constraint(equalToConstant: Self.imageSide),
        ])
        constraintsBeside = [
            titleLabel.topAnchor.constraint(equalTo: box.topAnchor, constant: Self.topPadding),
            titleLabel.leadingAnchor.constraint(equalTo: image.trailingAnchor, constant: Self.imageGap),
        ]
        constraintsUnder = [
            titleLabel.topAnchor.constraint(equalTo: image.bottomAnchor, constant: Self.imageGap),
            padded(titleLabel.leadingAnchor, from: box.leadingAnchor),
        ]
        layOut(in: box, with: constraintsBeside, fillsBox: false)
    }

    /// Adapts the layout to the user's text size.
    package func adapt(to traits: UITraitCollection) {
        let isStacked = traits.preferredContentSizeCategory.isAccessibilityCategory
        guard isStacked != self.isStacked, !constraintsBeside.isEmpty else { return }
        self.isStacked = isStacked
        NSLayoutConstraint.deactivate(isStacked ? constraintsBeside : constraintsUnder)
        NSLayoutConstraint.activate(isStacked ? constraintsUnder : constraintsBeside)
    }

    private func layOut(in box: UIView, below top: NSLayoutYAxisAnchor) {
        let top = titleLabel.topAnchor.constraint(equalTo: top, constant: Self.topPadding)
        layOut(in: box, with: [top, padded(titleLabel.leadingAnchor, from: box.leadingAnchor)], fillsBox: true)
    }

    /// Places the texts below one another; the title is where the constraints say.
    private func layOut(in box: UIView, with place: [NSLayoutConstraint], fillsBox: Bool) {
        for label in [titleLabel, descriptionLabel, linkLabel] { box.addSubview(label) }
        let description = descriptionLabel.topAnchor.constraint(equalTo: titleLabel.bottomAnchor)
        let link = linkLabel.topAnchor.constraint(equalTo: descriptionLabel.bottomAnchor)
        gaps = (description, link)
        NSLayoutConstraint.activate(place)
        NSLayoutConstraint.activate([
            padded(box.trailingAnchor, from: titleLabel.trailingAnchor), description,
            descriptionLabel.leadingAnchor.constraint(equalTo: titleLabel.leadingAnchor),
            padded(box.trailingAnchor, from: descriptionLabel.trailingAnchor),
        ])
        descriptionConstraints = [end(of: descriptionLabel, in: box, fillsBox)]
        linkConstraints = [
            link, linkLabel.leadingAnchor.constraint(equalTo: titleLabel.leadingAnchor),
            padded(box.trailingAnchor, from: linkLabel.trailingAnchor), end(of: linkLabel, in: box, fillsBox),
        ]
        NSLayoutConstraint.activate(descriptionConstraints)
        applyPadding()
    }

    private func padded(_ anchor: NSLayoutXAxisAnchor, from other: NSLayoutXAxisAnchor) -> NSLayoutConstraint {
        let constraint = anchor.constraint(equalTo: other)
        paddedConstraints.append(constraint)
        return constraint
    }

    /// Returns the constraint that leaves room below what can be lower than an image beside it.
    private func end(of label: UILabel, in box: UIView, _ fillsBox: Bool) -> NSLayoutConstraint {
        let end =
            fillsBox
            ? box.bottomAnchor.constraint(equalTo: label.bottomAnchor)
            : box.bottomAnchor.constraint(greaterThanOrEqualTo: label.bottomAnchor)
        paddedConstraints.append(end)
        return end
    }

    private func applyPadding() {
        for constraint in paddedConstraints { constraint.constant = padding }
    }

    // MARK: Looks and contents

    /// Applies the looks that differ from those that were applied before, all of them at first.
    package func apply(_ new: CardAttributes, changedFrom old: CardAttributes?) {
        let change = CardAttributeChange(from: old, to: new)
        change.ofLength(\.padding) { padding = $0 }
        change.of(\.titleFont) { titleLabel.font = $0.font }
        change.of(\.descriptionFont) { descriptionLabel.font = $0.font }
        change.of(\.linkFont) { linkLabel.font = $0.font }
        change.of(\.titleColor) { titleLabel.textColor = $0 }
        change.of(\.descriptionColor) { descriptionLabel.textColor = $0 }
        change.of(\.linkColor) { linkLabel.textColor = $0 }
    }

    /// Shows the texts of a card; an empty one takes no room.
    package func show(_ card: ContentCard) {
        let domain = card.domain ?? ""
        Self.set(card.title, on: titleLabel)
        Self.set(card.description, on: descriptionLabel)
        Self.set(domain, on: linkLabel)
        gaps?.description.constant = card.title.isEmpty || card.description.isEmpty ? 0 : Self.descriptionGap
        gaps?.link.constant = card.title.isEmpty && card.description.isEmpty ? 0 : Self.linkGap
        guard domain.isEmpty != linkLabel.isHidden else { return }
        linkLabel.isHidden = domain.isEmpty
        NSLayoutConstraint.deactivate(domain.isEmpty ? linkConstraints : descriptionConstraints)
        NSLayoutConstraint.activate(domain.isEmpty ? descriptionConstraints : linkConstraints)
    }

    /// Sets a text with the line spacing of cards.
    package static func set(_ text: String, on label: UILabel) {
        let style = NSMutableParagraphStyle()
        style.lineSpacing = 1.2
        style.lineBreakMode = label.lineBreakMode
        label.attributedText = NSAttributedString(string: text, attributes: [.paragraphStyle: style])
    }
}
#endif
