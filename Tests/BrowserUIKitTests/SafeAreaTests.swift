import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("What bars cover")
struct SafeAreaTests {
    private let list = NumbersController()
    private let navigation: UINavigationController
    private let tabs = UITabBarController()
    private var table: UITableView { list.tableView }
    private static let device: BrowserEnvironment = {
        var environment = BrowserEnvironment()
        environment.safeArea = UIEdgeInsets(top: 47, left: 0, bottom: 34, right: 0)
        return environment
    }()

    init() {
        list.title = "Numbers"
        navigation = UINavigationController(rootViewController: list)
    }

    private func sides(_ insets: UIEdgeInsets) -> [CGFloat] { [insets.top, insets.bottom] }

    @Test("is added to the room around a list, whose content rests below the one and ends above the other")
    func lists() throws {
        tabs.viewControllers = [navigation]
        let page = Page(Self.device) { tabs }
        #expect(sides(list.view.safeAreaInsets) == [91, 83] && sides(table.adjustedContentInset) == [91, 83])
        #expect(table.contentOffset.y == -91)
        let scroller = try #require(page.elements[table.scrollerID])
        #expect(scroller.style["padding"] == "91px 0px 83px 0px" && scroller.attributes["data-lead"] == "0")
        #expect(scroller.attributes["data-trail"] == "")
        #expect(page.elements[navigation.view.nodeID]?.attributes["class"] == "v navigation under screen-content")
        page.scroll(table, to: 100, rowHeight: 100)
        #expect(table.contentOffset.y == 9 && table.contentSize.height == 9_000 - 91 - 83)
        table.contentOffset.y = -91
        page.screen.drawIfNeeded()
        #expect(page.elements[table.scrollerID]?.attributes["data-offset"] == "1:0")
        #expect(sides(page.screen.window.safeAreaInsets) == [47, 34])
    }

    @Test("grows by a large title, which leaves with what is scrolled")
    func largeTitle() {
        navigation.navigationBar.prefersLargeTitles = true
        let page = Page(Self.device) { navigation }
        #expect(sides(list.view.safeAreaInsets) == [143, 34])
        #expect(page.elements[table.scrollerID]?.attributes["data-lead"] == "52")
        for (scrolled, top) in [(20, 123), (52, 91), (500, 91), (0, 143)] {
            page.scroll(table, to: CGFloat(scrolled), rowHeight: 100)
            #expect(table.adjustedContentInset.top == CGFloat(top))
            #expect(table.contentOffset.y == CGFloat(scrolled - 143))
        }
        #expect(page.elements[table.scrollerID]?.style["padding"] == "143px 0px 34px 0px")
        // A row comes to lie below the bar without the title; the first one brings the title back.
        for (row, scrolled) in [(3, "352"), (0, "0")] {
            table.scrollToRow(at: IndexPath(row: row, section: 0), at: .top, animated: false)
            page.screen.drawIfNeeded()
            #expect(page.elements[table.scrollerID]?.attributes["data-offset"]?.hasSuffix(":\(scrolled)") == true)
        }
        list.navigationItem.largeTitleDisplayMode = .never
        page.screen.drawIfNeeded()
        #expect(list.view.safeAreaInsets.top == 91)
    }

    @Test("is nothing where the view ends at bars: those that are opaque, and those that it doesn't extend under")
    func opaque() {
        tabs.viewControllers = [navigation]
        let page = Page(Self.device) { tabs }
        navigation.navigationBar.isTranslucent = false
        tabs.tabBar.isTranslucent = false
        page.screen.drawIfNeeded()
        #expect(sides(list.view.safeAreaInsets) == [0, 0])
        #expect(page.elements(class: "under").isEmpty && page.elements(class: "opaque").count == 2)
        list.extendedLayoutIncludesOpaqueBars = true
        #expect(sides(list.view.safeAreaInsets) == [91, 83])
        list.edgesForExtendedLayout = .top
        #expect(sides(list.view.safeAreaInsets) == [91, 0])
        (navigation.navigationBar.isTranslucent, tabs.tabBar.isTranslucent) = (true, true)
        list.edgesForExtendedLayout = []
        #expect(sides(list.view.safeAreaInsets) == [0, 0])
        list.edgesForExtendedLayout = .all
        navigation.isNavigationBarHidden = true
        #expect(sides(list.view.safeAreaInsets) == [47, 83])
    }

    private static let typing: BrowserEnvironment = {
        var environment = device
        environment.keyboardHeight = 300
        return environment
    }()

    @Test("is what a keyboard covers, where that is more, for the table of a table controller")
    func keyboard() {
        let list = NumbersController()
        let table: UITableView = list.tableView
        let page = Page(Self.device) { list }
        table.contentInset.bottom = 6
        #expect(sides(table.adjustedContentInset) == [47, 40])
        page.screen.change(to: Self.typing)
        page.screen.drawIfNeeded()
        #expect(sides(table.adjustedContentInset) == [47, 306])
        #expect(page.elements[table.scrollerID]?.style["padding"] == "47px 0px 306px 0px")
        table.contentInsetAdjustmentBehavior = .never
        #expect(sides(table.adjustedContentInset) == [0, 306])
        page.screen.change(to: Self.device)
        page.screen.drawIfNeeded()
        #expect(sides(table.adjustedContentInset) == [0, 6])
    }

    @Test("leaves it to the app what a keyboard covers of other lists")
    func keyboardOverOtherLists() {
        let (controller, scroll) = (UIViewController(), UIScrollView())
        controller.view = scroll
        let page = Page(Self.typing) { controller }
        #expect(sides(scroll.adjustedContentInset) == [47, 34])
        #expect(page.elements[scroll.scrollerID]?.style["padding"] == "47px 0px 34px 0px")
    }

    @Test("is left to the app where a list or its controller doesn't adjust its room")
    func adjustment() {
        let page = Page(Self.device) { navigation }
        table.contentInset = UIEdgeInsets(top: 5, left: 0, bottom: 6, right: 0)
        #expect(sides(table.adjustedContentInset) == [96, 40])
        table.contentInsetAdjustmentBehavior = .never
        page.screen.drawIfNeeded()
        #expect(sides(table.adjustedContentInset) == [5, 6] && table.contentOffset.y == -5)
        #expect(page.elements[table.scrollerID]?.attributes["data-lead"] == nil)
        table.contentInsetAdjustmentBehavior = .automatic
        list.automaticallyAdjustsScrollViewInsets = false
        #expect(sides(table.adjustedContentInset) == [5, 6])
        table.contentInsetAdjustmentBehavior = .always
        list.additionalSafeAreaInsets.bottom = 10
        #expect(sides(table.adjustedContentInset) == [96, 50])
    }

    @Test("of a subview is what is covered where its constraints place it")
    func subviews() {
        let controller = UIViewController()
        let (head, inner, web) = (UIView(), UITableView(frame: .zero), WKWebView(frame: .zero))
        let stack = UIStackView(arrangedSubviews: [inner])
        stack.axis = .vertical
        for view in [head, stack, web] as [UIView] {
            view.translatesAutoresizingMaskIntoConstraints = false
            controller.view.addSubview(view)
        }
        let outer: UIView = controller.view
        NSLayoutConstraint.activate([
            head.topAnchor.constraint(equalTo: outer.topAnchor, constant: 10),
            stack.topAnchor.constraint(equalTo: head.bottomAnchor),
            outer.bottomAnchor.constraint(equalTo: stack.bottomAnchor, constant: 4),
            web.topAnchor.constraint(equalTo: outer.safeAreaLayoutGuide.topAnchor),
            web.bottomAnchor.constraint(equalTo: outer.bottomAnchor),
        ])
        let page = Page(Self.device) {
            tabs.viewControllers = [UINavigationController(rootViewController: controller)]
            return tabs
        }
        #expect(sides(head.safeAreaInsets) == [81, 0] && sides(inner.safeAreaInsets) == [0, 79])
        #expect(sides(web.safeAreaInsets) == [0, 83] && sides(inner.adjustedContentInset) == [0, 79])
        #expect(page.elements["\(web.nodeID).frame"]?.style["height"] == "calc(100% - 83px)")
        #expect(page.elements[inner.scrollerID]?.attributes["data-lead"] == nil)
        let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
        inner.addSubview(cell)
        #expect(sides(cell.safeAreaInsets) == [0, 0])
    }

    @Test("of a sheet is its own bar: that of the device is above it")
    func sheets() {
        let root = UIViewController()
        let page = Page(Self.device) { root }
        root.present(navigation, animated: false)
        page.screen.drawIfNeeded()
        #expect(sides(list.view.safeAreaInsets) == [50, 34])
        #expect(page.elements["\(navigation.view.nodeID).bar"]?.style["padding-top"] == "6px")
        navigation.modalPresentationStyle = .fullScreen
        #expect(list.view.safeAreaInsets.top == 91)
    }

    private final class Told: UIViewController {
        var insets: [CGFloat] = []
        var ran = 0

        override func viewSafeAreaInsetsDidChange() {
            super.viewSafeAreaInsetsDidChange()
            insets.append(view.safeAreaInsets.top)
        }

        override func viewWillAppear(_ animated: Bool) {
            super.viewWillAppear(animated)
            transitionCoordinator?.animate(
                alongsideTransition: { context in
                    if !context.isCancelled { self.ran += 1 }
                },
                completion: nil
            )
        }
    }

    @Test("are told to controllers where they change, and transitions are there while a controller appears")
    func told() {
        let told = Told()
        var environment = BrowserEnvironment()
        environment.safeArea = UIEdgeInsets(top: 47, left: 0, bottom: 34, right: 0)
        let page = Page(environment) { told }
        #expect(told.insets == [47] && told.ran == 1 && told.transitionCoordinator == nil)
        told.view.backgroundColor = .red
        page.screen.drawIfNeeded()
        #expect(told.insets == [47])
        told.additionalSafeAreaInsets.top = 10
        page.screen.drawIfNeeded()
        #expect(told.insets == [47, 57])
    }
}
