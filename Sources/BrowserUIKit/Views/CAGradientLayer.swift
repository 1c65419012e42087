/// Names the form of a gradient.
public struct CAGradientLayerType: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Creates a type from its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Along a line.
    public static let axial = Self(rawValue: "axial")
    /// From the middle outwards.
    public static let radial = Self(rawValue: "radial")
    /// Around the middle.
    public static let conic = Self(rawValue: "conic")
}

/// Draws colours that run into one another.
open class CAGradientLayer: CALayer {
    /// The colours, as `CGColor`.
    ///
    /// The default is none.
    open var colors: [Any]? { didSet { changed() } }
    /// The positions of the colours, from 0 to 1; `nil`, the default, has them evenly.
    open var locations: [NSNumber]? { didSet { changed() } }
    /// The position of the first colour, in parts of width and height.
    ///
    /// The default is the middle of the top.
    open var startPoint = CGPoint(x: 0.5, y: 0) { didSet { changed() } }
    /// The position of the last colour, in parts of width and height.
    ///
    /// The default is the middle of the bottom.
    open var endPoint = CGPoint(x: 0.5, y: 1) { didSet { changed() } }
    /// The form.
    ///
    /// The default is along a line.
    open var type = CAGradientLayerType.axial { didSet { changed() } }

    /// The value in a style sheet for the colours; `nil` where there are none.
    override var image: String? {
        let stops = (colors ?? []).compactMap { $0 as? CGColor }.enumerated().map { index, color in
            guard let locations, locations.indices.contains(index) else { return color.css }
            return "\(color.css) \(CSS.number(CGFloat(locations[index].doubleValue) * 100))%"
        }
        guard stops.count > 1 else { return nil }
        let list = stops.joined(separator: ", ")
        let (x, y) = (CSS.number(startPoint.x * 100), CSS.number(startPoint.y * 100))
        switch type {
        case .radial:
            let radii = [abs(endPoint.x - startPoint.x), abs(endPoint.y - startPoint.y)].map {
                CSS.number($0 * 100) + "%"
            }
            return "radial-gradient(\(radii.joined(separator: " ")) at \(x)% \(y)%, \(list))"
        case .conic: return "conic-gradient(from \(angle)deg at \(x)% \(y)%, \(list))"
        default: return "linear-gradient(\(side ?? "\(angle)deg"), \(list))"
        }
    }

    /// The direction of lines that run from corner to corner, which depend on the shape of the layer.
    private var side: String? {
        let (x, y) = (endPoint.x - startPoint.x, endPoint.y - startPoint.y)
        guard x != 0, y != 0 else { return nil }
        return "to \(y > 0 ? "bottom" : "top") \(x > 0 ? "right" : "left")"
    }

    private var angle: String {
        let (x, y) = (endPoint.x - startPoint.x, endPoint.y - startPoint.y)
        return CSS.number(CGFloat(atan2(Double(x), Double(-y)) * 180 / .pi))
    }
}
