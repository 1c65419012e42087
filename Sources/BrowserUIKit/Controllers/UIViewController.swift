/// Manages one screen of an app, or a part of one.
@preconcurrency @MainActor
open class UIViewController: UIResponder {
    private(set) var loadedView: UIView?
    private(set) var appearance = Appearance.gone

    /// The view, which is made when it is first asked for.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var view: UIView! {
        get {
            loadViewIfNeeded()
            return loadedView
        }
        set {
            loadedView = newValue
            newValue?.owner = self
        }
    }
    /// The view, if it has been made.
    open var viewIfLoaded: UIView? { loadedView }
    /// Whether the view has been made.
    open var isViewLoaded: Bool { loadedView != nil }
    /// The title, for bars; none by default.
    open var title: String? { didSet { loadedView?.setNeedsDisplay() } }
    /// The item that a navigation bar shows for this controller.
    public private(set) lazy var navigationItem: UINavigationItem = {
        let item = UINavigationItem(title: title ?? "")
        item.controller = self
        return item
    }()
    /// The item that a bar of tabs shows for this controller.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var tabBarItem: UITabBarItem! {
        get {
            if ownTabBarItem == nil { self.tabBarItem = UITabBarItem(title: nil, image: nil, tag: 0) }
            return ownTabBarItem
        }
        set {
            ownTabBarItem = newValue
            newValue?.controller = self
        }
    }
    private var ownTabBarItem: UITabBarItem?
    /// The appearance of the view.
    ///
    /// The default is that of the surroundings.
    open var overrideUserInterfaceStyle = UIUserInterfaceStyle.unspecified {
        didSet { loadedView?.setNeedsDisplay() }
    }
    var ownTraitOverrides = UITraitOverrides() { didSet { loadedView?.setNeedsDisplay() } }
    /// The look of the device's bar over this controller; browsers draw it by the appearance.
    open var preferredStatusBarStyle: UIStatusBarStyle { .default }
    /// Whether the bar of the device is not shown; browsers show it.
    open var prefersStatusBarHidden: Bool { false }
    /// The orientations in which the device can be held; browsers can be turned as the user likes.
    open var supportedInterfaceOrientations: UIInterfaceOrientationMask { .allButUpsideDown }
    /// Whether the controller turns with the device; browsers can be turned as the user likes.
    open var shouldAutorotate: Bool { true }
    /// The edges at which the view extends under translucent bars.
    ///
    /// The default is all.
    open var edgesForExtendedLayout = UIRectEdge.all { didSet { changedBars() } }
    /// Whether the view extends under bars that are not translucent, too.
    ///
    /// The default is `false`.
    open var extendedLayoutIncludesOpaqueBars = false { didSet { changedBars() } }
    /// Whether the scroll view keeps its content off the bars; a scroll view's own setting is the newer one.
    ///
    /// The default is `true`.
    open var automaticallyAdjustsScrollViewInsets = true { didSet { changedBars() } }
    /// The part of its view that the controller covers besides the bars.
    ///
    /// The default is none.
    open var additionalSafeAreaInsets = UIEdgeInsets.zero { didSet { changedBars() } }
    /// The way in which the controller covers what is behind it; `automatic` by default.
    open var modalPresentationStyle = UIModalPresentationStyle.automatic
    /// The way in which the controller comes to the screen.
    ///
    /// The default is `coverVertical`.
    open var modalTransitionStyle = UIModalTransitionStyle.coverVertical
    /// The object that gives the transitions by which the controller is presented and dismissed, where they are the
    /// app's own.
    open weak var transitioningDelegate: (any UIViewControllerTransitioningDelegate)?
    /// The view in which a transition of the app's own has put the controller's view.
    var container: TransitionContainer?
    /// Whether the user can't drag away the sheet that this controller is in.
    ///
    /// The default is `false`.
    open var isModalInPresentation = false
    /// Whether a bar of tabs is hidden while the controller, pushed, is in its navigation controller.
    ///
    /// The default is `false`.
    open var hidesBottomBarWhenPushed = false { didSet { changedBars() } }
    /// The buttons that the toolbar of a navigation controller shows for this controller.
    ///
    /// The default is none.
    open var toolbarItems: [UIBarButtonItem]? { didSet { navigationController?.viewIfLoaded?.setNeedsDisplay() } }
    /// Whether what is presented covers this controller alone; browsers cover the screen.
    ///
    /// The default is `false`.
    open var definesPresentationContext = false
    /// The controller that holds this one.
    public internal(set) weak var parent: UIViewController?
    /// The controllers in this one.
    public private(set) var children: [UIViewController] = []
    var ownPresented: UIViewController?
    /// Whether the controller has taken the one that presents it off the screen.
    var covers = false
    /// Whether the controller appears because another one presents it.
    public internal(set) var isBeingPresented = false
    /// Whether the controller appears because it has come to the controller that holds it.
    public internal(set) var isMovingToParent = false
    /// Whether the controller disappears because what it was presented over dismisses it.
    public internal(set) var isBeingDismissed = false
    /// Whether the controller disappears because it leaves the controller that holds it.
    public internal(set) var isMovingFromParent = false
    var traitRegistrations: [TraitRegistration] = []
    var lastCovered = UIEdgeInsets.zero
    weak var presenter: UIViewController?
    weak var ownWindow: UIView?

    /// Creates a controller; browsers have no nib files.
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init()
    }

    /// Creates a controller.
    public override convenience init() {
        self.init(nibName: nil, bundle: nil)
    }

    /// Creates a controller from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init()
    }

    /// The responder that answers where this controller does not.
    open override var next: UIResponder? { loadedView?.superview ?? parent ?? presenter ?? ownWindow }

    /// The keys that call methods while the controller is shown: those that were added.
    open override var keyCommands: [UIKeyCommand]? { addedKeyCommands.isEmpty ? nil : addedKeyCommands }
    private var addedKeyCommands: [UIKeyCommand] = []

    /// Has keys call a method while the controller is shown.
    open func addKeyCommand(_ keyCommand: UIKeyCommand) {
        addedKeyCommands.append(keyCommand)
        loadedView?.setNeedsDisplay()
    }

    /// Has keys call a method no longer.
    open func removeKeyCommand(_ keyCommand: UIKeyCommand) {
        addedKeyCommands.removeAll { $0 === keyCommand }
        loadedView?.setNeedsDisplay()
    }

    /// The name by which the state of the controller is restored; browsers restore none.
    open var restorationIdentifier: String?

    /// Writes what the controller needs to come back as it was.
    open func encodeRestorableState(with coder: NSCoder) {}

    /// Reads what the controller needs to come back as it was.
    open func decodeRestorableState(with coder: NSCoder) {}

    /// Asks again how the bar of the device looks; browsers draw it by the appearance.
    open func setNeedsStatusBarAppearanceUpdate() {}

    // MARK: Override points

    /// Makes the view.
    ///
    /// Set `view`; do not call super then.
    open func loadView() {
        view = UIView()
    }

    /// Is called once, after the view was made.
    open func viewDidLoad() {}

    /// Is called before the view appears.
    open func viewWillAppear(_ animated: Bool) {}

    /// Is called after `viewWillAppear(_:)`, when the view is in its window and has its traits.
    open func viewIsAppearing(_ animated: Bool) {}

    /// Is called after the view appeared.
    open func viewDidAppear(_ animated: Bool) {}

    /// Is called before the view disappears.
    open func viewWillDisappear(_ animated: Bool) {}

    /// Is called after the view disappeared.
    open func viewDidDisappear(_ animated: Bool) {}

    /// Is called after the view arranged its subviews.
    open func viewDidLayoutSubviews() {}

    /// Is called before the view arranges its subviews.
    open func viewWillLayoutSubviews() {}

    /// Is called before the view arranges its subviews, where bars cover another part of it than before.
    open func viewSafeAreaInsetsDidChange() {}

    /// Is called before constraints are changed, where that was asked for.
    open func updateViewConstraints() {
        loadedView?.updateConstraints()
    }

    /// Is called where the system has little memory left; browsers never say so.
    open func didReceiveMemoryWarning() {}

    /// Is called before a segue leads to another controller.
    open func prepare(for segue: UIStoryboardSegue, sender: Any?) {}

    /// Returns whether a segue may lead to another controller.
    open func shouldPerformSegue(withIdentifier identifier: String, sender: Any?) -> Bool { true }

    /// Follows a segue of a storyboard; browsers have none, so nothing happens.
    open func performSegue(withIdentifier identifier: String, sender: Any?) {}

    /// Shows a controller: on top of the stack around this one, or over it.
    open func show(_ vc: UIViewController, sender: Any?) {
        if let navigationController {
            navigationController.pushViewController(vc, animated: true)
        } else {
            present(vc, animated: true)
        }
    }

    /// Is called before the size of the view changes.
    open func viewWillTransition(to size: CGSize, with coordinator: any UIViewControllerTransitionCoordinator) {
        for child in drawnChildren { child.viewWillTransition(to: size, with: coordinator) }
    }

    /// Is called after the traits changed.
    open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}

    /// Whether the user edits what the controller shows.
    ///
    /// The default is `false`.
    open var isEditing = false {
        didSet { if isEditing != oldValue { setEditing(isEditing, animated: false) } }
    }
    /// The button that begins to edit and ends it.
    public private(set) lazy var editButtonItem = UIBarButtonItem.edit(of: self)

    /// Lets the user edit, or no longer.
    open func setEditing(_ editing: Bool, animated: Bool) {
        if isEditing != editing { isEditing = editing }
        loadedView?.setNeedsDisplay()
        navigationController?.viewIfLoaded?.setNeedsDisplay()
    }

    /// Exchanges the buttons of the toolbar.
    open func setToolbarItems(_ toolbarItems: [UIBarButtonItem]?, animated: Bool) {
        self.toolbarItems = toolbarItems
    }

    // MARK: Containers

    /// Takes in a controller, whose view you then add, and tells it before: `willMove(toParent:)`.
    ///
    /// Call `didMove(toParent:)` of the controller when its view has its place.
    open func addChild(_ childController: UIViewController) {
        if childController.parent != nil { childController.removeFromParent() }
        childController.willMove(toParent: self)
        children.append(childController)
        childController.parent = self
    }

    /// Lets go of this controller's place in its container, and tells it after that: `didMove(toParent:)`.
    ///
    /// Call `willMove(toParent:)` of the controller before.
    open func removeFromParent() {
        guard let parent else { return }
        parent.children.removeAll { $0 === self }
        self.parent = nil
        didMove(toParent: nil)
    }

    /// Is called after the controller came to a container, or left it.
    open func didMove(toParent parent: UIViewController?) {}

    /// Is called before the controller comes to a container, or leaves it.
    open func willMove(toParent parent: UIViewController?) {}

    /// Controllers whose views this one draws besides subviews.
    var drawnChildren: [UIViewController] { [] }

    var hostWindow: UIView? { ownWindow ?? presenter?.hostWindow ?? parent?.view.windowView }

    // MARK: Presenting

    /// Says how this controller is shown as a sheet.
    private(set) lazy var sheet = UISheetPresentationController(presenting: self)

    /// Shows a controller over this one, unless it presents one already, of which the console tells then.
    open func present(_ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil)
    {
        show(viewControllerToPresent, animated: flag, completion)
    }

    /// Takes away the controller that this one presented, or this one itself.
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        leave(animated: flag, completion)
    }

    // MARK: Life

    func beginAppearing(animated: Bool) {
        guard appearance == .gone || appearance == .disappearing else { return }
        loadViewIfNeeded()
        sizeView()
        appearance = .appearing
        viewWillAppear(animated)
        guard appearance == .appearing else { return }
        viewIsAppearing(animated)
        for child in appearingChildren { child.beginAppearing(animated: animated) }
    }

    func endAppearing(animated: Bool) {
        guard appearance == .appearing else { return }
        for child in appearingChildren { child.appear(animated: animated) }
        // A child may have taken this controller away.
        guard appearance == .appearing else { return }
        appearance = .shown
        viewDidAppear(animated)
    }

    func beginDisappearing(animated: Bool) {
        guard appearance == .appearing || appearance == .shown else { return }
        appearance = .disappearing
        viewWillDisappear(animated)
        for child in appearingChildren { child.beginDisappearing(animated: animated) }
    }

    func endDisappearing(animated: Bool) {
        guard appearance == .disappearing else { return }
        for child in appearingChildren { child.disappear(animated: animated) }
        guard appearance == .disappearing else { return }
        appearance = .gone
        viewDidDisappear(animated)
        if !isCovered { ownPresented?.disappear(animated: animated) }
    }

    var appearingChildren: [UIViewController] { children }
}
