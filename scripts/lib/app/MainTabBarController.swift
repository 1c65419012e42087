import UIKit

final class MainTabBarController: UITabBarController {
    override func viewDidLoad() {
        super.viewDidLoad()
        let tabs: [(UIViewController, String, String)] = [
            (HomeViewController(), "Home", "house"), (MessageCenterViewController(), "Messages", "envelope"),
            (SettingsViewController(), "Settings", "gearshape"),
        ]
        viewControllers = tabs.enumerated().map { index, tab in
            let navigationController = UINavigationController(rootViewController: tab.0)
            tab.0.title = tab.1
            navigationController.tabBarItem = UITabBarItem(title: tab.1, image: UIImage(systemName: tab.2), tag: index)
            return navigationController
        }
        tabBar.tintColor = UIColor(named: "Crust") ?? .systemOrange
    }
}
