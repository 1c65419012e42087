/// Says how a link of a text was used.
public enum UITextItemInteraction: Int, Sendable {
    /// By a tap.
    case invokeDefaultAction = 0
    /// By a long press, for what can be done.
    case presentActions = 1
    /// By a press, for a look.
    case preview = 2
}

/// Says what is found in a text.
public struct UIDataDetectorTypes: OptionSet, Sendable {
    /// One bit a kind.
    public let rawValue: UInt

    /// Creates kinds from their bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Telephone numbers.
    public static let phoneNumber = UIDataDetectorTypes(rawValue: 1 << 0)
    /// Web addresses.
    public static let link = UIDataDetectorTypes(rawValue: 1 << 1)
    /// Postal addresses.
    public static let address = UIDataDetectorTypes(rawValue: 1 << 2)
    /// Dates.
    public static let calendarEvent = UIDataDetectorTypes(rawValue: 1 << 3)
    /// All of them.
    public static let all = UIDataDetectorTypes(rawValue: .max)
}

/// Says how text fills a view.
@preconcurrency @MainActor
open class NSTextContainer: NSObject {
    private weak var view: UIView?
    /// The room at both ends of lines, in points.
    ///
    /// The default is 5.
    open var lineFragmentPadding: CGFloat = 5 { didSet { view?.setNeedsDisplay() } }
    /// The maximum number of lines; browsers show all.
    ///
    /// The default is 0: any number.
    open var maximumNumberOfLines = 0
    /// The way in which the last line breaks; browsers show all lines.
    ///
    /// The default is between words.
    open var lineBreakMode = NSLineBreakMode.byWordWrapping

    init(in view: UIView) {
        self.view = view
    }
}

/// A delegate that is asked and told about what is typed into a text view.
@preconcurrency @MainActor
public protocol UITextViewDelegate: NSObjectProtocol, UIScrollViewDelegate {
    /// Returns whether the user may type into the view. The default is `true`.
    func textViewShouldBeginEditing(_ textView: UITextView) -> Bool

    /// Is called when the user has begun to type.
    func textViewDidBeginEditing(_ textView: UITextView)

    /// Returns whether the app may end the typing. The default is `true`.
    func textViewShouldEndEditing(_ textView: UITextView) -> Bool

    /// Is called when the user is done.
    func textViewDidEndEditing(_ textView: UITextView)

    /// Returns whether a part of the text may be exchanged. The default is `true`.
    func textView(_ textView: UITextView, shouldChangeTextIn range: NSRange, replacementText text: String) -> Bool

    /// Is called when the user has changed the text.
    func textViewDidChange(_ textView: UITextView)

    /// Returns whether a link that was tapped is to be opened. The default is `true`.
    func textView(
        _ textView: UITextView,
        shouldInteractWith url: URL,
        in characterRange: NSRange,
        interaction: UITextItemInteraction
    ) -> Bool
}

extension UITextViewDelegate {
    /// Lets the user type.
    public func textViewShouldBeginEditing(_ textView: UITextView) -> Bool { true }

    /// Does nothing.
    public func textViewDidBeginEditing(_ textView: UITextView) {}

    /// Lets the typing end.
    public func textViewShouldEndEditing(_ textView: UITextView) -> Bool { true }

    /// Does nothing.
    public func textViewDidEndEditing(_ textView: UITextView) {}

    /// Takes any text.
    public func textView(
        _ textView: UITextView,
        shouldChangeTextIn range: NSRange,
        replacementText text: String
    ) -> Bool { true }

    /// Does nothing.
    public func textViewDidChange(_ textView: UITextView) {}

    /// Lets links be opened.
    public func textView(
        _ textView: UITextView,
        shouldInteractWith url: URL,
        in characterRange: NSRange,
        interaction: UITextItemInteraction
    ) -> Bool { true }
}
