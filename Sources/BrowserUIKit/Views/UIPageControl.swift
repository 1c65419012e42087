/// Shows by dots how many pages there are, and which is shown.
open class UIPageControl: UIControl {
    /// The number of pages.
    ///
    /// The default is 0.
    open var numberOfPages = 0 {
        didSet {
            if numberOfPages < 0 { numberOfPages = 0 }
            currentPage = min(currentPage, max(numberOfPages - 1, 0))
            setNeedsDisplay()
        }
    }
    /// The page that is shown; it is kept among those that there are.
    ///
    /// The default is the first, 0.
    open var currentPage = 0 {
        didSet {
            let kept = min(max(currentPage, 0), max(numberOfPages - 1, 0))
            if kept != currentPage { currentPage = kept }
            setNeedsDisplay()
        }
    }
    /// Whether one page alone has no dot.
    ///
    /// The default is `false`.
    open var hidesForSinglePage = false { didSet { setNeedsDisplay() } }
    /// The colour of the other dots; that of the system by default.
    open var pageIndicatorTintColor: UIColor? { didSet { setNeedsDisplay() } }
    /// The colour of the dot of the page that is shown; that of the system by default.
    open var currentPageIndicatorTintColor: UIColor? { didSet { setNeedsDisplay() } }
    /// More dots than these say nothing to anybody, and an app may have its number from outside.
    private static let mostDots = 100

    /// Creates a control without pages.
    public override init(frame: CGRect) {
        super.init(frame: frame)
    }

    /// Creates a control from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    override var hasIntrinsicHeight: Bool { true }
    override var followsTouches: Bool { false }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        super.draw(&node, in: drawing)
        node.add(class: "pages")
        node.attributes["role"] = "group"
        if let label = accessibilityLabel { node.attributes["aria-label"] = label }
        guard !(hidesForSinglePage && numberOfPages < 2) else { return }
        node.children = (0..<min(numberOfPages, Self.mostDots)).map { drawDot($0, in: drawing) }
    }

    private func drawDot(_ page: Int, in drawing: Drawing) -> String {
        let isCurrent = page == currentPage
        let id = drawing.add("\(nodeID).page\(page)", tag: "button", class: isCurrent ? "page on" : "page")
        let color = isCurrent ? currentPageIndicatorTintColor : pageIndicatorTintColor
        if let color { drawing.nodes[id]?.style["--dot"] = color.css }
        drawing.nodes[id]?.attributes.merge([
            isEnabled ? "data-tap" : "disabled": "", "aria-label": "\(page + 1) / \(numberOfPages)",
        ]) { $1 }
        if isCurrent { drawing.nodes[id]?.attributes["aria-current"] = "true" }
        return id
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        guard case .tap = event.kind, isEnabled else { return false }
        guard let page = Int(event.part.dropFirst(4)), (0..<numberOfPages).contains(page) else { return false }
        guard page != currentPage else { return true }
        currentPage = page
        sendActions(for: [.valueChanged, .primaryActionTriggered])
        return true
    }
}
