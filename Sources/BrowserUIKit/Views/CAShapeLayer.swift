/// Names how it is found out what is filled.
public struct CAShapeLayerFillRule: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Creates a rule from its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The number of times that lines go round a place.
    public static let nonZero = Self(rawValue: "non-zero")
    /// The number of times that lines cross.
    public static let evenOdd = Self(rawValue: "even-odd")
}

/// Names how the ends of lines are drawn.
public struct CAShapeLayerLineCap: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Creates a form from its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// As they are.
    public static let butt = Self(rawValue: "butt")
    /// Round.
    public static let round = Self(rawValue: "round")
    /// With half a square.
    public static let square = Self(rawValue: "square")
}

/// Names how lines are joined.
public struct CAShapeLayerLineJoin: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Creates a form from its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// With a corner.
    public static let miter = Self(rawValue: "miter")
    /// Round.
    public static let round = Self(rawValue: "round")
    /// Without the corner.
    public static let bevel = Self(rawValue: "bevel")
}

/// Draws lines and curves.
open class CAShapeLayer: CALayer {
    /// The lines and curves.
    ///
    /// The default is none.
    open var path: CGPath? { didSet { changed() } }
    /// The colour of what is filled; `nil` fills nothing.
    ///
    /// The default is black.
    open var fillColor: CGColor? = CGColor(srgbRed: 0, green: 0, blue: 0, alpha: 1) { didSet { changed() } }
    /// The rule by which it is found out what is filled.
    ///
    /// The default is by how often lines go round a place.
    open var fillRule = CAShapeLayerFillRule.nonZero { didSet { changed() } }
    /// The colour of the lines; `nil`, the default, draws none.
    open var strokeColor: CGColor? { didSet { changed() } }
    /// The width of the lines, in points.
    ///
    /// The default is 1.
    open var lineWidth: CGFloat = 1 { didSet { changed() } }
    /// The shape of the ends of lines.
    ///
    /// The default is as they are.
    open var lineCap = CAShapeLayerLineCap.butt { didSet { changed() } }
    /// The shape of the joins of lines.
    ///
    /// The default is with a corner.
    open var lineJoin = CAShapeLayerLineJoin.miter { didSet { changed() } }
    /// The lengths of dashes and gaps, in points; `nil`, the default, has lines without gaps.
    open var lineDashPattern: [NSNumber]? { didSet { changed() } }
    /// The distance into the pattern at which lines begin, in points.
    ///
    /// The default is 0.
    open var lineDashPhase: CGFloat = 0 { didSet { changed() } }
    /// The point at which lines begin, from 0, the default, to 1.
    open var strokeStart: CGFloat = 0 { didSet { changed() } }
    /// The point at which lines end, from 0 to 1, the default.
    open var strokeEnd: CGFloat = 1 { didSet { changed() } }

    /// The lines and curves as an image, and where it lies in the layer.
    override var picture: (image: UIImage, frame: CGRect)? {
        guard let path, !path.isEmpty, fillColor != nil || strokeColor != nil else { return nil }
        let room = strokeColor == nil ? 1 : max(lineWidth, 1)
        let box = path.boundingBox.insetBy(dx: -room, dy: -room).integral
        let sides = [box.minX, box.minY, box.width, box.height]
        guard sides.allSatisfy({ $0.isFinite && abs($0) < 20_000 }), box.width > 0, box.height > 0 else { return nil }
        let numbers = sides.map(CSS.number)
        let svg =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"\(numbers.joined(separator: " "))\" "
            + "width=\"\(numbers[2])\" height=\"\(numbers[3])\"><path d=\"\(path.svg)\" \(paint)/></svg>"
        return (UIImage(drawing: svg, size: box.size, renderingMode: .alwaysOriginal), box)
    }

    private var paint: String {
        var names = ["fill": fillColor?.css ?? "none", "stroke": strokeColor?.css ?? "none"]
        if fillRule == .evenOdd { names["fill-rule"] = "evenodd" }
        guard strokeColor != nil else { return Self.attributes(names) }
        names["stroke-width"] = CSS.number(lineWidth)
        if [.round, .square].contains(lineCap) { names["stroke-linecap"] = lineCap.rawValue }
        if [.round, .bevel].contains(lineJoin) { names["stroke-linejoin"] = lineJoin.rawValue }
        if strokeStart > 0 || strokeEnd < 1 {
            let (start, end) = (min(max(strokeStart, 0), 1), min(max(strokeEnd, 0), 1))
            names["pathLength"] = "1"
            names["stroke-dasharray"] = "0 \(CSS.number(start)) \(CSS.number(max(end - start, 0))) 2"
        } else if let lineDashPattern {
            names["stroke-dasharray"] = lineDashPattern.map { CSS.number(CGFloat($0.doubleValue)) }.joined(
                separator: " "
            )
            names["stroke-dashoffset"] = CSS.number(lineDashPhase)
        }
        return Self.attributes(names)
    }

    private static func attributes(_ names: [String: String]) -> String {
        names.sorted { $0.key < $1.key }.map { "\($0.key)=\"\($0.value)\"" }.joined(separator: " ")
    }
}
