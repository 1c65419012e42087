// swift-format-ignore-file
// It has the shape of Apple's interface, a declaration a line, and no behaviour to document.
// What the SDK uses of the unified log: declarations to type-check against, which can't run.
public struct OSLogPrivacy: Sendable {
    public static var auto: Self { Self() }
    public static var `public`: Self { Self() }
    public static var `private`: Self { Self() }
}
public struct OSLogInterpolation: StringInterpolationProtocol {
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) {}
    public mutating func appendInterpolation(_ argumentString: @autoclosure @escaping () -> String, privacy: OSLogPrivacy = .auto) {}
}
public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral {
    public init(stringInterpolation: OSLogInterpolation) {}
    public init(stringLiteral value: String) {}
}
public struct Logger: Sendable {
    public init(subsystem: String, category: String) {}
    public func notice(_ message: OSLogMessage) {}
}
