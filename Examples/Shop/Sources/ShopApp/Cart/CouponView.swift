#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// Offers a coupon: a tap applies it, a swipe to the left refuses it.
final class CouponView: UIControl {
    /// A closure that is told that the user has swiped it away.
    var onRefuse: (@MainActor () -> Void)?
    private let percentLabel = UILabel(.systemFont(ofSize: 28, weight: .heavy), color: .white, lines: 1)
    private let offLabel = UILabel(.systemFont(ofSize: 13, weight: .bold), color: .white, lines: 1)
    private let titleLabel = UILabel(.shop(.subheadline, .semibold, size: 15), lines: 2)
    private let hintLabel = UILabel(.preferredFont(forTextStyle: .footnote), color: .secondaryLabel, lines: 1)
    private var start: CGFloat = 0
    private var way: CGFloat = 0

    /// The distance by which it has to be swiped.
    private static let threshold: CGFloat = 90

    init() {
        super.init(frame: .zero)
        setUp()
    }

    required init?(coder: NSCoder) {
        nil
    }

    private func setUp() {
        backgroundColor = .secondarySystemGroupedBackground
        layer.cornerRadius = 16
        layer.cornerCurve = .continuous
        layer.shadowColor = UIColor.black.cgColor
        layer.shadowOpacity = 0.14
        layer.shadowOffset = CGSize(width: 0, height: 4)
        layer.shadowRadius = 10
        let stub = makeStub()
        let text = UIStackView.column([titleLabel, hintLabel], spacing: 3)
        let row = UIStackView.row([stub, text], spacing: 16, alignment: .center)
        row.isUserInteractionEnabled = false
        fill(with: row, insets: NSDirectionalEdgeInsets(top: 0, leading: 0, bottom: 0, trailing: 16))
        heightAnchor.constraint(equalToConstant: 84).isActive = true
        isAccessibilityElement = true
        accessibilityTraits = .button
        accessibilityIdentifier = "coupon"
        accessibilityHint = "Takes it off your total"
        accessibilityCustomActions = [
            UIAccessibilityCustomAction(name: "Dismiss") { [weak self] _ in
                self?.onRefuse?()
                return true
            }
        ]
    }

    /// The part of a ticket that is torn off.
    private func makeStub() -> UIView {
        let stub = UIView()
        stub.backgroundColor = .coupon
        stub.layer.cornerRadius = 16
        stub.layer.cornerCurve = .continuous
        stub.layer.maskedCorners = [.layerMinXMinYCorner, .layerMinXMaxYCorner]
        offLabel.text = "OFF"
        for label in [percentLabel, offLabel] { label.textAlignment = .center }
        let column = UIStackView.column([percentLabel, offLabel], spacing: 0)
        column.translatesAutoresizingMaskIntoConstraints = false
        stub.addSubview(column)
        NSLayoutConstraint.activate([
            column.leadingAnchor.constraint(equalTo: stub.leadingAnchor),
            column.trailingAnchor.constraint(equalTo: stub.trailingAnchor),
            column.centerYAnchor.constraint(equalTo: stub.centerYAnchor),
            stub.widthAnchor.constraint(equalToConstant: 98),
            stub.heightAnchor.constraint(equalToConstant: 84),
        ])
        return stub
    }

    func show(_ coupon: Coupon) {
        percentLabel.text = coupon.percentText
        titleLabel.text = coupon.title.isEmpty ? "\(coupon.percentText) off your order" : coupon.title
        hintLabel.text = coupon.code.isEmpty ? "Tap to apply" : "Tap to apply \(coupon.code)"
        accessibilityLabel = titleLabel.text
    }

    // MARK: Swiping

    override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        start = touch.location(in: nil).x
        way = 0
        return true
    }

    override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        way = min(touch.location(in: nil).x - start, 0)
        transform = CGAffineTransform(translationX: way, y: 0)
        return true
    }

    override func endTracking(_ touch: UITouch?, with event: UIEvent?) {
        finish(isRefused: way < -Self.threshold)
    }

    override func cancelTracking(with event: UIEvent?) {
        finish(isRefused: false)
    }

    private func finish(isRefused: Bool) {
        if isRefused { return onRefuse?() ?? () }
        guard way != 0 else { return }
        UIView.animate(withDuration: 0.25) { self.transform = .identity }
    }

    /// The end of a swipe is no tap, and one that was let go is none of the next.
    override func sendActions(for controlEvents: UIControl.Event) {
        if controlEvents.contains(.touchDown) { way = 0 }
        if controlEvents.contains(.touchUpInside), way < -8 { return }
        super.sendActions(for: controlEvents)
    }
}
