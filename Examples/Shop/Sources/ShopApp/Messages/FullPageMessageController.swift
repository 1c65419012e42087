#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// Shows a message as a page: image, headline, text.
final class FullPageMessageController: UIViewController {
    private let message: FullPageMessage

    init(message: FullPageMessage) {
        self.message = message
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        let title = UILabel(.shop(.title1, .bold, size: 28))
        title.text = message.messageTitle
        title.accessibilityTraits = .header
        let text = UILabel(.shop(.body, .regular, size: 18))
        text.text = message.cardDescription
        var views: [UIView] = [title, text]
        if let image = message.image { views.insert(makePicture(image), at: 0) }
        let column = UIStackView.column(views, spacing: 12)
        if views.count == 3 { column.setCustomSpacing(22, after: views[0]) }
        view.fill(with: ScrollPage(column))
    }

    private func makePicture(_ image: String) -> UIView {
        let picture = PictureView(frame: .zero)
        picture.show(image)
        picture.layer.cornerRadius = 20
        picture.layer.cornerCurve = .continuous
        picture.heightAnchor.constraint(equalTo: picture.widthAnchor, multiplier: 200 / 374).isActive = true
        return picture
    }
}
