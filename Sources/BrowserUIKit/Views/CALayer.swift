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
open class CALayer: NSObject {
    weak var view: UIView?
    var layers: [CALayer] = []
    /// The layer that holds this one.
    public internal(set) weak var superlayer: CALayer?
    /// The layers in this one, from back to front; `nil` where there are none.
    open var sublayers: [CALayer]? {
        get { layers.isEmpty ? nil : layers }
        set {
            for layer in layers { layer.superlayer = nil }
            layers = []
            for layer in newValue ?? [] { addSublayer(layer) }
            changed()
        }
    }
    private var ownFrame = CGRect.zero
    /// The rectangle in the layer that holds this one; that of the view for its own layer.
    ///
    /// A layer without a size fills what it is in.
    open var frame: CGRect {
        get { view?.frame ?? ownFrame }
        set {
            if let view { view.frame = newValue } else { ownFrame = newValue }
            changed()
        }
    }
    /// The rectangle in the layer's own coordinates; another size is taken about the position.
    open var bounds: CGRect {
        get { CGRect(origin: .zero, size: frame.size) }
        set { frame = frame.resized(to: newValue.size) }
    }
    /// The middle of the layer in the one that holds it.
    open var position: CGPoint {
        get { CGPoint(x: frame.midX, y: frame.midY) }
        set { frame.origin = CGPoint(x: newValue.x - frame.width / 2, y: newValue.y - frame.height / 2) }
    }
    private var ownColor: CGColor?
    /// The background; that of the view for its own layer.
    ///
    /// The default is none.
    open var backgroundColor: CGColor? {
        get { view.map { $0.backgroundColor?.cgColor } ?? ownColor }
        set {
            if let view { view.backgroundColor = newValue.map { UIColor(cgColor: $0) } } else { ownColor = newValue }
            changed()
        }
    }
    private var ownOpacity: Float = 1
    /// The opacity, from 0 to 1, the default.
    open var opacity: Float {
        get { view.map { Float($0.alpha) } ?? ownOpacity }
        set {
            if let view { view.alpha = CGFloat(newValue) } else { ownOpacity = newValue }
            changed()
        }
    }
    private var isOwnHidden = false
    /// Whether the layer is not drawn.
    ///
    /// The default is `false`.
    open var isHidden: Bool {
        get { view?.isHidden ?? isOwnHidden }
        set {
            if let view { view.isHidden = newValue } else { isOwnHidden = newValue }
            changed()
        }
    }
    /// The part of the layer that is seen: a shape or a gradient.
    ///
    /// The default is everything.
    open var mask: CALayer? { didSet { changed() } }
    /// The outline of the shadow; browsers draw that of the box.
    ///
    /// The default is that of the box.
    open var shadowPath: CGPath?
    /// The place in front of or behind the layers beside this one: the greater, the further in front.
    ///
    /// The default is 0.
    open var zPosition: CGFloat = 0 { didSet { changed() } }
    /// The transform of what the layer draws, about its middle; that of the view for its own layer.
    ///
    /// The default is none.
    open var transform = CATransform3DIdentity {
        didSet {
            guard !CATransform3DEqualToTransform(transform, oldValue) else { return }
            if let view { view.moved() } else { changed() }
        }
    }
    /// The transform of the layers in this one, and of the views in its view, about its middle.
    ///
    /// Where it is more than a perspective, it counts for those whose frame is known. The default is none.
    open var sublayerTransform = CATransform3DIdentity {
        didSet {
            guard !CATransform3DEqualToTransform(sublayerTransform, oldValue) else { return }
            changed()
        }
    }
    var running: [RunningAnimation] = []
    /// The way in which a transaction shows changes of a layer without a view.
    var transition: String?
    /// A name of the app's own.
    ///
    /// The default is none.
    open var name: String?
    /// The value in a style sheet for the background.
    var image: String? { nil }
    /// An image that the layer shows, and where it lies in the layer.
    var picture: (image: UIImage, frame: CGRect)? { nil }

    /// The radius of the corners, in points.
    ///
    /// The default is 0.
    open var cornerRadius: CGFloat = 0 { didSet { changed() } }
    /// The curve of the corners.
    ///
    /// The default is `circular`.
    open var cornerCurve = CALayerCornerCurve.circular
    /// The corners that are round.
    ///
    /// The default is all.
    open var maskedCorners = CACornerMask(rawValue: 15) { didSet { changed() } }
    /// The width of the border, inside of the bounds.
    ///
    /// The default is 0.
    open var borderWidth: CGFloat = 0 { didSet { changed() } }
    /// The colour of the border.
    ///
    /// The default is black.
    open var borderColor: CGColor? = CGColor(srgbRed: 0, green: 0, blue: 0, alpha: 1) {
        didSet { changed() }
    }
    /// The colour of the shadow.
    ///
    /// The default is black.
    open var shadowColor: CGColor? = CGColor(srgbRed: 0, green: 0, blue: 0, alpha: 1) {
        didSet { changed() }
    }
    /// The strength of the shadow, from 0, the default, to 1.
    open var shadowOpacity: Float = 0 { didSet { changed() } }
    /// The offset of the shadow.
    ///
    /// The default is 3 points up.
    open var shadowOffset = CGSize(width: 0, height: -3) { didSet { changed() } }
    /// The blur of the shadow.
    ///
    /// The default is 3.
    open var shadowRadius: CGFloat = 3 { didSet { changed() } }
    /// Whether what is in the layer is cut off at its bounds.
    ///
    /// The default is `false`.
    open var masksToBounds = false { didSet { changed() } }

    /// Creates a layer.
    public required override init() {
        super.init()
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
        for (name, animation) in running.flatMap(\.parts) { node.attributes[name] = animation.text }
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
