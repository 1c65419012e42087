/// Shows an image.
open class UIImageView: UIView {
    /// The image.
    ///
    /// The default is none.
    open var image: UIImage? { didSet { setNeedsDisplay() } }

    /// Creates a view without an image.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        accessibility.traits = .image
        isUserInteractionEnabled = false
    }

    /// Creates a view of an image, in the size of the image.
    public init(image: UIImage?) {
        self.image = image
        super.init(frame: CGRect(origin: .zero, size: image?.size ?? .zero))
        accessibility.traits = .image
        isUserInteractionEnabled = false
    }

    /// Creates a view from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// The size of the image.
    open override var intrinsicContentSize: CGSize { image?.size ?? super.intrinsicContentSize }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        super.draw(&node, in: drawing)
        guard let image else { return }
        let address = drawing.register(image)
        if image.flipsForRightToLeftLayoutDirection { node.add(class: "flips") }
        if image.renderingMode == .alwaysTemplate {
            node.style["--image"] = "url(\"\(address)\")"
            node.add(class: "template")
            return
        }
        node.children.insert(image.drawPicture("\(nodeID).image", contentMode, in: drawing), at: 0)
    }
}
