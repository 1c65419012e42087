extension UIView {
    /// Says how animations run.
    public struct AnimationOptions: OptionSet, Sendable {
        /// One bit an option, two for the curve.
        public let rawValue: UInt

        /// Creates options from their bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Lets the user touch views while they move.
        public static let allowUserInteraction = AnimationOptions(rawValue: 1 << 1)
        /// Starts where an earlier animation has come to; browsers always do.
        public static let beginFromCurrentState = AnimationOptions(rawValue: 1 << 2)
        /// Starts and ends slowly.
        public static let curveEaseInOut = AnimationOptions([])
        /// Runs again and again; what is called at the end is called where animations are off alone.
        public static let `repeat` = AnimationOptions(rawValue: 1 << 3)
        /// Runs backwards after it has run, and then shows the end.
        public static let autoreverse = AnimationOptions(rawValue: 1 << 4)
        /// Takes its own duration inside of another animation; browsers always do.
        public static let overrideInheritedDuration = AnimationOptions(rawValue: 1 << 5)
        /// Takes its own curve inside of another animation; browsers always do.
        public static let overrideInheritedCurve = AnimationOptions(rawValue: 1 << 6)
        /// Takes its own options inside of another animation; browsers always do.
        public static let overrideInheritedOptions = AnimationOptions(rawValue: 1 << 9)
        /// Starts slowly.
        public static let curveEaseIn = AnimationOptions(rawValue: 1 << 16)
        /// Ends slowly.
        public static let curveEaseOut = AnimationOptions(rawValue: 2 << 16)
        /// Runs evenly.
        public static let curveLinear = AnimationOptions(rawValue: 3 << 16)
        /// Arranges subviews along with the animation; browsers always do.
        public static let layoutSubviews = AnimationOptions(rawValue: 1)
        /// Exchanges views by fading; browsers do so for every transition.
        public static let transitionCrossDissolve = AnimationOptions(rawValue: 5 << 20)
        /// Exchanges views by turning them over to the right; browsers fade.
        public static let transitionFlipFromLeft = AnimationOptions(rawValue: 1 << 20)
        /// Exchanges views by turning them over to the left; browsers fade.
        public static let transitionFlipFromRight = AnimationOptions(rawValue: 2 << 20)
        /// Exchanges views by turning a leaf upwards; browsers fade.
        public static let transitionCurlUp = AnimationOptions(rawValue: 3 << 20)
        /// Exchanges views by turning a leaf downwards; browsers fade.
        public static let transitionCurlDown = AnimationOptions(rawValue: 4 << 20)
        /// Exchanges views by turning them over downwards; browsers fade.
        public static let transitionFlipFromTop = AnimationOptions(rawValue: 6 << 20)
        /// Exchanges views by turning them over upwards; browsers fade.
        public static let transitionFlipFromBottom = AnimationOptions(rawValue: 7 << 20)

        var isTouchable: Bool { contains(.allowUserInteraction) }
        /// Whether the page has to play the animation by itself.
        var isPlayed: Bool { !isDisjoint(with: [.repeat, .autoreverse]) }

        var timing: String {
            ["ease-in-out", "ease-in", "ease-out", "linear"][Int(rawValue >> 16 & 3)]
        }
    }
}
