#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// Groups rows under a heading, as the settings of the system do.
final class SettingsSection: UIView {
    init(_ heading: String, rows: [UIView], footer: String = "") {
        super.init(frame: .zero)
        let headingLabel = UILabel(.preferredFont(forTextStyle: .footnote), color: .secondaryLabel)
        headingLabel.text = heading.uppercased()
        let footerLabel = UILabel(.preferredFont(forTextStyle: .footnote), color: .secondaryLabel)
        footerLabel.text = footer
        footerLabel.isHidden = footer.isEmpty
        let box = UIStackView.column(Self.separated(rows), spacing: 0)
        box.backgroundColor = .secondarySystemGroupedBackground
        box.layer.cornerRadius = 12
        box.layer.cornerCurve = .continuous
        box.clipsToBounds = true
        let stack = UIStackView.column([Self.indented(headingLabel), box, Self.indented(footerLabel)], spacing: 7)
        fill(with: stack)
    }

    required init?(coder: NSCoder) {
        nil
    }

    private static func separated(_ rows: [UIView]) -> [UIView] {
        rows.enumerated().flatMap { index, row in
            guard index > 0 else { return [row] }
            let line = UIView()
            line.backgroundColor = .separator
            line.heightAnchor.constraint(equalToConstant: 0.5).isActive = true
            return [indented(line, trailing: 0), row]
        }
    }

    private static func indented(_ view: UIView, trailing: CGFloat = 16) -> UIView {
        let container = UIView()
        container.isHidden = view.isHidden
        container.fill(
            with: view,
            insets: NSDirectionalEdgeInsets(top: 0, leading: 16, bottom: 0, trailing: trailing)
        )
        return container
    }
}

/// Offers one choice, with a check mark when it is taken.
final class ChoiceRow: UIControl {
    private let check = UIImageView(image: Assets.icon("check"))

    var isChosen = false {
        didSet {
            check.alpha = isChosen ? 1 : 0
            accessibilityTraits = isChosen ? [.button, .selected] : .button
        }
    }

    init(title: String, note: String, identifier: String, action: @escaping @MainActor () -> Void) {
        super.init(frame: .zero)
        let titleLabel = UILabel(.preferredFont(forTextStyle: .body), lines: 1)
        let noteLabel = UILabel(.preferredFont(forTextStyle: .footnote), color: .secondaryLabel)
        (titleLabel.text, noteLabel.text) = (title, note)
        check.tintColor = .brand
        check.alpha = 0
        check.widthAnchor.constraint(equalToConstant: 25).isActive = true
        check.heightAnchor.constraint(equalToConstant: 24).isActive = true
        let text = UIStackView.column([titleLabel, noteLabel], spacing: 2)
        let row = UIStackView.row([text, check], spacing: 12)
        row.isUserInteractionEnabled = false
        fill(with: row, insets: NSDirectionalEdgeInsets(top: 9, leading: 16, bottom: 9, trailing: 14))
        isAccessibilityElement = true
        accessibilityTraits = .button
        accessibilityLabel = "\(title), \(note)"
        accessibilityIdentifier = identifier
        addAction(UIAction { _ in action() }, for: .touchUpInside)
    }

    required init?(coder: NSCoder) {
        nil
    }
}

/// Puts a control into a row, behind a name.
final class ControlRow: UIView {
    init(_ title: String?, control: UIView, room: CGFloat = 10) {
        super.init(frame: .zero)
        var views = [control]
        if let title {
            let label = UILabel(.preferredFont(forTextStyle: .body), lines: 1)
            label.text = title
            label.setContentHuggingPriority(.required, for: .horizontal)
            views.insert(label, at: 0)
        }
        let row = UIStackView.row(views, spacing: 16)
        fill(with: row, insets: NSDirectionalEdgeInsets(top: room, leading: 16, bottom: room, trailing: 16))
    }

    required init?(coder: NSCoder) {
        nil
    }
}
