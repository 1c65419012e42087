import BrowserUIKit

/// Shows buttons by their configurations.
final class ButtonsExample: UIViewController {
    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        let styles: [(String, UIButton.Configuration)] = [
            ("Plain", .plain()), ("Tinted", .tinted()), ("Filled", .filled()), ("Gray", .gray()),
            ("Bordered", .bordered()),
        ]
        var buttons = styles.map { title, style -> UIButton in
            var configuration = style
            configuration.title = title
            return UIButton(configuration: configuration)
        }
        var rich = UIButton.Configuration.filled()
        rich.title = "Order"
        rich.subtitle = "Pay when you collect"
        rich.image = UIImage(systemName: "cart", withConfiguration: UIImage.SymbolConfiguration(pointSize: 24))
        rich.imagePadding = 8
        rich.cornerStyle = .capsule
        rich.buttonSize = .large
        rich.baseBackgroundColor = .systemOrange
        buttons.append(UIButton(configuration: rich))
        var top = UIButton.Configuration.tinted()
        top.title = "Above"
        top.image = UIImage(systemName: "star.fill")
        top.imagePlacement = .top
        top.imagePadding = 4
        buttons.append(UIButton(configuration: top))
        let off = UIButton(configuration: rich)
        off.isEnabled = false
        off.configuration?.showsActivityIndicator = true
        buttons.append(off)
        let symbols = UIStackView()
        symbols.spacing = 12
        for weight in [UIImage.SymbolWeight.ultraLight, .regular, .bold, .black] {
            let configuration = UIImage.SymbolConfiguration(pointSize: 30, weight: weight)
                .applying(UIImage.SymbolConfiguration(hierarchicalColor: .systemPurple))
            let heart = UIImageView(image: UIImage(systemName: "heart", withConfiguration: configuration))
            heart.widthAnchor.constraint(equalToConstant: heart.intrinsicContentSize.width).isActive = true
            heart.heightAnchor.constraint(equalToConstant: heart.intrinsicContentSize.height).isActive = true
            symbols.addArrangedSubview(heart)
        }
        let stack = UIStackView(arrangedSubviews: buttons + [symbols])
        stack.axis = .vertical
        stack.alignment = .center
        stack.spacing = 12
        stack.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(stack)
        NSLayoutConstraint.activate([
            stack.topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor, constant: 16),
            stack.leadingAnchor.constraint(equalTo: view.leadingAnchor, constant: 16),
            view.trailingAnchor.constraint(equalTo: stack.trailingAnchor, constant: 16),
        ])
    }
}
