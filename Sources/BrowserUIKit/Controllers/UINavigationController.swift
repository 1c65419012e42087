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
    /// The controller that is shown.
    open var visibleViewController: UIViewController? { topViewController }
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
    }

    /// Shows a controller, from which the bar leads back.
    open func pushViewController(_ viewController: UIViewController, animated: Bool) {
        let previous = topViewController
        add(viewController)
        viewController.isMovingToParent = true
        exchange(previous, for: viewController, animated: animated)
        viewController.isMovingToParent = false
        viewController.didMove(toParent: self)
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
        return pop(to: viewControllers.count - 2, animated: animated).last
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

    /// Leaves the controllers above a place, of which the one on top has been shown.
    private func pop(to place: Int, animated: Bool) -> [UIViewController] {
        let popped = Array(stack.dropFirst(place + 1))
        stack = Array(stack.prefix(place + 1))
        for controller in popped {
            controller.willMove(toParent: nil)
            controller.isMovingFromParent = true
        }
        exchange(popped.last, for: topViewController, animated: animated)
        for controller in popped {
            controller.isMovingFromParent = false
            controller.removeFromParent()
        }
        return popped
    }

    /// Shows other controllers, the last of them on top.
    open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
        let previous = topViewController
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
        exchange(previous, for: topViewController, animated: animated)
        for controller in left {
            controller.isMovingFromParent = false
            controller.removeFromParent()
        }
        for controller in come {
            controller.isMovingToParent = false
            controller.didMove(toParent: self)
        }
    }

    /// Shows or hides the bar.
    open func setNavigationBarHidden(_ hidden: Bool, animated: Bool) {
        isNavigationBarHidden = hidden
    }

    private func exchange(_ old: UIViewController?, for new: UIViewController?, animated: Bool) {
        guard appearance != .gone, old !== new else { return }
        if let new { delegate?.navigationController(self, willShow: new, animated: animated) }
        old?.disappear(animated: animated)
        new?.appear(animated: animated)
        viewIfLoaded?.setNeedsDisplay()
        if let new { delegate?.navigationController(self, didShow: new, animated: animated) }
    }

    /// The controller that is on top when the stack first comes to the screen is told of, too.
    override func appear(animated: Bool) {
        guard appearance == .gone, let top = topViewController else { return super.appear(animated: animated) }
        delegate?.navigationController(self, willShow: top, animated: animated)
        super.appear(animated: animated)
        delegate?.navigationController(self, didShow: top, animated: animated)
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

/// Draws the bar and the controller on top.
final class NavigationView: UIView {
    private weak var controller: UINavigationController?

    init(_ controller: UINavigationController) {
        self.controller = controller
        super.init(frame: .zero)
        backgroundColor = .systemBackground
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        node.add(class: "navigation")
        guard let controller, let top = controller.topViewController else { return }
        let content = top.view.render(drawing)
        drawing.nodes[content]?.add(class: "screen-content")
        node.attributes["data-depth"] = String(controller.viewControllers.count)
        let bar = controller.isNavigationBarHidden ? nil : drawBar(for: top, in: drawing)
        node.children = [bar, content].compactMap { $0 }
        guard controller.extendsUnderBar(top) else { return }
        node.add(class: "under")
        guard let scroll = top.scrollView(at: .top) else { return }
        let height = controller.largeTitleHeight(isResting: true)
        drawing.nodes[scroll.scrollerID]?.attributes["data-lead"] = CSS.number(height)
    }

    private func drawBar(for top: UIViewController, in drawing: Drawing) -> String {
        let title = drawTitle(of: top.navigationItem, in: drawing)
        let item = top.navigationItem
        let left =
            [drawBack(from: top, in: drawing)].compactMap { $0 } + draw("left", item.leftBarButtonItems, in: drawing)
        let leading = drawing.add("\(nodeID).leading", class: "bar-side leading", children: left)
        let right = draw("right", item.rightBarButtonItems, in: drawing).reversed()
        let trailing = drawing.add("\(nodeID).trailing", class: "bar-side trailing", children: Array(right))
        let id = drawing.add("\(nodeID).bar", tag: "header", class: "bar", children: [leading, title, trailing])
        drawing.nodes[id]?.style["padding-top"] = CSS.points(controller?.roomAboveBar ?? 0)
        if var node = drawing.nodes[id] {
            let isOver = controller?.extendsUnderBar(top) == true
            controller?.navigationBar.style(&node, page: isOver ? nil : top.view.backgroundColor)
            drawing.nodes[id] = node
        }
        drawLargeTitle(of: item, on: id, title, in: drawing)
        if let search = item.searchController?.searchBar, search.superview === self {
            // Drawn first: it adds to the same nodes.
            let field = search.render(drawing)
            drawing.nodes[id]?.children.append(field)
            drawing.nodes[id]?.add(class: "searchable")
        }
        return id
    }

    /// Adds a large title below the buttons, which leaves when the content is scrolled.
    private func drawLargeTitle(of item: UINavigationItem, on bar: String, _ title: String, in drawing: Drawing) {
        if var node = drawing.nodes[title] {
            controller?.navigationBar.style(&node, isLarge: false)
            drawing.nodes[title] = node
        }
        guard controller?.drawsLargeTitle == true, let text = item.title else { return }
        let id = drawing.add("\(nodeID).large", tag: "h1", class: "large-title", text: text)
        if var node = drawing.nodes[id] {
            controller?.navigationBar.style(&node, isLarge: true)
            drawing.nodes[id] = node
        }
        // A title begins where the interface does, whatever its language.
        let isRightToLeft = traitCollection.layoutDirection == .rightToLeft
        drawing.nodes[id]?.style["text-align"] = isRightToLeft ? "right" : "left"
        drawing.nodes[title]?.attributes["aria-hidden"] = "true"
        drawing.nodes[bar]?.add(class: "large")
        drawing.nodes[bar]?.children.append(id)
    }

    private func drawTitle(of item: UINavigationItem, in drawing: Drawing) -> String {
        guard let view = item.titleView, view.superview === self else {
            return drawing.add("\(nodeID).title", tag: "h1", class: "bar-title", text: item.title ?? "")
        }
        return drawing.add("\(nodeID).title-view", class: "bar-title own", children: [view.render(drawing)])
    }

    /// Adds the views that the bar shows, and removes those that it no longer does.
    override func layoutSubviews() {
        let item = controller?.isNavigationBarHidden == false ? controller?.topViewController?.navigationItem : nil
        let buttons = (item?.leftBarButtonItems ?? []) + (item?.rightBarButtonItems ?? [])
        let own = [item?.titleView, item?.searchController?.searchBar].compactMap { $0 }
        let wanted = own + buttons.compactMap(\.customView)
        for view in subviews where !wanted.contains(where: { $0 === view }) { view.removeFromSuperview() }
        for view in wanted where view.superview !== self { addSubview(view) }
    }

    private func drawBack(from top: UIViewController, in drawing: Drawing) -> String? {
        guard let controller, controller.viewControllers.count > 1, !top.navigationItem.hidesBackButton else {
            return nil
        }
        let previous = controller.viewControllers[controller.viewControllers.count - 2].navigationItem
        let word = SystemStrings.back.text(in: screen?.environment.language)
        let title = previous.backButtonTitle ?? previous.title ?? word
        let texts: [UINavigationItem.BackButtonDisplayMode: String] = [.generic: word, .minimal: ""]
        let text = texts[previous.backButtonDisplayMode] ?? title
        let id = drawing.add("\(nodeID).back", tag: "button", class: "bar-button back", text: text)
        drawing.nodes[id]?.attributes["data-tap"] = ""
        if text.isEmpty { drawing.nodes[id]?.attributes["aria-label"] = title.isEmpty ? word : title }
        controller.navigationBar.looks(of: \.backButtonAppearance).style(id, isEnabled: true, in: drawing)
        return id
    }

    private func draw(_ side: String, _ items: [UIBarButtonItem]?, in drawing: Drawing) -> [String] {
        (items ?? []).enumerated().map { index, item in
            let looks = controller?.navigationBar.looks { bar in
                item.isProminent ? bar.doneButtonAppearance : bar.buttonAppearance
            }
            return item.draw("\(nodeID).\(side)\(index)", of: self, looks: looks, in: drawing)
        }
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        guard case .tap = event.kind, let controller else { return false }
        if event.part == "back" {
            controller.popViewController(animated: true)
            return true
        }
        let item = controller.topViewController?.navigationItem
        let lists = [("left", item?.leftBarButtonItems), ("right", item?.rightBarButtonItems)]
        for (side, items) in lists where event.part.hasPrefix(side) {
            guard let items, let index = Int(event.part.dropFirst(side.count)), items.indices.contains(index) else {
                return false
            }
            return items[index].perform(in: controller.topViewController?.view ?? self)
        }
        return false
    }
}
