/// Stands for the app of one browser tab.
@preconcurrency @MainActor
open class UIApplication: UIResponder {
    /// Says what an app does now.
    public enum State: Int, Sendable {
        /// It is on screen and gets touches.
        case active = 0
        /// It is on screen and gets no touches.
        case inactive = 1
        /// It is not on screen.
        case background = 2
    }

    /// Names what an app was launched with.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates a key from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The address that the app was asked to open.
        public static let url = Self(rawValue: "UIApplicationLaunchOptionsURLKey")
        /// The bundle identifier of the app that asked.
        public static let sourceApplication = Self(rawValue: "UIApplicationLaunchOptionsSourceApplicationKey")
        /// The contents of the notification that was tapped.
        public static let remoteNotification = Self(rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
        /// The activities that the app goes on with.
        public static let userActivityDictionary = Self(
            rawValue: "UIApplicationLaunchOptionsUserActivityDictionaryKey"
        )
    }

    /// Names what an app is told about an address to open.
    public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates a key from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The bundle identifier of the app that asked.
        public static let sourceApplication = Self(rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey")
        /// Whatever the app that asked has added.
        public static let annotation = Self(rawValue: "UIApplicationOpenURLOptionsAnnotationKey")
    }

    /// Names how an address is opened.
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates a key from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Whether only an app may open the address; a browser has none.
        public static let universalLinksOnly = Self(rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
    }

    /// The address that opens the app's settings.
    public static let openSettingsURLString = "app-settings:"
    /// A notification that the app has launched.
    public static let didFinishLaunchingNotification = Notification.Name(
        "UIApplicationDidFinishLaunchingNotification"
    )
    /// A notification that the app begins to get touches.
    public static let didBecomeActiveNotification = Notification.Name("UIApplicationDidBecomeActiveNotification")
    /// A notification that is posted before the app gets no more touches.
    public static let willResignActiveNotification = Notification.Name("UIApplicationWillResignActiveNotification")
    /// A notification that the app has left the screen.
    public static let didEnterBackgroundNotification = Notification.Name(
        "UIApplicationDidEnterBackgroundNotification"
    )
    /// A notification that is posted before the app comes on screen.
    public static let willEnterForegroundNotification = Notification.Name(
        "UIApplicationWillEnterForegroundNotification"
    )
    /// A notification that is posted before the app ends.
    public static let willTerminateNotification = Notification.Name("UIApplicationWillTerminateNotification")

    private static let detached = UIApplication(screen: nil)

    /// The app of the tab whose code runs now.
    public class var shared: UIApplication { BrowserScreen.current?.application ?? detached }

    private weak var screen: BrowserScreen?
    /// The object that is told of the app's life.
    open weak var delegate: (any UIApplicationDelegate)?
    /// The present state of the app.
    public internal(set) var applicationState = State.active
    /// The number on the app's icon; a tab has no icon.
    ///
    /// The default is 0.
    open var applicationIconBadgeNumber = 0
    /// Whether the device stays awake; a tab can't keep it so.
    ///
    /// The default is `false`.
    open var isIdleTimerDisabled = false

    init(screen: BrowserScreen?) {
        self.screen = screen
        super.init()
    }

    /// The scenes of the app: one, the tab.
    open var connectedScenes: Set<UIScene> { screen.map { [$0.scene] } ?? [] }
    /// The sessions of the app: one, the tab.
    open var openSessions: Set<UISceneSession> { screen.map { [$0.scene.session] } ?? [] }
    /// The windows.
    open var windows: [UIWindow] { screen.map { [$0.window] } ?? [] }
    /// The window that gets keys.
    open var keyWindow: UIWindow? { screen?.window }
    /// The text size that the user chose.
    open var preferredContentSizeCategory: UIContentSizeCategory {
        screen?.environment.traits.preferredContentSizeCategory ?? .large
    }
    /// The direction of the interface.
    open var userInterfaceLayoutDirection: UIUserInterfaceLayoutDirection {
        screen?.environment.isRightToLeft == true ? .rightToLeft : .leftToRight
    }
    /// The style of the device's bar.
    open var statusBarStyle: UIStatusBarStyle { topController?.preferredStatusBarStyle ?? .default }
    /// Whether the bar of the device is not shown; browsers show it.
    open var isStatusBarHidden: Bool { topController?.prefersStatusBarHidden ?? false }
    /// The rectangle of the bar of the device.
    open var statusBarFrame: CGRect {
        CGRect(x: 0, y: 0, width: UIScreen.main.bounds.width, height: screen?.environment.safeArea.top ?? 0)
    }

    /// The delegate, where it is a responder.
    open override var next: UIResponder? { delegate as? UIResponder }

    /// The controller in front of all others.
    private var topController: UIViewController? { keyWindow?.shownControllers.last }

    /// Returns whether a browser can be trusted with an address.
    open func canOpenURL(_ url: URL) -> Bool { screen?.shouldOpen(url) ?? false }

    /// Opens an address outside of the app, and calls back with whether anyone takes it.
    open func open(
        _ url: URL,
        options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        let isTaken = options[.universalLinksOnly] as? Bool != true && screen?.open(url) ?? false
        completion?(isTaken)
    }

    /// Asks for push notifications, which browsers do not have: the delegate is told so.
    open func registerForRemoteNotifications() {
        delegate?.application(self, didFailToRegisterForRemoteNotificationsWithError: NotInBrowsersError())
    }

    /// Whether the app gets push notifications: never in a browser.
    open var isRegisteredForRemoteNotifications: Bool { false }
}

/// Says that browsers do not have what was asked for.
struct NotInBrowsersError: LocalizedError {
    var errorDescription: String? { "Push notifications are not available in a browser." }
}

/// Says what an app found when it was asked to fetch something.
public enum UIBackgroundFetchResult: UInt, Sendable {
    /// Something new.
    case newData = 0
    /// Nothing new.
    case noData = 1
    /// Nothing, for it failed.
    case failed = 2
}
