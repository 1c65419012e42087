// The Swift of the customization guide, written for this check: the same overrides in the same form.
import AppboyUI

enum ContentCardKey: String {
    case backgroundColor = "background_color"
}

extension String {
    func colorValue() -> UIColor? { self == "red" ? .red : nil }
}

class CustomCaptionedImageContentCardCell: ABKCaptionedImageContentCardCell {
    // snippet: a style by card
    override func apply(_ captionedImageCard: ABKCaptionedImageContentCard!) {
        super.apply(captionedImageCard)

        if let backgroundColor = card.extras?[ContentCardKey.backgroundColor.rawValue] as? String,
            let backgroundColorValue = backgroundColor.colorValue() {
            rootView.backgroundColor = backgroundColorValue
        } else {
            rootView.backgroundColor = .lightGray
        }
    }
}

class CustomClassicContentCardCell: ABKClassicContentCardCell {
    // snippet: a style of all cards
    override func setUpUI() {
        super.setUpUI()

        rootView.backgroundColor = .lightGray
        rootView.layer.borderColor = UIColor.purple.cgColor
        unviewedLineViewColor = .red
        titleLabel.font = .italicSystemFont(ofSize: 20)
    }
}

class CustomBannerContentCardCell: ABKBannerContentCardCell {}
class CustomClassicImageContentCardCell: ABKClassicImageContentCardCell {}

class CustomFeedController: ABKContentCardsTableViewController {
    // snippet: cells of the app's own
    override func registerTableViewCellClasses() {
        super.registerTableViewCellClasses()

        tableView.register(CustomCaptionedImageContentCardCell.self, forCellReuseIdentifier: "ABKCaptionedImageContentCardCell")
        tableView.register(CustomBannerContentCardCell.self, forCellReuseIdentifier: "ABKBannerContentCardCell")
        tableView.register(CustomClassicImageContentCardCell.self, forCellReuseIdentifier: "ABKClassicImageCardCell")
        tableView.register(CustomClassicContentCardCell.self, forCellReuseIdentifier: "ABKClassicCardCell")
    }

    // snippet: cards that the app changes
    override func populateContentCards() {
        guard let cards = Appboy.sharedInstance()?.contentCardsController.contentCards else { return }
        for card in cards {
            // Every text card says the same.
            if let classicCard = card as? ABKClassicContentCard {
                classicCard.cardDescription = "The app's own text"
            }
        }
        super.cards = (cards as NSArray).mutableCopy() as? NSMutableArray
    }
}
