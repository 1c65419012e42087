import Foundation
import Testing

@testable import BrowserUIKit

/// Notes the size of its view at each step of its life.
private final class Measured: UIViewController {
    var sizes: [String: CGSize] = [:]

    override func viewDidLoad() { sizes["loaded"] = view.bounds.size }
    override func viewWillAppear(_ animated: Bool) { sizes["will appear"] = view.frame.size }
    override func viewDidLayoutSubviews() { sizes["laid out"] = view.bounds.size }
}

@MainActor
@Suite("The room of views that fill a window")
struct RoomTests {
    private let whole = CGSize(width: 390, height: 844)

    private func environment() -> BrowserEnvironment {
        var environment = BrowserEnvironment()
        environment.safeArea = UIEdgeInsets(top: 47, left: 0, bottom: 34, right: 0)
        return environment
    }

    @Test("The view of a root controller is as large as the window at each step")
    func root() {
        let controller = Measured()
        let page = Page { controller }
        #expect(controller.sizes == ["loaded": whole, "will appear": whole, "laid out": whole])
        #expect(page.screen.window.bounds.size == whole)
    }

    @Test("The view follows a window that becomes another size")
    func turning() {
        let controller = Measured()
        let page = Page { controller }
        var turned = BrowserEnvironment()
        (turned.width, turned.height) = (844, 390)
        page.screen.change(to: turned)
        page.screen.drawIfNeeded()
        #expect(controller.sizes["laid out"] == CGSize(width: 844, height: 390))
        #expect(page.screen.window.frame.size == CGSize(width: 844, height: 390))
    }

    @Test("Bars that content doesn't go under leave the view less")
    func bars() {
        let controller = Measured()
        controller.edgesForExtendedLayout = []
        let tabs = UITabBarController()
        tabs.viewControllers = [UINavigationController(rootViewController: controller)]
        let page = Page(environment()) { tabs }
        #expect(controller.sizes["laid out"] == CGSize(width: 390, height: 844 - 47 - 44 - 49 - 34))
        controller.edgesForExtendedLayout = .all
        page.screen.drawIfNeeded()
        #expect(controller.sizes["laid out"] == whole)
    }

    @Test("A sheet leaves room above its view")
    func sheet() {
        let (root, controller) = (UIViewController(), Measured())
        let page = Page(environment()) { root }
        controller.sheetPresentationController?.detents = [.medium()]
        root.present(controller, animated: false)
        page.screen.drawIfNeeded()
        #expect(controller.sizes["will appear"] == CGSize(width: 390, height: 422))
        #expect(controller.sizes["laid out"] == CGSize(width: 390, height: 422))
    }

    @Test("A child whose view has the size of its container's follows that, and another frame is kept")
    func children() {
        let (root, child, other) = (UIViewController(), UIViewController(), UIViewController())
        let page = Page { root }
        for controller in [child, other] {
            root.addChild(controller)
            root.view.addSubview(controller.view)
            controller.didMove(toParent: root)
        }
        child.view.frame = root.view.bounds
        other.view.frame = CGRect(x: 10, y: 20, width: 30, height: 40)
        page.screen.drawIfNeeded()
        #expect(page.elements[child.view.nodeID]?.style["inset"] == "0")
        #expect(page.elements[other.view.nodeID]?.style["width"] == "30px")
        var wide = BrowserEnvironment()
        wide.width = 600
        page.screen.change(to: wide)
        page.screen.drawIfNeeded()
        #expect(child.view.bounds.size == CGSize(width: 600, height: 844))
        #expect(other.view.frame == CGRect(x: 10, y: 20, width: 30, height: 40))
    }
}
