/// Is what a collection uses again and again.
open class UICollectionReusableView: UIView {
    /// The identifier that the view was made for.
    public internal(set) var reuseIdentifier: String?

    /// Creates a view.
    ///
    /// A subclass with an initialiser of its own spells it `required override init` on Apple's platforms: a collection
    /// creates views of classes that it knows by name only.
    public required override init(frame: CGRect) {
        super.init(frame: frame)
    }

    /// Creates a view from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Is called before the view shows something else.
    open func prepareForReuse() {}
}

/// Shows one item of a collection.
open class UICollectionViewCell: UICollectionReusableView {
    /// What the cell shows.
    public let contentView = UIView()
    /// Whether the cell is chosen.
    open var isSelected = false { didSet { setNeedsDisplay() } }
    /// Whether the cell is touched; browsers show that by themselves.
    open var isHighlighted = false
    var isSelectable = false
    var place = CGRect.zero

    /// Creates a cell.
    public required init(frame: CGRect) {
        super.init(frame: frame)
        addSubview(contentView)
    }

    /// Creates a cell from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        addSubview(contentView)
    }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        node.add(class: isSelectable ? "item tappable" : "item")
        if isSelectable { node.attributes["data-tap"] = "" }
        node.style.merge([
            "inset-inline-start": CSS.points(place.minX), "top": CSS.points(place.minY),
            "width": CSS.points(place.width), "height": CSS.points(place.height),
        ]) { $1 }
        let content = contentView.render(drawing)
        drawing.nodes[content]?.add(class: "item-content")
        node.children = [content]
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        guard case .tap = event.kind else { return false }
        return (superview as? UICollectionView)?.select(self) ?? false
    }
}
