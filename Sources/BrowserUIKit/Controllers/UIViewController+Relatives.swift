// The controllers and the transition that a controller is part of.
extension UIViewController {
    /// The controller that this one, or one that holds it, has presented.
    public var presentedViewController: UIViewController? { ownPresented ?? parent?.presentedViewController }

    /// The navigation controller that this one is in.
    public var navigationController: UINavigationController? {
        (parent as? UINavigationController) ?? parent?.navigationController
    }

    /// The controller that presented this one, or its container.
    public var presentingViewController: UIViewController? { presenter ?? parent?.presentingViewController }

    /// The transition by which the controller comes to the screen; `nil` at other times.
    public var transitionCoordinator: (any UIViewControllerTransitionCoordinator)? {
        appearance == .appearing ? ImmediateTransition() : parent?.transitionCoordinator
    }
}
