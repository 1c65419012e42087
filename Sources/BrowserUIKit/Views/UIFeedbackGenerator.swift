/// Lets the user feel something, which browsers can't: every call does nothing.
@preconcurrency @MainActor
open class UIFeedbackGenerator: NSObject {
    /// Creates a generator.
    public override init() {
        super.init()
    }

    /// Gets ready; there is nothing to get ready.
    open func prepare() {}
}

/// Lets the user feel how something ended.
open class UINotificationFeedbackGenerator: UIFeedbackGenerator {
    /// Says how something ended.
    public enum FeedbackType: Int, Sendable {
        /// Well.
        case success = 0
        /// With a doubt.
        case warning = 1
        /// Not well.
        case error = 2
    }

    /// Lets the user feel it; browsers do not.
    open func notificationOccurred(_ notificationType: FeedbackType) {}
}

/// Lets the user feel that things have met.
open class UIImpactFeedbackGenerator: UIFeedbackGenerator {
    /// Says how heavy things are.
    public enum FeedbackStyle: Int, Sendable {
        /// Light.
        case light = 0
        /// In between.
        case medium = 1
        /// Heavy.
        case heavy = 2
        /// Light, between soft things.
        case soft = 3
        /// Light, between hard things.
        case rigid = 4
    }

    /// Creates a generator.
    public init(style: FeedbackStyle) {
        super.init()
    }

    /// Lets the user feel it; browsers do not.
    open func impactOccurred() {}

    /// Lets the user feel it, in an intensity from 0 to 1; browsers do not.
    open func impactOccurred(intensity: CGFloat) {}
}

/// Lets the user feel that another thing is chosen.
open class UISelectionFeedbackGenerator: UIFeedbackGenerator {
    /// Lets the user feel it; browsers do not.
    open func selectionChanged() {}
}
