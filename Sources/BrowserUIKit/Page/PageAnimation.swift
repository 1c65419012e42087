/// Moves one property of an element through values, which the page does by itself.
struct PageAnimation: Encodable, Equatable {
    /// The property, as scripts name it.
    var property: String
    var values: [String]
    /// The part of the time at which each value is reached, from 0 to 1.
    var offsets: [CGFloat]
    /// The curve from each value to the next; empty where all are even.
    var easings: [String] = []
    /// The curve over all.
    var timing = "linear"
    /// The duration of one run, in milliseconds.
    var duration: Double
    /// The time before the first run, in milliseconds.
    var delay: Double = 0
    /// The number of runs: `nil` without an end.
    var runs: Double? = 1
    /// Whether every other run goes backwards.
    var isAlternating = false
    /// Whether the first value counts before the first run, and the last one after the last run.
    var fill = "none"
    /// The time that is over, in milliseconds, where the app says so.
    var position: Double?
    /// The speed from there: 0 to rest, below 0 to go back.
    var rate: Double?
    /// Whether the user may touch the element while it moves.
    var isTouchable = true

    private enum CodingKeys: String, CodingKey {
        case property = "p"
        case values = "v"
        case offsets = "o"
        case easings = "e"
        case timing = "t"
        case duration = "d"
        case delay = "w"
        case runs = "n"
        case isAlternating = "a"
        case fill = "f"
        case position = "c"
        case rate = "r"
    }

    /// The animation for the page, as text.
    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    @MainActor private static var lastNumber = 0

    /// Returns the name of an attribute that starts an animation of its own.
    @MainActor
    static func newName() -> String {
        lastNumber += 1
        return "data-animation-\(lastNumber)"
    }
}

/// Waits for animations to end.
@MainActor
enum AnimationTime {
    /// Calls back after some seconds.
    static var wait: @MainActor (TimeInterval, @escaping @MainActor () -> Void) -> Void = Delay.call
}
