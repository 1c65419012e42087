// UIKit's names are kept.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A delegate that is told of the life of an app.
@preconcurrency @MainActor
public protocol UIApplicationDelegate: NSObjectProtocol {
    /// The window, of apps without scenes.
    var window: UIWindow? { get set }

    /// Is called when the app begins to launch; returns whether it takes the address it was launched with.
    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    /// Is called when the app has launched; returns whether it takes the address it was launched with.
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    /// Is called when the app begins to get touches.
    func applicationDidBecomeActive(_ application: UIApplication)

    /// Is called before the app gets no more touches.
    func applicationWillResignActive(_ application: UIApplication)

    /// Is called when the app has left the screen.
    func applicationDidEnterBackground(_ application: UIApplication)

    /// Is called before the app comes on screen.
    func applicationWillEnterForeground(_ application: UIApplication)

    /// Is called before the app ends.
    func applicationWillTerminate(_ application: UIApplication)

    /// Opens an address of the app's own; returns whether it could. Browsers do not ask.
    func application(
        _ app: UIApplication,
        open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool

    /// Goes on with an activity; returns whether it could. Browsers do not ask.
    func application(
        _ application: UIApplication,
        continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool

    /// Is called with the token for push notifications, which browsers do not have.
    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    )

    /// Is called where there are no push notifications.
    func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    )

    /// Is called with a push notification, which browsers do not have.
    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    )

    /// Returns how a scene is made.
    func application(
        _ application: UIApplication,
        configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration

    /// Is called when the user has closed scenes.
    func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>)
}

/// Can take up where an activity was left.
public protocol UIUserActivityRestoring: AnyObject {}

#if !canImport(ObjectiveC)
/// Stands for something that the user does and may go on with elsewhere.
open class NSUserActivity: NSObject {
    /// The kind of the activity.
    public let activityType: String
    /// The address of the same on the web.
    open var webpageURL: URL?
    /// The values that describe the activity.
    open var userInfo: [AnyHashable: Any]?
    /// The title.
    open var title: String?

    /// Creates an activity.
    public init(activityType: String) {
        self.activityType = activityType
        super.init()
    }
}

/// The kind of activities that look at a page of the web.
public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"
#endif

// Every requirement is optional, as in UIKit: these do what UIKit does where there is no method.
extension UIApplicationDelegate {
    /// None.
    public var window: UIWindow? {
        get { nil }
        set {}
    }

    /// Takes any address.
    public func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool { true }

    /// Takes any address.
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool { true }

    /// Does nothing.
    public func applicationDidBecomeActive(_ application: UIApplication) {}

    /// Does nothing.
    public func applicationWillResignActive(_ application: UIApplication) {}

    /// Does nothing.
    public func applicationDidEnterBackground(_ application: UIApplication) {}

    /// Does nothing.
    public func applicationWillEnterForeground(_ application: UIApplication) {}

    /// Does nothing.
    public func applicationWillTerminate(_ application: UIApplication) {}

    /// Opens nothing.
    public func application(
        _ app: UIApplication,
        open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool { false }

    /// Goes on with nothing.
    public func application(
        _ application: UIApplication,
        continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool { false }

    /// Does nothing.
    public func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {}

    /// Does nothing.
    public func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {}

    /// Finds nothing new.
    public func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        completionHandler(.noData)
    }

    /// Returns the configuration of the session.
    public func application(
        _ application: UIApplication,
        configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration { connectingSceneSession.configuration }

    /// Does nothing.
    public func application(
        _ application: UIApplication,
        didDiscardSceneSessions sceneSessions: Set<UISceneSession>
    ) {}

    /// Ends the process: the host of the browser launches apps, by an object that it is given.
    ///
    /// It is here so that a delegate marked `@main` compiles.
    public static func main() {
        FileHandle.standardError.write(Data("Give the app delegate to BrowserHost, which launches apps.\n".utf8))
        exit(1)
    }
}
