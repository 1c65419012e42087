/// A view that a collection uses again and again.
open class UICollectionReusableView: UIView {
    /// The identifier that the view was made for.
    public internal(set) var reuseIdentifier: String?

    /// Creates a view.
    public override init(frame: CGRect) {
        super.init(frame: frame)
    }

    /// Creates the view for a collection, which knows its class by value only.
    ///
    /// Subclasses that override both other initialisers, or none, inherit this one: theirs need not be `required`.
    public required convenience init(dequeuedWithReuseIdentifier reuseIdentifier: String) {
        self.init(frame: .zero)
        self.reuseIdentifier = reuseIdentifier
    }

    /// Creates a view from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Is called before the view shows something else.
    open func prepareForReuse() {}

    /// Is called when the view comes to its place.
    open func apply(_ layoutAttributes: UICollectionViewLayoutAttributes) {}

    /// Returns the place that suits the content, which the browser has measured: flow layouts ask where sizes are
    /// automatic.
    open func preferredLayoutAttributesFitting(
        _ layoutAttributes: UICollectionViewLayoutAttributes
    ) -> UICollectionViewLayoutAttributes { layoutAttributes }

    /// The size of the content, as the browser has measured it.
    var measuredSize: CGSize?

    /// Returns the size that the content has by itself, as the browser has measured it.
    open override func systemLayoutSizeFitting(
        _ targetSize: CGSize,
        withHorizontalFittingPriority horizontalFittingPriority: UILayoutPriority,
        verticalFittingPriority: UILayoutPriority
    ) -> CGSize { measuredSize ?? frame.size }

    /// The place at which the collection shows the view.
    var place: GroupSolver.Place?
    var isDecoration = false

    override func draw(_ node: inout Node, in drawing: Drawing) {
        node.add(class: isDecoration ? "item behind" : "item")
        drawPlace(&node)
        var content = Node(tag: "div", attributes: ["class": "v item-content"])
        content.children = ConstraintLayout.arrange(subviews, of: self, in: drawing, container: &content)
        drawing.nodes["\(nodeID).content"] = content
        node.children = ["\(nodeID).content"]
    }

    func drawPlace(_ node: inout Node) {
        guard let place else { return }
        node.style.merge([
            "inset-inline-start": CSS.points(place.frame.minX), "top": CSS.points(place.frame.minY),
            "width": CSS.points(place.frame.width),
        ]) { $1 }
        if let most = place.fittingWidth {
            node.add(class: "fitted")
            node.style.merge(["width": "max-content", "max-width": CSS.points(most)]) { $1 }
        }
        if place.isMeasured {
            node.add(class: "measured")
        } else {
            node.style["height"] = CSS.points(place.frame.height)
        }
    }
}

/// Holds what a cell shows, and is as large as the browser has measured it.
private final class CellContentView: UIView {
    override func systemLayoutSizeFitting(
        _ targetSize: CGSize,
        withHorizontalFittingPriority horizontalFittingPriority: UILayoutPriority,
        verticalFittingPriority: UILayoutPriority
    ) -> CGSize { (superview as? UICollectionReusableView)?.measuredSize ?? frame.size }
}

/// Shows one item of a collection.
open class UICollectionViewCell: UICollectionReusableView {
    /// The view of the cell's content.
    public let contentView: UIView = CellContentView(frame: .zero)
    /// Whether the cell is chosen.
    open var isSelected = false { didSet { if isSelected != oldValue { setNeedsUpdateConfiguration() } } }
    /// Whether the cell is touched; browsers show that by themselves.
    open var isHighlighted = false { didSet { if isHighlighted != oldValue { setNeedsUpdateConfiguration() } } }
    /// The view under the content.
    ///
    /// The default is none.
    open var backgroundView: UIView? {
        didSet {
            guard oldValue !== backgroundView else { return }
            oldValue?.removeFromSuperview()
            if let backgroundView { insertSubview(backgroundView, at: 0) }
        }
    }
    /// The view that shows that the cell is chosen; browsers take its background colour.
    ///
    /// The default is none.
    open var selectedBackgroundView: UIView? { didSet { setNeedsDisplay() } }
    /// The content of the cell, as a value; setting it exchanges the content.
    ///
    /// The default is none.
    open var contentConfiguration: (any UIContentConfiguration)? {
        didSet { configured.show(contentConfiguration, in: contentView) }
    }
    private let configured = ConfiguredContent()
    /// The look of the background, as a value.
    ///
    /// The default is none: the cell has its colour alone.
    open var backgroundConfiguration: UIBackgroundConfiguration? { didSet { setNeedsDisplay() } }
    /// Changes the cell by its state.
    public typealias ConfigurationUpdateHandler = (
        _ cell: UICollectionViewCell, _ state: UICellConfigurationState
    ) -> Void

    /// Changes the cell by its state, after ``updateConfiguration(using:)``.
    ///
    /// The default is none.
    open var configurationUpdateHandler: ConfigurationUpdateHandler? { didSet { setNeedsUpdateConfiguration() } }
    /// Whether the content follows the state by itself.
    ///
    /// The default is `true`.
    open var automaticallyUpdatesContentConfiguration = true
    /// Whether the background follows the state by itself.
    ///
    /// The default is `true`.
    open var automaticallyUpdatesBackgroundConfiguration = true
    private var configuring = ConfigurationUpdates()
    var isSelectable = false
    /// Finds long presses that open a menu.
    var menuPress: UILongPressGestureRecognizer?
    /// The look of the cell as the row of a list.
    var list: ListRow?

    /// Creates a cell.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        addSubview(contentView)
    }

    /// Creates a cell from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        addSubview(contentView)
    }

    /// The state of the cell.
    open var configurationState: UICellConfigurationState {
        var state = UICellConfigurationState(traitCollection: traitCollection)
        (state.isSelected, state.isHighlighted, state.isEditing) = (isSelected, isHighlighted, isEdited)
        return state
    }

    /// Asks for `updateConfiguration(using:)` before the cell is drawn again.
    open func setNeedsUpdateConfiguration() {
        configuring.isNeeded = true
        setNeedsDisplay()
    }

    /// Is called before the cell is drawn for a state for the first time.
    open func updateConfiguration(using state: UICellConfigurationState) {}

    /// Follows the state.
    open override func layoutSubviews() {
        super.layoutSubviews()
        guard configuring.take(traitCollection) else { return }
        let state = configurationState
        if automaticallyUpdatesContentConfiguration, let content = contentConfiguration {
            contentConfiguration = content.updated(for: state)
        }
        if automaticallyUpdatesBackgroundConfiguration, let background = backgroundConfiguration {
            backgroundConfiguration = background.updated(for: state)
        }
        updateConfiguration(using: state)
        configurationUpdateHandler?(self, state)
    }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        node.add(class: isSelectable ? "item tappable" : "item")
        if isSelectable { node.attributes["data-tap"] = "" }
        if isSelected, let color = selectedBackgroundView?.backgroundColor {
            node.style["background-color"] = color.css
        }
        drawPlace(&node)
        let content = contentView.render(drawing)
        drawing.nodes[content]?.add(class: "item-content")
        node.children = (backgroundView.map { [drawBackground($0, in: drawing)] } ?? []) + [content]
        if let id = backgroundConfiguration?.draw("\(nodeID).background", on: &node, in: drawing) {
            node.children.insert(id, at: 0)
        }
    }

    /// Whether the collection of the cell is edited.
    var isEdited: Bool { (superview as? UICollectionView)?.isEditing ?? false }

    func showMenu() {
        guard let menuPress, menuPress.state == .began else { return }
        (superview as? UICollectionView)?.showMenu(of: self, at: menuPress.location(in: nil))
    }

    private func drawBackground(_ view: UIView, in drawing: Drawing) -> String {
        let id = view.render(drawing)
        drawing.nodes[id]?.add(class: "item-background")
        return id
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        guard case .tap = event.kind else { return false }
        return (superview as? UICollectionView)?.select(self) ?? false
    }
}
