/// Makes a number larger or smaller, step by step.
open class UIStepper: UIControl {
    /// The number.
    ///
    /// The default is 0. It is kept between the smallest and the largest.
    open var value: Double = 0 {
        didSet {
            let kept = min(max(value, minimumValue), maximumValue)
            if kept != value { value = kept }
            setNeedsDisplay()
        }
    }
    /// The smallest number.
    ///
    /// The default is 0.
    open var minimumValue: Double = 0 { didSet { value = max(value, minimumValue) } }
    /// The largest number.
    ///
    /// The default is 100.
    open var maximumValue: Double = 100 { didSet { value = min(value, maximumValue) } }
    /// The number that one tap adds or takes.
    ///
    /// The default is 1.
    open var stepValue: Double = 1

    /// Creates a stepper.
    public override init(frame: CGRect) {
        super.init(frame: frame)
    }

    /// Creates a stepper from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    override var hasIntrinsicHeight: Bool { true }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        node.add(class: "stepper")
        node.attributes["role"] = "group"
        if let label = accessibilityLabel { node.attributes["aria-label"] = label }
        let parts = [("minus", "\u{2212}", value > minimumValue), ("plus", "+", value < maximumValue)]
        node.children = parts.map { name, sign, canStep in
            let id = drawing.add("\(nodeID).\(name)", tag: "button", class: "step", text: sign)
            drawing.nodes[id]?.attributes[isEnabled && canStep ? "data-tap" : "disabled"] = ""
            let word = (name == "plus" ? SystemStrings.increment : .decrement).text(in: screen?.environment.language)
            drawing.nodes[id]?.attributes["aria-label"] = word
            return id
        }
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        guard case .tap = event.kind, isEnabled, ["plus", "minus"].contains(event.part) else { return false }
        let old = value
        value += event.part == "plus" ? stepValue : -stepValue
        if value != old { sendActions(for: [.valueChanged, .primaryActionTriggered]) }
        return true
    }
}
