extension UIViewController: ViewOwner {
    var tintAround: UIColor? { parent?.view.tintColor }

    var separateViews: [UIView] { drawnChildren.compactMap(\.view).filter { $0.superview == nil } }

    func viewWasAdded() {
        if appearance == .gone, parent?.appearance == .shown { appear(animated: false) }
    }

    func viewWillBeRemoved() {
        // A transition tells what takes part in it itself, at its end.
        guard parent != nil, !(viewIfLoaded?.superview is TransitionContainer) else { return }
        disappear(animated: false)
    }

    func largeTitleHeight(above scrollView: UIScrollView) -> CGFloat {
        guard let navigation = navigationController,
            navigation.topViewController?.scrollView(at: .top) === scrollView
        else { return 0 }
        return navigation.largeTitleHeight(isResting: true)
    }

    func userScrolled(by distance: CGFloat, room: CGFloat) {
        navigationController?.noteScrolling(by: distance, room: room)
    }

    func offer(_ menu: UIMenu, by sender: AnyObject) {
        menu.show(by: sender, over: self)
    }
}

extension UIView {
    /// The controller that the view belongs to, over which it may show something.
    var nearestController: UIViewController? { nearestOwner as? UIViewController }
}
