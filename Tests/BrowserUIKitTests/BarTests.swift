import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Bars and fields")
struct BarTests {
    private func navigation(_ titles: [String]) -> UINavigationController {
        let controllers = titles.map { title in
            let controller = UIViewController()
            controller.title = title
            return controller
        }
        let navigation = UINavigationController(rootViewController: controllers[0])
        for controller in controllers.dropFirst() { navigation.pushViewController(controller, animated: false) }
        return navigation
    }

    @Test("A large title stands below the buttons, as the controller or the one below it has it")
    func largeTitles() throws {
        let navigation = navigation(["Root", "Top"])
        let page = Page { navigation }
        let id = "\(navigation.view.nodeID).large"
        #expect(page.elements[id] == nil)
        navigation.navigationBar.prefersLargeTitles = true
        page.screen.drawIfNeeded()
        #expect(page.elements[id]?.text == "Top" && page.elements[id]?.tag == "h1")
        #expect(page.elements["\(navigation.view.nodeID).title"]?.attributes["aria-hidden"] == "true")
        navigation.viewControllers[0].navigationItem.largeTitleDisplayMode = .never
        page.screen.drawIfNeeded()
        #expect(page.elements[id] == nil)
        navigation.viewControllers[1].navigationItem.largeTitleDisplayMode = .always
        page.screen.drawIfNeeded()
        #expect(page.elements[id] != nil)
        navigation.viewControllers[1].navigationItem.titleView = UILabel()
        page.screen.drawIfNeeded()
        #expect(page.elements[id] == nil)
    }

    @Test("A large title begins where the interface does, whatever its language")
    func largeTitleSides() {
        var environment = BrowserEnvironment()
        for (isRightToLeft, side) in [(false, "left"), (true, "right")] {
            environment.isRightToLeft = isRightToLeft
            let navigation = navigation(["Title"])
            navigation.navigationBar.prefersLargeTitles = true
            let page = Page(environment) { navigation }
            #expect(page.elements["\(navigation.view.nodeID).large"]?.style["text-align"] == side)
        }
    }

    @Test("Controllers that are set replace those that are there, and the last is shown")
    func setControllers() {
        let navigation = navigation(["Root", "Top"])
        let page = Page { navigation }
        let root = navigation.viewControllers[0]
        let other = UIViewController()
        other.title = "Other"
        navigation.viewControllers = [root, other]
        page.screen.drawIfNeeded()
        #expect(navigation.topViewController === other && other.parent === navigation)
        #expect(page.elements["\(navigation.view.nodeID).title"]?.text == "Other")
        navigation.viewControllers.removeLast()
        #expect(navigation.topViewController === root && other.parent == nil)
    }

    @Test("The looks of a bar are those of its properties and appearances")
    func looks() throws {
        let navigation = navigation(["Root"])
        let page = Page { navigation }
        let bar = navigation.navigationBar
        bar.tintColor = .systemRed
        bar.titleTextAttributes = [.foregroundColor: UIColor.green, .font: UIFont.systemFont(ofSize: 20)]
        let appearance = UINavigationBarAppearance()
        appearance.configureWithOpaqueBackground()
        appearance.backgroundColor = .blue
        appearance.shadowColor = nil
        bar.standardAppearance = appearance
        bar.scrollEdgeAppearance = appearance
        page.screen.drawIfNeeded()
        let element = try #require(page.elements["\(navigation.view.nodeID).bar"])
        #expect(element.attributes["class"] == "bar opaque no-line")
        #expect(element.style["--page"] == UIColor.blue.css && element.style["--bar"] == UIColor.blue.css)
        #expect(element.style["--tint"] == UIColor.systemRed.css)
        let title = page.elements["\(navigation.view.nodeID).title"]
        #expect(title?.style["color"] == UIColor.green.css && title?.style["font-size"] == "20px")
        appearance.configureWithTransparentBackground()
        bar.standardAppearance = appearance
        page.screen.drawIfNeeded()
        #expect(page.elements["\(navigation.view.nodeID).bar"]?.style["--bar"] == UIColor.clear.css)
    }

    @Test("The bar of tabs has the app's colours")
    func tabs() throws {
        let tabs = UITabBarController()
        tabs.viewControllers = [UIViewController(), UIViewController()]
        let page = Page { tabs }
        tabs.tabBar.tintColor = .systemGreen
        tabs.tabBar.unselectedItemTintColor = .black
        tabs.tabBar.barTintColor = .yellow
        page.screen.drawIfNeeded()
        let bar = try #require(page.elements(class: "tab-bar").first)
        #expect(bar.style["--tint"] == UIColor.systemGreen.css && bar.style["--unselected"] == UIColor.black.css)
        #expect(bar.style["background-color"] == UIColor.yellow.css && tabs.tabBar.items?.count == 2)
    }

    private final class FieldDelegate: NSObject, UITextFieldDelegate {
        var calls: [String] = []

        func textFieldDidBeginEditing(_ textField: UITextField) { calls.append("begin") }
        func textFieldDidEndEditing(_ textField: UITextField) { calls.append("end") }
        func textFieldShouldReturn(_ textField: UITextField) -> Bool {
            calls.append("return")
            return true
        }
        func textField(
            _ textField: UITextField,
            shouldChangeCharactersIn range: NSRange,
            replacementString string: String
        ) -> Bool {
            calls.append("\(range.location),\(range.length) \(string)")
            return !string.contains("x")
        }
    }

    @Test("A field asks its delegate about every change, and takes back what is refused")
    func field() throws {
        let (field, delegate) = (UITextField(), FieldDelegate())
        field.delegate = delegate
        let controller = UIViewController()
        controller.view.addSubview(field)
        let page = Page { controller }
        func type(_ text: String, isFinal: Bool = false) {
            page.report(#"{"i":"\#(field.nodeID)","k":"text","t":"\#(text)","f":\#(isFinal)}"#)
        }
        type("ab")
        #expect(field.isFirstResponder)
        type("a😀b")
        type("a😀xb")
        #expect(field.text == "a😀b" && page.elements[field.nodeID]?.attributes["data-value"] == "1:a😀b")
        type("b")
        type("b", isFinal: true)
        #expect(delegate.calls == ["begin", "0,0 ab", "1,0 😀", "3,0 x", "0,3 ", "end"])
        #expect(!field.isFirstResponder)
    }

    @Test("The app puts the cursor into a field, and takes it out")
    func focus() {
        let field = UITextField()
        let controller = UIViewController()
        controller.view.addSubview(field)
        let page = Page { controller }
        #expect(page.elements[field.nodeID]?.attributes["data-focus"] == nil)
        field.becomeFirstResponder()
        page.screen.drawIfNeeded()
        #expect(page.elements[field.nodeID]?.attributes["data-focus"] == "1:1" && field.isFirstResponder)
        field.resignFirstResponder()
        page.screen.drawIfNeeded()
        #expect(page.elements[field.nodeID]?.attributes["data-focus"] == "2:0" && !field.isFirstResponder)
        field.isEnabled = false
        #expect(!field.becomeFirstResponder())
    }

    @Test("A picker of colours tells its delegate, and goes when the user is done")
    func picker() throws {
        @MainActor
        final class Delegate: NSObject, UIColorPickerViewControllerDelegate {
            var colors: [UIColor] = []
            var isDone = false
            func colorPickerViewControllerDidSelectColor(_ viewController: UIColorPickerViewController) {
                colors.append(viewController.selectedColor)
            }
            func colorPickerViewControllerDidFinish(_ viewController: UIColorPickerViewController) { isDone = true }
        }
        let (controller, delegate) = (UIViewController(), Delegate())
        let page = Page { controller }
        let picker = UIColorPickerViewController()
        picker.delegate = delegate
        controller.present(picker, animated: true)
        page.screen.drawIfNeeded()
        let white = try #require(page.elements.first { $0.value.attributes["aria-label"] == "100%, 100%, 100%" })
        page.tap(white.key)
        #expect(delegate.colors == [UIColor(white: 1, alpha: 1)])
        page.tap(try #require(page.id(text: "Done")))
        #expect(delegate.isDone && controller.presentedViewController == nil)
    }

    @Test("Colours are made of hues, and taken apart")
    func hues() {
        for (hue, parts) in [(0, [1, 0, 0]), (1.0 / 3, [0, 1, 0]), (2.0 / 3, [0, 0, 1]), (1.0 / 6, [1, 1, 0])] {
            var (red, green, blue, alpha) = (CGFloat(-1), CGFloat(-1), CGFloat(-1), CGFloat(-1))
            let color = UIColor(hue: hue, saturation: 1, brightness: 1, alpha: 0.5)
            #expect(color.getRed(&red, green: &green, blue: &blue, alpha: &alpha))
            #expect(zip([red, green, blue], parts).allSatisfy { abs($0 - CGFloat($1)) < 0.001 } && alpha == 0.5)
        }
    }

    @Test("The items of one section may lie in others, which show them or not")
    func sections() {
        var section = NSDiffableDataSourceSectionSnapshot<Int>()
        section.append([1, 2])
        section.append([11, 12, 2], to: 1)
        section.append([111], to: 11)
        section.append([9], to: 8)
        #expect(
            section.items == [1, 11, 111, 12, 2] && section.rootItems == [1, 2] && section.visibleItems == [1, 2]
        )
        section.expand([1])
        #expect(section.visibleItems == [1, 11, 12, 2] && section.level(of: 111) == 2 && section.parent(of: 12) == 1)
        section.delete([11])
        #expect(section.items == [1, 12, 2] && !section.contains(111))
        let collection = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewFlowLayout())
        let source = UICollectionViewDiffableDataSource<Int, Int>(collectionView: collection) { _, _, _ in nil }
        source.apply(section, to: 7)
        #expect(source.snapshot().itemIdentifiers == [1, 12, 2] && source.snapshot(for: 7).items == [1, 12, 2])
        var emptied = source.snapshot(for: 7)
        emptied.deleteAll()
        source.apply(emptied, to: 7)
        #expect(source.snapshot().sectionIdentifiers == [7] && source.snapshot().itemIdentifiers.isEmpty)
    }

    @Test("Images of files are found by name, and nothing outside of the bundle is")
    func named() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let png = try #require(
            Data(
                base64Encoded:
                    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAEUlEQVR4nGNkYPj/n4GBgQEACAAB/1b+GQAAAABJRU5ErkJggg=="
            )
        )
        try png.write(to: folder.appendingPathComponent("leaf@2x.png"))
        let bundle = try #require(Bundle(path: folder.path))
        #expect(UIImage(named: "leaf", in: bundle, compatibleWith: nil)?.size == CGSize(width: 1, height: 1))
        #expect(UIImage(named: "leaf.png", in: bundle, compatibleWith: nil)?.scale == 2)
        for name in ["", "leaf.jpg", "../leaf", "\(folder.path)/leaf", "tree"] {
            #expect(UIImage(named: name, in: bundle, compatibleWith: nil) == nil)
        }
    }

    private final class Chooser: NSObject, UITabBarControllerDelegate {
        var calls: [String] = []
        var isAllowed = true

        func tabBarController(
            _ tabBarController: UITabBarController,
            shouldSelect viewController: UIViewController
        ) -> Bool {
            calls.append("should \(viewController.title ?? "")")
            return isAllowed
        }

        func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController) {
            calls.append("did \(viewController.title ?? "")")
        }
    }

    @Test("The delegate of tabs is asked about each that is tapped, and told of those that are chosen")
    func tabDelegate() {
        let (tabs, chooser) = (UITabBarController(), Chooser())
        tabs.viewControllers = ["a", "b"].map { name in
            let controller = UIViewController()
            controller.title = name
            return controller
        }
        tabs.delegate = chooser
        let page = Page { tabs }
        let bar = tabs.view.nodeID
        page.tap("\(bar).tab1")
        chooser.isAllowed = false
        page.tap("\(bar).tab0")
        #expect(tabs.selectedIndex == 1)
        chooser.isAllowed = true
        page.tap("\(bar).tab1")
        #expect(chooser.calls == ["should b", "did b", "should a", "should b", "did b"])
        tabs.selectedIndex = 0
        #expect(chooser.calls.count == 5)
    }

    @Test("A tap on the tab that is shown scrolls the first list that wants that to its top, at the root alone")
    func tabToTop() throws {
        let (tabs, list) = (UITabBarController(), NumbersController(style: .plain))
        let navigation = UINavigationController(rootViewController: list)
        tabs.viewControllers = [navigation, UIViewController()]
        let page = Page { tabs }
        let table = try #require(list.tableView)
        func scrollDown() {
            table.contentOffset = CGPoint(x: 0, y: 500)
            page.screen.drawIfNeeded()
        }
        scrollDown()
        navigation.pushViewController(UIViewController(), animated: false)
        page.screen.drawIfNeeded()
        page.tap("\(tabs.view.nodeID).tab0")
        #expect(navigation.topViewController === list)
        #expect(table.contentOffset.y == 500)
        page.tap("\(tabs.view.nodeID).tab0")
        #expect(table.scrolled == 0)
        scrollDown()
        table.scrollsToTop = false
        page.tap("\(tabs.view.nodeID).tab0")
        #expect(table.contentOffset.y == 500)
    }

    @Test("The bar of tabs is hidden while a controller that wants that is in the tab, and takes shared looks")
    func hiddenTabs() {
        defer { UITabBar.appearance().unselectedItemTintColor = nil }
        UITabBar.appearance().unselectedItemTintColor = .red
        let (tabs, navigation) = (UITabBarController(), UINavigationController(rootViewController: UIViewController()))
        tabs.viewControllers = [navigation]
        let page = Page { tabs }
        #expect(page.elements(class: "tab-bar").first?.style["--unselected"] == UIColor.red.css)
        let detail = UIViewController()
        detail.hidesBottomBarWhenPushed = true
        navigation.pushViewController(detail, animated: false)
        page.screen.drawIfNeeded()
        #expect(page.elements(class: "tab-bar").isEmpty)
        #expect(detail.view.safeAreaInsets.bottom == 0)
        navigation.pushViewController(UIViewController(), animated: false)
        page.screen.drawIfNeeded()
        #expect(page.elements(class: "tab-bar").isEmpty)
        navigation.popToRootViewController(animated: false)
        page.screen.drawIfNeeded()
        #expect(page.elements(class: "tab-bar").count == 1)
    }
}
