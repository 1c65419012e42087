/// The time of an animation: when it begins, how long a run is, and how many runs there are.
struct AnimationSpan {
    /// The seconds before the first run.
    var delay: TimeInterval
    /// The seconds of one run in one direction.
    var duration: TimeInterval
    /// The number of runs, each there and back where that is so: `nil` without an end.
    var runs: Double?
    var isAlternating: Bool
    var fill: CAMediaTimingFillMode
    /// The part of a run in which values change, from 0 to 1: what is in a group may begin later, and end before it.
    var change: (start: CGFloat, end: CGFloat) = (0, 1)

    @MainActor
    init(of animation: CAAnimation, now: TimeInterval) {
        let speed = animation.speed > 0 ? Double(animation.speed) : 1
        let own = animation.duration > 0 ? animation.duration : CATransaction.animationDuration()
        duration = max(own / speed, 0.001)
        delay = animation.beginTime > 0 ? max(animation.beginTime - now, 0) : 0
        let whole = animation.autoreverses ? duration * 2 : duration
        let wanted = animation.repeatDuration > 0 ? animation.repeatDuration / whole : Double(animation.repeatCount)
        // No page plays that often.
        runs = wanted > 100_000 ? nil : wanted > 0 ? wanted : 1
        isAlternating = animation.autoreverses
        fill = animation.fillMode
    }

    /// The seconds until the end; `nil` without one.
    var total: TimeInterval? { runs.map { delay + duration * $0 * (isAlternating ? 2 : 1) } }

    /// Returns the time of an animation in a group of this time.
    @MainActor
    func part(of animation: CAAnimation) -> Self {
        var part = self
        let speed = animation.speed > 0 ? Double(animation.speed) : 1
        let own = animation.duration > 0 ? animation.duration / speed : duration
        let start = min(max(animation.beginTime / duration, 0), 1)
        part.change = (CGFloat(start), CGFloat(min(start + own / duration, 1)))
        return part
    }

    /// Returns an animation of this time for the page.
    func animation(
        _ property: String,
        _ values: [String],
        _ offsets: [CGFloat],
        _ easings: [String]
    ) -> PageAnimation {
        var (values, easings) = (values, easings)
        var offsets = offsets.map { change.start + min(max($0, 0), 1) * (change.end - change.start) }
        if let first = values.first, change.start > 0 {
            values.insert(first, at: 0)
            offsets.insert(0, at: 0)
            easings.insert("linear", at: 0)
        }
        if let last = values.last, change.end < 1 {
            values.append(last)
            offsets.append(1)
            easings.append("linear")
        }
        var animation = PageAnimation(property: property, values: values, offsets: offsets, duration: duration * 1_000)
        animation.easings = easings.allSatisfy { $0 == "linear" } ? [] : easings
        animation.delay = delay * 1_000
        animation.runs = runs.map { isAlternating ? $0 * 2 : $0 }
        animation.isAlternating = isAlternating
        animation.fill = fill == .removed ? "none" : fill.rawValue
        return animation
    }
}

/// A property of a layer that the page can move through values, each of which is one or several numbers.
@MainActor
struct AnimatedProperty {
    /// The name in scripts.
    let name: String
    /// The layer's own value.
    let current: [CGFloat]
    let read: (Any) -> [CGFloat]?
    let write: ([CGFloat]) -> String

    init?(_ keyPath: String, of layer: CALayer) {
        let base = CATransform3DIsIdentity(layer.transform) ? "" : " " + layer.transform.css
        let place = layer.position
        func moved(_ x: CGFloat, _ y: CGFloat) -> String { "translate(\(CSS.points(x)),\(CSS.points(y)))\(base)" }
        switch keyPath {
        case "opacity": self.init("opacity", [CGFloat(layer.opacity)], Self.number) { CSS.number($0[0]) }
        case "cornerRadius": self.init("borderRadius", [layer.cornerRadius], Self.number) { CSS.points($0[0]) }
        case "backgroundColor":
            let parts = layer.backgroundColor?.components ?? [0, 0, 0, 0]
            self.init("backgroundColor", parts, Self.color) {
                CGColor(srgbRed: $0[0], green: $0[1], blue: $0[2], alpha: $0[3]).css
            }
        case "position":
            self.init("transform", [place.x, place.y], Self.pair) { moved($0[0] - place.x, $0[1] - place.y) }
        case "position.x": self.init("transform", [place.x], Self.number) { moved($0[0] - place.x, 0) }
        case "position.y": self.init("transform", [place.y], Self.number) { moved(0, $0[0] - place.y) }
        case "transform":
            self.init("transform", layer.transform.numbers, Self.matrix) { numbers in
                CATransform3D(rows: (0..<4).map { Array(numbers[$0 * 4..<$0 * 4 + 4]) }).css
            }
        case "transform.translation": self.init("transform", [0, 0], Self.pair) { moved($0[0], $0[1]) }
        case "transform.translation.x": self.init("transform", [0], Self.number) { moved($0[0], 0) }
        case "transform.translation.y": self.init("transform", [0], Self.number) { moved(0, $0[0]) }
        case "transform.scale": self.init("scale", [1], Self.number) { CSS.number($0[0]) }
        case "transform.scale.x": self.init("scale", [1], Self.number) { "\(CSS.number($0[0])) 1" }
        case "transform.scale.y": self.init("scale", [1], Self.number) { "1 \(CSS.number($0[0]))" }
        case "transform.rotation", "transform.rotation.z":
            self.init("rotate", [0], Self.number) { "\(CSS.number($0[0]))rad" }
        case "transform.rotation.x": self.init("rotate", [0], Self.number) { "x \(CSS.number($0[0]))rad" }
        case "transform.rotation.y": self.init("rotate", [0], Self.number) { "y \(CSS.number($0[0]))rad" }
        default: return nil
        }
    }

    private init(
        _ name: String,
        _ current: [CGFloat],
        _ read: @escaping (Any) -> [CGFloat]?,
        write: @escaping ([CGFloat]) -> String
    ) {
        (self.name, self.current, self.read, self.write) = (name, current, read, write)
    }

    func sum(_ one: [CGFloat], _ other: [CGFloat]) -> [CGFloat] { zip(one, other).map { $0 + $1 } }

    func difference(_ one: [CGFloat], _ other: [CGFloat]) -> [CGFloat] { zip(one, other).map { $0 - $1 } }

    nonisolated private static func number(_ value: Any) -> [CGFloat]? {
        switch value {
        case let value as CGFloat: [value]
        case let value as Double: [CGFloat(value)]
        case let value as Float: [CGFloat(value)]
        case let value as Int: [CGFloat(value)]
        case let value as NSNumber: [CGFloat(value.doubleValue)]
        default: nil
        }
    }

    nonisolated private static func pair(_ value: Any) -> [CGFloat]? {
        switch value {
        case let value as CGPoint: [value.x, value.y]
        case let value as CGSize: [value.width, value.height]
        case let value as NSValue where isPoint(value): [value.pointValue.x, value.pointValue.y]
        default: nil
        }
    }

    nonisolated private static func matrix(_ value: Any) -> [CGFloat]? {
        if let flat = value as? CGAffineTransform { return CATransform3DMakeAffineTransform(flat).numbers }
        return (value as? CATransform3D)?.numbers
    }

    nonisolated private static func isPoint(_ value: NSValue) -> Bool {
        String(cString: value.objCType) == String(cString: NSValue(point: .zero).objCType)
    }

    nonisolated private static func color(_ value: Any) -> [CGFloat]? {
        let parts = (value as? CGColor)?.components
        return parts?.count == 4 ? parts : nil
    }
}
