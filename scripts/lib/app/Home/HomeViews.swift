import UIKit

class HomeHeaderView: UICollectionReusableView {
    static let reuseIdentifier = "HomeHeaderView"

    private let label = UILabel()
    var title: String? {
        get { label.text }
        set { label.text = newValue }
    }

    override init(frame: CGRect) {
        super.init(frame: frame)
        label.font = .preferredFont(forTextStyle: .title3)
        label.adjustsFontForContentSizeCategory = true
        label.translatesAutoresizingMaskIntoConstraints = false
        addSubview(label)
        NSLayoutConstraint.activate([
            label.leadingAnchor.constraint(equalTo: leadingAnchor, constant: 4),
            label.trailingAnchor.constraint(equalTo: trailingAnchor),
            label.topAnchor.constraint(equalToSystemSpacingBelow: topAnchor, multiplier: 1),
            label.bottomAnchor.constraint(equalTo: bottomAnchor, constant: -4),
        ])
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }
}

class HomeBackgroundView: UICollectionReusableView {
    override init(frame: CGRect) {
        super.init(frame: frame)
        backgroundColor = .secondarySystemBackground
    }

    required init?(coder: NSCoder) {
        super.init(coder: coder)
    }
}

class CouponCell: UICollectionViewCell {
    @IBOutlet private var percentageLabel: UILabel! = UILabel()
    private var widthConstraint: NSLayoutConstraint?

    override init(frame: CGRect) {
        super.init(frame: frame)
        contentView.layer.cornerRadius = 16
        contentView.layer.masksToBounds = true
        contentView.backgroundColor = .systemOrange
        percentageLabel.translatesAutoresizingMaskIntoConstraints = false
        percentageLabel.font = UIFontMetrics(forTextStyle: .largeTitle).scaledFont(for: .boldSystemFont(ofSize: 40))
        contentView.addSubview(percentageLabel)
        let center = NSLayoutConstraint(
            item: percentageLabel as Any,
            attribute: .centerX,
            relatedBy: .equal,
            toItem: contentView,
            attribute: .centerX,
            multiplier: 1,
            constant: 0
        )
        let middle = percentageLabel.centerYAnchor.constraint(equalTo: contentView.centerYAnchor)
        contentView.addConstraints([center, middle])
    }

    required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    func configure(_ coupon: Coupon) {
        percentageLabel.text = "\(coupon.discountPercentage) %"
        contentView.alpha = coupon.isContentCard ? 1 : 0.6
    }
}

// MARK: - View Lifecycle
extension CouponCell {
    override func prepareForReuse() {
        super.prepareForReuse()
        percentageLabel.text = nil
    }

    override func awakeFromNib() {
        super.awakeFromNib()
        percentageLabel.isAccessibilityElement = true
    }
}
