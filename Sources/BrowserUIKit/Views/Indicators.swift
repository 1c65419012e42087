/// Turns while something takes time.
open class UIActivityIndicatorView: UIView {
    /// Says how large an indicator is.
    public enum Style: Int, Sendable {
        /// 20 points.
        case medium = 100
        /// 37 points.
        case large = 101
    }

    /// The size.
    ///
    /// The default is `medium`.
    open var style: Style { didSet { setNeedsDisplay() } }
    /// Whether the indicator is hidden while it does not turn.
    ///
    /// The default is `true`.
    open var hidesWhenStopped = true { didSet { setNeedsDisplay() } }
    /// The colour. The default is grey.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var color: UIColor! = .systemGray { didSet { setNeedsDisplay() } }
    /// Whether it turns.
    public private(set) var isAnimating = false { didSet { setNeedsDisplay() } }

    /// Creates an indicator of a size.
    public init(style: Style) {
        self.style = style
        super.init(frame: .zero)
    }

    /// Creates an indicator.
    public override convenience init(frame: CGRect) {
        self.init(style: .medium)
    }

    /// Creates an indicator from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        style = .medium
        super.init(coder: coder)
    }

    /// Starts turning.
    open func startAnimating() {
        isAnimating = true
    }

    /// Stops turning.
    open func stopAnimating() {
        isAnimating = false
    }

    override var hasIntrinsicHeight: Bool { true }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        node.add(class: style == .large ? "spinner large" : "spinner")
        node.style["color"] = (color ?? .systemGray).css
        node.attributes["role"] = "progressbar"
        if !isAnimating { node.add(class: hidesWhenStopped ? "stopped" : "paused") }
    }
}

/// Shows how far something has come.
open class UIProgressView: UIView {
    /// Says how a bar looks.
    public enum Style: Int, Sendable {
        /// With a track.
        case `default` = 0
        /// For the edge of a bar: without a track.
        case bar = 1
    }

    /// The look.
    ///
    /// The default is `default`.
    open var progressViewStyle = Style.default { didSet { setNeedsDisplay() } }
    /// The progress, from 0, the default, to 1; what lies beyond is taken for these.
    open var progress: Float {
        get { ownProgress }
        set {
            ownProgress = min(max(newValue, 0), 1)
            setNeedsDisplay()
        }
    }
    private var ownProgress: Float = 0
    /// The colour of the bar; the tint by default.
    open var progressTintColor: UIColor? { didSet { setNeedsDisplay() } }

    /// Creates a bar with a look.
    public convenience init(progressViewStyle style: Style) {
        self.init(frame: .zero)
        progressViewStyle = style
    }

    /// Creates a bar.
    public override init(frame: CGRect) {
        super.init(frame: frame)
    }

    /// Creates a bar from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Sets how far it has come; browsers always show that gradually.
    open func setProgress(_ progress: Float, animated: Bool) {
        self.progress = progress
    }

    override var hasIntrinsicHeight: Bool { true }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        node.add(class: progressViewStyle == .bar ? "progress bar" : "progress")
        node.attributes["role"] = "progressbar"
        let id = drawing.add("\(nodeID).fill", class: "fill")
        drawing.nodes[id]?.style["width"] = CSS.number(CGFloat(progress) * 100) + "%"
        if let progressTintColor { drawing.nodes[id]?.style["background-color"] = progressTintColor.css }
        node.children = [id]
    }
}

/// A switch, which the user turns on and off.
open class UISwitch: UIControl {
    /// Whether it is on.
    ///
    /// The default is `false`.
    open var isOn = false { didSet { setNeedsDisplay() } }
    /// The colour while it is on; green by default.
    open var onTintColor: UIColor? { didSet { setNeedsDisplay() } }

    /// Creates a switch that is off.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        isAccessibilityElement = true
        accessibilityTraits = .button
    }

    /// Creates a switch from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Switches it; browsers always show that gradually.
    open func setOn(_ on: Bool, animated: Bool) {
        isOn = on
    }

    override var hasIntrinsicHeight: Bool { true }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        node.tag = "button"
        node.add(class: isOn ? "switch on" : "switch")
        node.attributes.merge(["role": "switch", "aria-checked": String(isOn)]) { $1 }
        node.attributes[isEnabled ? "data-tap" : "disabled"] = ""
        if let onTintColor { node.style["--on"] = onTintColor.css }
        node.children = [drawing.add("\(nodeID).knob", tag: "span", class: "knob")]
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        guard case .tap = event.kind, isEnabled else { return false }
        isOn.toggle()
        sendActions(for: [.valueChanged, .primaryActionTriggered])
        return true
    }
}
