import UIKit

/// Draws a ribbon with a gradient, a dashed border and a shadow.
@IBDesignable
final class RibbonView: UIView {
    @IBInspectable var cornerRadius: CGFloat = 8 { didSet { setNeedsLayout() } }
    @IBInspectable public var dash: CGSize = .zero
    @IBInspectable var isDashed: Bool = true
    private let gradient = CAGradientLayer()
    private let border = CAShapeLayer()
    private let blur = UIVisualEffectView(effect: UIBlurEffect(style: .systemThinMaterial))

    override class var layerClass: AnyClass { CAGradientLayer.self }

    override init(frame: CGRect) {
        super.init(frame: frame)
        setUp()
    }

    required init?(coder: NSCoder) {
        super.init(coder: coder)
        setUp()
    }

    private func setUp() {
        gradient.colors = [UIColor.systemOrange.cgColor, UIColor.systemRed.cgColor]
        gradient.locations = [0, 1]
        gradient.startPoint = CGPoint(x: 0, y: 0.5)
        gradient.endPoint = CGPoint(x: 1, y: 0.5)
        layer.insertSublayer(gradient, at: 0)
        border.fillColor = UIColor.clear.cgColor
        border.strokeColor = UIColor.white.cgColor
        border.lineDashPattern = [4, 2]
        border.lineWidth = 1
        layer.addSublayer(border)
        let label = UILabel()
        label.text = "New"
        blur.contentView.addSubview(label)
        addSubview(blur)
        let tap = UITapGestureRecognizer(target: self, action: #selector(tapped))
        let doubleTap = UITapGestureRecognizer(target: self, action: #selector(tappedTwice))
        doubleTap.numberOfTapsRequired = 2
        tap.require(toFail: doubleTap)
        addGestureRecognizer(tap)
        addGestureRecognizer(doubleTap)
        addInteraction(UIContextMenuInteraction(delegate: self))
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        gradient.frame = bounds
        let path = UIBezierPath(
            roundedRect: bounds,
            byRoundingCorners: [.topLeft, .bottomRight],
            cornerRadii: CGSize(width: cornerRadius, height: cornerRadius)
        )
        border.path = path.cgPath
        let mask = CAShapeLayer()
        mask.path = path.cgPath
        gradient.mask = mask
        layer.shadowPath = UIBezierPath(rect: bounds).cgPath
        layer.shadowOpacity = 0.2
    }

    @objc private func tapped() {
        let animator = UIViewPropertyAnimator(duration: 0.3, dampingRatio: 0.6) { self.transform = .identity }
        animator.addCompletion { position in
            guard position == .end else { return }
            UIAccessibility.post(notification: .layoutChanged, argument: self)
        }
        animator.startAnimation()
    }

    @objc private func tappedTwice() {
        UIViewPropertyAnimator.runningPropertyAnimator(
            withDuration: 0.2,
            delay: 0,
            options: [.curveEaseOut],
            animations: { self.alpha = 0.5 },
            completion: { _ in self.alpha = 1 }
        )
    }
}

extension RibbonView: UIContextMenuInteractionDelegate {
    func contextMenuInteraction(
        _ interaction: UIContextMenuInteraction,
        configurationForMenuAtLocation location: CGPoint
    ) -> UIContextMenuConfiguration? {
        UIContextMenuConfiguration(identifier: nil, previewProvider: nil) { _ in
            UIMenu(children: [UIAction(title: "Hide", attributes: .destructive) { _ in self.isHidden = true }])
        }
    }
}
