/// Shows an image.
open class UIImageView: UIView {
    /// The image.
    ///
    /// The default is none.
    open var image: UIImage? { didSet { setNeedsDisplay() } }

    /// Creates a view without an image.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        accessibilityTraits = .image
        isUserInteractionEnabled = false
    }

    /// Creates a view of an image, in the size of the image.
    public init(image: UIImage?) {
        self.image = image
        super.init(frame: CGRect(origin: .zero, size: image?.size ?? .zero))
        accessibilityTraits = .image
        isUserInteractionEnabled = false
    }

    /// Creates a view from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// The image that is shown while the view is highlighted.
    ///
    /// The default is none.
    open var highlightedImage: UIImage? { didSet { setNeedsDisplay() } }
    /// Whether the view is highlighted.
    ///
    /// The default is `false`.
    open var isHighlighted = false { didSet { setNeedsDisplay() } }
    /// The size, weight and colour of symbols.
    ///
    /// The default is that of each symbol.
    open var preferredSymbolConfiguration: UIImage.SymbolConfiguration? { didSet { setNeedsDisplay() } }

    private var shownImage: UIImage? {
        let image = isHighlighted ? highlightedImage ?? image : image
        return preferredSymbolConfiguration.flatMap { image?.applyingSymbolConfiguration($0) } ?? image
    }

    /// The size of the image.
    open override var intrinsicContentSize: CGSize { shownImage?.size ?? super.intrinsicContentSize }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        super.draw(&node, in: drawing)
        guard let image = shownImage else { return }
        let address = drawing.register(image)
        if image.flipsForRightToLeftLayoutDirection { node.add(class: "flips") }
        if image.renderingMode == .alwaysTemplate {
            node.style["--image"] = "url(\"\(address)\")"
            if let tint = image.tint { node.style["--tint"] = tint.css }
            node.add(class: "template")
            return
        }
        node.children.insert(image.drawPicture("\(nodeID).image", contentMode, in: drawing), at: 0)
    }
}
