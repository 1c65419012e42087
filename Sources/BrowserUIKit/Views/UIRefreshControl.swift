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
        let usual = SystemStrings.refresh.text(in: screen?.environment.language)
        let label = accessibilityLabel ?? attributedTitle?.string ?? usual
        node.attributes.merge(
            ["data-refresh": "", "aria-label": label, "aria-busy": String(isRefreshing)]
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
