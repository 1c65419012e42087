/// Says on which side of what it points at a popover may be.
public struct UIPopoverArrowDirection: OptionSet, Sendable {
    /// One bit a side.
    public let rawValue: UInt

    /// Creates sides from their bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Below, with an arrow upwards.
    public static let up = UIPopoverArrowDirection(rawValue: 1)
    /// Above, with an arrow downwards.
    public static let down = UIPopoverArrowDirection(rawValue: 2)
    /// On the right, with an arrow to the left.
    public static let left = UIPopoverArrowDirection(rawValue: 4)
    /// On the left, with an arrow to the right.
    public static let right = UIPopoverArrowDirection(rawValue: 8)
    /// Any side.
    public static let any: UIPopoverArrowDirection = [.up, .down, .left, .right]
}

/// Says where a popover points; a phone has none.
@preconcurrency @MainActor
open class UIPopoverPresentationController: NSObject {
    /// The view that the popover points at.
    open var sourceView: UIView?
    /// The part of that view.
    open var sourceRect = CGRect.zero
    /// The button that the popover points at.
    open var barButtonItem: UIBarButtonItem?
    /// The sides on which the popover may be.
    ///
    /// The default is any.
    open var permittedArrowDirections = UIPopoverArrowDirection.any

    override init() {
        super.init()
    }
}

extension UIViewController {
    /// Says where the popover of this controller points: `nil`, as on a phone, where sheets come from below.
    public var popoverPresentationController: UIPopoverPresentationController? { nil }
}
