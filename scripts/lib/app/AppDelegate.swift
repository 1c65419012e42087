import AppboyUI
import UIKit

@UIApplicationMain
class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        Appboy.start(
            withApiKey: "pk_bakery",
            in: application,
            withLaunchOptions: launchOptions,
            withAppboyOptions: [ABKMinimumTriggerTimeIntervalKey: 5, ABKURLDelegateKey: LinkRouter.shared]
        )
        Appboy.sharedInstance()?.user.setCustomAttributeWithKey("bakery", andStringValue: "Old Town")
        UINavigationBar.appearance().tintColor = .systemOrange
        return true
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        Appboy.sharedInstance()?.requestContentCardsRefresh()
        completionHandler(.newData)
    }

    func application(
        _ application: UIApplication,
        configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        UISceneConfiguration(name: "Default Configuration", sessionRole: connectingSceneSession.role)
    }

    func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {}
}
