/// Says which corners of a layer are round.
public struct CACornerMask: OptionSet, Sendable {
    /// One bit a corner.
    public let rawValue: UInt

    /// Creates a mask from its bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The top left corner.
    public static let layerMinXMinYCorner = CACornerMask(rawValue: 1)
    /// The top right corner.
    public static let layerMaxXMinYCorner = CACornerMask(rawValue: 2)
    /// The bottom left corner.
    public static let layerMinXMaxYCorner = CACornerMask(rawValue: 4)
    /// The bottom right corner.
    public static let layerMaxXMaxYCorner = CACornerMask(rawValue: 8)
}

/// Names the curve of a round corner.
public struct CALayerCornerCurve: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Creates a curve from its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A part of a circle.
    public static let circular = Self(rawValue: "circular")
    /// A smoother curve, which browsers draw as a circle's.
    public static let continuous = Self(rawValue: "continuous")
}

/// Holds how the box of a view is drawn: corners, border and shadow.
@preconcurrency @MainActor
open class CALayer {
    weak var view: UIView?

    /// The radius of the corners, in points.
    ///
    /// The default is 0.
    open var cornerRadius: CGFloat = 0 { didSet { view?.setNeedsDisplay() } }
    /// The curve of the corners.
    ///
    /// The default is `circular`.
    open var cornerCurve = CALayerCornerCurve.circular
    /// Which corners are round.
    ///
    /// The default is all.
    open var maskedCorners = CACornerMask(rawValue: 15) { didSet { view?.setNeedsDisplay() } }
    /// The width of the border, inside of the bounds.
    ///
    /// The default is 0.
    open var borderWidth: CGFloat = 0 { didSet { view?.setNeedsDisplay() } }
    /// The colour of the border.
    ///
    /// The default is black.
    open var borderColor: CGColor? = CGColor(srgbRed: 0, green: 0, blue: 0, alpha: 1) {
        didSet { view?.setNeedsDisplay() }
    }
    /// The colour of the shadow.
    ///
    /// The default is black.
    open var shadowColor: CGColor? = CGColor(srgbRed: 0, green: 0, blue: 0, alpha: 1) {
        didSet { view?.setNeedsDisplay() }
    }
    /// How strong the shadow is, from 0, the default, to 1.
    open var shadowOpacity: Float = 0 { didSet { view?.setNeedsDisplay() } }
    /// Where the shadow falls.
    ///
    /// The default is 3 points up.
    open var shadowOffset = CGSize(width: 0, height: -3) { didSet { view?.setNeedsDisplay() } }
    /// How soft the shadow is.
    ///
    /// The default is 3.
    open var shadowRadius: CGFloat = 3 { didSet { view?.setNeedsDisplay() } }
    /// Whether what is in the layer is cut off at its bounds.
    ///
    /// The default is `false`.
    open var masksToBounds = false { didSet { view?.setNeedsDisplay() } }

    init(view: UIView) {
        self.view = view
    }

    func draw(into node: inout Node) {
        if cornerRadius > 0 {
            let order: [CACornerMask] = [
                .layerMinXMinYCorner, .layerMaxXMinYCorner, .layerMaxXMaxYCorner, .layerMinXMaxYCorner,
            ]
            node.style["border-radius"] = order.map { maskedCorners.contains($0) ? CSS.points(cornerRadius) : "0" }
                .joined(separator: " ")
        }
        if borderWidth > 0, let borderColor {
            // A border lies over what is in the layer.
            node.add(class: "edged")
            node.style["--border"] = "\(CSS.points(borderWidth)) solid \(borderColor.css)"
        }
        if masksToBounds { node.style["overflow"] = "clip" }
        if let shadow, !masksToBounds { node.style["box-shadow"] = shadow }
    }

    private var shadow: String? {
        guard shadowOpacity > 0, let parts = shadowColor?.components, parts.count == 4 else { return nil }
        let color = CGColor(
            srgbRed: parts[0],
            green: parts[1],
            blue: parts[2],
            alpha: parts[3] * CGFloat(shadowOpacity)
        )
        let lengths = [shadowOffset.width, shadowOffset.height, shadowRadius * 2].map(CSS.points)
        return lengths.joined(separator: " ") + " " + color.css
    }
}
