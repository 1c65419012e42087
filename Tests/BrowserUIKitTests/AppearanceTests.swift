import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Appearances of bars")
struct AppearanceTests {
    private func titled(_ title: String) -> UIViewController {
        let controller = UIViewController()
        controller.title = title
        return controller
    }

    @Test("of navigation have looks of their own for what they show")
    func items() throws {
        let navigation = UINavigationController(rootViewController: titled("Root"))
        let detail = titled("Detail")
        let appearance = UINavigationBarAppearance()
        appearance.backgroundColor = .red
        appearance.shadowColor = .green
        appearance.titleTextAttributes = [.foregroundColor: UIColor.blue]
        detail.navigationItem.standardAppearance = appearance
        let page = Page { navigation }
        let bar = "\(navigation.view.nodeID).bar"
        #expect(page.elements[bar]?.style["--bar"] == nil)
        navigation.pushViewController(detail, animated: false)
        page.screen.drawIfNeeded()
        #expect(page.elements[bar]?.style["--bar"] == UIColor.red.css && page.elements[bar]?.style["--page"] == nil)
        #expect(page.elements[bar]?.style["--bar-line"] == UIColor.green.css)
        #expect(page.elements["\(navigation.view.nodeID).title"]?.style["color"] == UIColor.blue.css)
        appearance.backgroundEffect = nil
        detail.navigationItem.standardAppearance = appearance
        detail.navigationItem.scrollEdgeAppearance = appearance
        page.screen.drawIfNeeded()
        #expect(page.elements[bar]?.attributes["class"] == "bar clear")
        #expect(page.elements[bar]?.style["--page"] == UIColor.red.css)
        navigation.popViewController(animated: false)
        page.screen.drawIfNeeded()
        #expect(page.elements[bar]?.style["--bar"] ?? nil == nil)
    }

    @Test("are copied by what takes them, with those of buttons; only changes of the copy count")
    func copies() throws {
        let navigation = UINavigationController(rootViewController: titled("Root"))
        let (bar, appearance) = (navigation.navigationBar, UINavigationBarAppearance())
        let buttons = UIBarButtonItemAppearance()
        buttons.normal.titleTextAttributes = [.foregroundColor: UIColor.red]
        appearance.backgroundColor = .red
        appearance.titleTextAttributes = [.foregroundColor: UIColor.red]
        appearance.buttonAppearance = buttons
        #expect(appearance.buttonAppearance !== buttons)
        bar.standardAppearance = appearance
        navigation.topViewController?.navigationItem.rightBarButtonItem = UIBarButtonItem(title: "A")
        let page = Page { navigation }
        let id = navigation.view.nodeID
        func shown() -> [String?] {
            let style = page.elements["\(id).bar"]?.style["--bar"]
            return [style] + ["title", "right0"].map { page.elements["\(id).\($0)"]?.style["color"] }
        }
        #expect(shown() == [UIColor.red.css, UIColor.red.css, UIColor.red.css])
        appearance.backgroundColor = .blue
        appearance.titleTextAttributes = [.foregroundColor: UIColor.blue]
        appearance.buttonAppearance.normal.titleTextAttributes = [.foregroundColor: UIColor.blue]
        buttons.normal.titleTextAttributes = [.foregroundColor: UIColor.blue]
        navigation.view.setNeedsDisplay()
        page.screen.drawIfNeeded()
        #expect(bar.standardAppearance !== appearance && bar.standardAppearance.backgroundColor == .red)
        #expect(shown() == [UIColor.red.css, UIColor.red.css, UIColor.red.css])
        bar.standardAppearance.backgroundColor = .green
        bar.standardAppearance.buttonAppearance.normal.titleTextAttributes = [.foregroundColor: UIColor.green]
        page.screen.drawIfNeeded()
        #expect(shown() == [UIColor.green.css, UIColor.red.css, UIColor.green.css])
    }

    @Test("are copied whole, as their class and as another kind of bar has them")
    func conversions() throws {
        let tabs = UITabBarAppearance()
        tabs.stackedLayoutAppearance.selected.iconColor = .red
        tabs.shadowColor = .green
        let copy = try #require(tabs.copy() as? UITabBarAppearance)
        tabs.stackedLayoutAppearance.selected.iconColor = .blue
        #expect(copy !== tabs && copy.shadowColor == .green)
        #expect(copy.stackedLayoutAppearance.selected.iconColor == .red)
        let navigation = UINavigationBarAppearance(barAppearance: copy)
        navigation.doneButtonAppearance.disabled.titleTextAttributes = [.foregroundColor: UIColor.blue]
        navigation.largeTitleTextAttributes = [.foregroundColor: UIColor.red]
        #expect(navigation.shadowColor == .green)
        #expect(UINavigationBarAppearance(barAppearance: navigation).largeTitleTextAttributes.count == 1)
        let toolbar = UIToolbarAppearance(barAppearance: navigation)
        #expect(toolbar.doneButtonAppearance.disabled.titleTextAttributes.count == 1)
        toolbar.doneButtonAppearance.disabled.titleTextAttributes = [:]
        #expect(navigation.doneButtonAppearance.disabled.titleTextAttributes.count == 1)
    }

    @Test("of navigation give titles another look while nothing is scrolled, and large titles that one alone")
    func edges() throws {
        let navigation = UINavigationController(rootViewController: titled("Root"))
        let (bar, standard, edge) = (navigation.navigationBar, UINavigationBarAppearance(), UINavigationBarAppearance())
        standard.titleTextAttributes = [.foregroundColor: UIColor.red]
        standard.largeTitleTextAttributes = [.foregroundColor: UIColor.red]
        edge.titleTextAttributes = [.foregroundColor: UIColor.blue, .font: UIFont.systemFont(ofSize: 11)]
        edge.largeTitleTextAttributes = [.foregroundColor: UIColor.green]
        bar.prefersLargeTitles = true
        bar.standardAppearance = standard
        let page = Page { navigation }
        let (title, large) = ("\(navigation.view.nodeID).title", "\(navigation.view.nodeID).large")
        #expect(page.elements[title]?.style == ["color": UIColor.red.css])
        #expect(page.elements[large]?.style["color"] == UIColor.red.css)
        bar.scrollEdgeAppearance = edge
        page.screen.drawIfNeeded()
        #expect(page.elements[title]?.attributes["class"] == "bar-title edged")
        let looks = ["color": UIColor.red.css, "--edge-color": UIColor.blue.css, "--edge-font-size": "11px"]
        #expect(page.elements[title]?.style == looks)
        #expect(page.elements[large]?.style["color"] == UIColor.green.css)
        bar.titleTextAttributes = [.foregroundColor: UIColor.brown]
        page.screen.drawIfNeeded()
        #expect(page.elements[title]?.style["--edge-color"] == UIColor.brown.css)
    }

    @Test("of navigation say how buttons look, those that can't be used and the one back, too")
    func buttons() throws {
        let navigation = UINavigationController(rootViewController: titled("Root"))
        let detail = titled("Detail")
        let (plain, off, done) = (UIBarButtonItem(title: "A"), UIBarButtonItem(title: "B"), UIBarButtonItem(title: "C"))
        off.isEnabled = false
        done.style = .done
        detail.navigationItem.rightBarButtonItems = [plain, off, done]
        navigation.pushViewController(detail, animated: false)
        let appearance = UINavigationBarAppearance()
        let font = UIFont.systemFont(ofSize: 13)
        appearance.buttonAppearance.normal.titleTextAttributes = [.foregroundColor: UIColor.red, .font: font]
        appearance.buttonAppearance.disabled.titleTextAttributes = [.foregroundColor: UIColor.green]
        appearance.doneButtonAppearance.normal.titleTextAttributes = [.foregroundColor: UIColor.blue]
        appearance.backButtonAppearance.normal.titleTextAttributes = [.foregroundColor: UIColor.clear]
        navigation.navigationBar.standardAppearance = appearance
        let page = Page { navigation }
        let id = navigation.view.nodeID
        let colors = ["right0", "right1", "right2", "back"].map { page.elements["\(id).\($0)"]?.style["color"] }
        #expect(colors == [UIColor.red.css, UIColor.green.css, UIColor.blue.css, UIColor.clear.css])
        #expect(page.elements["\(id).right1"]?.style["font-size"] == "13px")
        #expect(page.elements["\(id).right0"]?.attributes["class"] == "bar-button")
        appearance.buttonAppearance.configureWithDefault(for: .plain)
        navigation.navigationBar.standardAppearance = appearance
        page.screen.drawIfNeeded()
        #expect(page.elements["\(id).right0"]?.style["color"] ?? nil == nil)
    }

    @Test("of navigation give buttons another look while nothing is scrolled, where they have one for that")
    func edgesOfButtons() throws {
        let navigation = UINavigationController(rootViewController: titled("Root"))
        let detail = titled("Detail")
        let (off, done) = (UIBarButtonItem(title: "A"), UIBarButtonItem(title: "B"))
        (off.isEnabled, done.style) = (false, .done)
        detail.navigationItem.rightBarButtonItems = [off, done]
        navigation.pushViewController(detail, animated: false)
        let edge = UINavigationBarAppearance()
        edge.buttonAppearance.disabled.titleTextAttributes = [.foregroundColor: UIColor.green]
        edge.doneButtonAppearance.normal.titleTextAttributes = [.font: UIFont.systemFont(ofSize: 11)]
        edge.backButtonAppearance.normal.titleTextAttributes = [.foregroundColor: UIColor.red]
        navigation.navigationBar.scrollEdgeAppearance = edge
        let page = Page { navigation }
        func element(_ part: String) -> Page.Element? { page.elements["\(navigation.view.nodeID).\(part)"] }
        #expect(element("right0")?.style == ["--edge-color": UIColor.green.css])
        #expect(element("right1")?.style["--edge-font-size"] == "11px")
        #expect(element("right1")?.attributes["class"] == "bar-button prominent edged")
        #expect(element("back")?.style == ["--edge-color": UIColor.red.css])
        let standard = UINavigationBarAppearance()
        standard.backButtonAppearance.normal.titleTextAttributes = [.foregroundColor: UIColor.blue]
        navigation.navigationBar.standardAppearance = standard
        page.screen.drawIfNeeded()
        #expect(element("back")?.style == ["color": UIColor.blue.css, "--edge-color": UIColor.red.css])
        detail.navigationItem.scrollEdgeAppearance = UINavigationBarAppearance()
        page.screen.drawIfNeeded()
        #expect(element("back")?.style == ["color": UIColor.blue.css])
        #expect(element("back")?.attributes["class"] == "bar-button back edged")
    }

    @Test("of tabs say how the bar, titles, images and bubbles look")
    func tabs() throws {
        let tabs = UITabBarController()
        tabs.viewControllers = [titled("One"), titled("Two")]
        for controller in tabs.viewControllers ?? [] {
            controller.tabBarItem.image = UIImage(systemName: "star")
            controller.tabBarItem.badgeValue = "1"
        }
        let appearance = UITabBarAppearance()
        appearance.backgroundColor = .yellow
        appearance.shadowColor = nil
        let look = appearance.stackedLayoutAppearance
        look.normal.titleTextAttributes = [.foregroundColor: UIColor.red, .font: UIFont.boldSystemFont(ofSize: 9)]
        look.normal.iconColor = .red
        look.selected.iconColor = .blue
        look.selected.badgeBackgroundColor = .green
        look.selected.titleTextAttributes = [.foregroundColor: UIColor.blue]
        appearance.inlineLayoutAppearance.normal.iconColor = .brown
        tabs.tabBar.standardAppearance = appearance
        let page = Page { tabs }
        let id = tabs.view.nodeID
        let bar = try #require(page.elements["\(id).bar"])
        #expect(bar.style["--bar"] == UIColor.yellow.css && bar.style["--bar-line"] == "transparent")
        #expect(bar.style["--edge"] == nil && page.elements["\(id).tab0.title"]?.style["color"] == UIColor.blue.css)
        #expect(page.elements["\(id).tab0.title"]?.style["font-size"] == "9px")
        #expect(page.elements["\(id).tab1.title"]?.style["color"] == UIColor.red.css)
        #expect(page.elements["\(id).tab0.icon"]?.style["--tab"] == UIColor.blue.css)
        #expect(page.elements["\(id).tab1.icon"]?.style["--tab"] == UIColor.red.css)
        #expect(page.elements["\(id).tab0.badge"]?.style["background"] == UIColor.green.css)
        var wide = BrowserEnvironment()
        (wide.width, wide.height) = (834, 1_112)
        page.screen.change(to: wide)
        page.screen.drawIfNeeded()
        #expect(page.elements["\(id).tab1.icon"]?.style["--tab"] == UIColor.brown.css)
    }

    @Test("of tabs that let nothing shine through end the content above the bar")
    func opaqueTabs() throws {
        let tabs = UITabBarController()
        let (first, second) = (titled("One"), titled("Two"))
        tabs.viewControllers = [first, second]
        let appearance = UITabBarAppearance()
        appearance.configureWithOpaqueBackground()
        second.tabBarItem.standardAppearance = appearance
        let clear = UITabBarAppearance()
        clear.configureWithTransparentBackground()
        tabs.tabBar.scrollEdgeAppearance = clear
        let page = Page { tabs }
        #expect(first.view.safeAreaInsets.bottom == 49)
        #expect(page.elements["\(tabs.view.nodeID).bar"]?.style["--edge"] == UIColor.clear.css)
        tabs.selectedIndex = 1
        page.screen.drawIfNeeded()
        #expect(second.view.safeAreaInsets.bottom == 0)
        #expect(page.elements["\(tabs.view.nodeID).bar"]?.attributes["class"] == "tab-bar opaque clear")
    }

    @Test("of toolbars say how bar and buttons look; one kind of bar can look as another")
    func toolbars() throws {
        let navigation = UINavigationBarAppearance()
        navigation.configureWithOpaqueBackground()
        navigation.backgroundColor = .red
        let appearance = UIToolbarAppearance(barAppearance: navigation)
        appearance.buttonAppearance.normal.titleTextAttributes = [.foregroundColor: UIColor.blue]
        let toolbar = UIToolbar()
        toolbar.items = [UIBarButtonItem(title: "A")]
        toolbar.standardAppearance = appearance
        let controller = UIViewController()
        controller.view.addSubview(toolbar)
        let page = Page { controller }
        let element = try #require(page.elements[toolbar.nodeID])
        #expect(element.style["background-color"] == UIColor.red.css && element.style["backdrop-filter"] == "none")
        #expect(element.attributes["class"]?.contains("opaque") == true)
        #expect(page.elements["\(toolbar.nodeID).item0"]?.style["color"] == UIColor.blue.css)
    }

    @Test("of navigation lead back by a title, by the word of the system, or by the arrow alone")
    func backButtons() {
        let navigation = UINavigationController(rootViewController: titled("Root"))
        navigation.pushViewController(titled("Detail"), animated: false)
        let page = Page { navigation }
        var back: Page.Element? {
            page.screen.drawIfNeeded()
            return page.elements["\(navigation.view.nodeID).back"]
        }
        #expect(back?.text == "Root" && back?.attributes["aria-label"] == nil)
        navigation.viewControllers[0].navigationItem.backButtonDisplayMode = .generic
        #expect(back?.text == "Back")
        navigation.viewControllers[0].navigationItem.backButtonDisplayMode = .minimal
        #expect(back?.text == "" && back?.attributes["aria-label"] == "Root")
    }
}
