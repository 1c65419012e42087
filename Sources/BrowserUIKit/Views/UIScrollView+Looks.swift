extension UIScrollView {
    /// Says how soon content that glides comes to rest.
    public struct DecelerationRate: RawRepresentable, Hashable, Sendable {
        /// The share of the speed that is left after a millisecond.
        public let rawValue: CGFloat

        /// Creates a rate from the share of the speed that is left after a millisecond.
        public init(rawValue: CGFloat) {
            self.rawValue = rawValue
        }

        /// The usual rate.
        public static let normal = DecelerationRate(rawValue: 0.998)
        /// Soon.
        public static let fast = DecelerationRate(rawValue: 0.99)
    }

    /// Says how light the indicators are.
    public enum IndicatorStyle: Int, Sendable {
        /// As suits the appearance.
        case `default` = 0
        /// Dark, for light content.
        case black = 1
        /// Light, for dark content.
        case white = 2
    }
}
