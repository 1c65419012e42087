/// Shows a controller over another one.
@preconcurrency @MainActor
open class UIPresentationController: NSObject {
    private weak var presented: UIViewController?
    /// Is asked and told about the user's dismissing.
    open weak var delegate: (any UIAdaptivePresentationControllerDelegate)?

    init(presenting controller: UIViewController) {
        presented = controller
        super.init()
    }

    /// The controller that is shown.
    open var presentedViewController: UIViewController { presented ?? UIViewController() }
    /// The controller that is covered.
    open var presentingViewController: UIViewController {
        presented?.presentingViewController ?? UIViewController()
    }

    /// Asks for a new drawing of the controller.
    func changed() {
        presented?.viewIfLoaded?.setNeedsDisplay()
    }

    /// The surroundings of what is shown.
    var environment: BrowserEnvironment { presented?.hostWindow?.screen?.environment ?? BrowserEnvironment() }
}

/// Is asked and told about the user's dismissing of what is presented.
@preconcurrency @MainActor
public protocol UIAdaptivePresentationControllerDelegate: NSObjectProtocol {
    /// Returns whether the user may dismiss it. The default is `true`.
    func presentationControllerShouldDismiss(_ presentationController: UIPresentationController) -> Bool

    /// Is called before the user dismisses it.
    func presentationControllerWillDismiss(_ presentationController: UIPresentationController)

    /// Is called after the user has dismissed it.
    func presentationControllerDidDismiss(_ presentationController: UIPresentationController)

    /// Is called after the user has tried to dismiss what must not be.
    func presentationControllerDidAttemptToDismiss(_ presentationController: UIPresentationController)
}

// Every requirement is optional, as in UIKit.
extension UIAdaptivePresentationControllerDelegate {
    /// Lets the user dismiss it.
    public func presentationControllerShouldDismiss(_ presentationController: UIPresentationController) -> Bool { true }

    /// Does nothing.
    public func presentationControllerWillDismiss(_ presentationController: UIPresentationController) {}

    /// Does nothing.
    public func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {}

    /// Does nothing.
    public func presentationControllerDidAttemptToDismiss(_ presentationController: UIPresentationController) {}
}

extension UIViewController {
    /// Shows this controller over another one: as a sheet, or `nil`, since other styles have nothing to set here.
    public var presentationController: UIPresentationController? { sheetPresentationController }

    /// Shows this controller as a sheet; `nil` where its style is another.
    public var sheetPresentationController: UISheetPresentationController? {
        switch modalPresentationStyle {
        case .automatic, .pageSheet, .formSheet: sheet
        default: nil
        }
    }
}
