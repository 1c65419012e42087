import BrowserUIKit

/// Shows layers, shapes and a blur.
final class LayersExample: UIViewController {
    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        let card = UIView(frame: CGRect(x: 24, y: 170, width: 340, height: 200))
        let gradient = CAGradientLayer()
        gradient.colors = [UIColor.systemPurple.cgColor, UIColor.systemOrange.cgColor]
        gradient.startPoint = .zero
        gradient.endPoint = CGPoint(x: 1, y: 1)
        gradient.cornerRadius = 20
        gradient.frame = card.bounds
        card.layer.addSublayer(gradient)
        let ring = CAShapeLayer()
        ring.path =
            UIBezierPath(
                arcCenter: CGPoint(x: 80, y: 80),
                radius: 48,
                startAngle: -.pi / 2,
                endAngle: 1.5 * .pi,
                clockwise: true
            ).cgPath
        ring.fillColor = nil
        ring.strokeColor = UIColor.white.cgColor
        ring.lineWidth = 10
        ring.lineCap = .round
        ring.strokeEnd = 0.7
        card.layer.addSublayer(ring)
        let blur = UIVisualEffectView(effect: UIBlurEffect(style: .systemThinMaterial))
        blur.frame = CGRect(x: 60, y: 110, width: 260, height: 70)
        blur.layer.cornerRadius = 14
        blur.clipsToBounds = true
        let label = UILabel(frame: CGRect(x: 16, y: 20, width: 200, height: 30))
        label.text = "Over a blur"
        blur.contentView.addSubview(label)
        card.addSubview(blur)
        let masked = UIView(frame: CGRect(x: 24, y: 400, width: 120, height: 120))
        masked.backgroundColor = .systemTeal
        let mask = CAShapeLayer()
        mask.path = UIBezierPath(ovalIn: CGRect(x: 0, y: 20, width: 120, height: 80)).cgPath
        masked.layer.mask = mask
        let dashed = UIView(frame: CGRect(x: 180, y: 410, width: 160, height: 100))
        let line = CAShapeLayer()
        line.path =
            UIBezierPath(
                roundedRect: dashed.bounds,
                byRoundingCorners: [.topLeft, .bottomRight],
                cornerRadii: CGSize(width: 24, height: 24)
            ).cgPath
        line.fillColor = UIColor.systemYellow.cgColor
        line.strokeColor = UIColor.systemRed.cgColor
        line.lineWidth = 3
        line.lineDashPattern = [8, 4]
        dashed.layer.addSublayer(line)
        for shown in [card, masked, dashed] { view.addSubview(shown) }
    }
}
