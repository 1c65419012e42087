/// Says which part of its way something has come, after a part of the time.
struct TimingCurve: Sendable {
    private enum Shape: Sendable {
        case even
        case bezier(x1: Double, y1: Double, x2: Double, y2: Double)
        case spring(Spring, seconds: Double)
    }

    /// The curve, for a style sheet.
    let css: String
    private let shape: Shape

    private static let named: [String: Shape] = [
        "ease-in": .bezier(x1: 0.42, y1: 0, x2: 1, y2: 1), "ease-out": .bezier(x1: 0, y1: 0, x2: 0.58, y2: 1),
        "ease-in-out": .bezier(x1: 0.42, y1: 0, x2: 0.58, y2: 1),
    ]

    /// Creates a curve by its name in style sheets.
    init(named name: String) {
        (css, shape) = (name, Self.named[name] ?? .even)
    }

    /// Creates a curve that two points steer, in parts of time and way.
    init(through point1: CGPoint, _ point2: CGPoint) {
        func finite(_ value: CGFloat) -> CGFloat { value.isFinite ? min(max(value, -1_000), 1_000) : 0 }
        // Time runs one way.
        func time(_ value: CGFloat) -> CGFloat { min(max(finite(value), 0), 1) }
        let (x1, y1, x2, y2) = (time(point1.x), finite(point1.y), time(point2.x), finite(point2.y))
        css = "cubic-bezier(\([x1, y1, x2, y2].map(CSS.number).joined(separator: ",")))"
        shape = .bezier(x1: Double(x1), y1: Double(y1), x2: Double(x2), y2: Double(y2))
    }

    /// Creates the curve of a spring over some seconds.
    init(along spring: Spring, for seconds: Double) {
        (css, shape) = (spring.css(over: seconds), .spring(spring, seconds: seconds))
    }

    /// Returns the part of the way after a part of the time, from 0 to 1.
    func value(at time: Double) -> Double {
        guard time > 0 else { return 0 }
        guard time < 1 else { return 1 }
        switch shape {
        case .even: return time
        case .spring(let spring, let seconds): return spring.value(at: seconds * time)
        case .bezier(let x1, let y1, let x2, let y2):
            var (low, high) = (0.0, 1.0)
            for _ in 0..<32 {
                let middle = (low + high) / 2
                if Self.point(x1, x2, at: middle) < time { low = middle } else { high = middle }
            }
            return Self.point(y1, y2, at: low)
        }
    }

    private static func point(_ one: Double, _ two: Double, at place: Double) -> Double {
        let rest = 1 - place
        return 3 * rest * rest * place * one + 3 * rest * place * place * two + place * place * place
    }
}
