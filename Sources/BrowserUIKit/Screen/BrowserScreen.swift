/// Shows an app in one browser tab: draws its views, sends what changed, and takes in what the user did.
///
/// It does not know how messages travel; a host carries them.
@MainActor
public final class BrowserScreen {
    /// The window that fills the screen.
    public private(set) var window = UIWindow(frame: .zero)
    /// The app that the tab shows.
    public private(set) lazy var application = UIApplication(screen: self)
    /// The content that the app has copied.
    public private(set) lazy var pasteboard = UIPasteboard(host: self)
    /// The app's one scene.
    public private(set) lazy var scene = UIWindowScene(host: self)
    /// The surroundings.
    public private(set) var environment: BrowserEnvironment
    /// Carries one message, UTF-8 JSON, to the page.
    public var send: (@MainActor (Data) -> Void)?
    /// Decides about addresses that the app opens.
    ///
    /// `true` passes them on to the browser. The default passes on web, mail and telephone addresses.
    public var shouldOpen: @MainActor (URL) -> Bool = BrowserScreen.isOpenable
    private(set) var shown: [String: Node] = [:]
    private(set) var views: [String: UIView] = [:]
    private(set) var images: [String: UIImage] = [:]
    private var isDrawingScheduled = false
    private(set) var isDrawing = false
    private let encoder = JSONEncoder()
    private var delegates: [AnyObject] = []
    /// The view that is typed into.
    weak var typedInto: (any TypedInto)?
    var isKeyboardShown = false
    /// The height of the keyboard that apps were told of.
    var toldKeyboardHeight: CGFloat = 0
    private let touches = TouchDelivery()
    /// The animations that the page plays, by their elements and their names.
    private var playing: [String: [String: PageAnimation]] = [:]
    /// The window that the page shows.
    private var shownRoot = ""

    /// Creates a screen that shows a controller.
    public init(environment: BrowserEnvironment = BrowserEnvironment(), root: () -> UIViewController) {
        self.environment = environment
        prepare()
        window.rootViewController = root()
        drawNow()
        application.follow(environment, with: scene)
    }

    /// Creates a screen that runs an app: launches it, and connects its scene where it has a delegate for that.
    ///
    /// - Parameters:
    ///   - environment: the surroundings.
    ///   - delegate: is told of the app's life; the screen holds it.
    ///   - sceneDelegate: makes the window; the screen holds it. `nil` for an app that makes its window when it
    ///     launches.
    public init(
        environment: BrowserEnvironment = BrowserEnvironment(),
        delegate: any UIApplicationDelegate,
        sceneDelegate: (any UIWindowSceneDelegate)? = nil
    ) {
        self.environment = environment
        prepare()
        delegates = [delegate] + (sceneDelegate.map { [$0] } ?? [])
        application.launch(delegate, scene: sceneDelegate, in: scene)
        drawNow()
        application.follow(environment, with: scene)
    }

    private func prepare() {
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        adopt(window)
        UITraitCollection.current = environment.traits
        UIScreen.current = self
    }

    private func adopt(_ window: UIWindow) {
        window.host = self
        window.windowScene = scene
        window.frame = CGRect(x: 0, y: 0, width: environment.width, height: environment.height)
        window.translatesAutoresizingMaskIntoConstraints = false
    }

    /// Shows another window.
    func show(_ window: UIWindow) {
        guard window !== self.window else { return }
        window.host?.release(window)
        let old = self.window
        old.rootViewController?.disappear(animated: false)
        old.host = nil
        self.window = window
        adopt(window)
        window.rootViewController?.appear(animated: false)
        window.rootViewController?.view.notifyOfWindow()
        setNeedsDrawing()
    }

    /// Shows nothing in place of a window that another screen takes.
    private func release(_ window: UIWindow) {
        guard window === self.window else { return }
        show(UIWindow(frame: .zero))
    }

    /// The number of elements that the page has now.
    public var elementCount: Int { shown.count }

    /// Returns the bytes and media type of an image that the page shows, by its name.
    public func image(named name: String) -> (bytes: Data, mediaType: String)? {
        images[name].map { ($0.bytes, $0.mediaType) }
    }

    /// Ends the app of this tab: its controllers disappear.
    public func close() {
        application.terminate(in: scene)
        window.rootViewController?.disappear(animated: false)
        send = nil
    }

    // MARK: To the page

    private struct Message: Encodable {
        var reset: Bool?
        var root: String?
        var diff: NodeDiff?
        var open: String?
        var announce: String?
        var copy: String?
    }

    /// Sends everything, for a page that shows nothing yet.
    public func sendAll() {
        drawNow()
        reset()
    }

    private func reset() {
        shownRoot = window.nodeID
        send(Message(reset: true, root: window.nodeID, diff: NodeDiff(from: [:], to: shown)))
    }

    func setNeedsDrawing() {
        guard !isDrawingScheduled else { return }
        isDrawingScheduled = true
        UIScreen.scheduled.append(self)
        Task { [weak self] in self?.drawIfNeeded() }
    }

    /// Draws now what else would be drawn at the end of the turn.
    public func drawIfNeeded() {
        if isDrawingScheduled { drawNow() }
    }

    private func drawNow() {
        isDrawing = true
        defer { isDrawing = false }
        let (outer, outerScreen) = (UITraitCollection.current, UIScreen.current)
        UIScreen.current = self
        defer { (UITraitCollection.current, UIScreen.current) = (outer, outerScreen) }
        window.update(environment.traits, tint: .tintColor)
        isDrawingScheduled = false
        UIScreen.scheduled.removeAll { $0 === self }
        let drawing = Drawing()
        _ = window.render(drawing)
        playing = playing.filter { drawing.nodes[$0.key] != nil }
        endOvertaken(in: drawing.nodes)
        for (id, animations) in playing {
            drawing.nodes[id]?.attributes.merge(animations.mapValues(\.text)) { $1 }
            let isTouchable = animations.values.allSatisfy(\.isTouchable)
            if !isTouchable { drawing.nodes[id]?.style["pointer-events"] = "none" }
        }
        let diff = NodeDiff(from: shown, to: drawing.nodes)
        shown = drawing.nodes
        views = drawing.views
        images = drawing.images
        if shownRoot != window.nodeID { return reset() }
        if !diff.isEmpty { send(Message(diff: diff)) }
    }

    /// Returns what would be on the page now, without telling it.
    func looks() -> [String: Node] {
        let wasDrawing = isDrawing
        isDrawing = true
        let outer = (UITraitCollection.current, UIScreen.current)
        UIScreen.current = self
        defer {
            isDrawing = wasDrawing
            (UITraitCollection.current, UIScreen.current) = outer
        }
        window.update(environment.traits, tint: .tintColor)
        let drawing = Drawing()
        _ = window.render(drawing)
        return drawing.nodes
    }

    /// Has the page move an element through values, until that is stopped by its name.
    func play(_ animation: PageAnimation, as name: String, on element: String) {
        playing[element, default: [:]][name] = animation
        setNeedsDrawing()
    }

    /// Ends animations of elements.
    func stop(_ animations: [(element: String, name: String)]) {
        for (element, name) in animations { playing[element]?[name] = nil }
        playing = playing.filter { !$0.value.isEmpty }
        setNeedsDrawing()
    }

    /// Ends animations without an end that move a property of an element, before another one that does.
    func stopEndless(_ property: String, on element: String) {
        guard let animations = playing[element] else { return }
        let overtaken = animations.filter { $0.value.runs == nil && $0.value.property == property }
        stop(overtaken.keys.map { (element: element, name: $0) })
    }

    /// Ends animations without an end of what changes gradually from now on.
    ///
    /// Those that the page doesn't show yet have begun with that change.
    private func endOvertaken(in nodes: [String: Node]) {
        for (id, animations) in playing {
            guard let before = shown[id], let now = nodes[id], now.style["transition"] != nil else { continue }
            for (name, animation) in animations where animation.runs == nil && before.attributes[name] != nil {
                guard let property = KeyframeRecording.styleName(of: animation.property) else { continue }
                if before.style[property] != now.style[property] { playing[id]?[name] = nil }
            }
        }
        playing = playing.filter { !$0.value.isEmpty }
    }

    /// Ends every animation of an element.
    func stopAll(on element: String) {
        if playing.removeValue(forKey: element) != nil { setNeedsDrawing() }
    }

    private func send(_ message: Message) {
        guard let send, let data = try? encoder.encode(message) else { return }
        send(data)
    }

    // MARK: From the page

    private struct Report: Decodable {
        var environment: BrowserEnvironment?
        var events: [BrowserEvent]?
    }

    /// Takes in what the page reports.
    ///
    /// Returns whether it was understood.
    @discardableResult
    public func receive(_ data: Data) -> Bool {
        guard let report = try? JSONDecoder().decode(Report.self, from: data) else { return false }
        UITraitCollection.current = environment.traits
        UIScreen.current = self
        if let environment = report.environment { change(to: environment) }
        for event in report.events ?? [] { handle(event) }
        settleKeyboard()
        drawIfNeeded()
        return true
    }

    /// Puts the app into other surroundings.
    public func change(to environment: BrowserEnvironment) {
        guard environment != self.environment else { return }
        let old = self.environment
        let size = CGSize(width: environment.width, height: environment.height)
        self.environment = environment
        UITraitCollection.current = environment.traits
        UIScreen.current = self
        application.follow(environment, with: scene)
        setNeedsDrawing()
        if environment.hasHighContrast != old.hasHighContrast {
            let name = UIAccessibility.darkerSystemColorsStatusDidChangeNotification
            NotificationCenter.default.post(name: name, object: nil)
        }
        if environment.textSize != old.textSize {
            let size = environment.traits.preferredContentSizeCategory.rawValue
            let info = [UIContentSizeCategory.newValueUserInfoKey: size]
            let name = UIContentSizeCategory.didChangeNotification
            NotificationCenter.default.post(name: name, object: nil, userInfo: info)
        }
        guard size != CGSize(width: old.width, height: old.height) else { return }
        window.frame = CGRect(origin: .zero, size: size)
        for controller in window.shownControllers {
            controller.viewWillTransition(to: size, with: ImmediateTransition())
        }
    }

    func handle(_ event: BrowserEvent) {
        if case .finger(let report) = event.kind { return touches.take(report, on: views[event.viewID]) }
        if event.kind.isMeant { drawIfNeeded() }
        guard let view = views[event.viewID], view.isReachable else { return }
        if case .tap = event.kind, view.performAction(event.part) { return }
        if event.part.isEmpty, let touch = event.touch, !isHit(view, by: touch) { return }
        if view.recognize(event) { touches.cancel(in: view) } else { _ = view.handle(event) }
    }

    private func isHit(_ view: UIView, by touch: BrowserEvent.Touch) -> Bool {
        let id = String(touch.element.prefix { $0 != "." })
        return view.hitTest(touch.point, with: UIEvent(touchedView: views[id])) != nil
    }

    // MARK: Announcements

    /// Has a text read aloud to people who do not see the screen.
    func announce(_ text: String) {
        send(Message(announce: text))
    }

    // MARK: Copying

    /// Hands a text to the clipboard of the browser.
    func copy(_ text: String) {
        send(Message(copy: text))
    }

    // MARK: Opening addresses

    func open(_ url: URL) -> Bool {
        guard shouldOpen(url) else { return false }
        send(Message(open: url.absoluteString))
        return true
    }

    /// Returns whether a browser can be trusted with an address.
    public static func isOpenable(_ url: URL) -> Bool {
        ["http", "https", "mailto", "tel", "sms"].contains(url.scheme?.lowercased() ?? "")
    }
}

extension UIView {
    /// A page that lags behind may report what has gone since.
    var isReachable: Bool { window != nil && !isHidden && isUserInteractionEnabled }
}

extension UIWindow {
    /// Has a text read aloud to people who do not see the screen.
    package func announce(_ text: String) { host?.announce(text) }
}
