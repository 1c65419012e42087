/// Lets the user pull for new content, and turns until it is there.
open class UIRefreshControl: UIControl {
    /// Whether it turns.
    public private(set) var isRefreshing = false { didSet { setNeedsDisplay() } }
    /// The text below the wheel, which is read aloud, too.
    ///
    /// The default is none.
    open var attributedTitle: NSAttributedString? {
        didSet {
            titleLabel.attributedText = attributedTitle
            setNeedsDisplay()
        }
    }
    /// Shows the text; the control draws it itself.
    private let titleLabel = UILabel()

    /// Creates a refresh control.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        setUpTitle()
    }

    /// Creates a refresh control from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        setUpTitle()
    }

    private func setUpTitle() {
        titleLabel.font = .preferredFont(forTextStyle: .footnote)
        titleLabel.adjustsFontForContentSizeCategory = true
        titleLabel.textColor = .secondaryLabel
        titleLabel.textAlignment = .center
        titleLabel.isAccessibilityElement = false
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
        guard let attributedTitle, attributedTitle.length > 0 else { return }
        node.add(class: "titled")
        node.children.append(titleLabel.render(drawing))
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        guard event.kind == .refresh || event.kind == .tap, !isRefreshing else { return false }
        isRefreshing = true
        sendActions(for: [.valueChanged, .primaryActionTriggered])
        return true
    }
}
