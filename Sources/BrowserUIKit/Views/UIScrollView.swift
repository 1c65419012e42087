/// Shows a part of content that is larger than itself.
open class UIScrollView: UIView {
    /// The object that hears what happens.
    open weak var delegate: (any UIScrollViewDelegate)?
    /// Says when what bars cover is added to the room around the content.
    public enum ContentInsetAdjustmentBehavior: Int, Sendable {
        /// As the controller says.
        case automatic = 0
        /// In the directions in which the content can be scrolled.
        case scrollableAxes = 1
        /// Never.
        case never = 2
        /// Always.
        case always = 3
    }

    /// Says whether scrolling ends the typing.
    public enum KeyboardDismissMode: Int, Sendable {
        /// No.
        case none = 0
        /// Yes.
        case onDrag = 1
        /// Yes, where the finger comes to the keyboard; browsers do so at once.
        case interactive = 2
        /// Yes, with what lies above the keyboard.
        case onDragWithAccessory = 3
        /// Yes, with what lies above the keyboard, where the finger comes to it; browsers do so at once.
        case interactiveWithAccessory = 4
    }

    /// Whether scrolling by finger ends the typing.
    ///
    /// The default is that it does not.
    open var keyboardDismissMode = KeyboardDismissMode.none { didSet { setNeedsDisplay() } }
    /// The room around the indicators; browsers keep theirs at the edge.
    ///
    /// The default is none.
    open var scrollIndicatorInsets = UIEdgeInsets.zero
    /// The room around the vertical indicator; browsers keep theirs at the edge.
    ///
    /// The default is none.
    open var verticalScrollIndicatorInsets = UIEdgeInsets.zero
    /// The room around the horizontal indicator; browsers keep theirs at the edge.
    ///
    /// The default is none.
    open var horizontalScrollIndicatorInsets = UIEdgeInsets.zero
    /// Whether what bars cover is added to the room around the indicators; browsers keep theirs at the edge.
    ///
    /// The default is `true`.
    open var automaticallyAdjustsScrollIndicatorInsets = true

    /// The point of the content at the top left: above the content while nothing is scrolled, by the room around it.
    open var contentOffset: CGPoint {
        get { CGPoint(x: 0, y: scrolled - restingInset.top) }
        set { setContentOffset(newValue, animated: false) }
    }
    /// The distance that the content was scrolled from where it rests.
    private(set) var scrolled: CGFloat = 0
    /// The size of the content, as the browser last measured it.
    open var contentSize = CGSize.zero
    /// The room around the content.
    ///
    /// The default is none.
    open var contentInset = UIEdgeInsets.zero { didSet { setNeedsDisplay() } }
    /// Whether the content can be pulled beyond its end even where it fits.
    ///
    /// The default is `false`.
    open var alwaysBounceVertical = false
    /// Whether the user can scroll.
    ///
    /// The default is `true`.
    open var isScrollEnabled = true { didSet { setNeedsDisplay() } }
    /// Whether a control in the content hears of a finger that moves only after that has rested for a moment: one that
    /// moves at once scrolls.
    ///
    /// The default is `true`.
    open var delaysContentTouches = true { didSet { setNeedsDisplay() } }
    /// Whether a finger that moves after it has rested can still scroll, where `touchesShouldCancel(in:)` says so.
    ///
    /// The default is `true`.
    open var canCancelContentTouches = true { didSet { setNeedsDisplay() } }
    /// Whether a tap on what stands for the whole screen, as the tab that is shown, scrolls to the top.
    ///
    /// The default is `true`.
    open var scrollsToTop = true
    /// Whether the content comes to rest at multiples of the view's size; browsers do so across collections.
    ///
    /// The default is `false`.
    open var isPagingEnabled = false { didSet { setNeedsDisplay() } }
    /// Whether the content can be pulled beyond its sides even where it fits; browsers do not pull sideways.
    ///
    /// The default is `false`.
    open var alwaysBounceHorizontal = false
    /// Whether the content can be pulled beyond its ends; browsers decide that.
    ///
    /// The default is `true`.
    open var bounces = true
    /// Whether an indicator shows how far the content has come sideways; browsers decide that.
    ///
    /// The default is `true`.
    open var showsHorizontalScrollIndicator = true
    /// The rule by which the part that bars cover is added to the room around the content.
    ///
    /// The default is `automatic`.
    open var contentInsetAdjustmentBehavior = ContentInsetAdjustmentBehavior.automatic { didSet { setNeedsDisplay() } }
    /// The room around the content, with what bars cover.
    open var adjustedContentInset: UIEdgeInsets { inset(isResting: false) }
    /// The room around the content while nothing is scrolled, when a large title is there.
    var restingInset: UIEdgeInsets { inset(isResting: true) }
    /// Whether what bars cover is added to the room around the content.
    var adjustsInsets: Bool {
        switch contentInsetAdjustmentBehavior {
        case .never: false
        case .always, .scrollableAxes: true
        case .automatic: nearestOwner?.automaticallyAdjustsScrollViewInsets ?? true
        }
    }
    /// The name of the element that scrolls.
    var scrollerID: String { nodeID }
    /// Whether an indicator shows how far the content has come.
    ///
    /// The default is `true`.
    open var showsVerticalScrollIndicator = true { didSet { setNeedsDisplay() } }
    /// The control that is shown while content is refreshed; having one lets the user pull.
    ///
    /// The default is none.
    open var refreshControl: UIRefreshControl? {
        didSet {
            oldValue?.superview = nil
            refreshControl?.superview = self
            setNeedsDisplay()
        }
    }
    /// The content, for constraints.
    public private(set) lazy var contentLayoutGuide = UILayoutGuide(of: self, kind: .whole)
    /// The view itself, for constraints: its width and height, since its edges are those of the content.
    public private(set) lazy var frameLayoutGuide = UILayoutGuide(of: self, kind: .whole)
    /// Whether scrolling keeps to the direction in which it began; browsers decide that.
    ///
    /// The default is `false`.
    open var isDirectionalLockEnabled = false
    /// The rate at which content that glides comes to rest; browsers decide that.
    ///
    /// The default is `normal`.
    open var decelerationRate = DecelerationRate.normal
    /// The look of the indicators; browsers follow the appearance.
    ///
    /// The default is `default`.
    open var indicatorStyle = IndicatorStyle.default
    var zoomState = ZoomState()
    /// The size that the browser shows.
    var viewport = CGSize.zero
    private(set) var scrollRequests = 0
    /// Whether the user scrolls; browsers can't tell whether a finger is down.
    public private(set) var isDragging = false
    /// Whether the user scrolls.
    public var isTracking: Bool { isDragging }
    /// Whether the content glides on; browsers don't tell that from dragging.
    public var isDecelerating: Bool { false }
    private var isMovedByApp = false

    /// Creates a scroll view.
    public override init(frame: CGRect) {
        super.init(frame: frame)
    }

    /// Creates a scroll view from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// The visible part of the content.
    open override var bounds: CGRect {
        get { CGRect(origin: contentOffset, size: viewport == .zero ? frame.size : viewport) }
        set { setContentOffset(newValue.origin, animated: false) }
    }

    /// Moves the content.
    open func setContentOffset(_ contentOffset: CGPoint, animated: Bool) {
        scrolled = contentOffset.y + restingInset.top
        scrollRequests += 1
        isMovedByApp = animated
        setNeedsDisplay()
    }

    /// Moves the content as little as it takes to show a part of it, and not at all where that is on screen.
    open func scrollRectToVisible(_ rect: CGRect, animated: Bool) {
        let (rest, visible) = (restingInset, bounds)
        if rect.minY < visible.minY + rest.top {
            setContentOffset(offset(showing: rect, at: 0), animated: animated)
        } else if rect.maxY > visible.maxY - rest.bottom {
            setContentOffset(offset(showing: rect, at: 1), animated: animated)
        }
    }

    /// Shows the indicators for a moment; browsers decide that.
    open func flashScrollIndicators() {}

    private func inset(isResting: Bool) -> UIEdgeInsets {
        let bars = adjustsInsets ? covered(isResting: isResting) : .zero
        return UIEdgeInsets(
            top: contentInset.top + bars.top,
            left: contentInset.left + bars.left,
            bottom: contentInset.bottom + max(bars.bottom, keyboardInset),
            right: contentInset.right + bars.right
        )
    }

    /// The room that a keyboard covers of content that its controller keeps off it.
    private var keyboardInset: CGFloat {
        guard owner is any KeyboardAvoiding else { return 0 }
        return screen?.environment.keyboardHeight ?? 0
    }

    /// Returns the offset at which a rectangle of the content lies just below the bars, or above those at the bottom.
    func offset(showing rect: CGRect, at share: CGFloat) -> CGPoint {
        let rest = restingInset
        // A large title leaves as soon as something is scrolled.
        let title = rect.minY > 0 ? nearestOwner?.largeTitleHeight(above: self) ?? 0 : 0
        let top = rest.top - title
        let room = bounds.height - top - rest.bottom - rect.height
        return CGPoint(x: 0, y: max(rect.minY - max(room, 0) * share - top, -rest.top))
    }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        drawScrolling(&node, in: drawing)
        var content = Node(tag: "div", attributes: ["class": "v content"])
        content.children = ConstraintLayout.arrange(subviews, of: self, in: drawing, container: &content)
        drawing.nodes["\(nodeID).content"] = content
        node.children.append("\(nodeID).content")
        drawZoom(&node, in: drawing)
    }

    func drawScrolling(_ node: inout Node, in drawing: Drawing) {
        node.add(class: "scroll")
        node.attributes["data-scroll"] = ""
        if keyboardDismissMode != .none { node.attributes["data-dismiss"] = "" }
        if scrollRequests > 0 {
            node.attributes["data-offset"] = "\(scrollRequests):\(CSS.number(scrolled))"
        }
        if !isScrollEnabled { node.style["overflow"] = "hidden" }
        let insets = restingInset
        if insets != .zero {
            let sides = [insets.top, insets.right, insets.bottom, insets.left].map(CSS.points)
            node.style["padding"] = sides.joined(separator: " ")
            node.style["scroll-padding-block"] = "\(sides[0]) \(sides[2])"
        }
        if let refreshControl { node.children.append(refreshControl.render(drawing)) }
    }

    /// Ends what the user does with it once nobody sees it any more.
    func endUnseenDragging() {
        guard windowView == nil, isDragging else { return }
        isDragging = false
        delegate?.scrollViewDidEndDragging(self, willDecelerate: false)
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        switch event.kind {
        case .scroll(let report):
            let before = scrolled
            take(report)
            let room = report.contentHeight - report.height - report.offset
            if isDragging { nearestOwner?.userScrolled(by: scrolled - before, room: room) }
            delegate?.scrollViewDidScroll(self)
        case .scrolling(let phase): take(phase)
        case .zoom(let scale, let phase): take(zoom: scale, phase)
        default: return false
        }
        return true
    }

    // What scrolls keeps its touches: nobody behind it in the chain of responders gets them.

    /// Keeps the touch.
    open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {}

    /// Keeps the touch.
    open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {}

    /// Keeps the touch.
    open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {}

    /// Keeps the touch.
    open override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {}

    /// Returns whether a view in the content gets a touch.
    ///
    /// The default is `true`.
    open func touchesShouldBegin(_ touches: Set<UITouch>, with event: UIEvent?, in view: UIView) -> Bool { true }

    /// Returns whether a finger that moves on a view in the content scrolls, in place of what the view does with it.
    ///
    /// The default is `false` for controls. It is asked when a control is drawn; other views always lose their touches.
    open func touchesShouldCancel(in view: UIView) -> Bool { !(view is UIControl) }

    private func take(_ phase: ScrollPhase) {
        switch phase {
        case .began where !isDragging:
            isDragging = true
            delegate?.scrollViewWillBeginDragging(self)
        case .ended where isDragging:
            isDragging = false
            let target = wantedRest()
            delegate?.scrollViewDidEndDragging(self, willDecelerate: true)
            delegate?.scrollViewWillBeginDecelerating(self)
            delegate?.scrollViewDidEndDecelerating(self)
            if let target { setContentOffset(target, animated: true) }
        case .ended where isMovedByApp:
            isMovedByApp = false
            delegate?.scrollViewDidEndScrollingAnimation(self)
        case .began, .ended: break
        }
    }

    /// Returns where the delegate wants content to come to rest, where that is another place.
    private func wantedRest() -> CGPoint? {
        var target = contentOffset
        delegate?.scrollViewWillEndDragging(self, withVelocity: .zero, targetContentOffset: &target)
        return target.y.isFinite && target.y != contentOffset.y ? target : nil
    }

    func take(_ report: ScrollReport) {
        viewport = CGSize(width: report.width, height: report.height)
        let room = restingInset
        contentSize = CGSize(width: report.width, height: max(report.contentHeight - room.top - room.bottom, 0))
        guard abs(scrolled - report.offset) > 0.1 else { return }
        scrolled = report.offset
        setNeedsDisplay()
    }
}
