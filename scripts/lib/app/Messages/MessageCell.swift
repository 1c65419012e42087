import UIKit

protocol MessageCellDelegate: AnyObject {
    func messageCellDidAsk(_ cell: MessageCell)
}

class MessageCell: UITableViewCell {
    private weak var delegate: MessageCellDelegate?
    private let badge = UIView(frame: CGRect(x: 0, y: 0, width: 10, height: 10))

    override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
        super.init(style: .subtitle, reuseIdentifier: reuseIdentifier)
        selectionStyle = .none
        separatorInset = .zero
        badge.backgroundColor = .systemBlue
        badge.layer.cornerRadius = 5
        accessoryView = badge
        addGestureRecognizer(UITapGestureRecognizer(target: self, action: #selector(tapped(_:))))
        let swipe = UISwipeGestureRecognizer(target: self, action: #selector(swiped))
        swipe.direction = .right
        addGestureRecognizer(swipe)
    }

    required init?(coder aDecoder: NSCoder) {
        super.init(coder: aDecoder)
    }

    func configure(_ message: Message, delegate: MessageCellDelegate?) {
        self.delegate = delegate
        var content = defaultContentConfiguration()
        content.text = message.title
        content.secondaryText = message.text
        content.textProperties.font = .preferredFont(forTextStyle: .headline)
        content.secondaryTextProperties.numberOfLines = 2
        contentConfiguration = content
        message.logContentCardImpression()
    }

    @objc private func tapped(_ recognizer: UITapGestureRecognizer) {
        delegate?.messageCellDidAsk(self)
    }

    @objc private func swiped() {
        badge.isHidden = true
    }
}
