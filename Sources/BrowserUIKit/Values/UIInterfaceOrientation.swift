/// Says how the device is held.
public enum UIInterfaceOrientation: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// Upright.
    case portrait = 1
    /// Upside down.
    case portraitUpsideDown = 2
    /// On its left side.
    case landscapeLeft = 4
    /// On its right side.
    case landscapeRight = 3

    /// Whether the device is upright or upside down.
    public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
    /// Whether the device is on one of its sides.
    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
}

/// Says how the device may be held.
public struct UIInterfaceOrientationMask: OptionSet, Sendable {
    /// One bit an orientation.
    public let rawValue: UInt

    /// Creates a mask from its bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Upright.
    public static let portrait = Self(rawValue: 1 << 1)
    /// On the left side.
    public static let landscapeLeft = Self(rawValue: 1 << 4)
    /// On the right side.
    public static let landscapeRight = Self(rawValue: 1 << 3)
    /// Upside down.
    public static let portraitUpsideDown = Self(rawValue: 1 << 2)
    /// On either side.
    public static let landscape: Self = [.landscapeLeft, .landscapeRight]
    /// All.
    public static let all: Self = [.portrait, .landscape, .portraitUpsideDown]
    /// All but upside down.
    public static let allButUpsideDown: Self = [.portrait, .landscape]
}
