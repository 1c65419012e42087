/// Says how the ends of a line are drawn.
public enum CGLineCap: Int32, Sendable {
    /// As they are.
    case butt = 0
    /// Round.
    case round = 1
    /// With half a square.
    case square = 2
}

/// Says how two lines are joined.
public enum CGLineJoin: Int32, Sendable {
    /// With a corner.
    case miter = 0
    /// Round.
    case round = 1
    /// Without the corner.
    case bevel = 2
}

/// One step of a path.
enum PathElement: Equatable {
    case move(CGPoint)
    case line(CGPoint)
    case quadratic(CGPoint, CGPoint)
    case cubic(CGPoint, CGPoint, CGPoint)
    case close

    /// The points of the step, of which the last one is where it leads.
    var points: [CGPoint] {
        switch self {
        case .move(let point), .line(let point): [point]
        case .quadratic(let control, let end): [control, end]
        case .cubic(let first, let second, let end): [first, second, end]
        case .close: []
        }
    }

    func map(_ change: (CGPoint) -> CGPoint) -> PathElement {
        switch self {
        case .move(let point): .move(change(point))
        case .line(let point): .line(change(point))
        case .quadratic(let control, let end): .quadratic(change(control), change(end))
        case .cubic(let first, let second, let end): .cubic(change(first), change(second), change(end))
        case .close: .close
        }
    }

    /// The text of an SVG.
    var svg: String {
        let letter: String =
            switch self {
            case .move: "M"
            case .line: "L"
            case .quadratic: "Q"
            case .cubic: "C"
            case .close: "Z"
            }
        return letter + points.map { "\(CSS.number($0.x)) \(CSS.number($0.y))" }.joined(separator: " ")
    }
}

/// Holds lines and curves that don't change.
public final class CGPath: Hashable, Sendable {
    let steps: [PathElement]

    init(steps: [PathElement]) {
        self.steps = steps
    }

    /// Creates a rectangle; a transform is applied to it.
    public convenience init(rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
        self.init(steps: PathElement.rect(rect).map { $0.map { $0.applying(transform) } })
    }

    /// Creates the ellipse that fills a rectangle; a transform is applied to it.
    public convenience init(ellipseIn rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
        self.init(steps: PathElement.ellipse(in: rect).map { $0.map { $0.applying(transform) } })
    }

    /// Creates a rectangle with round corners; a transform is applied to it.
    public convenience init(
        roundedRect rect: CGRect,
        cornerWidth: CGFloat,
        cornerHeight: CGFloat,
        transform: UnsafePointer<CGAffineTransform>?
    ) {
        let steps = PathElement.roundedRect(
            rect,
            radii: Array(repeating: CGSize(width: cornerWidth, height: cornerHeight), count: 4)
        )
        self.init(steps: steps.map { $0.map { $0.applying(transform) } })
    }

    /// Whether there is nothing in the path.
    public var isEmpty: Bool { steps.isEmpty }

    /// The smallest rectangle that has all points of the path in it, those that steer curves, too.
    public var boundingBox: CGRect {
        let points = steps.flatMap(\.points)
        guard let first = points.first else { return .null }
        var (left, top, right, bottom) = (first.x, first.y, first.x, first.y)
        for point in points {
            (left, right) = (min(left, point.x), max(right, point.x))
            (top, bottom) = (min(top, point.y), max(bottom, point.y))
        }
        return CGRect(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// Returns whether both have the same lines and curves.
    public static func == (left: CGPath, right: CGPath) -> Bool { left.steps == right.steps }

    /// Feeds the path into the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(svg)
    }

    /// The text of an SVG.
    var svg: String { steps.map(\.svg).joined() }
}

extension CGPoint {
    fileprivate func applying(_ transform: UnsafePointer<CGAffineTransform>?) -> CGPoint {
        transform.map { applying($0.pointee) } ?? self
    }

    /// Returns the point that a transform makes of this one.
    public func applying(_ t: CGAffineTransform) -> CGPoint {
        CGPoint(x: t.a * x + t.c * y + t.tx, y: t.b * x + t.d * y + t.ty)
    }
}

extension PathElement {
    /// The distance of the points that steer a quarter of a circle from its ends, in radii.
    private static let circle: CGFloat = 0.552_284_75

    static func rect(_ rect: CGRect) -> [PathElement] {
        [
            .move(CGPoint(x: rect.minX, y: rect.minY)), .line(CGPoint(x: rect.maxX, y: rect.minY)),
            .line(CGPoint(x: rect.maxX, y: rect.maxY)), .line(CGPoint(x: rect.minX, y: rect.maxY)), .close,
        ]
    }

    static func ellipse(in rect: CGRect) -> [PathElement] {
        let radius = CGSize(width: rect.width / 2, height: rect.height / 2)
        return roundedRect(rect, radii: Array(repeating: radius, count: 4))
    }

    /// Corners begin at the top left and go round with the hands of a clock.
    static func roundedRect(_ rect: CGRect, radii: [CGSize]) -> [PathElement] {
        let most = CGSize(width: rect.width / 2, height: rect.height / 2)
        let (left, top, right, bottom) = (rect.minX, rect.minY, rect.maxX, rect.maxY)
        let corners = [(left, top, 1.0, 1.0), (right, top, -1, 1), (right, bottom, -1, -1), (left, bottom, 1, -1)]
        var steps: [PathElement] = []
        for (index, corner) in corners.enumerated() {
            let width = min(max(radii[index].width, 0), most.width) * corner.2
            let height = min(max(radii[index].height, 0), most.height) * corner.3
            let (x, y) = (corner.0, corner.1)
            // Every second corner is entered from below or above.
            let across = (start: CGPoint(x: x + width, y: y), control: CGPoint(x: x + width * (1 - circle), y: y))
            let down = (start: CGPoint(x: x, y: y + height), control: CGPoint(x: x, y: y + height * (1 - circle)))
            let (from, to) = index % 2 == 0 ? (down, across) : (across, down)
            steps.append(index == 0 ? .move(from.start) : .line(from.start))
            steps.append(.cubic(from.control, to.control, to.start))
        }
        return steps + [.close]
    }

    /// A part of a circle, in pieces of at most a quarter; angles are in radians, and grow with the hands of a clock.
    static func arc(
        center: CGPoint,
        radius: CGFloat,
        from start: CGFloat,
        to end: CGFloat,
        clockwise: Bool
    ) -> [PathElement] {
        guard radius.isFinite, start.isFinite, (end - start).isFinite else { return [] }
        let turn = 2 * CGFloat.pi
        var sweep = (end - start).truncatingRemainder(dividingBy: turn)
        if clockwise, sweep <= 0, end != start { sweep += turn }
        if !clockwise, sweep >= 0, end != start { sweep -= turn }
        if abs(end - start) >= turn, clockwise == (end > start) { sweep = clockwise ? turn : -turn }
        let pieces = max(Int((abs(sweep) / (CGFloat.pi / 2)).rounded(.up)), 1)
        let step = sweep / CGFloat(pieces)
        let reach = 4 / 3 * tan(step / 4)
        func point(_ angle: CGFloat, _ tangent: CGFloat = 0) -> CGPoint {
            CGPoint(
                x: center.x + radius * (cos(angle) - tangent * sin(angle)),
                y: center.y + radius * (sin(angle) + tangent * cos(angle))
            )
        }
        return (0..<pieces).map { piece in
            let (first, last) = (start + step * CGFloat(piece), start + step * CGFloat(piece + 1))
            return .cubic(point(first, reach), point(last, -reach), point(last))
        }
    }
}
