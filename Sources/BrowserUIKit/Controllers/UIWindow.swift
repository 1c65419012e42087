/// Stands for the part of an app that one browser tab shows.
@MainActor
open class UIScene {
    /// Holds options for opening an address; browsers have none.
    open class OpenExternalURLOptions {
        /// Creates options.
        public init() {}
    }

    weak var screen: BrowserScreen?

    init(screen: BrowserScreen) {
        self.screen = screen
    }

    /// Opens an address outside of the app, and calls back with whether anyone takes it.
    open func open(
        _ url: URL,
        options: OpenExternalURLOptions?,
        completionHandler completion: (@MainActor (Bool) -> Void)? = nil
    ) {
        let isTaken = screen?.open(url) ?? false
        completion?(isTaken)
    }
}

/// Stands for the part of an app that one browser tab shows.
open class UIWindowScene: UIScene {
    /// The windows.
    open var windows: [UIWindow] { screen.map { [$0.window] } ?? [] }
}

/// Holds the views of an app.
open class UIWindow: UIView {
    weak var host: BrowserScreen?
    override var screen: BrowserScreen? { host }
    /// The scene that the window belongs to.
    open internal(set) var windowScene: UIWindowScene?
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

    /// Creates a window from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

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
        node.children = shownControllers.enumerated().map { index, controller in
            let id = controller.view.render(drawing)
            guard index > 0 else { return id }
            let style = controller.modalPresentationStyle
            let isSheet = style != .fullScreen && style != .overFullScreen
            drawing.nodes[id]?.add(class: isSheet ? "sheet" : "cover")
            drawing.nodes[id]?.attributes.merge(["role": "dialog", "aria-modal": "true"]) { $1 }
            let shade = isSheet ? "shade" : "no-shade"
            return drawing.add("\(id).shade", class: shade, children: [id])
        }
    }

    /// Arranges the controllers that are shown.
    open override func layoutSubviews() {
        for controller in shownControllers { controller.view.update(traitCollection, tint: tintColor) }
    }
}
