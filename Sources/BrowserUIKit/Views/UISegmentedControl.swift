/// Offers a few choices side by side, of which one is taken.
open class UISegmentedControl: UIControl {
    /// Stands for no choice.
    public static let noSegment = -1

    private var titles: [String] = []
    /// The index of the choice that is taken.
    ///
    /// The default is none.
    open var selectedSegmentIndex = noSegment { didSet { setNeedsDisplay() } }
    /// The number of choices.
    open var numberOfSegments: Int { titles.count }

    /// Creates a control that offers texts; browsers show no images in it.
    public init(items: [Any]?) {
        titles = (items ?? []).compactMap { $0 as? String }
        super.init(frame: .zero)
    }

    /// Creates a control without choices.
    public override init(frame: CGRect) {
        super.init(frame: frame)
    }

    /// Creates a control from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Returns what a choice says.
    open func titleForSegment(at segment: Int) -> String? {
        titles.indices.contains(segment) ? titles[segment] : nil
    }

    /// Changes what a choice says.
    open func setTitle(_ title: String?, forSegmentAt segment: Int) {
        guard titles.indices.contains(segment) else { return }
        titles[segment] = title ?? ""
        setNeedsDisplay()
    }

    override var hasIntrinsicHeight: Bool { true }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        node.add(class: "segments")
        node.attributes["role"] = "radiogroup"
        if let label = accessibilityLabel { node.attributes["aria-label"] = label }
        node.children = titles.enumerated().map { index, title in
            let isSelected = index == selectedSegmentIndex
            let id = drawing.add(
                "\(nodeID).segment\(index)",
                tag: "button",
                class: isSelected ? "segment on" : "segment",
                text: title
            )
            drawing.nodes[id]?.attributes.merge(["role": "radio", "aria-checked": String(isSelected)]) { $1 }
            drawing.nodes[id]?.attributes[isEnabled ? "data-tap" : "disabled"] = ""
            return id
        }
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        guard case .tap = event.kind, isEnabled, let index = Int(event.part.dropFirst(7)),
            titles.indices.contains(index)
        else { return false }
        guard index != selectedSegmentIndex else { return true }
        selectedSegmentIndex = index
        sendActions(for: [.valueChanged, .primaryActionTriggered])
        return true
    }
}
