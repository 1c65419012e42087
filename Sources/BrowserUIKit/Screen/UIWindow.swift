/// Holds the views of an app.
open class UIWindow: UIView {
    /// Says which windows lie in front of others.
    public struct Level: RawRepresentable, Hashable, Sendable {
        /// The greater, the further in front.
        public let rawValue: CGFloat

        /// Creates a level.
        public init(rawValue: CGFloat) {
            self.rawValue = rawValue
        }

        /// Creates a level.
        public init(_ rawValue: CGFloat) {
            self.rawValue = rawValue
        }

        /// The level of the app's windows.
        public static let normal = Level(rawValue: 0)
        /// The level of the bar of the device.
        public static let statusBar = Level(rawValue: 1_000)
        /// The level of alerts.
        public static let alert = Level(rawValue: 2_000)
    }

    weak var host: BrowserScreen?
    /// The part of the window that the device covers.
    open override var safeAreaInsets: UIEdgeInsets { screen?.environment.safeArea ?? .zero }
    override var screen: (any ViewHost)? { host }
    override var windowView: UIView? { self }
    /// The scene that the window belongs to.
    open weak var windowScene: UIWindowScene?
    /// The order of windows in front of others; a tab shows the one that was made visible last.
    ///
    /// The default is `normal`.
    open var windowLevel = Level.normal
    /// Whether the window gets keys: whether the tab shows it.
    open var isKeyWindow: Bool { host != nil }
    /// The controller that fills the window.
    ///
    /// The default is none.
    open var rootViewController: UIViewController? {
        didSet {
            guard oldValue !== rootViewController else { return }
            oldValue?.disappear(animated: false)
            oldValue?.ownWindow = nil
            rootViewController?.ownWindow = self
            if screen != nil { rootViewController?.appear(animated: false) }
            rootViewController?.view.notifyOfWindow()
            setNeedsDisplay()
        }
    }

    /// Creates a window.
    public override init(frame: CGRect) {
        super.init(frame: frame)
    }

    /// Creates a window of a scene.
    public convenience init(windowScene: UIWindowScene) {
        self.init(frame: windowScene.screen.bounds)
        self.windowScene = windowScene
    }

    /// Creates a window from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Shows the window in the tab of its scene, in place of the one that is shown there.
    open func makeKeyAndVisible() {
        (windowScene?.host ?? BrowserScreen.current)?.show(self)
    }

    /// Lets the window get keys; a tab shows one window, which does.
    open func makeKey() {
        makeKeyAndVisible()
    }

    /// The responder that answers where the window does not.
    open override var next: UIResponder? { windowScene ?? host?.application }

    /// The controllers that are shown, from back to front.
    var shownControllers: [UIViewController] {
        var controllers: [UIViewController] = []
        var next = rootViewController
        while let controller = next {
            controllers.append(controller)
            next = controller.ownPresented ?? presentedInside(controller)
        }
        return controllers
    }

    private func presentedInside(_ controller: UIViewController) -> UIViewController? {
        controller.drawnChildren.lazy.compactMap { $0.ownPresented }.first
    }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        node.add(class: "window")
        drawKeys(&node)
        node.children = shownControllers.enumerated().compactMap { index, controller in
            guard !controller.isShownByTransition else { return nil }
            let id = controller.shownView.render(drawing)
            guard index > 0 else { return id }
            return drawPresented(controller, as: id, at: index, in: drawing)
        }
    }

    private func drawPresented(
        _ controller: UIViewController,
        as id: String,
        at index: Int,
        in drawing: Drawing
    ) -> String {
        let sheet = controller.isSheet ? controller.sheetPresentationController : nil
        drawing.nodes[id]?.add(class: controller.isSheet ? "sheet" : "cover")
        if let style = controller.transitionClass { drawing.nodes[id]?.add(class: style) }
        sheet?.draw(on: id, grabber: "\(nodeID).grabber\(index)", in: drawing)
        if sheet != nil { drawing.nodes[id]?.attributes["data-sheet"] = "\(nodeID).sheet\(index)" }
        let isUndimmed = sheet?.isUndimmed == true
        drawing.nodes[id]?.attributes["role"] = "dialog"
        if !isUndimmed { drawing.nodes[id]?.attributes["aria-modal"] = "true" }
        let shade = isUndimmed ? "no-shade undimmed" : controller.isSheet ? "shade" : "no-shade"
        let layer = drawing.add("\(nodeID).layer\(index)", class: shade, children: [id])
        guard controller.isSheet, !isUndimmed else { return layer }
        drawing.nodes[layer]?.attributes["data-beside"] = "\(nodeID).beside\(index)"
        return layer
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        switch event.kind {
        case .key(let keys): return perform(keys: keys)
        case .tap:
            if let (controller, isLast) = presented(event.part, "beside") {
                guard isLast, controller.isSheet, !controller.sheet.isUndimmed else { return false }
                controller.sheet.dismissForUser()
                return true
            }
            guard let (controller, _) = presented(event.part, "grabber") else { return false }
            controller.sheetPresentationController?.expand()
        case .release(let height, let velocity):
            guard let (controller, isLast) = presented(event.part, "sheet"), isLast else { return false }
            controller.sheetPresentationController?.release(at: height, velocity: velocity)
        default: return false
        }
        return true
    }

    /// Returns the controller whose sheet a part belongs to, and whether no other one is in front of it.
    private func presented(_ part: String, _ name: String) -> (controller: UIViewController, isLast: Bool)? {
        let controllers = shownControllers
        guard part.hasPrefix(name), let index = Int(part.dropFirst(name.count)), index > 0,
            controllers.indices.contains(index)
        else { return nil }
        return (controllers[index], index == controllers.indices.last)
    }

    /// Arranges the controllers that are shown.
    open override func layoutSubviews() {
        for controller in shownControllers {
            controller.container?.follow(bounds)
            controller.shownView.update(traitCollection, tint: tintColor)
        }
    }
}

extension UIView {
    /// The window that shows this view.
    public var window: UIWindow? { windowView as? UIWindow }
}
