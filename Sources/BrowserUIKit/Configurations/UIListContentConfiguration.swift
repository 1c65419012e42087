/// Describes the content of a row: an image, a text and a second one.
@preconcurrency @MainActor
public struct UIListContentConfiguration: UIContentConfiguration {
    /// Says how a text looks.
    public struct TextProperties {
        /// Says how a text is aligned.
        public enum TextAlignment: Int, Sendable {
            /// As the language is.
            case natural = 0
            /// In the middle.
            case center = 1
            /// From side to side.
            case justified = 2
        }

        /// Says how letters are written.
        public enum TextTransform: Int, Sendable {
            /// As they are.
            case none = 0
            /// As capitals.
            case uppercase = 1
            /// As small letters.
            case lowercase = 2
            /// With a capital at the start of each word.
            case capitalized = 3

            func apply(to text: String) -> String {
                switch self {
                case .none: text
                case .uppercase: text.uppercased()
                case .lowercase: text.lowercased()
                case .capitalized: text.capitalized
                }
            }
        }

        /// The font.
        public var font: UIFont
        /// The colour.
        public var color: UIColor
        /// The greatest number of lines; 0, the default, means any.
        public var numberOfLines = 0
        /// The alignment of the text.
        ///
        /// The default is as the language is.
        public var alignment = TextAlignment.natural
        /// The transform of letters.
        ///
        /// The default is as they are.
        public var transform = TextTransform.none
        /// Whether the font follows the text size that the user chose.
        ///
        /// The default is `true`.
        public var adjustsFontForContentSizeCategory = true
    }

    /// Says how an image looks.
    public struct ImageProperties {
        /// The tint; `nil`, the default, is that of the surroundings.
        public var tintColor: UIColor?
        /// The size and weight of a symbol; `nil`, the default, leaves those of the image.
        public var preferredSymbolConfiguration: UIImage.SymbolConfiguration?
        /// The radius of the corners.
        ///
        /// The default is 0.
        public var cornerRadius: CGFloat = 0
        /// The greatest size; zero, the default, means any.
        public var maximumSize = CGSize.zero
        /// The room that images of a list share; zero, the default, means that of the image.
        public var reservedLayoutSize = CGSize.zero
    }

    /// The image.
    ///
    /// The default is none.
    public var image: UIImage?
    /// The look of the image.
    public var imageProperties = ImageProperties()
    /// The text.
    ///
    /// The default is none.
    public var text: String?
    /// The text with attributes, in place of ``text``.
    ///
    /// The default is none.
    public var attributedText: NSAttributedString?
    /// The look of the text.
    public var textProperties: TextProperties
    /// The second text.
    ///
    /// The default is none.
    public var secondaryText: String?
    /// The second text with attributes, in place of ``secondaryText``.
    ///
    /// The default is none.
    public var secondaryAttributedText: NSAttributedString?
    /// The look of the second text.
    public var secondaryTextProperties: TextProperties
    /// Whether the texts stand side by side where there is room.
    ///
    /// The default is that of the style.
    public var prefersSideBySideTextAndSecondaryText: Bool
    /// The room around the content.
    public var directionalLayoutMargins = NSDirectionalEdgeInsets(top: 11, leading: 16, bottom: 11, trailing: 16)
    /// The room between image and text, in points.
    ///
    /// The default is 16.
    public var imageToTextPadding: CGFloat = 16
    /// The room between texts side by side, in points.
    ///
    /// The default is 6.
    public var textToSecondaryTextHorizontalPadding: CGFloat = 6
    /// The room between texts one below the other, in points.
    ///
    /// The default is 3.
    public var textToSecondaryTextVerticalPadding: CGFloat = 3

    private init(
        _ font: UIFont.TextStyle,
        _ color: UIColor = .label,
        secondary: UIFont.TextStyle = .caption1,
        _ secondaryColor: UIColor = .label,
        isSideBySide: Bool = false
    ) {
        textProperties = TextProperties(font: .preferredFont(forTextStyle: font), color: color)
        secondaryTextProperties = TextProperties(font: .preferredFont(forTextStyle: secondary), color: secondaryColor)
        prefersSideBySideTextAndSecondaryText = isSideBySide
    }

    /// Returns the style of a row.
    public static func cell() -> UIListContentConfiguration { Self(.body, secondary: .caption1) }

    /// Returns the style of a row with a second text below.
    public static func subtitleCell() -> UIListContentConfiguration {
        Self(.body, secondary: .caption1, .secondaryLabel)
    }

    /// Returns the style of a row with a value at its end.
    public static func valueCell() -> UIListContentConfiguration {
        Self(.body, secondary: .body, .secondaryLabel, isSideBySide: true)
    }

    /// Returns the style of a header of plain lists.
    public static func plainHeader() -> UIListContentConfiguration { Self(.headline) }

    /// Returns the style of a footer of plain lists.
    public static func plainFooter() -> UIListContentConfiguration { Self(.footnote, .secondaryLabel) }

    /// Returns the style of a header of lists in groups.
    public static func groupedHeader() -> UIListContentConfiguration {
        var configuration = Self(.footnote, .secondaryLabel)
        configuration.textProperties.transform = .uppercase
        return configuration
    }

    /// Returns the style of a footer of lists in groups.
    public static func groupedFooter() -> UIListContentConfiguration { Self(.footnote, .secondaryLabel) }

    /// Returns the style of a row of a bar at the side.
    public static func sidebarCell() -> UIListContentConfiguration { Self(.body) }

    /// Returns a view that shows this.
    public func makeContentView() -> any UIView & UIContentView { UIListContentView(configuration: self) }

    /// Returns the configuration for a state: the same.
    public func updated(for state: any UIConfigurationState) -> UIListContentConfiguration { self }
}

/// Shows an image, a text and a second one.
open class UIListContentView: UIView, UIContentView {
    /// The content that is shown.
    open var configuration: any UIContentConfiguration { didSet { apply() } }
    private let imageView = UIImageView()
    private let label = UILabel()
    private let secondaryLabel = UILabel()
    private let texts = UIStackView()
    private let row = UIStackView()
    private var edges: [NSLayoutConstraint] = []
    private var imageSize: [NSLayoutConstraint] = []

    /// Creates a view.
    public init(configuration: UIListContentConfiguration) {
        self.configuration = configuration
        super.init(frame: .zero)
        row.translatesAutoresizingMaskIntoConstraints = false
        row.axis = .horizontal
        row.alignment = .center
        for view in [label, secondaryLabel] { texts.addArrangedSubview(view) }
        for view in [imageView, texts] as [UIView] { row.addArrangedSubview(view) }
        imageView.setContentHuggingPriority(.required, for: .horizontal)
        addSubview(row)
        apply()
    }

    /// Creates a view from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        nil
    }

    private func apply() {
        guard let configuration = configuration as? UIListContentConfiguration else { return }
        row.spacing = configuration.imageToTextPadding
        show(configuration.image, configuration.imageProperties)
        let isSideBySide = configuration.prefersSideBySideTextAndSecondaryText
        texts.axis = isSideBySide ? .horizontal : .vertical
        texts.spacing =
            isSideBySide
            ? configuration.textToSecondaryTextHorizontalPadding : configuration.textToSecondaryTextVerticalPadding
        show(configuration.text, configuration.attributedText, configuration.textProperties, in: label)
        show(
            configuration.secondaryText,
            configuration.secondaryAttributedText,
            configuration.secondaryTextProperties,
            in: secondaryLabel
        )
        secondaryLabel.setContentHuggingPriority(isSideBySide ? .required : .defaultLow, for: .horizontal)
        pin(configuration.directionalLayoutMargins)
    }

    private func show(_ image: UIImage?, _ properties: UIListContentConfiguration.ImageProperties) {
        imageView.image = image
        imageView.preferredSymbolConfiguration = properties.preferredSymbolConfiguration
        imageView.isHidden = image == nil
        imageView.tintColor = properties.tintColor
        imageView.layer.cornerRadius = properties.cornerRadius
        imageView.clipsToBounds = properties.cornerRadius > 0
        imageView.contentMode = .scaleAspectFit
        NSLayoutConstraint.deactivate(imageSize)
        guard let image else {
            imageSize = []
            return
        }
        let most = properties.maximumSize
        let width = most.width > 0 ? min(image.size.width, most.width) : image.size.width
        let height = most.height > 0 ? min(image.size.height, most.height) : image.size.height
        imageSize = [
            imageView.widthAnchor.constraint(equalToConstant: max(width, properties.reservedLayoutSize.width)),
            imageView.heightAnchor.constraint(equalToConstant: max(height, properties.reservedLayoutSize.height)),
        ]
        NSLayoutConstraint.activate(imageSize)
    }

    private func show(
        _ text: String?,
        _ attributed: NSAttributedString?,
        _ properties: UIListContentConfiguration.TextProperties,
        in label: UILabel
    ) {
        label.font = properties.font
        label.textColor = properties.color
        label.numberOfLines = properties.numberOfLines
        label.adjustsFontForContentSizeCategory = properties.adjustsFontForContentSizeCategory
        label.textAlignment = properties.alignment == .center ? .center : .natural
        if let attributed {
            label.attributedText = attributed
        } else {
            label.text = text.map(properties.transform.apply)
        }
        label.isHidden = (attributed?.string ?? text ?? "").isEmpty
    }

    private func pin(_ margins: NSDirectionalEdgeInsets) {
        NSLayoutConstraint.deactivate(edges)
        edges = [
            row.topAnchor.constraint(equalTo: topAnchor, constant: margins.top),
            row.leadingAnchor.constraint(equalTo: leadingAnchor, constant: margins.leading),
            trailingAnchor.constraint(equalTo: row.trailingAnchor, constant: margins.trailing),
            bottomAnchor.constraint(equalTo: row.bottomAnchor, constant: margins.bottom),
        ]
        NSLayoutConstraint.activate(edges)
    }
}
