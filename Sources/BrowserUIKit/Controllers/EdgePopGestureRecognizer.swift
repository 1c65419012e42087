/// Follows a finger from the edge at which the interface begins, which leads back to the previous controller.
final class EdgePopGestureRecognizer: UIScreenEdgePanGestureRecognizer {
    private weak var navigation: UINavigationController?
    private let rule = BackButtonRule()

    /// Creates a recogniser for the view of a navigation controller.
    convenience init(leadingBackIn navigation: UINavigationController) {
        self.init(target: navigation, action: UINavigationController.followEdge)
        self.navigation = navigation
        rule.navigation = navigation
        delegate = rule
    }

    /// The page looks at the edge alone: everything else on screen keeps its touches.
    override var attributes: [String: String] { canLeadBack ? ["data-edge": ""] : [:] }

    private var canLeadBack: Bool {
        guard let navigation, navigation.viewControllers.count > 1 else { return false }
        return delegate !== rule || rule.allows
    }

    override func mayBegin() -> Bool {
        guard canLeadBack else { return false }
        edges = view?.traitCollection.layoutDirection == .rightToLeft ? .right : .left
        return super.mayBegin()
    }
}

/// Refuses where no button leads back.
private final class BackButtonRule: UIGestureRecognizerDelegate {
    weak var navigation: UINavigationController?

    var allows: Bool {
        guard let navigation, !navigation.isNavigationBarHidden else { return false }
        return navigation.topViewController?.navigationItem.showsBackButton == true
    }

    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { allows }
}

extension UINavigationController {
    /// Moves what is shown along with a finger from the edge, and goes back where the finger wants that in the end.
    func followEdge(_ pan: UIPanGestureRecognizer) {
        let isRightToLeft = view.traitCollection.layoutDirection == .rightToLeft
        let sign: CGFloat = isRightToLeft ? -1 : 1
        let way = max(pan.translation(in: view).x * sign, 0)
        switch pan.state {
        case .began, .changed:
            followFromEdge()
            edgeShift = way * sign
        case .ended where way > view.bounds.width / 2 || way > 0 && pan.velocity(in: view).x * sign > 500:
            edgeShift = 0
            popFromEdge()
        default:
            giveUpEdge()
            let top = topViewController?.view
            UIView.animate(withDuration: 0.25) { [self] in
                edgeShift = 0
                top?.setNeedsDisplay()
            }
        }
    }
    /// Tells both controllers, as soon as the finger moves, that one may take the place of the other.
    private func followFromEdge() {
        guard edgePair == nil, running == nil, appearance == .shown, let from = topViewController else { return }
        guard let to = viewControllers.dropLast().last else { return }
        edgePair = (from, to)
        from.isMovingFromParent = true
        from.beginExchange(for: to, animated: true)
    }

    /// Goes back to the previous controller, unless the app keeps its own from that.
    private func popFromEdge() {
        let pair = edgePair
        edgePair = nil
        popViewController(animated: true)
        guard let pair, topViewController === pair.from else { return }
        edgePair = pair
        giveUpEdge()
    }

    /// Tells both controllers that everything stays as it was.
    func giveUpEdge() {
        guard let pair = edgePair else { return }
        edgePair = nil
        pair.from.endExchange(for: pair.to, isDone: false, animated: true)
        pair.from.isMovingFromParent = false
    }
}
