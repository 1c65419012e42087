// UIKit's names of parameters are kept.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Stands for the part of an app that one browser tab shows.
@preconcurrency @MainActor
open class UIScene: UIResponder {
    /// Says how far a scene is from the user.
    public enum ActivationState: Int, Sendable {
        /// It is not connected.
        case unattached = -1
        /// It is on screen and gets touches.
        case foregroundActive = 0
        /// It is on screen and gets no touches.
        case foregroundInactive = 1
        /// It is not on screen.
        case background = 2
    }

    /// Holds options for opening an address; browsers have none.
    open class OpenExternalURLOptions: NSObject {
        /// Whether only an app may open the address; a browser has none.
        ///
        /// The default is `false`.
        open var universalLinksOnly = false
    }

    /// Holds what a scene was asked for when it was connected: nothing, in a browser.
    @preconcurrency @MainActor
    open class ConnectionOptions: NSObject {
        /// The addresses to open.
        open var urlContexts: Set<UIOpenURLContext> { [] }
        /// The activities to go on with.
        open var userActivities: Set<NSUserActivity> { [] }
        /// The bundle identifier of the app that asked.
        open var sourceApplication: String? { nil }
    }

    weak var host: BrowserScreen?
    /// The session that the scene belongs to.
    public let session = UISceneSession()
    /// The object that is told of the scene's life.
    open weak var delegate: (any UISceneDelegate)?
    /// The state of the scene: in front of the user, or behind.
    public private(set) var activationState = ActivationState.foregroundActive
    /// The title, for the list of scenes; a tab has the title of its page.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var title: String! = ""

    init(host: BrowserScreen) {
        self.host = host
        super.init()
        session.scene = self
    }

    /// The app.
    open override var next: UIResponder? { host?.application }

    /// A notification that is posted before a scene comes on screen, with the scene as its object.
    public nonisolated class var willEnterForegroundNotification: NSNotification.Name {
        NSNotification.Name("UISceneWillEnterForegroundNotification")
    }
    /// A notification that a scene begins to get touches, with the scene as its object.
    public nonisolated class var didActivateNotification: NSNotification.Name {
        NSNotification.Name("UISceneDidActivateNotification")
    }
    /// A notification that is posted before a scene gets no more touches, with the scene as its object.
    public nonisolated class var willDeactivateNotification: NSNotification.Name {
        NSNotification.Name("UISceneWillDeactivateNotification")
    }
    /// A notification that a scene has left the screen, with the scene as its object.
    public nonisolated class var didEnterBackgroundNotification: NSNotification.Name {
        NSNotification.Name("UISceneDidEnterBackgroundNotification")
    }

    /// Brings the scene nearer to the user or away, and says so.
    func move(to state: ActivationState) {
        guard state != activationState else { return }
        let wasInForeground = isInForeground
        if activationState == .foregroundActive {
            NotificationCenter.default.post(name: Self.willDeactivateNotification, object: self)
        }
        activationState = state
        let name: NSNotification.Name? =
            switch state {
            case .foregroundActive: Self.didActivateNotification
            case .foregroundInactive: wasInForeground ? nil : Self.willEnterForegroundNotification
            case .background, .unattached: wasInForeground ? Self.didEnterBackgroundNotification : nil
            }
        if let name { NotificationCenter.default.post(name: name, object: self) }
    }

    private var isInForeground: Bool {
        activationState == .foregroundActive || activationState == .foregroundInactive
    }

    /// Opens an address outside of the app, and calls back with whether anyone takes it.
    open func open(
        _ url: URL,
        options: OpenExternalURLOptions?,
        completionHandler completion: (@MainActor (Bool) -> Void)? = nil
    ) {
        let isTaken = options?.universalLinksOnly != true && host?.open(url) ?? false
        completion?(isTaken)
    }
}

/// Stands for the part of an app that one browser tab shows.
open class UIWindowScene: UIScene {
    /// The windows.
    open var windows: [UIWindow] { host.map { [$0.window] } ?? [] }
    /// The window that gets keys.
    open var keyWindow: UIWindow? { host?.window }
    /// The screen of the tab.
    open var screen: UIScreen { .main }
    /// The surroundings.
    open var traitCollection: UITraitCollection { host?.environment.traits ?? UITraitCollection() }
    /// The orientation in which the device is held, by the shape of the tab.
    open var interfaceOrientation: UIInterfaceOrientation {
        guard let environment = host?.environment else { return .unknown }
        return environment.width > environment.height ? .landscapeLeft : .portrait
    }
    /// The bar of the device.
    public private(set) lazy var statusBarManager: UIStatusBarManager? = UIStatusBarManager(scene: self)
}

/// Tells of the bar of the device.
@preconcurrency @MainActor
open class UIStatusBarManager: NSObject {
    private weak var scene: UIWindowScene?

    init(scene: UIWindowScene) {
        self.scene = scene
        super.init()
    }

    /// The style of the bar.
    open var statusBarStyle: UIStatusBarStyle { scene?.host?.application.statusBarStyle ?? .default }
    /// Whether the bar is not shown.
    open var isStatusBarHidden: Bool { scene?.host?.application.isStatusBarHidden ?? false }
    /// The rectangle of the bar.
    open var statusBarFrame: CGRect {
        guard let environment = scene?.host?.environment else { return .zero }
        return CGRect(x: 0, y: 0, width: environment.width, height: environment.safeArea.top)
    }
}

/// Names a scene beyond its life.
@preconcurrency @MainActor
open class UISceneSession: NSObject {
    /// Says what a scene is for.
    public struct Role: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates a role from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A window of the app.
        public static let windowApplication = Self(rawValue: "UIWindowSceneSessionRoleApplication")
    }

    /// The purpose of the scene.
    public let role = Role.windowApplication
    /// The name.
    public let persistentIdentifier = UUID().uuidString
    /// The scene.
    public internal(set) weak var scene: UIScene?
    /// The configuration of the scene.
    public private(set) lazy var configuration = UISceneConfiguration(name: nil, sessionRole: role)
    /// The values that the app keeps for the scene.
    open var userInfo: [String: Any]?
}

/// Says how a scene is made.
@preconcurrency @MainActor
open class UISceneConfiguration: NSObject {
    /// The name.
    public let name: String?
    /// The purpose of the scene.
    public let role: UISceneSession.Role
    /// The class of the delegate; browsers are given the object.
    open var delegateClass: AnyClass?
    /// The class of the scene; it is a window's in a browser.
    open var sceneClass: AnyClass?

    /// Creates a configuration.
    public init(name: String?, sessionRole: UISceneSession.Role) {
        self.name = name
        role = sessionRole
        super.init()
    }
}

/// Holds an address that a scene is to open.
@preconcurrency @MainActor
open class UIOpenURLContext: NSObject {
    /// The address.
    public let url: URL

    init(url: URL) {
        self.url = url
        super.init()
    }
}

/// A delegate that is told of the life of a scene.
@preconcurrency @MainActor
public protocol UISceneDelegate: NSObjectProtocol {
    /// Is called when the scene is connected: the place to make its window.
    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    )

    /// Is called when the scene is gone.
    func sceneDidDisconnect(_ scene: UIScene)

    /// Is called when the scene begins to get touches.
    func sceneDidBecomeActive(_ scene: UIScene)

    /// Is called before the scene gets no more touches.
    func sceneWillResignActive(_ scene: UIScene)

    /// Is called before the scene comes on screen.
    func sceneWillEnterForeground(_ scene: UIScene)

    /// Is called when the scene has left the screen.
    func sceneDidEnterBackground(_ scene: UIScene)

    /// Opens addresses of the app's own. Browsers do not ask.
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)

    /// Goes on with an activity. Browsers do not ask.
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
}

/// A delegate that is told of the life of a scene with windows.
@preconcurrency @MainActor
public protocol UIWindowSceneDelegate: UISceneDelegate {
    /// The window.
    var window: UIWindow? { get set }
}

// Every requirement is optional, as in UIKit.
extension UISceneDelegate {
    /// Does nothing.
    public func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {}

    /// Does nothing.
    public func sceneDidDisconnect(_ scene: UIScene) {}

    /// Does nothing.
    public func sceneDidBecomeActive(_ scene: UIScene) {}

    /// Does nothing.
    public func sceneWillResignActive(_ scene: UIScene) {}

    /// Does nothing.
    public func sceneWillEnterForeground(_ scene: UIScene) {}

    /// Does nothing.
    public func sceneDidEnterBackground(_ scene: UIScene) {}

    /// Does nothing.
    public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {}

    /// Does nothing.
    public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {}
}

extension UIWindowSceneDelegate {
    /// None.
    public var window: UIWindow? {
        get { nil }
        set {}
    }
}
