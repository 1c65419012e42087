/// Moves from 0 to 1 as what hangs on a spring.
struct Spring: Equatable, Sendable {
    /// The frequency without damping, in radians a second.
    let frequency: Double
    /// The damping: from 1 on, nothing swings beyond the end.
    let ratio: Double
    /// The speed at the start, in whole ways a second.
    let velocity: Double

    /// The part of the way that is taken for the end.
    private static let rest = 0.001

    /// Creates a spring from its physics.
    init(mass: Double, stiffness: Double, damping: Double, velocity: Double) {
        let mass = Self.bounded(mass, 0.001...1_000_000)
        let stiffness = Self.bounded(stiffness, 0.001...1_000_000)
        let critical = 2 * (stiffness * mass).squareRoot()
        frequency = (stiffness / mass).squareRoot()
        ratio = Self.bounded(Self.bounded(damping, 0...1_000_000) / critical, 0.001...1)
        self.velocity = Self.bounded(velocity, -1_000...1_000)
    }

    /// Creates a spring that comes to rest in some seconds.
    init(ratio: Double, settlingIn seconds: Double, velocity: Double) {
        self.ratio = Self.bounded(ratio, 0.05...1)
        frequency = Self.settling(self.ratio) / Self.bounded(seconds, 0.001...86_400)
        self.velocity = Self.bounded(velocity, -1_000...1_000)
    }

    /// The seconds after which it rests.
    var settlingDuration: Double { Self.settling(ratio) / frequency }

    /// Returns the seconds in which a spring of a frequency of 1 comes to rest.
    private static func settling(_ ratio: Double) -> Double {
        -log(rest * max((1 - ratio * ratio).squareRoot(), 0.1)) / ratio
    }

    private static func bounded(_ value: Double, _ range: ClosedRange<Double>) -> Double {
        value.isFinite ? min(max(value, range.lowerBound), range.upperBound) : range.lowerBound
    }

    /// Returns the part of the way after some seconds.
    func value(at seconds: Double) -> Double {
        let faded = exp(-ratio * frequency * seconds)
        guard ratio < 1 else { return 1 - faded * (1 + (frequency - velocity) * seconds) }
        let swing = frequency * (1 - ratio * ratio).squareRoot()
        let pull = (ratio * frequency - velocity) / swing
        return 1 - faded * (cos(swing * seconds) + pull * sin(swing * seconds))
    }

    /// Returns the curve of some seconds, for a style sheet.
    func css(over seconds: Double) -> String {
        let steps = 40
        let values = (0..<steps).map { CSS.number(CGFloat(value(at: seconds * Double($0) / Double(steps)))) }
        return "linear(\(values.joined(separator: ",")),1)"
    }
}
