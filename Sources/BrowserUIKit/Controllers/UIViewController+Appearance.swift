// A controller is told that it comes or leaves before and after that; in between, the user may change their mind.
extension UIViewController {
    enum Appearance {
        case gone
        case appearing
        case shown
        case disappearing
    }

    /// Tells the controller that it comes, and has come: what it has been told already is not said again.
    ///
    /// What covers it entirely is told in its place.
    func appear(animated: Bool) {
        if isCovered, let ownPresented { return ownPresented.appear(animated: animated) }
        beginAppearing(animated: animated)
        endAppearing(animated: animated)
    }

    /// Tells the controller that it leaves, and has left: what it has been told already is not said again.
    ///
    /// What covers it entirely is told in its place.
    func disappear(animated: Bool) {
        if isCovered, let ownPresented { return ownPresented.disappear(animated: animated) }
        beginDisappearing(animated: animated)
        endDisappearing(animated: animated)
    }

    /// Whether what this controller presents has taken it off the screen.
    var isCovered: Bool { ownPresented?.covers ?? false }

    /// Whether the controller, or what covers it, is on the screen.
    var isShownOrCovered: Bool {
        if isCovered, let ownPresented { return ownPresented.isShownOrCovered }
        return appearance != .gone
    }

    /// Tells this controller and the one that takes its place that this begins.
    func beginExchange(for new: UIViewController?, animated: Bool) {
        beginDisappearing(animated: animated)
        new?.beginAppearing(animated: animated)
    }

    /// Tells this controller and the one that was to take its place that this is over; where it was given up, the other
    /// one leaves before this one comes back.
    func endExchange(for new: UIViewController?, isDone: Bool, animated: Bool) {
        if isDone {
            endDisappearing(animated: animated)
            new?.endAppearing(animated: animated)
        } else {
            new?.disappear(animated: animated)
            appear(animated: animated)
        }
    }
}
