#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// The colours and measures of the shop.
extension UIColor {
    /// The shop's own green, lighter on dark.
    static let brand = UIColor { traits in
        traits.userInterfaceStyle == .dark
            ? UIColor(red: 0.42, green: 0.76, blue: 0.63, alpha: 1)
            : UIColor(red: 0.11, green: 0.42, blue: 0.35, alpha: 1)
    }
    /// Text on the shop's green.
    static let onBrand = UIColor { traits in
        traits.userInterfaceStyle == .dark ? UIColor(white: 0.05, alpha: 1) : .white
    }
    /// The coupon's colour.
    static let coupon = UIColor { traits in
        traits.userInterfaceStyle == .dark
            ? UIColor(red: 0.80, green: 0.40, blue: 0.15, alpha: 1)
            : UIColor(red: 0.93, green: 0.49, blue: 0.20, alpha: 1)
    }
}

extension UIFont {
    /// The font of a text style in another weight, which follows the user's text size.
    @MainActor
    static func shop(_ style: TextStyle, _ weight: Weight, size: CGFloat) -> UIFont {
        UIFontMetrics(forTextStyle: style).scaledFont(for: .systemFont(ofSize: size, weight: weight))
    }
}

extension UILabel {
    /// Creates a label whose font follows the user's text size.
    convenience init(_ font: UIFont, color: UIColor = .label, lines: Int = 0) {
        self.init(frame: .zero)
        self.font = font
        textColor = color
        numberOfLines = lines
        adjustsFontForContentSizeCategory = true
    }
}

extension UIView {
    /// Adds a view that reaches to the edges, less some room.
    func fill(with view: UIView, insets: NSDirectionalEdgeInsets = .zero) {
        view.translatesAutoresizingMaskIntoConstraints = false
        addSubview(view)
        NSLayoutConstraint.activate([
            view.topAnchor.constraint(equalTo: topAnchor, constant: insets.top),
            view.leadingAnchor.constraint(equalTo: leadingAnchor, constant: insets.leading),
            view.trailingAnchor.constraint(equalTo: trailingAnchor, constant: -insets.trailing),
            view.bottomAnchor.constraint(equalTo: bottomAnchor, constant: -insets.bottom),
        ])
    }
}

extension UIStackView {
    /// Creates a column.
    static func column(_ views: [UIView], spacing: CGFloat, alignment: Alignment = .fill) -> UIStackView {
        let stack = UIStackView(arrangedSubviews: views)
        stack.axis = .vertical
        stack.spacing = spacing
        stack.alignment = alignment
        return stack
    }

    /// Creates a row.
    static func row(_ views: [UIView], spacing: CGFloat, alignment: Alignment = .center) -> UIStackView {
        let stack = UIStackView(arrangedSubviews: views)
        stack.spacing = spacing
        stack.alignment = alignment
        return stack
    }
}

extension UIButton {
    /// Creates the button for what a screen is mainly for.
    static func primary(_ title: String, identifier: String, action: @escaping @MainActor () -> Void) -> UIButton {
        let button = UIButton(type: .custom)
        button.setTitle(title, for: .normal)
        button.setTitleColor(.onBrand, for: .normal)
        button.titleLabel?.font = .shop(.headline, .semibold, size: 17)
        button.backgroundColor = .brand
        button.layer.cornerRadius = 14
        button.layer.cornerCurve = .continuous
        button.accessibilityIdentifier = identifier
        button.heightAnchor.constraint(equalToConstant: 50).isActive = true
        button.addAction(UIAction { _ in action() }, for: .touchUpInside)
        return button
    }
}
