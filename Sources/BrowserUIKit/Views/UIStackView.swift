/// Lays out views in a row or a column.
open class UIStackView: UIView {
    /// Says how views share the room along the axis.
    public enum Distribution: Int, Sendable {
        /// By their sizes.
        case fill = 0
        /// Equally.
        case fillEqually = 1
        /// In proportion to their sizes.
        case fillProportionally = 2
        /// With equal room between them.
        case equalSpacing = 3
        /// With equal room between their middles.
        case equalCentering = 4
    }

    /// Says where views lie across the axis.
    public enum Alignment: Int, Sendable {
        /// From edge to edge.
        case fill = 0
        /// At the start.
        case leading = 1
        /// On the first baseline.
        case firstBaseline = 2
        /// In the middle.
        case center = 3
        /// At the end.
        case trailing = 4
        /// On the last baseline.
        case lastBaseline = 5
        /// At the top.
        public static let top = Alignment.leading
        /// At the bottom.
        public static let bottom = Alignment.trailing
    }

    /// Stands for the default distance in custom spacings.
    public static let spacingUseDefault: CGFloat = .greatestFiniteMagnitude
    /// Stands for the distance that the system uses: 8.
    public static let spacingUseSystem: CGFloat = 8

    /// The views that are laid out, in order.
    public private(set) var arrangedSubviews: [UIView] = []
    /// The direction.
    ///
    /// The default is horizontal.
    open var axis = NSLayoutConstraint.Axis.horizontal { didSet { setNeedsDisplay() } }
    /// The way in which views share the room along the axis.
    ///
    /// The default is `fill`.
    open var distribution = Distribution.fill { didSet { setNeedsDisplay() } }
    /// The position of views across the axis.
    ///
    /// The default is `fill`.
    open var alignment = Alignment.fill { didSet { setNeedsDisplay() } }
    /// The distance between views, in points.
    ///
    /// The default is 0.
    open var spacing: CGFloat = 0 { didSet { setNeedsDisplay() } }
    /// Whether the layout margins keep views off the edges.
    ///
    /// The default is `false`.
    open var isLayoutMarginsRelativeArrangement = false { didSet { setNeedsDisplay() } }
    private var customSpacings: [ObjectIdentifier: CGFloat] = [:]

    /// Creates an empty stack.
    public override init(frame: CGRect) {
        super.init(frame: frame)
    }

    /// Creates a stack of views.
    public convenience init(arrangedSubviews views: [UIView]) {
        self.init(frame: .zero)
        for view in views { addArrangedSubview(view) }
    }

    /// Creates a stack from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    override var hasIntrinsicHeight: Bool { true }

    /// Adds a view at the end.
    open func addArrangedSubview(_ view: UIView) {
        insertArrangedSubview(view, at: arrangedSubviews.count)
    }

    /// Adds a view at a place.
    open func insertArrangedSubview(_ view: UIView, at stackIndex: Int) {
        arrangedSubviews.removeAll { $0 === view }
        if view.superview !== self { addSubview(view) }
        view.translatesAutoresizingMaskIntoConstraints = false
        arrangedSubviews.insert(view, at: min(stackIndex, arrangedSubviews.count))
        setNeedsDisplay()
    }

    /// Stops laying out a view, which stays a subview.
    open func removeArrangedSubview(_ view: UIView) {
        forget(view)
        setNeedsDisplay()
    }

    /// Sets the distance after one view.
    open func setCustomSpacing(_ spacing: CGFloat, after arrangedSubview: UIView) {
        customSpacings[ObjectIdentifier(arrangedSubview)] = spacing == Self.spacingUseDefault ? nil : spacing
        setNeedsDisplay()
    }

    /// Returns the distance after one view.
    open func customSpacing(after arrangedSubview: UIView) -> CGFloat {
        customSpacings[ObjectIdentifier(arrangedSubview)] ?? Self.spacingUseDefault
    }

    func forget(_ view: UIView) {
        arrangedSubviews.removeAll { $0 === view }
        customSpacings[ObjectIdentifier(view)] = nil
    }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        drawOwnStyle(&node)
        let visible = arrangedSubviews.filter { !$0.isHidden }
        let others = subviews.filter { view in !arrangedSubviews.contains { $0 === view } }
        node.children += ConstraintLayout.arrange(others, of: self, in: drawing, container: &node)
        for (index, view) in visible.enumerated() {
            let id = view.render(drawing)
            var style = ChildLayout(of: view, in: self).style
            drawItem(view, after: index > 0 ? visible[index - 1] : nil, style: &style)
            drawing.nodes[id]?.style.merge(style) { $1 }
            node.children.append(id)
        }
    }

    private func drawOwnStyle(_ node: inout Node) {
        node.style["flex-direction"] = axis == .horizontal ? "row" : "column"
        node.style["align-items"] =
            ["stretch", "flex-start", "baseline", "center", "flex-end", "last baseline"][
                alignment.rawValue
            ]
        if distribution == .equalSpacing || distribution == .equalCentering {
            node.style["justify-content"] = "space-between"
        }
        if isLayoutMarginsRelativeArrangement {
            let margins = directionalLayoutMargins
            node.style["padding-block"] = CSS.points(margins.top) + " " + CSS.points(margins.bottom)
            node.style["padding-inline"] = CSS.points(margins.leading) + " " + CSS.points(margins.trailing)
        }
    }

    private func drawItem(_ view: UIView, after previous: UIView?, style: inout [String: String]) {
        let isRow = axis == .horizontal
        if let previous {
            let custom = customSpacing(after: previous)
            let gap = custom == Self.spacingUseDefault ? spacing : custom
            style[isRow ? "margin-inline-start" : "margin-top"] = CSS.points(gap)
        }
        let isFixed = style[isRow ? "width" : "height"] != nil
        switch distribution {
        case .fillEqually:
            style["flex"] = "1 1 0"
        case .fill, .fillProportionally:
            let grows = isRow && view.horizontalHugging.rawValue <= 251
            style["flex"] = !isFixed && grows ? "1 1 auto" : "0 0 auto"
        default:
            style["flex"] = isFixed ? "0 0 auto" : "0 1 auto"
        }
    }
}
