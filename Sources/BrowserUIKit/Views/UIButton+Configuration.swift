extension UIButton {
    /// Changes the configuration of a button by its state.
    public typealias ConfigurationUpdateHandler = @MainActor (UIButton) -> Void

    /// Describes how a button looks, as a value.
    @preconcurrency @MainActor
    public struct Configuration {
        /// Says how large a button is.
        public enum Size: Int, Sendable {
            /// Medium.
            case medium = 0
            /// Small.
            case small = 1
            /// Smaller than small.
            case mini = 2
            /// Large.
            case large = 3
        }

        /// Says how round the corners are.
        public enum CornerStyle: Int, Sendable {
            /// As the background says.
            case fixed = -1
            /// As the background says, and larger with larger text.
            case dynamic = 0
            /// A little.
            case small = 1
            /// More.
            case medium = 2
            /// Much.
            case large = 3
            /// Half of the height.
            case capsule = 4
        }

        /// Says how title and subtitle are set to each other.
        public enum TitleAlignment: Int, Sendable {
            /// As the other properties have it.
            case automatic = 0
            /// The side at which text begins.
            case leading = 1
            /// In the middle.
            case center = 2
            /// The side at which text ends.
            case trailing = 3
        }

        /// The title.
        ///
        /// The default is none.
        public var title: String?
        /// The title with attributes, of which font and colour of its start count.
        ///
        /// The default is none.
        public var attributedTitle: AttributedString? {
            didSet { if let attributedTitle { title = String(attributedTitle.characters) } }
        }
        /// Changes the attributes of the title.
        ///
        /// The default is none.
        public var titleTextAttributesTransformer: UIConfigurationTextAttributesTransformer?
        /// The text below the title.
        ///
        /// The default is nothing.
        public var subtitle: String?
        /// The text below the title, with attributes, of which font and colour of its start count.
        ///
        /// The default is nothing.
        public var attributedSubtitle: AttributedString? {
            didSet { if let attributedSubtitle { subtitle = String(attributedSubtitle.characters) } }
        }
        /// Changes the attributes of the subtitle.
        ///
        /// The default is none.
        public var subtitleTextAttributesTransformer: UIConfigurationTextAttributesTransformer?
        /// The image.
        ///
        /// The default is none.
        public var image: UIImage?
        /// The size, weight and colour of a symbol.
        ///
        /// The default is that of the symbol.
        public var preferredSymbolConfigurationForImage: UIImage.SymbolConfiguration?
        /// Whether something turns in place of the image.
        ///
        /// The default is `false`.
        public var showsActivityIndicator = false
        /// The side of the title at which the image lies.
        ///
        /// The default is where text begins.
        public var imagePlacement = NSDirectionalRectEdge.leading
        /// The room between image and title, in points.
        ///
        /// The default is 0.
        public var imagePadding: CGFloat = 0
        /// The room between title and subtitle, in points.
        ///
        /// The default is 1.
        public var titlePadding: CGFloat = 1
        /// The alignment of title and subtitle to each other.
        ///
        /// The default is as the other properties have it.
        public var titleAlignment = TitleAlignment.automatic
        /// The room around what the button shows.
        public var contentInsets = NSDirectionalEdgeInsets(top: 7, leading: 12, bottom: 7, trailing: 12)
        /// The size of the button.
        ///
        /// The default is medium.
        public var buttonSize = Size.medium { didSet { contentInsets = Self.insets(buttonSize) } }
        /// The style of the corners.
        ///
        /// The default is dynamic.
        public var cornerStyle = CornerStyle.dynamic
        /// The colour of title and image; `nil`, the default, is that of the style.
        public var baseForegroundColor: UIColor?
        /// The colour that the background is made of; `nil`, the default, is that of the style.
        public var baseBackgroundColor: UIColor?
        /// The background; what it says of colours counts before that of the style.
        public var background = UIBackgroundConfiguration.clear()
        /// Whether the look follows the state of the button.
        ///
        /// The default is `true`.
        public var automaticallyUpdateForSelection = true
        let style: Style

        enum Style {
            case plain, tinted, filled, gray, bordered, borderedTinted, borderedProminent, borderless
        }

        private init(_ style: Style) {
            self.style = style
            background.backgroundColor = nil
            background.cornerRadius = 5.95
        }

        /// Returns the style of text alone.
        public static func plain() -> Configuration { Self(.plain) }

        /// Returns the style of the tint over a light shade of it.
        public static func tinted() -> Configuration { Self(.tinted) }

        /// Returns the style of white over the tint.
        public static func filled() -> Configuration { Self(.filled) }

        /// Returns the style of the tint over grey.
        public static func gray() -> Configuration { Self(.gray) }

        /// Returns the style of text alone, whose size the system has.
        public static func borderless() -> Configuration { Self(.borderless) }

        /// Returns the style with a border, which iOS draws as grey.
        public static func bordered() -> Configuration { Self(.bordered) }

        /// Returns the style with a border in the tint.
        public static func borderedTinted() -> Configuration { Self(.borderedTinted) }

        /// Returns the style of the button that counts most.
        public static func borderedProminent() -> Configuration { Self(.borderedProminent) }

        /// Returns the configuration as it looks in the state of a button.
        public func updated(for button: UIButton) -> Configuration { self }

        /// Takes the usual room around the content.
        public mutating func setDefaultContentInsets() {
            contentInsets = Self.insets(buttonSize)
        }

        private static func insets(_ size: Size) -> NSDirectionalEdgeInsets {
            switch size {
            case .mini, .small: NSDirectionalEdgeInsets(top: 5, leading: 10, bottom: 5, trailing: 10)
            case .medium: NSDirectionalEdgeInsets(top: 7, leading: 12, bottom: 7, trailing: 12)
            case .large: NSDirectionalEdgeInsets(top: 15, leading: 20, bottom: 15, trailing: 20)
            }
        }
    }
}

/// Says which sides of a rectangle are meant, by the direction of text.
public struct NSDirectionalRectEdge: OptionSet, Sendable {
    /// One bit a side.
    public let rawValue: UInt

    /// Creates sides from their bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The top.
    public static let top = NSDirectionalRectEdge(rawValue: 1)
    /// The edge at which text begins.
    public static let leading = NSDirectionalRectEdge(rawValue: 2)
    /// The bottom.
    public static let bottom = NSDirectionalRectEdge(rawValue: 4)
    /// The edge at which text ends.
    public static let trailing = NSDirectionalRectEdge(rawValue: 8)
    /// All sides.
    public static let all: NSDirectionalRectEdge = [.top, .leading, .bottom, .trailing]
}

/// Changes the attributes of a text.
public struct UIConfigurationTextAttributesTransformer: Sendable {
    /// The function that changes them.
    public let transform: @Sendable (AttributeContainer) -> AttributeContainer

    /// Creates a transformer.
    public init(_ transform: @escaping @Sendable (AttributeContainer) -> AttributeContainer) {
        self.transform = transform
    }

    /// Returns the changed attributes.
    public func callAsFunction(_ input: AttributeContainer) -> AttributeContainer { transform(input) }
}

extension AttributeScopes {
    /// The attributes of text that views show.
    public struct UIKitAttributes: AttributeScope {
        /// Holds a font.
        public enum FontAttribute: AttributedStringKey {
            /// A font.
            public typealias Value = UIFont
            /// The name of the attribute.
            public static let name = "NSFont"
        }

        /// Holds the colour of text.
        public enum ForegroundColorAttribute: AttributedStringKey {
            /// A colour.
            public typealias Value = UIColor
            /// The name of the attribute.
            public static let name = "NSColor"
        }

        /// The font.
        public let font: FontAttribute
        /// The colour of text.
        public let foregroundColor: ForegroundColorAttribute
    }

    /// The attributes of text that views show.
    public var uiKit: UIKitAttributes.Type { UIKitAttributes.self }
}

extension AttributeDynamicLookup {
    /// Finds an attribute of text that views show by its name.
    public subscript<T: AttributedStringKey>(
        dynamicMember keyPath: KeyPath<AttributeScopes.UIKitAttributes, T>
    ) -> T { self[T.self] }
}
