/// Shows buttons in a bar.
open class UIToolbar: UIView {
    /// The buttons, from the start to the end.
    ///
    /// The default is none.
    open var items: [UIBarButtonItem]? { didSet { setNeedsDisplay() } }
    /// The style of the bar, light or dark.
    ///
    /// The default is that of the surroundings.
    open var barStyle = UIBarStyle.default { didSet { setNeedsDisplay() } }
    /// Whether what is below shines through the bar.
    ///
    /// The default is `true`.
    open var isTranslucent = true { didSet { setNeedsDisplay() } }
    /// The colour of the bar.
    ///
    /// The default is that of the system.
    open var barTintColor: UIColor? { didSet { setNeedsDisplay() } }
    /// The look of the bar, of which a copy is kept.
    open var standardAppearance = UIToolbarAppearance() {
        didSet {
            standardAppearance = standardAppearance.kept { [weak self] in self?.changedStandard() }
            changedStandard()
        }
    }
    /// The look of a low bar; browsers have none.
    open var compactAppearance: UIToolbarAppearance? {
        didSet { compactAppearance = compactAppearance?.kept() }
    }
    /// The look of the bar where nothing is below it; browsers show the usual one.
    open var scrollEdgeAppearance: UIToolbarAppearance? {
        didSet { scrollEdgeAppearance = scrollEdgeAppearance?.kept() }
    }
    /// The look of a low bar where nothing is below it; browsers have none.
    open var compactScrollEdgeAppearance: UIToolbarAppearance? {
        didSet { compactScrollEdgeAppearance = compactScrollEdgeAppearance?.kept() }
    }
    private var isStandardSet = false

    /// Creates a bar.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        follow()
    }

    /// Creates a bar from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        follow()
    }

    private func follow() {
        standardAppearance.onChange = { [weak self] in self?.changedStandard() }
    }

    private func changedStandard() {
        isStandardSet = true
        setNeedsDisplay()
    }

    /// Exchanges the buttons.
    open func setItems(_ items: [UIBarButtonItem]?, animated: Bool) {
        self.items = items
    }

    override var hasIntrinsicHeight: Bool { true }

    /// Takes in the views that stand for buttons, so that touches reach them.
    open override func layoutSubviews() {
        let own = (items ?? []).compactMap(\.customView)
        for view in subviews where !own.contains(where: { $0 === view }) { view.removeFromSuperview() }
        for view in own where view.superview !== self { addSubview(view) }
    }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        node.add(class: "toolbar")
        node.attributes["role"] = "toolbar"
        if !isTranslucent { node.add(class: "opaque") }
        if barStyle == .black { node.style["color-scheme"] = "dark" }
        if let barTintColor { node.style["background-color"] = barTintColor.css }
        let look = isStandardSet ? standardAppearance : nil
        if let look { style(&node, as: look) }
        node.children = (items ?? []).enumerated().map { index, item in
            let button = item.isProminent ? look?.doneButtonAppearance : look?.buttonAppearance
            return item.draw("\(nodeID).item\(index)", of: self, looks: BarButtonLooks(scrolled: button), in: drawing)
        }
    }

    private func style(_ node: inout Node, as look: UIToolbarAppearance) {
        if let color = look.backgroundColor { node.style["background-color"] = color.css }
        if look.isOpaque, isTranslucent { node.add(class: "opaque") }
        if look.backgroundEffect == nil { node.style["backdrop-filter"] = "none" }
        look.drawLine(&node)
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        guard case .tap = event.kind, event.part.hasPrefix("item"), let items,
            let index = Int(event.part.dropFirst(4)), items.indices.contains(index)
        else { return false }
        return items[index].perform(in: self)
    }
}
