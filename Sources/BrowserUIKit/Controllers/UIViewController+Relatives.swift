// The controllers and the transition that a controller is part of.
extension UIViewController {
    /// The controller that this one, or one that holds it, has presented.
    public var presentedViewController: UIViewController? { ownPresented ?? parent?.presentedViewController }

    /// The controller in front of all that this one, or one that holds it, has presented; itself where that is none.
    var frontmost: UIViewController {
        var front = self
        while let next = front.presentedViewController { front = next }
        return front
    }

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
