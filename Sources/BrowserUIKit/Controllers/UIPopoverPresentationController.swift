/// Says where a popover points; a phone has none.
@preconcurrency @MainActor
open class UIPopoverPresentationController: NSObject {
    /// The view that the popover points at.
    open var sourceView: UIView?
    /// The part of that view.
    open var sourceRect = CGRect.zero
    /// The button that the popover points at.
    open var barButtonItem: UIBarButtonItem?

    override init() {
        super.init()
    }
}

extension UIViewController {
    /// Says where the popover of this controller points: `nil`, as on a phone, where sheets come from below.
    public var popoverPresentationController: UIPopoverPresentationController? { nil }
}
