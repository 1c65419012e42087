/// Stands for a controller in a bar of tabs.
@preconcurrency @MainActor
open class UITabBarItem {
    weak var controller: UIViewController?
    /// The title.
    ///
    /// The default is that of the controller.
    open var title: String? { didSet { changed() } }
    /// The image, drawn in the colour of the bar.
    open var image: UIImage? { didSet { changed() } }
    /// The image while the tab is shown; the usual one by default.
    open var selectedImage: UIImage? { didSet { changed() } }
    /// The text of the red bubble over the image.
    ///
    /// The default is none.
    open var badgeValue: String? { didSet { if badgeValue != oldValue { changed() } } }
    /// The look of the bar while the tab is chosen; `nil`, the default, is its usual one.
    open var standardAppearance: UITabBarAppearance? {
        didSet {
            standardAppearance = standardAppearance?.kept { [weak self] in self?.changed() }
            changed()
        }
    }
    /// The look of the bar while the tab is chosen and nothing is below it; `nil`, the default, is its usual one.
    open var scrollEdgeAppearance: UITabBarAppearance? {
        didSet {
            scrollEdgeAppearance = scrollEdgeAppearance?.kept { [weak self] in self?.changed() }
            changed()
        }
    }
    /// A number of the app's own.
    open var tag = 0

    /// Creates an item.
    public init(title: String?, image: UIImage?, tag: Int) {
        self.title = title
        self.image = image
        self.tag = tag
    }

    /// Creates an item with another image for the tab that is shown.
    public init(title: String?, image: UIImage?, selectedImage: UIImage?) {
        self.title = title
        self.image = image
        self.selectedImage = selectedImage
    }

    private func changed() {
        controller?.tabBarController?.viewIfLoaded?.setNeedsDisplay()
    }
}

/// Shows one of several controllers, above a bar that leads to each.
open class UITabBarController: UIViewController {
    /// The controllers, in the order of their tabs.
    open var viewControllers: [UIViewController]? {
        didSet { exchange(oldValue ?? [], for: viewControllers ?? []) }
    }
    /// The bar.
    public private(set) lazy var tabBar: UITabBar = {
        let bar = UITabBar(frame: .zero)
        bar.controller = self
        bar.takeSharedLooks()
        return bar
    }()
    /// The object that is asked and told about the tabs that the user chooses.
    open weak var delegate: (any UITabBarControllerDelegate)?
    /// The index of the controller that is shown.
    ///
    /// The default is the first.
    open var selectedIndex = 0 { didSet { if selectedIndex != oldValue { select(from: oldValue) } } }
    /// The controller that is shown.
    open var selectedViewController: UIViewController? {
        get { controller(at: selectedIndex) }
        set {
            guard let index = viewControllers?.firstIndex(where: { $0 === newValue }) else { return }
            selectedIndex = index
        }
    }

    /// Creates a controller without tabs; browsers have no nib files.
    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    /// Creates a controller from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Makes the view of bar and content.
    open override func loadView() {
        view = TabBarControllerView(self)
    }

    /// Shows other controllers.
    open func setViewControllers(_ viewControllers: [UIViewController]?, animated: Bool) {
        self.viewControllers = viewControllers
    }

    private func controller(at index: Int) -> UIViewController? {
        guard let viewControllers, viewControllers.indices.contains(index) else { return nil }
        return viewControllers[index]
    }

    private func exchange(_ old: [UIViewController], for new: [UIViewController]) {
        let shown = old.indices.contains(selectedIndex) ? old[selectedIndex] : nil
        for controller in old where !new.contains(where: { $0 === controller }) {
            controller.willMove(toParent: nil)
            controller.removeFromParent()
        }
        for controller in new where controller.parent !== self {
            addChild(controller)
            controller.didMove(toParent: self)
        }
        if !new.indices.contains(selectedIndex) { selectedIndex = 0 }
        swap(shown, for: selectedViewController)
    }

    private func select(from index: Int) {
        swap(controller(at: index), for: selectedViewController)
    }

    private func swap(_ old: UIViewController?, for new: UIViewController?) {
        viewIfLoaded?.setNeedsDisplay()
        guard appearance != .gone, old !== new else { return }
        old?.disappear(animated: false)
        new?.appear(animated: false)
    }

    /// The tab that is shown leads back to its root, and there to the top, as users expect.
    func tapped(_ index: Int) {
        guard let controller = controller(at: index) else { return }
        guard delegate?.tabBarController(self, shouldSelect: controller) ?? true else { return }
        defer { delegate?.tabBarController(self, didSelect: controller) }
        if index == selectedIndex {
            goBack(in: controller)
        } else {
            selectedIndex = index
        }
    }

    private func goBack(in controller: UIViewController) {
        let navigation = controller as? UINavigationController
        if let navigation, navigation.viewControllers.count > 1 {
            navigation.popToRootViewController(animated: true)
        } else {
            (navigation?.topViewController ?? controller).viewIfLoaded?.scrollToTop()
        }
    }

    override var drawnChildren: [UIViewController] { selectedViewController.map { [$0] } ?? [] }
    override var appearingChildren: [UIViewController] { drawnChildren }
}

extension UIView {
    /// Scrolls the first view to its top that wants that; returns whether there is one.
    @discardableResult
    fileprivate func scrollToTop() -> Bool {
        guard let list = self as? UIScrollView, list.scrollsToTop else {
            return subviews.contains { !$0.isHidden && $0.scrollToTop() }
        }
        guard list.delegate?.scrollViewShouldScrollToTop(list) ?? true else { return true }
        guard list.scrolled > 0 else { return true }
        list.setContentOffset(CGPoint(x: list.contentOffset.x, y: -list.restingInset.top), animated: true)
        list.delegate?.scrollViewDidScrollToTop(list)
        return true
    }
}

extension UIViewController {
    /// The controller of tabs that this one is in.
    public var tabBarController: UITabBarController? {
        (parent as? UITabBarController) ?? parent?.tabBarController
    }
}

/// A delegate that is asked and told about the tabs that the user chooses.
@preconcurrency @MainActor
public protocol UITabBarControllerDelegate: NSObjectProtocol {
    /// Returns whether a tab may be chosen; it is asked for the one that is shown, too. The default is `true`.
    func tabBarController(
        _ tabBarController: UITabBarController,
        shouldSelect viewController: UIViewController
    ) -> Bool

    /// Is called after the user has chosen a tab, the one that was shown included.
    func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController)
}

extension UITabBarControllerDelegate {
    /// Lets the user choose any tab.
    public func tabBarController(
        _ tabBarController: UITabBarController,
        shouldSelect viewController: UIViewController
    ) -> Bool { true }

    /// Does nothing.
    public func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController) {}
}

/// Draws the controller of the chosen tab, and the bar.
final class TabBarControllerView: UIView {
    private weak var controller: UITabBarController?

    init(_ controller: UITabBarController) {
        self.controller = controller
        super.init(frame: .zero)
        backgroundColor = .systemBackground
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        node.add(class: "tabs")
        guard let controller else { return }
        drawContent(into: &node, in: drawing)
        guard !controller.hidesBar else { return }
        let items = (controller.viewControllers ?? []).enumerated().map { index, child in
            drawTab(child, at: index, isSelected: index == controller.selectedIndex, in: drawing)
        }
        let bar = drawing.add("\(nodeID).bar", class: "tab-bar", children: items)
        if var node = drawing.nodes[bar] {
            controller.tabBar.style(&node)
            drawing.nodes[bar] = node
        }
        drawing.nodes[bar]?.attributes["role"] = "tablist"
        drawing.nodes[bar]?.style["padding-bottom"] = CSS.points(screen?.environment.safeArea.bottom ?? 0)
        node.children.append(bar)
    }

    private func drawContent(into node: inout Node, in drawing: Drawing) {
        guard let controller, let selected = controller.selectedViewController else { return }
        let content = selected.view.render(drawing)
        drawing.nodes[content]?.add(class: "screen-content")
        node.children.append(content)
        guard controller.extendsUnderBar(selected), !controller.hidesBar else { return }
        node.add(class: "under")
        let shown = (selected as? UINavigationController)?.topViewController ?? selected
        guard let scroll = shown.scrollView(at: .bottom) else { return }
        drawing.nodes[scroll.scrollerID]?.attributes["data-trail"] = ""
    }

    private func drawTab(
        _ child: UIViewController,
        at index: Int,
        isSelected: Bool,
        in drawing: Drawing
    ) -> String {
        let item: UITabBarItem = child.tabBarItem
        let id = "\(nodeID).tab\(index)"
        let title = item.title ?? child.title ?? ""
        var parts: [String] = []
        if let image = (isSelected ? item.selectedImage : nil) ?? item.image {
            let icon = drawing.add("\(id).icon", tag: "span", class: "glyph template")
            drawing.nodes[icon]?.style = [
                "--image": "url(\"\(drawing.register(image))\")", "width": CSS.points(image.size.width),
                "height": CSS.points(image.size.height),
            ]
            parts.append(icon)
        }
        parts.append(drawing.add("\(id).title", tag: "span", class: "tab-title", text: title))
        if let badge = item.badgeValue {
            parts.append(drawing.add("\(id).badge", tag: "span", class: "badge", text: badge))
        }
        _ = drawing.add(id, tag: "button", class: isSelected ? "tab on" : "tab", children: parts)
        controller?.tabBar.itemLook(in: traitCollection)?.style(id, isSelected: isSelected, in: drawing)
        let name = [title, item.badgeValue].compactMap { $0 }.joined(separator: ", ")
        drawing.nodes[id]?.attributes.merge(
            ["data-tap": "", "role": "tab", "aria-selected": String(isSelected), "aria-label": name]
        ) { $1 }
        return id
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        guard case .tap = event.kind, let index = Int(event.part.dropFirst(3)) else { return false }
        controller?.tapped(index)
        return true
    }
}
