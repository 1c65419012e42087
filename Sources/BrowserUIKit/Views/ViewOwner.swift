/// Manages a view, and those in it.
///
/// Views know no more of the controllers that they belong to.
@preconcurrency @MainActor
protocol ViewOwner: UIResponder {
    /// The appearance of the view.
    var overrideUserInterfaceStyle: UIUserInterfaceStyle { get }
    /// The parts of the surroundings that are others for the view.
    var traitOverrides: UITraitOverrides { get }
    /// Whether a scroll view keeps its content off the bars.
    var automaticallyAdjustsScrollViewInsets: Bool { get }
    /// The observers of the surroundings.
    var traitRegistrations: [TraitRegistration] { get }
    /// The window that shows the view, where no superview leads there.
    var hostWindow: UIView? { get }
    /// The accent colour around the view, where no superview has one.
    var tintAround: UIColor? { get }
    /// The views that are drawn in this one, and aren't subviews.
    var separateViews: [UIView] { get }

    /// Is called after the view was added to another one.
    func viewWasAdded()

    /// Is called before the view is removed from another one.
    func viewWillBeRemoved()

    /// Gives the view the room that there is for it.
    func sizeView()

    /// Tells the app where bars cover another part of the view than before.
    func tellCovered()

    /// Returns what is covered of the view; while nothing is scrolled, where `isResting` is set.
    func covered(isResting: Bool) -> UIEdgeInsets

    /// Is called before the view arranges its subviews.
    func viewWillLayoutSubviews()

    /// Is called after the view arranged its subviews.
    func viewDidLayoutSubviews()

    /// Is called before constraints are changed.
    func updateViewConstraints()

    /// Is called after the traits changed.
    func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?)

    /// Returns the height of a large title that leaves as soon as a scroll view is scrolled.
    func largeTitleHeight(above scrollView: UIScrollView) -> CGFloat

    /// Is called when the user has scrolled by a distance; the room is what is left below.
    func userScrolled(by distance: CGFloat, room: CGFloat)

    /// Shows a menu.
    func offer(_ menu: UIMenu, by sender: AnyObject)
}

/// Manages a scroll view whose content ends above a keyboard.
@preconcurrency @MainActor
protocol KeyboardAvoiding: ViewOwner {}

extension UIView {
    /// The object that manages the view, or the nearest view around it that is managed.
    var nearestOwner: (any ViewOwner)? {
        var next: UIResponder? = self
        while let responder = next {
            if let owner = responder as? any ViewOwner { return owner }
            next = responder.next
        }
        return nil
    }
}
