/// Draws a rectangle and holds further views.
@preconcurrency @MainActor
open class UIView: UIResponder {
    /// The name of the element: another one once the view is used again to show something else.
    var nodeID = UIView.newName()
    var naming = ReuseNaming()

    // MARK: Geometry

    /// The rectangle in the superview, where no constraints say otherwise.
    open var frame: CGRect {
        didSet {
            isFilling = false
            if frame != oldValue { noteMovement() }
            setNeedsDisplay()
        }
    }
    /// Whether the frame is the room that a window or a container has given the view, and follows that.
    var isFilling = false
    /// The rectangle in the view's own coordinates; another size is taken about the middle of the view.
    open var bounds: CGRect {
        get { CGRect(origin: .zero, size: frame.size) }
        set { frame = frame.resized(to: newValue.size) }
    }
    /// Whether the frame turns into constraints.
    ///
    /// Set it to `false` where you add constraints. The default is `true`.
    open var translatesAutoresizingMaskIntoConstraints = true { didSet { setNeedsDisplay() } }
    /// The way in which the frame follows the superview.
    ///
    /// The default is not at all.
    open var autoresizingMask: AutoresizingMask = [] { didSet { setNeedsDisplay() } }
    /// The room that content should leave at each side, by direction.
    ///
    /// The default is 8.
    open var directionalLayoutMargins = NSDirectionalEdgeInsets(top: 8, leading: 8, bottom: 8, trailing: 8) {
        didSet { setNeedsDisplay() }
    }
    /// The room that content should leave at each side.
    open var layoutMargins: UIEdgeInsets {
        get {
            let margins = directionalLayoutMargins
            return UIEdgeInsets(
                top: margins.top,
                left: margins.leading,
                bottom: margins.bottom,
                right: margins.trailing
            )
        }
        set {
            directionalLayoutMargins = NSDirectionalEdgeInsets(
                top: newValue.top,
                leading: newValue.left,
                bottom: newValue.bottom,
                trailing: newValue.right
            )
        }
    }
    /// The margins, for constraints.
    public private(set) lazy var layoutMarginsGuide = UILayoutGuide(of: self, kind: .margins)
    /// The area that no bar covers, for constraints.
    public private(set) lazy var safeAreaLayoutGuide = UILayoutGuide(of: self, kind: .safeArea)
    /// The width that long text reads well in, for constraints.
    public private(set) lazy var readableContentGuide = UILayoutGuide(of: self, kind: .readable)
    /// The area of a keyboard, for constraints: its upper edge is the lower edge of what is seen.
    public private(set) lazy var keyboardLayoutGuide = UIKeyboardLayoutGuide(of: self, kind: .keyboard)
    /// The insets of this view that bars cover.
    open var safeAreaInsets: UIEdgeInsets { covered(isResting: false) }
    /// Whether margins are counted from what no bar covers.
    ///
    /// The default is `true`.
    open var insetsLayoutMarginsFromSafeArea = true { didSet { setNeedsDisplay() } }
    var ownGuides: [UILayoutGuide] = []
    var involved: [NSLayoutConstraint] = []
    private(set) var horizontalHugging = UILayoutPriority.defaultLow

    // MARK: Looks

    /// The background.
    ///
    /// The default is none.
    open var backgroundColor: UIColor? { didSet { setNeedsDisplay() } }
    /// Whether the view is not drawn.
    ///
    /// The default is `false`.
    open var isHidden = false { didSet { if isHidden != oldValue { setNeedsDisplay() } } }
    /// The opacity, from 0 to 1, the default.
    open var alpha: CGFloat = 1 { didSet { if alpha != oldValue { moved() } } }
    /// The transform that moves and scales what the view draws, without moving others.
    ///
    /// The default is not at all.
    open var transform: CGAffineTransform {
        get { layer.affineTransform() }
        set { layer.setAffineTransform(newValue) }
    }
    /// The way in which what the view shows fits its bounds.
    ///
    /// The default is `scaleToFill`.
    open var contentMode = ContentMode.scaleToFill { didSet { setNeedsDisplay() } }
    /// Whether subviews are cut off at the bounds.
    ///
    /// The default is `false`.
    open var clipsToBounds: Bool {
        get { layer.masksToBounds }
        set { layer.masksToBounds = newValue }
    }
    /// The class of the layer.
    open class var layerClass: AnyClass { CALayer.self }
    /// The layer that draws the box.
    public private(set) lazy var layer: CALayer = {
        let layer = (Self.layerClass as? CALayer.Type ?? CALayer.self).init()
        layer.view = self
        return layer
    }()
    var ownTint: UIColor?
    var lastTint: UIColor?
    /// The accent colour. Without one of its own, a view has that of its superview.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var tintColor: UIColor! {
        get { ownTint ?? superview?.tintColor ?? owner?.tintAround ?? .tintColor }
        set {
            ownTint = newValue
            setNeedsDisplay()
        }
    }
    /// Whether touches reach the view and those in it.
    ///
    /// The default is `true`.
    open var isUserInteractionEnabled = true { didSet { setNeedsDisplay() } }
    /// Whether the view gets several touches at once; browsers tell of one.
    ///
    /// The default is `false`.
    open var isMultipleTouchEnabled = false
    /// Whether no other view gets touches while this one does; browsers tell of one touch.
    ///
    /// The default is `false`.
    open var isExclusiveTouch = false
    /// A number of the app's own.
    ///
    /// The default is 0.
    open var tag = 0
    /// Whether the view turns around where the language is written from right to left; what is in it follows.
    ///
    /// The default is that of the surroundings.
    open var semanticContentAttribute = UISemanticContentAttribute.unspecified { didSet { setNeedsDisplay() } }
    var needsConstraints = true
    /// The opacity that a transition gives the view, from 0 to 1.
    var transitionAlpha: CGFloat = 1 { didSet { setNeedsDisplay() } }
    var traitRegistrations: [TraitRegistration] = []

    // MARK: Hierarchy

    /// The view that holds this one.
    public internal(set) weak var superview: UIView?
    /// The views in this one, from back to front.
    public internal(set) var subviews: [UIView] = []
    weak var owner: (any ViewOwner)?
    /// The window that shows the view: a window itself.
    var windowView: UIView? { superview?.windowView ?? owner?.hostWindow }
    var screen: (any ViewHost)? { windowView?.screen }

    // MARK: Traits

    /// The appearance of this view and those in it.
    ///
    /// The default is that of the superview.
    open var overrideUserInterfaceStyle = UIUserInterfaceStyle.unspecified { didSet { setNeedsDisplay() } }
    var traitState = TraitState()
    // MARK: Accessibility

    /// Whether this view is one element for people who do not see it.
    ///
    /// The default is `false`.
    open var isAccessibilityElement = false { didSet { setNeedsDisplay() } }
    private var ownAccessibilityLabel: String? { didSet { setNeedsDisplay() } }
    /// The name of the element.
    open var accessibilityLabel: String? {
        get { ownAccessibilityLabel ?? (self as? UILabel)?.text }
        set { ownAccessibilityLabel = newValue }
    }
    /// The value that the element is set to.
    open var accessibilityValue: String? { didSet { setNeedsDisplay() } }
    /// The result of using the element.
    open var accessibilityHint: String? { didSet { setNeedsDisplay() } }
    /// A name for tests.
    open var accessibilityIdentifier: String? { didSet { setNeedsDisplay() } }
    /// The language of the element (BCP 47).
    open var accessibilityLanguage: String? { didSet { setNeedsDisplay() } }
    /// The traits of the element.
    ///
    /// The default is nothing.
    open var accessibilityTraits = UIAccessibilityTraits.none { didSet { setNeedsDisplay() } }
    /// The other actions of the element.
    open var accessibilityCustomActions: [UIAccessibilityCustomAction]? { didSet { setNeedsDisplay() } }
    /// The parts of the view for people who do not see it, in place of its subviews: `UIAccessibilityElement`s, and
    /// views in it.
    ///
    /// The default is none, which leaves that to the subviews.
    open var accessibilityElements: [Any]? { didSet { setNeedsDisplay() } }
    /// Whether the view and all in it are left out.
    ///
    /// The default is `false`.
    open var accessibilityElementsHidden = false { didSet { setNeedsDisplay() } }
    /// Whether colours stay as they are where the user has them inverted; browsers do not invert.
    ///
    /// The default is `false`.
    open var accessibilityIgnoresInvertColors = false { didSet { setNeedsDisplay() } }
    var animation: ViewAnimation?
    /// The animation that moves the view, and keeps touches from it.
    var movement: ViewAnimation?
    var added: [any UIInteraction] = []
    var accessibilityFocus = 0
    /// Whether the view shows what a search has found, over what is searched.
    var isSearchResult = false { didSet { setNeedsDisplay() } }

    var recognizers: [UIGestureRecognizer] = []

    /// Returns whether a gesture of the view may begin; its delegate is asked, too.
    ///
    /// The default is `true`.
    open func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { true }

    /// The name by which the state of the view is restored; browsers restore none.
    open var restorationIdentifier: String?

    /// Creates a view with a rectangle.
    public init(frame: CGRect) {
        self.frame = frame
        super.init()
    }

    /// Creates a view with an empty rectangle.
    public override convenience init() {
        self.init(frame: .zero)
    }

    /// Creates a view from a storyboard, which browsers do not have: there is nothing to read.
    public required init?(coder: NSCoder) {
        frame = .zero
        super.init()
    }

    /// The responder that answers where this view does not.
    open override var next: UIResponder? {
        if let owner { return owner }
        return superview
    }

    // MARK: Override points

    /// Is called before the view comes to another superview, or to none.
    open func willMove(toSuperview newSuperview: UIView?) {}

    /// Is called when the view has come to another superview, or to none.
    open func didMoveToSuperview() {}

    /// Is called after a view was put into this one.
    open func didAddSubview(_ subview: UIView) {}

    /// Is called before a view is taken out of this one.
    open func willRemoveSubview(_ subview: UIView) {}

    /// Is called when the view has come to a window, or has left it.
    open func didMoveToWindow() {}

    /// Takes the size that fits the content; browsers measure that, so nothing changes.
    open func sizeToFit() {}

    /// Returns the size that fits the content; browsers measure that, so it is the size of the frame.
    open func sizeThatFits(_ size: CGSize) -> CGSize { frame.size }

    /// Returns the size that constraints give the view; browsers measure that, so it is the size of the frame.
    open func systemLayoutSizeFitting(
        _ targetSize: CGSize,
        withHorizontalFittingPriority horizontalFittingPriority: UILayoutPriority,
        verticalFittingPriority: UILayoutPriority
    ) -> CGSize { frame.size }

    /// Whether the view lays itself out by constraints, so that it has to be asked for them.
    open class var requiresConstraintBasedLayout: Bool { false }

    /// Changes the constraints of the view, before it arranges its subviews, where that was asked for.
    ///
    /// Call super last.
    open func updateConstraints() {
        needsConstraints = false
    }

    /// Arranges subviews, before each drawing.
    open func layoutSubviews() {}

    /// Is called after the traits changed.
    open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}

    /// Is called after the accent colour changed.
    open func tintColorDidChange() {}

    /// Returns the view at a point, this one or one in it; `nil` where a touch does not mean this view.
    ///
    /// The browser knows where views are: what it has found is in the event.
    open func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        guard !isHidden, isUserInteractionEnabled, alpha >= 0.01, self.point(inside: point, with: event) else {
            return nil
        }
        guard let touched = event?.touchedView, touched.isDescendant(of: self) else { return self }
        return touched
    }

    /// Returns whether a point of the view's own coordinates is in it.
    ///
    /// Where the browser has found the view at the place of a touch, it is by default. Override it to leave touches of
    /// a part to others: a view can't take touches that the browser finds elsewhere.
    open func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        event?.touchedView?.isDescendant(of: self) ?? (bounds.isEmpty || bounds.contains(point))
    }

    /// The size that the view has by itself; browsers measure it, so this is none by default.
    open var intrinsicContentSize: CGSize {
        CGSize(width: UIView.noIntrinsicMetric, height: UIView.noIntrinsicMetric)
    }

    /// Whether constraints leave the height to the content, so that it need not fill what is left.
    var hasIntrinsicHeight: Bool { false }

    /// Sets how much the view resists being larger than its content.
    open func setContentHuggingPriority(_ priority: UILayoutPriority, for axis: NSLayoutConstraint.Axis) {
        if axis == .horizontal { horizontalHugging = priority }
        setNeedsDisplay()
    }

    /// Sets how much the view resists being smaller than its content; browsers never make text smaller.
    open func setContentCompressionResistancePriority(
        _ priority: UILayoutPriority,
        for axis: NSLayoutConstraint.Axis
    ) {}

    /// Whether the element of the view needs a role, being an accessibility element.
    var needsRole: Bool { true }

    /// Adds to the element of the view what its class shows.
    func draw(_ node: inout Node, in drawing: Drawing) {
        node.children += ConstraintLayout.arrange(subviews, of: self, in: drawing, container: &node)
    }

    /// Handles what the user did to this view, or to a part of its element.
    ///
    /// Returns whether it was understood.
    func handle(_ event: BrowserEvent) -> Bool { false }
}
