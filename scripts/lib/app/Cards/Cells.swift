import AppboyUI
import UIKit

class BakeryBannerCell: ABKBannerContentCardCell {
    override func apply(_ bannerCard: ABKBannerContentCard!) {
        super.apply(bannerCard)
        rootView.backgroundColor = .tertiarySystemFill
    }
}

class BakeryCaptionedImageCell: ABKCaptionedImageContentCardCell {
    private let ribbon = UILabel()

    override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
        super.init(style: style, reuseIdentifier: reuseIdentifier)
        ribbon.font = ABKUIUtils.preferredFont(forTextStyle: .footnote, weight: .bold)
        ribbon.textColor = ABKUIUtils.dynamicColor(forLightColor: .black, darkColor: .white)
        contentView.addSubview(ribbon)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func apply(_ captionedImageCard: ABKCaptionedImageContentCard!) {
        super.apply(captionedImageCard)
        ribbon.text = captionedImageCard.extras?["ribbon"] as? String
        ribbon.isHidden = !ABKUIUtils.objectIsValidAndNotEmpty(ribbon.text)
    }

    override func prepareForReuse() {
        super.prepareForReuse()
        ribbon.text = nil
    }
}

class BakeryClassicCell: ABKClassicContentCardCell {
    override func setUpUI() {
        super.setUpUI()
        rootView.layer.cornerRadius = 12
        rootView.backgroundColor = UIColor(white: 0.97, alpha: 1)
        rootView.layer.borderColor = UIColor.systemGray4.cgColor
        unviewedLineViewColor = .systemOrange
        titleLabel.font = UIFont(name: "AvenirNext-DemiBold", size: 17)
        titleLabel.numberOfLines = 2
    }

    override func apply(_ card: ABKClassicContentCard!) {
        super.apply(card)
        descriptionLabel.textColor = .secondaryLabel
    }
}
