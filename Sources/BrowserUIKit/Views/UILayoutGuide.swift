/// Names a rectangle in a view for constraints.
///
/// One of the app's own, which `addLayoutGuide(_:)` adds to a view, is laid out as a view that shows nothing.
@preconcurrency @MainActor
open class UILayoutGuide: NSObject {
    enum Kind {
        /// The view without its margins.
        case margins
        /// The part of the view that no bar covers.
        case safeArea
        /// The edge of a keyboard, and below it of the bars.
        case keyboard
        /// The width that long text reads well in.
        case readable
        /// The view, or the content of one that scrolls.
        case whole
        /// The place that constraints give it.
        case own
    }

    /// The view that the rectangle is in.
    public internal(set) weak var owningView: UIView?
    /// A name for people.
    ///
    /// The default is empty.
    open var identifier = ""
    let kind: Kind
    /// The view that is laid out for a guide of the app's own.
    let standIn: UIView?

    /// Creates a guide that constraints lay out, for a view to be added to.
    public override init() {
        kind = .own
        let view = UIView()
        view.translatesAutoresizingMaskIntoConstraints = false
        view.isUserInteractionEnabled = false
        standIn = view
        super.init()
    }

    init(of view: UIView, kind: Kind) {
        owningView = view
        self.kind = kind
        standIn = nil
        super.init()
    }

    /// The rectangle in the view, as far as it is known before the browser has laid anything out.
    open var layoutFrame: CGRect { standIn?.frame ?? owningView?.bounds.inset(by: insets) ?? .zero }

    var insets: NSDirectionalEdgeInsets {
        guard let view = owningView, kind != .whole, kind != .own else { return .zero }
        let safe = view.safeAreaInsets
        let area = NSDirectionalEdgeInsets(top: safe.top, leading: safe.left, bottom: safe.bottom, trailing: safe.right)
        if kind == .safeArea { return area }
        if kind == .keyboard { return (self as? UIKeyboardLayoutGuide)?.insets(beside: area) ?? area }
        let margins = view.directionalLayoutMargins
        guard view.insetsLayoutMarginsFromSafeArea else { return margins }
        return NSDirectionalEdgeInsets(
            top: area.top + margins.top,
            leading: area.leading + margins.leading,
            bottom: area.bottom + margins.bottom,
            trailing: area.trailing + margins.trailing
        )
    }
}

extension UIView {
    /// The rectangles of the app's own.
    public var layoutGuides: [UILayoutGuide] { ownGuides }

    /// Adds a rectangle of the app's own; takes it from the view that had it.
    public func addLayoutGuide(_ layoutGuide: UILayoutGuide) {
        guard let view = layoutGuide.standIn, layoutGuide.owningView !== self else { return }
        layoutGuide.owningView?.removeLayoutGuide(layoutGuide)
        layoutGuide.owningView = self
        view.superview = self
        ownGuides.append(layoutGuide)
        setNeedsDisplay()
    }

    /// Removes a rectangle of the app's own, with the constraints that hold it.
    public func removeLayoutGuide(_ layoutGuide: UILayoutGuide) {
        guard let view = layoutGuide.standIn, layoutGuide.owningView === self else { return }
        for constraint in view.involved { constraint.isActive = false }
        view.superview = nil
        layoutGuide.owningView = nil
        ownGuides.removeAll { $0 === layoutGuide }
        setNeedsDisplay()
    }
}

extension UILayoutGuide {
    /// The edge where text begins.
    public var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, .leading) }
    /// The edge where text ends.
    public var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, .trailing) }
    /// The left edge.
    public var leftAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, .left) }
    /// The right edge.
    public var rightAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, .right) }
    /// The middle from side to side.
    public var centerXAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, .centerX) }
    /// The upper edge.
    public var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(self, .top) }
    /// The lower edge.
    public var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(self, .bottom) }
    /// The middle from top to bottom.
    public var centerYAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(self, .centerY) }
    /// The width.
    public var widthAnchor: NSLayoutDimension { NSLayoutDimension(self, .width) }
    /// The height.
    public var heightAnchor: NSLayoutDimension { NSLayoutDimension(self, .height) }
}
