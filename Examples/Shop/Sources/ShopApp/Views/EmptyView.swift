#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// Says that there is nothing, and what to do about it.
final class EmptyView: UIView {
    init(icon: String, title: String, text: String, button: UIButton? = nil) {
        super.init(frame: .zero)
        let image = UIImageView(image: Assets.icon(icon))
        image.tintColor = .tertiaryLabel
        image.widthAnchor.constraint(equalToConstant: 76).isActive = true
        image.heightAnchor.constraint(equalToConstant: 74).isActive = true
        let titleLabel = UILabel(.shop(.title2, .bold, size: 22))
        let textLabel = UILabel(.preferredFont(forTextStyle: .body), color: .secondaryLabel)
        (titleLabel.text, textLabel.text) = (title, text)
        for label in [titleLabel, textLabel] { label.textAlignment = .center }
        let stack = UIStackView.column([image, titleLabel, textLabel], spacing: 8, alignment: .center)
        stack.setCustomSpacing(20, after: image)
        if let button {
            stack.setCustomSpacing(24, after: textLabel)
            stack.addArrangedSubview(button)
            button.widthAnchor.constraint(equalToConstant: 220).isActive = true
        }
        stack.translatesAutoresizingMaskIntoConstraints = false
        addSubview(stack)
        NSLayoutConstraint.activate([
            stack.leadingAnchor.constraint(equalTo: leadingAnchor, constant: 40),
            stack.trailingAnchor.constraint(equalTo: trailingAnchor, constant: -40),
            stack.centerYAnchor.constraint(equalTo: centerYAnchor),
        ])
    }

    required init?(coder: NSCoder) {
        nil
    }
}
