#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// Shows one product of the cart, and how many of it.
final class CartLineCell: TableCell {
    private let picture = PictureView(frame: .zero)
    private let titleLabel = UILabel(.shop(.body, .semibold, size: 17), lines: 1)
    private let priceLabel = UILabel(.preferredFont(forTextStyle: .subheadline), color: .secondaryLabel, lines: 1)
    private let countLabel = UILabel(.shop(.subheadline, .medium, size: 15), lines: 1)
    private let stepper = UIStepper()
    private var onChange: (@MainActor (Int) -> Void)?

    override func setUp() {
        selectionStyle = .none
        backgroundColor = .secondarySystemGroupedBackground
        picture.layer.cornerRadius = 10
        picture.layer.cornerCurve = .continuous
        picture.widthAnchor.constraint(equalToConstant: 72).isActive = true
        picture.heightAnchor.constraint(equalToConstant: 60).isActive = true
        stepper.minimumValue = 0
        stepper.maximumValue = Double(Cart.most)
        stepper.addAction(
            UIAction { [weak self] _ in
                guard let self else { return }
                onChange?(Int(stepper.value))
            },
            for: .valueChanged
        )
        let text = UIStackView.column([titleLabel, priceLabel], spacing: 2)
        countLabel.textAlignment = .center
        let amount = UIStackView.column([countLabel, stepper], spacing: 6, alignment: .center)
        amount.setContentHuggingPriority(.required, for: .horizontal)
        let row = UIStackView.row([picture, text, amount], spacing: 14)
        contentView.fill(with: row, insets: NSDirectionalEdgeInsets(top: 12, leading: 16, bottom: 12, trailing: 16))
    }

    func show(_ line: Cart.Line, onChange: @escaping @MainActor (Int) -> Void) {
        picture.show(line.tile.image)
        titleLabel.text = line.tile.title
        priceLabel.text = line.total.formatted()
        countLabel.text = String(line.quantity)
        stepper.value = Double(line.quantity)
        stepper.accessibilityLabel = "Number of \(line.tile.title)"
        accessibilityIdentifier = "line-\(line.tile.id)"
        self.onChange = onChange
    }
}
