/// Tells people who do not see the screen what happens on it, and asks what help they use.
///
/// Browsers do not say what help is used, so every question about that is answered with no, but for that about more
/// contrast, which they do tell.
@preconcurrency @MainActor
public enum UIAccessibility {
    /// Says what has happened.
    public struct Notification: RawRepresentable, Hashable, Sendable {
        /// The number of the notification.
        public var rawValue: UInt32

        /// Creates a notification from its number.
        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// Most of the screen is new; the argument is the view or the text to begin with.
        public static let screenChanged = Self(rawValue: 1_000)
        /// A part of the screen is new; the argument is the view or the text to go on with.
        public static let layoutChanged = Self(rawValue: 1_001)
        /// A text is to be read aloud: the argument.
        public static let announcement = Self(rawValue: 1_008)
        /// A list was scrolled; the argument says where to.
        public static let pageScrolled = Self(rawValue: 1_009)
    }

    /// Tells what has happened: texts are read aloud, and a view gets the focus.
    public static func post(notification: Notification, argument: Any?) {
        if let text = (argument as? String) ?? (argument as? NSAttributedString)?.string {
            BrowserScreen.current?.announce(text)
        } else if let view = argument as? UIView, notification != .announcement {
            view.requestAccessibilityFocus()
        }
    }

    /// Whether a screen reader is used.
    public static var isVoiceOverRunning: Bool { false }
    /// Whether the app is used by switches.
    public static var isSwitchControlRunning: Bool { false }
    /// Whether less is to move; the page sees to that itself.
    public static var isReduceMotionEnabled: Bool { false }
    /// Whether less is to shine through.
    public static var isReduceTransparencyEnabled: Bool { false }
    /// Whether text is to be bold.
    public static var isBoldTextEnabled: Bool { false }
    /// Whether colours are inverted.
    public static var isInvertColorsEnabled: Bool { false }
    /// Whether there are no colours.
    public static var isGrayscaleEnabled: Bool { false }
    /// Whether the user wants more contrast.
    public static var isDarkerSystemColorsEnabled: Bool { UITraitCollection.current.accessibilityContrast == .high }

    /// A notification that a screen reader begins or ends; browsers do not tell.
    public nonisolated static let voiceOverStatusDidChangeNotification = NSNotification.Name(
        "UIAccessibilityVoiceOverStatusDidChangeNotification"
    )
    /// A notification that the user wants less to move, or no longer; browsers do not tell.
    public nonisolated static let reduceMotionStatusDidChangeNotification = NSNotification.Name(
        "UIAccessibilityReduceMotionStatusDidChangeNotification"
    )
    /// Is posted when the user wants more contrast, or no longer.
    public nonisolated static let darkerSystemColorsStatusDidChangeNotification = NSNotification.Name(
        "UIAccessibilityDarkerSystemColorsStatusDidChangeNotification"
    )
    /// A notification that a text was read aloud; browsers do not tell.
    public nonisolated static let announcementDidFinishNotification = NSNotification.Name(
        "UIAccessibilityAnnouncementDidFinishNotification"
    )
}
