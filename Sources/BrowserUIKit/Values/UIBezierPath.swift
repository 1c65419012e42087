/// Says which corners of a rectangle are meant.
public struct UIRectCorner: OptionSet, Sendable {
    /// One bit a corner.
    public let rawValue: UInt

    /// Creates corners from their bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The top left corner.
    public static let topLeft = UIRectCorner(rawValue: 1 << 0)
    /// The top right corner.
    public static let topRight = UIRectCorner(rawValue: 1 << 1)
    /// The bottom left corner.
    public static let bottomLeft = UIRectCorner(rawValue: 1 << 2)
    /// The bottom right corner.
    public static let bottomRight = UIRectCorner(rawValue: 1 << 3)
    /// All corners.
    public static let allCorners = UIRectCorner(rawValue: .max)
}

/// Holds lines and curves, which shapes of layers are made of.
@preconcurrency @MainActor
open class UIBezierPath: NSObject {
    private var steps: [PathElement]
    /// The point at which the next line begins.
    open private(set) var currentPoint = CGPoint.zero
    private var firstPoint = CGPoint.zero
    /// The width of lines; a shape has its own.
    ///
    /// The default is 1.
    open var lineWidth: CGFloat = 1
    /// The shape of the ends of lines; a shape has its own.
    ///
    /// The default is as they are.
    open var lineCapStyle = CGLineCap.butt
    /// The shape of the joins of lines; a shape has its own.
    ///
    /// The default is with a corner.
    open var lineJoinStyle = CGLineJoin.miter
    /// Whether what is filled follows from how often lines cross; a shape has its own.
    ///
    /// The default is `false`.
    open var usesEvenOddFillRule = false

    /// Creates an empty path.
    public override init() {
        steps = []
        super.init()
    }

    private init(steps: [PathElement]) {
        self.steps = steps
        super.init()
        for step in steps { note(step) }
    }

    /// Creates a rectangle.
    public convenience init(rect: CGRect) {
        self.init(steps: PathElement.rect(rect))
    }

    /// Creates the ellipse that fills a rectangle.
    public convenience init(ovalIn rect: CGRect) {
        self.init(steps: PathElement.ellipse(in: rect))
    }

    /// Creates a rectangle with round corners.
    public convenience init(roundedRect rect: CGRect, cornerRadius: CGFloat) {
        let radius = CGSize(width: cornerRadius, height: cornerRadius)
        self.init(roundedRect: rect, byRoundingCorners: .allCorners, cornerRadii: radius)
    }

    /// Creates a rectangle of which some corners are round.
    public convenience init(roundedRect rect: CGRect, byRoundingCorners corners: UIRectCorner, cornerRadii: CGSize) {
        let order: [UIRectCorner] = [.topLeft, .topRight, .bottomRight, .bottomLeft]
        self.init(
            steps: PathElement.roundedRect(rect, radii: order.map { corners.contains($0) ? cornerRadii : .zero })
        )
    }

    /// Creates a part of a circle; angles are in radians, 0 at the right.
    public convenience init(
        arcCenter center: CGPoint,
        radius: CGFloat,
        startAngle: CGFloat,
        endAngle: CGFloat,
        clockwise: Bool
    ) {
        self.init()
        addArc(withCenter: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: clockwise)
    }

    /// Creates the path of lines and curves.
    public convenience init(cgPath: CGPath) {
        self.init(steps: cgPath.steps)
    }

    /// The lines and curves.
    open var cgPath: CGPath {
        get { CGPath(steps: steps) }
        set {
            steps = newValue.steps
            for step in steps { note(step) }
        }
    }
    /// Whether there is nothing in the path.
    open var isEmpty: Bool { steps.isEmpty }
    /// The smallest rectangle that has all points of the path in it, those that steer curves, too.
    open var bounds: CGRect { cgPath.boundingBox }

    private func note(_ step: PathElement) {
        if case .move(let point) = step { firstPoint = point }
        currentPoint = step.points.last ?? firstPoint
    }

    private func add(_ step: PathElement) {
        steps.append(step)
        note(step)
    }

    /// Begins at a point.
    open func move(to point: CGPoint) {
        add(.move(point))
    }

    /// Adds a line.
    open func addLine(to point: CGPoint) {
        add(.line(point))
    }

    /// Adds a curve that two points steer.
    open func addCurve(to endPoint: CGPoint, controlPoint1: CGPoint, controlPoint2: CGPoint) {
        add(.cubic(controlPoint1, controlPoint2, endPoint))
    }

    /// Adds a curve that one point steers.
    open func addQuadCurve(to endPoint: CGPoint, controlPoint: CGPoint) {
        add(.quadratic(controlPoint, endPoint))
    }

    /// Adds a part of a circle, and a line to where it begins.
    open func addArc(
        withCenter center: CGPoint,
        radius: CGFloat,
        startAngle: CGFloat,
        endAngle: CGFloat,
        clockwise: Bool
    ) {
        let start = CGPoint(x: center.x + radius * cos(startAngle), y: center.y + radius * sin(startAngle))
        add(steps.isEmpty ? .move(start) : .line(start))
        let arc = PathElement.arc(center: center, radius: radius, from: startAngle, to: endAngle, clockwise: clockwise)
        for step in arc { add(step) }
    }

    /// Adds a line to where the path began.
    open func close() {
        add(.close)
    }

    /// Adds what another path has.
    open func append(_ bezierPath: UIBezierPath) {
        for step in bezierPath.steps { add(step) }
    }

    /// Moves and scales the path.
    open func apply(_ transform: CGAffineTransform) {
        steps = steps.map { $0.map { $0.applying(transform) } }
        currentPoint = currentPoint.applying(transform)
        firstPoint = firstPoint.applying(transform)
    }

    /// Removes everything.
    open func removeAllPoints() {
        steps = []
        (currentPoint, firstPoint) = (.zero, .zero)
    }
}
