/// Says when an animation runs.
@preconcurrency @MainActor
public protocol CAMediaTiming {
    /// The time at which it begins, as `CACurrentMediaTime()` tells it, or in the group that it is in; 0 for now.
    var beginTime: TimeInterval { get set }
    /// The duration of one run, in seconds; 0 for that of the transaction or the group.
    var duration: TimeInterval { get set }
    /// The speed, beside that of what it is in.
    var speed: Float { get set }
    /// The number of runs; 0 for one.
    var repeatCount: Float { get set }
    /// The number of seconds for which it runs again and again; 0 where the number of runs says that.
    var repeatDuration: TimeInterval { get set }
    /// Whether each run goes backwards afterwards.
    var autoreverses: Bool { get set }
    /// Whether its values count before and after it.
    var fillMode: CAMediaTimingFillMode { get set }
}

/// Says whether the values of an animation count before and after it.
public struct CAMediaTimingFillMode: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Creates a mode from its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The last value counts afterwards.
    public static let forwards = Self(rawValue: "forwards")
    /// The first value counts before.
    public static let backwards = Self(rawValue: "backwards")
    /// Both do.
    public static let both = Self(rawValue: "both")
    /// None does.
    public static let removed = Self(rawValue: "removed")
}

/// Names a curve of the system.
public struct CAMediaTimingFunctionName: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Creates a name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Runs evenly.
    public static let linear = Self(rawValue: "linear")
    /// Starts slowly.
    public static let easeIn = Self(rawValue: "easeIn")
    /// Ends slowly.
    public static let easeOut = Self(rawValue: "easeOut")
    /// Starts and ends slowly.
    public static let easeInEaseOut = Self(rawValue: "easeInEaseOut")
    /// Starts fast and ends slowly, as what the system shows.
    public static let `default` = Self(rawValue: "default")
}

/// Changes the speed of an animation along a curve.
@preconcurrency @MainActor
open class CAMediaTimingFunction: NSObject {
    let css: String

    /// Creates a curve of the system.
    public init(name: CAMediaTimingFunctionName) {
        let known: [CAMediaTimingFunctionName: String] = [
            .easeIn: "cubic-bezier(0.42,0,1,1)", .easeOut: "cubic-bezier(0,0,0.58,1)",
            .easeInEaseOut: "cubic-bezier(0.42,0,0.58,1)", .default: "cubic-bezier(0.25,0.1,0.25,1)",
        ]
        css = known[name] ?? "linear"
        super.init()
    }

    /// Creates a curve that two points steer, in parts of time and way.
    public init(controlPoints c1x: Float, _ c1y: Float, _ c2x: Float, _ c2y: Float) {
        // Time runs one way.
        let parts = [min(max(c1x, 0), 1), c1y, min(max(c2x, 0), 1), c2y].map { CSS.number(CGFloat($0)) }
        css = "cubic-bezier(\(parts.joined(separator: ",")))"
        super.init()
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Returns the time that animations begin by, in seconds from any moment.
public func CACurrentMediaTime() -> TimeInterval { ProcessInfo.processInfo.systemUptime }
