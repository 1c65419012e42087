/// Shows one of several controllers, under a bar that leads back to the others.
open class UINavigationController: UIViewController {
    private var stack: [UIViewController] = []
    /// The controllers, from the root to the one on top.
    open var viewControllers: [UIViewController] {
        get { stack }
        set { setViewControllers(newValue, animated: false) }
    }
    /// The controller that is shown.
    open var topViewController: UIViewController? { viewControllers.last }
    /// The controller that is shown: one that is presented over the stack, or the one on top of it.
    open var visibleViewController: UIViewController? { presentedViewController ?? topViewController }
    /// The bar.
    public private(set) lazy var navigationBar: UINavigationBar = {
        let bar = UINavigationBar(frame: .zero)
        bar.takeSharedLooks()
        bar.controller = self
        return bar
    }()
    /// The object that is told which controller comes to the top.
    open weak var delegate: (any UINavigationControllerDelegate)?
    /// Whether the bar is not shown.
    ///
    /// The default is `false`.
    open var isNavigationBarHidden = false { didSet { viewIfLoaded?.setNeedsDisplay() } }
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The bar below the content, whose buttons are the `toolbarItems` of the controller that is shown.
    public private(set) lazy var toolbar: UIToolbar! = UIToolbar(frame: .zero)
    /// Whether the bar below the content is not shown.
    ///
    /// The default is `true`.
    open var isToolbarHidden = true { didSet { viewIfLoaded?.setNeedsDisplay() } }
    /// Whether scrolling down hides the bars, and scrolling up shows them.
    ///
    /// The default is `false`.
    open var hidesBarsOnSwipe = false
    var barSwipe = BarSwipe()
    /// The distance by which a finger from the edge has moved what is shown.
    var edgeShift: CGFloat = 0 { didSet { viewIfLoaded?.setNeedsDisplay() } }
    /// The controllers between which a finger from the edge decides.
    var edgePair: (from: UIViewController, to: UIViewController)?
    /// The controller on top of a stack that comes to the screen.
    private weak var firstShown: UIViewController?
    /// The transition of the app's own that runs, and what holds the views that take part.
    var running: (transition: Transition, container: TransitionContainer)?
    private lazy var edgePop = EdgePopGestureRecognizer(leadingBackIn: self)
    /// The gesture of a finger from the edge, which leads back to the previous controller.
    ///
    /// Its delegate refuses where there is no button that leads back; one of the app's own decides by itself.
    open var interactivePopGestureRecognizer: UIGestureRecognizer? { edgePop }

    /// Creates a controller that shows a root.
    public init(rootViewController: UIViewController) {
        super.init(nibName: nil, bundle: nil)
        add(rootViewController)
        rootViewController.didMove(toParent: self)
    }

    /// Creates a controller that shows nothing yet; browsers have no nib files.
    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    /// Creates a controller from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Makes the view of bar and content.
    open override func loadView() {
        view = NavigationView(self)
        view.addGestureRecognizer(edgePop)
    }

    /// Shows a controller, from which the bar leads back.
    open func pushViewController(_ viewController: UIViewController, animated: Bool) {
        endTransition()
        let (before, previous) = (stack, topViewController)
        add(viewController)
        viewController.isMovingToParent = true
        exchange(previous, for: viewController, .push, animated: animated) { [self] isDone in
            viewController.isMovingToParent = false
            guard !isDone else { return viewController.didMove(toParent: self) }
            stack = before
            viewController.willMove(toParent: nil)
            viewController.removeFromParent()
        }
    }

    private func add(_ viewController: UIViewController) {
        // safe: an app that pushes what is in the stack is wrong, and ends on iOS too
        precondition(!stack.contains { $0 === viewController }, "The controller is in the stack already.")
        stack.append(viewController)
        addChild(viewController)
    }

    /// Goes back to the previous controller, and returns the one that was shown; `nil` at the root.
    @discardableResult
    open func popViewController(animated: Bool) -> UIViewController? {
        guard viewControllers.count > 1 else { return nil }
        return pop(to: viewControllers.count - 2, animated: animated)?.last
    }

    /// Goes back to the root, and returns the controllers that were left; `nil` at the root.
    @discardableResult
    open func popToRootViewController(animated: Bool) -> [UIViewController]? {
        guard viewControllers.count > 1 else { return nil }
        return pop(to: 0, animated: animated)
    }

    /// Goes back to a controller, and returns the controllers that were left.
    ///
    /// `nil` where the controller is shown already, or isn't in the stack, for which iOS ends the app.
    @discardableResult
    open func popToViewController(_ viewController: UIViewController, animated: Bool) -> [UIViewController]? {
        guard let place = stack.firstIndex(where: { $0 === viewController }), place < stack.count - 1 else {
            return nil
        }
        return pop(to: place, animated: animated)
    }

    /// Leaves the controllers above a place, of which the one on top has been shown; `nil` where there are none.
    private func pop(to place: Int, animated: Bool) -> [UIViewController]? {
        endTransition()
        // The one on top may have been that of a push that was given up.
        guard place < stack.count - 1 else { return nil }
        let before = stack
        let popped = Array(stack.dropFirst(place + 1))
        stack = Array(stack.prefix(place + 1))
        for controller in popped {
            controller.willMove(toParent: nil)
            controller.isMovingFromParent = true
        }
        exchange(popped.last, for: topViewController, .pop, animated: animated) { [self] isDone in
            if !isDone { stack = before }
            for controller in popped {
                controller.isMovingFromParent = false
                if isDone { controller.removeFromParent() } else { controller.willMove(toParent: self) }
            }
        }
        return popped
    }

    /// Shows other controllers, the last of them on top: it is popped to where it was in the stack, or else pushed.
    open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
        endTransition()
        let (before, previous) = (stack, topViewController)
        let isBack = before.contains { $0 === viewControllers.last }
        let left = stack.filter { old in !viewControllers.contains { $0 === old } }
        let come = viewControllers.filter { $0.parent !== self }
        for controller in left {
            controller.willMove(toParent: nil)
            controller.isMovingFromParent = true
        }
        stack = viewControllers
        for controller in come {
            addChild(controller)
            controller.isMovingToParent = true
        }
        exchange(previous, for: topViewController, isBack ? .pop : .push, animated: animated) { [self] isDone in
            if !isDone { stack = before }
            for controller in left { settle(controller, stays: !isDone) }
            for controller in come { settle(controller, stays: isDone) }
        }
    }

    /// Tells a controller that has come to the stack, or has left it, or was to, whether it is in it now.
    private func settle(_ controller: UIViewController, stays: Bool) {
        let isLeaving = controller.isMovingFromParent
        (controller.isMovingFromParent, controller.isMovingToParent) = (false, false)
        switch (stays, isLeaving) {
        case (true, true): controller.willMove(toParent: self)
        case (true, false): controller.didMove(toParent: self)
        case (false, true): controller.removeFromParent()
        case (false, false):
            controller.willMove(toParent: nil)
            controller.removeFromParent()
        }
    }

    /// Shows or hides the bar.
    open func setNavigationBarHidden(_ hidden: Bool, animated: Bool) {
        isNavigationBarHidden = hidden
    }

    /// Shows or hides the bar below the content.
    open func setToolbarHidden(_ hidden: Bool, animated: Bool) {
        isToolbarHidden = hidden
    }

    private func exchange(
        _ old: UIViewController?,
        for new: UIViewController?,
        _ operation: Operation,
        animated: Bool,
        end: @escaping (Bool) -> Void
    ) {
        guard appearance != .gone, old !== new else { return end(true) }
        if let new { delegate?.navigationController(self, willShow: new, animated: animated) }
        if animated, operation != .none, let old, let new, transit(from: old, to: new, operation, end: end) { return }
        if let old {
            old.beginExchange(for: new, animated: animated)
            old.endExchange(for: new, isDone: true, animated: animated)
        } else {
            new?.appear(animated: animated)
        }
        viewIfLoaded?.setNeedsDisplay()
        if let new { delegate?.navigationController(self, didShow: new, animated: animated) }
        end(true)
    }

    /// The controller that is on top when the stack first comes to the screen is told of, too.
    override func beginAppearing(animated: Bool) {
        if appearance == .gone, let top = topViewController {
            firstShown = top
            delegate?.navigationController(self, willShow: top, animated: animated)
        }
        super.beginAppearing(animated: animated)
    }

    override func endAppearing(animated: Bool) {
        super.endAppearing(animated: animated)
        guard appearance == .shown, let top = firstShown else { return }
        firstShown = nil
        delegate?.navigationController(self, didShow: top, animated: animated)
    }

    /// A transition ends before the stack leaves the screen.
    override func beginDisappearing(animated: Bool) {
        endTransition()
        super.beginDisappearing(animated: animated)
    }

    /// Whether the bar has a large title now.
    var drawsLargeTitle: Bool {
        guard showsLargeTitle, let item = topViewController?.navigationItem else { return false }
        return item.title != nil && item.titleView == nil
    }

    /// Whether the title of the controller on top is large: as it says itself, or as the one below it has it.
    var showsLargeTitle: Bool {
        guard navigationBar.prefersLargeTitles else { return false }
        for controller in viewControllers.reversed() {
            switch controller.navigationItem.largeTitleDisplayMode {
            case .always: return true
            case .never: return false
            case .automatic: continue
            }
        }
        return true
    }

    override var drawnChildren: [UIViewController] { topViewController.map { [$0] } ?? [] }
    override var appearingChildren: [UIViewController] { drawnChildren }
}
