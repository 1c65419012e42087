import Foundation

#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// Shows one message of the message centre.
final class MessageCell: TableCell {
    private let dot = UIView()
    private let picture = PictureView(frame: .zero)
    private let titleLabel = UILabel(.preferredFont(forTextStyle: .headline), lines: 1)
    private let textLabelView = UILabel(.preferredFont(forTextStyle: .subheadline), color: .secondaryLabel, lines: 2)
    private let dateLabel = UILabel(.preferredFont(forTextStyle: .footnote), color: .secondaryLabel, lines: 1)

    override func setUp() {
        dot.backgroundColor = .brand
        dot.layer.cornerRadius = 5
        dot.widthAnchor.constraint(equalToConstant: 10).isActive = true
        dot.heightAnchor.constraint(equalToConstant: 10).isActive = true
        picture.layer.cornerRadius = 12
        picture.layer.cornerCurve = .continuous
        picture.widthAnchor.constraint(equalToConstant: 56).isActive = true
        picture.heightAnchor.constraint(equalToConstant: 56).isActive = true
        dateLabel.setContentHuggingPriority(.required, for: .horizontal)
        let head = UIStackView.row([titleLabel, dateLabel], spacing: 8, alignment: .firstBaseline)
        let text = UIStackView.column([head, textLabelView], spacing: 3)
        let row = UIStackView.row([dot, picture, text], spacing: 10)
        row.setCustomSpacing(14, after: picture)
        contentView.fill(with: row, insets: NSDirectionalEdgeInsets(top: 12, leading: 10, bottom: 12, trailing: 16))
        isAccessibilityElement = true
        accessibilityTraits = .button
    }

    func show(_ message: any Message, now: Date) {
        dot.alpha = message.isOpened ? 0 : 1
        picture.isHidden = message.image == nil
        if let image = message.image { picture.show(image) }
        titleLabel.text = message.messageTitle
        textLabelView.text = message.cardDescription
        dateLabel.text = MessageDate().text(message.date, now: now)
        accessibilityLabel = [message.messageTitle, message.cardDescription, dateLabel.text]
            .compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ", ")
        accessibilityValue = message.isOpened ? nil : "Unread"
        accessibilityIdentifier = "message"
    }
}
