#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// The page of one product.
final class ProductController: UIViewController {
    private let tile: Tile
    private let shop: Shop
    private lazy var button = UIButton.primary(buttonTitle, identifier: "add-to-cart") { [weak self] in self?.add() }

    init(tile: Tile, shop: Shop) {
        self.tile = tile
        self.shop = shop
        super.init(nibName: nil, bundle: nil)
        title = tile.title
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        let scroll = ScrollPage(makeColumn())
        scroll.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(scroll)
        let bar = makeBar()
        bar.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(bar)
        NSLayoutConstraint.activate([
            scroll.topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor),
            scroll.leadingAnchor.constraint(equalTo: view.leadingAnchor),
            scroll.trailingAnchor.constraint(equalTo: view.trailingAnchor),
            bar.topAnchor.constraint(equalTo: scroll.bottomAnchor),
            bar.leadingAnchor.constraint(equalTo: view.leadingAnchor),
            bar.trailingAnchor.constraint(equalTo: view.trailingAnchor),
            bar.bottomAnchor.constraint(equalTo: view.safeAreaLayoutGuide.bottomAnchor),
        ])
    }

    private func makeColumn() -> UIView {
        let picture = PictureView(frame: .zero)
        picture.show(tile.image)
        picture.layer.cornerRadius = 20
        picture.layer.cornerCurve = .continuous
        picture.heightAnchor.constraint(equalTo: picture.widthAnchor, multiplier: 0.8).isActive = true
        let column = UIStackView.column([picture] + texts(), spacing: 8)
        column.setCustomSpacing(20, after: picture)
        return column
    }

    private func texts() -> [UIView] {
        let name = UILabel(.shop(.title1, .bold, size: 28))
        name.text = tile.title
        name.accessibilityTraits = .header
        let price = UILabel(.shop(.title3, .semibold, size: 20), color: .brand)
        price.text = tile.price?.formatted() ?? "Only in our shops"
        let detail = UILabel(.shop(.body, .medium, size: 17))
        detail.text = tile.detail
        let story = UILabel(.preferredFont(forTextStyle: .body), color: .secondaryLabel)
        story.text = tile.story
        var views: [UIView] = [name, price]
        if !tile.tags.isEmpty { views.append(makeTags()) }
        return views + [detail, story].filter { $0.text?.isEmpty == false }
    }

    private func makeTags() -> UIView {
        let chips = tile.tags.prefix(5).map { tag in
            let label = UILabel(.shop(.caption1, .medium, size: 12), color: .secondaryLabel, lines: 1)
            label.text = tag
            let chip = UIView()
            chip.backgroundColor = .tertiarySystemFill
            chip.layer.cornerRadius = 11
            chip.fill(with: label, insets: NSDirectionalEdgeInsets(top: 4, leading: 10, bottom: 4, trailing: 10))
            chip.setContentHuggingPriority(.required, for: .horizontal)
            return chip
        }
        let space = UIView()
        let row = UIStackView.row(chips + [space], spacing: 6)
        row.isLayoutMarginsRelativeArrangement = true
        row.directionalLayoutMargins = NSDirectionalEdgeInsets(top: 4, leading: 0, bottom: 8, trailing: 0)
        return row
    }

    private func makeBar() -> UIView {
        let bar = UIView()
        let width = button.widthAnchor.constraint(lessThanOrEqualToConstant: 620)
        button.translatesAutoresizingMaskIntoConstraints = false
        bar.addSubview(button)
        let leading = button.leadingAnchor.constraint(equalTo: bar.leadingAnchor, constant: 16)
        let trailing = button.trailingAnchor.constraint(equalTo: bar.trailingAnchor, constant: -16)
        (leading.priority, trailing.priority) = (.defaultHigh, .defaultHigh)
        NSLayoutConstraint.activate([
            button.topAnchor.constraint(equalTo: bar.topAnchor, constant: 10),
            button.bottomAnchor.constraint(equalTo: bar.bottomAnchor, constant: -12),
            button.centerXAnchor.constraint(equalTo: bar.centerXAnchor),
            width, leading, trailing,
        ])
        button.isEnabled = tile.price != nil
        return bar
    }

    private var buttonTitle: String { "Add to cart" }

    /// The button nods, so that the user sees that something happened.
    private func add() {
        shop.add(tile)
        button.setTitle("Added", for: .normal)
        button.transform = CGAffineTransform(scaleX: 0.96, y: 0.96)
        UIView.animate(
            withDuration: 0.4,
            delay: 0,
            usingSpringWithDamping: 0.5,
            initialSpringVelocity: 0,
            animations: { self.button.transform = .identity },
            completion: { [weak self] _ in self?.button.setTitle(self?.buttonTitle, for: .normal) }
        )
    }
}
