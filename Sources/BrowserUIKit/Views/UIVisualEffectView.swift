/// Describes how what lies behind a view shines through.
@preconcurrency @MainActor
open class UIVisualEffect: NSObject {
    /// Creates an effect that changes nothing.
    public override init() {
        super.init()
    }

    /// The values in style sheets for the effect.
    var css: [String: String]? { nil }
}

/// Blurs what lies behind a view, and lays a colour over it.
open class UIBlurEffect: UIVisualEffect {
    /// Says how light and how thick the blur is.
    public enum Style: Int, Sendable {
        /// Very light.
        case extraLight = 0
        /// Light.
        case light = 1
        /// Dark.
        case dark = 2
        /// As the appearance is.
        case regular = 4
        /// As the appearance is, with more of what lies behind.
        case prominent = 5
        /// Very thin, as the appearance is.
        case systemUltraThinMaterial = 6
        /// Thin, as the appearance is.
        case systemThinMaterial = 7
        /// As the appearance is.
        case systemMaterial = 8
        /// Thick, as the appearance is.
        case systemThickMaterial = 9
        /// As bars of the system are.
        case systemChromeMaterial = 10
        /// Very thin and light.
        case systemUltraThinMaterialLight = 11
        /// Thin and light.
        case systemThinMaterialLight = 12
        /// Light.
        case systemMaterialLight = 13
        /// Thick and light.
        case systemThickMaterialLight = 14
        /// As bars of the system are where it is light.
        case systemChromeMaterialLight = 15
        /// Very thin and dark.
        case systemUltraThinMaterialDark = 16
        /// Thin and dark.
        case systemThinMaterialDark = 17
        /// Dark.
        case systemMaterialDark = 18
        /// Thick and dark.
        case systemThickMaterialDark = 19
        /// As bars of the system are where it is dark.
        case systemChromeMaterialDark = 20
    }

    private let style: Style

    /// Creates a blur.
    public init(style: Style) {
        self.style = style
        super.init()
    }

    override var css: [String: String]? {
        let blur = "saturate(180%) blur(\(style == .light ? 10 : 20)px)"
        return ["background-color": color, "backdrop-filter": blur]
    }

    private var color: String {
        let (light, dark) = ("rgb(249 249 249 / \(opacity))", "rgb(37 37 37 / \(opacity))")
        switch style {
        case .extraLight, .light, .systemUltraThinMaterialLight, .systemThinMaterialLight, .systemMaterialLight,
            .systemThickMaterialLight, .systemChromeMaterialLight:
            return light
        case .dark, .systemUltraThinMaterialDark, .systemThinMaterialDark, .systemMaterialDark,
            .systemThickMaterialDark, .systemChromeMaterialDark:
            return dark
        default: return "light-dark(\(light), \(dark))"
        }
    }

    private var opacity: String {
        switch style {
        case .light, .systemUltraThinMaterial, .systemUltraThinMaterialLight, .systemUltraThinMaterialDark: "0.4"
        case .systemThinMaterial, .systemThinMaterialLight, .systemThinMaterialDark, .prominent: "0.6"
        case .extraLight, .systemThickMaterial, .systemThickMaterialLight, .systemThickMaterialDark: "0.85"
        default: "0.72"
        }
    }
}

/// Lets text stand out over a blur; browsers show it in its own colour.
open class UIVibrancyEffect: UIVisualEffect {
    /// Creates an effect for what lies over a blur.
    public init(blurEffect: UIBlurEffect) {
        super.init()
    }
}

/// Shows an effect, and views over it.
open class UIVisualEffectView: UIView {
    /// The effect.
    open var effect: UIVisualEffect? { didSet { setNeedsDisplay() } }
    /// Holds what is shown over the effect.
    public let contentView = UIView()

    /// Creates a view of an effect.
    public init(effect: UIVisualEffect?) {
        self.effect = effect
        super.init(frame: .zero)
        addSubview(contentView)
    }

    /// Creates a view from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        addSubview(contentView)
    }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        super.draw(&node, in: drawing)
        if let css = effect?.css { node.style.merge(css) { $1 } }
        drawing.nodes[contentView.nodeID]?.add(class: "effect-content")
    }
}
