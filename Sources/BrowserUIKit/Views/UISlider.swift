/// Lets the user choose a number by moving a knob.
open class UISlider: UIControl {
    /// The number.
    ///
    /// The default is 0. It is kept between the smallest and the largest.
    open var value: Float {
        get { number }
        set { set(newValue) }
    }
    private var number: Float = 0
    /// Counts what the app sets, so that the page tells it from what the user moved.
    private var revision = 0
    /// The smallest number.
    ///
    /// The default is 0.
    open var minimumValue: Float = 0 { didSet { set(number) } }
    /// The largest number.
    ///
    /// The default is 1.
    open var maximumValue: Float = 1 { didSet { set(number) } }
    /// Whether the app hears of each step of a move, or of its end alone.
    ///
    /// The default is `true`.
    open var isContinuous = true
    /// The colour of the way to the knob.
    ///
    /// The default is the tint.
    open var minimumTrackTintColor: UIColor? { didSet { setNeedsDisplay() } }

    /// Creates a slider.
    public override init(frame: CGRect) {
        super.init(frame: frame)
    }

    /// Creates a slider from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Moves the knob; browsers move it at once.
    open func setValue(_ value: Float, animated: Bool) {
        set(value)
    }

    private func set(_ value: Float) {
        number = kept(value)
        revision += 1
        setNeedsDisplay()
    }

    private func kept(_ value: Float) -> Float {
        value.isFinite ? max(min(value, maximumValue), minimumValue) : minimumValue
    }

    override var hasIntrinsicHeight: Bool { true }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        node.tag = "input"
        node.add(class: "slider")
        node.attributes.merge([
            "type": "range", "min": "\(minimumValue)", "max": "\(maximumValue)", "step": "any",
            "data-value": "\(revision):\(number)",
        ]) { $1 }
        if !isEnabled { node.attributes["disabled"] = "" }
        if let label = accessibilityLabel { node.attributes["aria-label"] = label }
        node.style["accent-color"] = minimumTrackTintColor?.css ?? "var(--tint)"
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        guard case .text(let text, let isFinal) = event.kind, isEnabled, let moved = Float(text) else { return false }
        number = kept(moved)
        setNeedsDisplay()
        if isContinuous != isFinal { sendActions(for: [.valueChanged, .primaryActionTriggered]) }
        return true
    }
}
