#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// Shows what is to be paid, and the button that does it.
final class CartSummaryView: UIView {
    private let subtotal = SummaryRow("Subtotal", style: .body, color: .secondaryLabel)
    private let discount = SummaryRow("", style: .body, color: .systemGreen)
    private let total = SummaryRow("Total", style: .headline, color: .label)
    private let button: UIButton

    init(onCheckout: @escaping @MainActor () -> Void) {
        button = UIButton.primary("Check out", identifier: "check-out", action: onCheckout)
        super.init(frame: .zero)
        let line = UIView()
        line.backgroundColor = .separator
        line.heightAnchor.constraint(equalToConstant: 0.5).isActive = true
        let column = UIStackView.column([subtotal, discount, total, button], spacing: 8)
        column.setCustomSpacing(16, after: total)
        backgroundColor = .secondarySystemGroupedBackground
        for view in [line, column] as [UIView] {
            view.translatesAutoresizingMaskIntoConstraints = false
            addSubview(view)
        }
        NSLayoutConstraint.activate([
            line.topAnchor.constraint(equalTo: topAnchor),
            line.leadingAnchor.constraint(equalTo: leadingAnchor),
            line.trailingAnchor.constraint(equalTo: trailingAnchor),
            column.topAnchor.constraint(equalTo: line.bottomAnchor, constant: 14),
            column.leadingAnchor.constraint(equalTo: leadingAnchor, constant: 16),
            column.trailingAnchor.constraint(equalTo: trailingAnchor, constant: -16),
            column.bottomAnchor.constraint(equalTo: safeAreaLayoutGuide.bottomAnchor, constant: -14),
        ])
        total.accessibilityIdentifier = "total"
    }

    required init?(coder: NSCoder) {
        nil
    }

    func show(_ cart: Cart) {
        subtotal.value = cart.subtotal.formatted()
        subtotal.isHidden = cart.coupon == nil
        discount.isHidden = cart.coupon == nil
        if let coupon = cart.coupon {
            let code = coupon.code.isEmpty ? "Coupon" : coupon.code
            discount.title = "\(code), \(coupon.percentText) off"
            discount.value = "\u{2212}" + cart.discount.formatted()
        }
        total.value = cart.total.formatted()
    }
}

/// Shows a name and an amount.
private final class SummaryRow: UIView {
    private let titleLabel: UILabel
    private let valueLabel: UILabel

    var title: String {
        get { titleLabel.text ?? "" }
        set { titleLabel.text = newValue }
    }
    var value: String {
        get { valueLabel.text ?? "" }
        set { valueLabel.text = newValue }
    }

    init(_ title: String, style: UIFont.TextStyle, color: UIColor) {
        titleLabel = UILabel(.preferredFont(forTextStyle: style), color: color, lines: 1)
        valueLabel = UILabel(.preferredFont(forTextStyle: style), color: color, lines: 1)
        super.init(frame: .zero)
        titleLabel.text = title
        valueLabel.setContentHuggingPriority(.required, for: .horizontal)
        fill(with: UIStackView.row([titleLabel, valueLabel], spacing: 8))
    }

    required init?(coder: NSCoder) {
        nil
    }
}
