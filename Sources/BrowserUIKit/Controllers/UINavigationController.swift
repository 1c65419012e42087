/// Shows one of several controllers, under a bar that leads back to the others.
open class UINavigationController: UIViewController {
    /// The controllers, from the root to the one on top.
    open private(set) var viewControllers: [UIViewController] = []
    /// The controller that is shown.
    open var topViewController: UIViewController? { viewControllers.last }
    /// The controller that is shown.
    open var visibleViewController: UIViewController? { topViewController }
    /// Whether the bar is not shown.
    ///
    /// The default is `false`.
    open var isNavigationBarHidden = false { didSet { viewIfLoaded?.setNeedsDisplay() } }

    /// Creates a controller that shows a root.
    public init(rootViewController: UIViewController) {
        super.init(nibName: nil, bundle: nil)
        push(rootViewController)
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
        push(viewController)
        exchange(previous, for: viewController, animated: animated)
    }

    private func push(_ viewController: UIViewController) {
        viewControllers.append(viewController)
        addChild(viewController)
        viewController.didMove(toParent: self)
    }

    /// Goes back to the previous controller, and returns the one that was shown; `nil` at the root.
    @discardableResult
    open func popViewController(animated: Bool) -> UIViewController? {
        guard viewControllers.count > 1, let popped = viewControllers.popLast() else { return nil }
        exchange(popped, for: topViewController, animated: animated)
        popped.removeFromParent()
        return popped
    }

    /// Goes back to the root, and returns the controllers that were left.
    @discardableResult
    open func popToRootViewController(animated: Bool) -> [UIViewController]? {
        guard viewControllers.count > 1, let top = topViewController else { return nil }
        let popped = Array(viewControllers.dropFirst())
        viewControllers = Array(viewControllers.prefix(1))
        exchange(top, for: topViewController, animated: animated)
        for controller in popped { controller.removeFromParent() }
        return popped
    }

    /// Shows other controllers, the last of them on top.
    open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
        let previous = topViewController
        for controller in self.viewControllers where !viewControllers.contains(where: { $0 === controller }) {
            controller.removeFromParent()
        }
        self.viewControllers = []
        for controller in viewControllers {
            self.viewControllers.append(controller)
            if controller.parent !== self { addChild(controller) }
        }
        exchange(previous, for: topViewController, animated: animated)
    }

    /// Shows or hides the bar.
    open func setNavigationBarHidden(_ hidden: Bool, animated: Bool) {
        isNavigationBarHidden = hidden
    }

    private func exchange(_ old: UIViewController?, for new: UIViewController?, animated: Bool) {
        guard appearance != .gone, old !== new else { return }
        old?.disappear(animated: animated)
        new?.appear(animated: animated)
        viewIfLoaded?.setNeedsDisplay()
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
        node.children = controller.isNavigationBarHidden ? [content] : [drawBar(for: top, in: drawing), content]
    }

    private func drawBar(for top: UIViewController, in drawing: Drawing) -> String {
        let title = drawing.add("\(nodeID).title", tag: "h1", class: "bar-title", text: top.navigationItem.title ?? "")
        let leading = drawSide("leading", of: leadingItems(top), in: drawing)
        let trailing = drawSide("trailing", of: trailingItems(top), in: drawing)
        let id = drawing.add("\(nodeID).bar", tag: "header", class: "bar", children: [leading, title, trailing])
        let isSheet = controller?.presenter != nil
        drawing.nodes[id]?.style["padding-top"] = CSS.points(isSheet ? 6 : screen?.environment.safeArea.top ?? 0)
        if let color = top.view.backgroundColor { drawing.nodes[id]?.style["--page"] = color.css }
        return id
    }

    private typealias Item = (id: String, text: String, name: String, isEnabled: Bool)

    private func leadingItems(_ top: UIViewController) -> [Item] {
        var items: [Item] = []
        if let controller, controller.viewControllers.count > 1, !top.navigationItem.hidesBackButton {
            let previous = controller.viewControllers[controller.viewControllers.count - 2].navigationItem
            let word = SystemStrings.back.text(in: screen?.environment.language)
            items.append(("back", previous.backButtonTitle ?? previous.title ?? word, "bar-button back", true))
        }
        return items + self.items("left", top.navigationItem.leftBarButtonItems)
    }

    private func trailingItems(_ top: UIViewController) -> [Item] {
        items("right", top.navigationItem.rightBarButtonItems).reversed()
    }

    private func items(_ side: String, _ items: [UIBarButtonItem]?) -> [Item] {
        (items ?? []).enumerated().map { index, item in
            let name = item.isProminent ? "bar-button prominent" : "bar-button"
            return ("\(side)\(index)", item.text(in: screen?.environment.language), name, item.isEnabled)
        }
    }

    private func drawSide(_ side: String, of items: [Item], in drawing: Drawing) -> String {
        let children = items.map { item in
            let id = drawing.add("\(nodeID).\(item.id)", tag: "button", class: item.name, text: item.text)
            drawing.nodes[id]?.attributes[item.isEnabled ? "data-tap" : "disabled"] = ""
            return id
        }
        return drawing.add("\(nodeID).\(side)", class: "bar-side \(side)", children: children)
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
            guard let items, let index = Int(event.part.dropFirst(side.count)), items.indices.contains(index),
                items[index].isEnabled
            else { return false }
            items[index].primaryAction?.perform(by: items[index])
            return true
        }
        return false
    }
}
