/// Hears what happens to a scroll view.
@preconcurrency @MainActor
public protocol UIScrollViewDelegate: AnyObject {
    /// Is called after the content has moved.
    func scrollViewDidScroll(_ scrollView: UIScrollView)
}

extension UIScrollViewDelegate {
    /// Does nothing.
    public func scrollViewDidScroll(_ scrollView: UIScrollView) {}
}

/// Shows a part of content that is larger than itself.
open class UIScrollView: UIView {
    /// Who hears what happens.
    open weak var delegate: (any UIScrollViewDelegate)?
    /// Which point of the content is at the top left.
    open var contentOffset = CGPoint.zero { didSet { setNeedsDisplay() } }
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
    /// The room around the content, with that of bars, which browsers keep beside the view.
    open var adjustedContentInset: UIEdgeInsets { contentInset }
    /// Whether an indicator shows how far the content has come.
    ///
    /// The default is `true`.
    open var showsVerticalScrollIndicator = true { didSet { setNeedsDisplay() } }
    /// What is shown while content is refreshed; having one lets the user pull.
    ///
    /// The default is none.
    open var refreshControl: UIRefreshControl? {
        didSet {
            oldValue?.superview = nil
            refreshControl?.superview = self
            setNeedsDisplay()
        }
    }
    /// The size that the browser shows.
    var viewport = CGSize.zero
    private(set) var scrollRequests = 0

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
        self.contentOffset = contentOffset
        scrollRequests += 1
        setNeedsDisplay()
    }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        drawScrolling(&node, in: drawing)
        var content = Node(tag: "div", attributes: ["class": "v content"])
        content.children = ConstraintLayout.arrange(subviews, of: self, in: drawing, container: &content)
        drawing.nodes["\(nodeID).content"] = content
        node.children.append("\(nodeID).content")
    }

    func drawScrolling(_ node: inout Node, in drawing: Drawing) {
        node.add(class: "scroll")
        node.attributes["data-scroll"] = ""
        if scrollRequests > 0 {
            node.attributes["data-offset"] = "\(scrollRequests):\(CSS.number(contentOffset.y))"
        }
        if !isScrollEnabled { node.style["overflow"] = "hidden" }
        let insets = contentInset
        if insets != .zero {
            node.style["padding"] = [insets.top, insets.right, insets.bottom + safeAreaInsets.bottom, insets.left]
                .map(CSS.points).joined(separator: " ")
        } else if safeAreaInsets.bottom > 0 {
            node.style["padding-bottom"] = CSS.points(safeAreaInsets.bottom)
        }
        if let refreshControl { node.children.append(refreshControl.render(drawing)) }
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        guard case .scroll(let report) = event.kind else { return false }
        take(report)
        delegate?.scrollViewDidScroll(self)
        return true
    }

    func take(_ report: ScrollReport) {
        viewport = CGSize(width: report.width, height: report.height)
        contentSize = CGSize(width: report.width, height: report.contentHeight)
        if abs(contentOffset.y - report.offset) > 0.1 { contentOffset.y = report.offset }
    }
}

/// Lets the user pull for new content, and turns until it is there.
open class UIRefreshControl: UIControl {
    /// Whether it turns.
    public private(set) var isRefreshing = false { didSet { setNeedsDisplay() } }
    /// The text below; browsers read it aloud.
    ///
    /// The default is none.
    open var attributedTitle: NSAttributedString? { didSet { setNeedsDisplay() } }

    /// Creates a refresh control.
    public override init(frame: CGRect) {
        super.init(frame: frame)
    }

    /// Creates a refresh control from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Shows that content is being refreshed, where the app began by itself.
    open func beginRefreshing() {
        isRefreshing = true
    }

    /// Says that the content is there.
    open func endRefreshing() {
        isRefreshing = false
    }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        node.tag = "button"
        node.add(class: isRefreshing ? "refresh active" : "refresh")
        node.attributes.merge(
            ["data-refresh": "", "aria-label": accessibilityLabel ?? "Refresh", "aria-busy": String(isRefreshing)]
        ) { $1 }
        node.children = [drawing.add("\(nodeID).spinner", tag: "span", class: "spinner")]
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        guard event.kind == .refresh || event.kind == .tap, !isRefreshing else { return false }
        isRefreshing = true
        sendActions(for: [.valueChanged, .primaryActionTriggered])
        return true
    }
}
