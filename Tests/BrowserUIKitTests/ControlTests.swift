import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Controls")
struct ControlTests {
    private func page(_ view: UIView) -> Page {
        let controller = UIViewController()
        view.translatesAutoresizingMaskIntoConstraints = false
        controller.view.addSubview(view)
        return Page { controller }
    }

    @Test("of segments tell of another choice once, and not of the same")
    func segments() {
        let control = UISegmentedControl(items: ["Light", "Dark"])
        var choices: [Int] = []
        control.addAction(
            UIAction { choices.append(($0.sender as? UISegmentedControl)?.selectedSegmentIndex ?? -2) },
            for: .valueChanged
        )
        #expect(control.selectedSegmentIndex == UISegmentedControl.noSegment)
        let page = page(control)
        page.tap("\(control.nodeID).segment1")
        page.tap("\(control.nodeID).segment1")
        page.tap("\(control.nodeID).segment7")
        #expect(choices == [1])
        #expect(page.elements["\(control.nodeID).segment1"]?.attributes["aria-checked"] == "true")
    }

    @Test("tell of the beginning of a touch once, before its end")
    func touchDown() {
        for control in [UIButton(type: .system), UIControl()] {
            var events: [String] = []
            control.addAction(UIAction { _ in events.append("up") }, for: .touchUpInside)
            control.addAction(UIAction { _ in events.append("down") }, for: .touchDown)
            let page = page(control)
            page.tap(control.nodeID)
            #expect(events == ["down", "up"])
            control.isEnabled = false
            page.tap(control.nodeID)
            #expect(events.count == 2)
        }
    }

    @Test("that step stop at both ends")
    func stepper() {
        let stepper = UIStepper()
        stepper.minimumValue = 1
        stepper.maximumValue = 2
        var values: [Double] = []
        stepper.addAction(UIAction { _ in values.append(stepper.value) }, for: .valueChanged)
        let page = page(stepper)
        for part in ["plus", "plus", "minus", "minus"] { page.tap("\(stepper.nodeID).\(part)") }
        #expect(values == [2, 1])
        #expect(page.elements["\(stepper.nodeID).minus"]?.attributes["disabled"] != nil)
    }

    @Test("for text keep what was typed, and number what the app sets")
    func textField() {
        let field = UITextField()
        var events: [String] = []
        field.addAction(UIAction { _ in events.append("changed \(field.text ?? "")") }, for: .editingChanged)
        field.addAction(UIAction { _ in events.append("ended \(field.text ?? "")") }, for: .editingDidEnd)
        let page = page(field)
        page.report(#"{"i":"\#(field.nodeID)","k":"text","t":"ann"}"#)
        page.report(#"{"i":"\#(field.nodeID)","k":"text","t":"anna","f":true}"#)
        #expect(events == ["changed ann", "ended anna"])
        #expect(page.elements[field.nodeID]?.attributes["data-value"] == "0:anna")
        field.text = ""
        page.screen.drawIfNeeded()
        #expect(page.elements[field.nodeID]?.attributes["data-value"] == "1:")
    }

    private final class Slider: UIControl {
        var steps: [CGFloat] = []
        var limit: CGFloat = 100
        var ended = 0

        override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
            steps.append(touch.location(in: nil).x - touch.previousLocation(in: nil).x)
            return touch.location(in: nil).x < limit
        }

        override func endTracking(_ touch: UITouch?, with event: UIEvent?) {
            ended += 1
        }
    }

    private func touch(_ view: UIView, _ phase: String, _ x: CGFloat, first: Bool = false) -> String {
        let begin = first ? #""b":true,"# : ""
        return #"{"i":"\#(view.nodeID)","k":"touch","p":"\#(phase)",\#(begin)"sx":10,"sy":5,"x":\#(x),"y":5}"#
    }

    @Test("follow a touch until it ends, or until they let go of it")
    func tracking() {
        let slider = Slider()
        var cancelled = 0
        slider.addAction(UIAction { _ in cancelled += 1 }, for: .touchCancel)
        let page = page(slider)
        page.report(touch(slider, "moved", 20, first: true))
        page.report(touch(slider, "moved", 50))
        page.report(touch(slider, "ended", 50))
        #expect(slider.steps == [10, 30])
        #expect((slider.ended, cancelled) == (1, 0))
        page.report(touch(slider, "moved", 120, first: true))
        page.report(touch(slider, "moved", 150))
        page.report(touch(slider, "ended", 150))
        #expect(slider.steps == [10, 30, 110])
        #expect((slider.ended, cancelled) == (1, 1))
    }

    private final class Dial: UIControl {
        let neighbor = UIView()
        var touches: [UITouch] = []
        var places: [CGPoint] = []

        private func note(_ touch: UITouch, _ event: UIEvent?) -> Bool {
            touches.append(touch)
            places += [self, neighbor, superview].map { touch.location(in: $0) }
            return event?.touches(for: self) == [touch]
        }

        override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool { note(touch, event) }
        override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool { note(touch, event) }
        override func endTracking(_ touch: UITouch?, with event: UIEvent?) {
            if let touch { _ = note(touch, event) }
        }
    }

    @Test("follow one touch, whose place is told in any view")
    func places() throws {
        let dial = Dial()
        let page = page(dial)
        let around = try #require(dial.superview)
        around.addSubview(dial.neighbor)
        let places = #""o":{"\#(dial.nodeID)":[4,3],"\#(dial.neighbor.nodeID)":[-90,0],"v":[1]},"#
        let first = touch(dial, "moved", 20, first: true)
        page.report(first.replacingOccurrences(of: #""b":true,"#, with: #""b":true,\#(places)"#))
        page.report(touch(dial, "ended", 50))
        let points = [(6, 2), (100, 5), (10, 5), (16, 2), (110, 5), (20, 5), (46, 2), (140, 5), (50, 5)]
        #expect(dial.places == points.map { CGPoint(x: $0, y: $1) })
        #expect(Set(dial.touches).count == 1 && dial.touches[0].view === dial && dial.touches[0].phase == .ended)
    }

    @Test("that are switched off hear of nothing")
    func disabled() {
        let slider = Slider()
        slider.isEnabled = false
        var taps = 0
        slider.addAction(UIAction { _ in taps += 1 }, for: .touchUpInside)
        let page = page(slider)
        page.tap(slider.nodeID)
        page.report(touch(slider, "moved", 20, first: true))
        #expect((taps, slider.steps.count) == (0, 0))
    }

    @Test("change gradually from what the page showed before")
    func animation() throws {
        let view = UIView()
        let page = page(view)
        view.transform = CGAffineTransform(translationX: -200, y: 0)
        UIView.animate(withDuration: 0.4, delay: 0.1, options: .curveEaseOut) { view.transform = .identity }
        #expect(page.elements[view.nodeID]?.style["transform"] == "matrix(1,0,0,1,-200,0)")
        #expect(page.elements[view.nodeID]?.style["transition"] == nil)
        page.screen.drawIfNeeded()
        #expect(page.elements[view.nodeID]?.style["transform"] == nil)
        #expect(page.elements[view.nodeID]?.style["transition"] == "all 0.4s ease-out 0.1s")
    }
}

@MainActor
@Suite("Containers")
struct ContainerTests {
    private final class Noted: UIViewController {
        var log: [String] = []
        override func viewDidAppear(_ animated: Bool) { log.append("appeared") }
        override func viewDidDisappear(_ animated: Bool) { log.append("left") }
    }

    @Test("in tabs appear one at a time, and the chosen tab leads to its root")
    func tabs() throws {
        let (first, second) = (Noted(), Noted())
        let navigation = UINavigationController(rootViewController: second)
        let tabs = UITabBarController()
        first.tabBarItem = UITabBarItem(title: "One", image: nil, tag: 0)
        navigation.tabBarItem = UITabBarItem(title: "Two", image: nil, tag: 1)
        tabs.viewControllers = [first, navigation]
        let page = Page { tabs }
        #expect(first.log == ["appeared"] && second.log.isEmpty)
        let view = try #require(tabs.view)
        page.tap("\(view.nodeID).tab1")
        #expect(first.log == ["appeared", "left"] && second.log == ["appeared"])
        navigation.pushViewController(Noted(), animated: true)
        page.tap("\(view.nodeID).tab1")
        #expect(navigation.topViewController === second)
        #expect(first.tabBarController === tabs && second.tabBarController === tabs)
    }

    @Test("of tabs show a badge as soon as it is set")
    func badge() throws {
        let tabs = UITabBarController()
        let child = UIViewController()
        child.tabBarItem = UITabBarItem(title: "Cart", image: nil, tag: 0)
        tabs.viewControllers = [child]
        let page = Page { tabs }
        child.tabBarItem.badgeValue = "3"
        page.screen.drawIfNeeded()
        #expect(page.elements(class: "badge").map(\.text) == ["3"])
        child.tabBarItem.badgeValue = nil
        page.screen.drawIfNeeded()
        #expect(page.elements(class: "tab").first?.children.count == 1)
    }

    @Test("tell a child that it appears when its view comes to the screen, and that it leaves with it")
    func child() {
        let root = UIViewController()
        let child = Noted()
        _ = Page { root }
        root.addChild(child)
        #expect(child.log.isEmpty)
        root.view.addSubview(child.view)
        #expect(child.log == ["appeared"])
        child.view.removeFromSuperview()
        child.removeFromParent()
        #expect(child.log == ["appeared", "left"])
    }

    @Test("of alerts go before they answer, so that an answer can present again")
    func alert() throws {
        let root = UIViewController()
        let page = Page { root }
        let alert = UIAlertController(title: "Empty the cart?", message: nil, preferredStyle: .alert)
        var answers: [String] = []
        alert.addAction(
            UIAlertAction(title: "Empty", style: .destructive) { _ in
                answers.append(root.presentedViewController == nil ? "gone" : "still there")
            }
        )
        alert.addAction(UIAlertAction(title: "Keep", style: .cancel))
        root.present(alert, animated: true)
        page.screen.drawIfNeeded()
        let button = try #require(page.id(text: "Empty"))
        #expect(page.elements(class: "bold").map(\.text) == ["Keep"])
        page.tap(button)
        #expect(answers == ["gone"])
        page.screen.drawIfNeeded()
        #expect(root.presentedViewController == nil)
    }
}

@MainActor
@Suite("A collection")
struct CollectionTests {
    private final class Grid: UIViewController, UICollectionViewDataSource, UICollectionViewDelegateFlowLayout {
        let layout = UICollectionViewFlowLayout()
        lazy var collection = UICollectionView(frame: .zero, collectionViewLayout: layout)
        var count = 1_000
        var size = CGSize(width: 180, height: 200)
        var chosen: [Int] = []

        override func loadView() {
            view = collection
            collection.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "cell")
            collection.dataSource = self
            collection.delegate = self
        }

        func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int { count }

        func collectionView(
            _ collectionView: UICollectionView,
            cellForItemAt indexPath: IndexPath
        ) -> UICollectionViewCell {
            collectionView.dequeueReusableCell(withReuseIdentifier: "cell", for: indexPath)
        }

        func collectionView(
            _ collectionView: UICollectionView,
            layout collectionViewLayout: UICollectionViewLayout,
            sizeForItemAt indexPath: IndexPath
        ) -> CGSize { size }

        func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
            chosen.append(indexPath.item)
        }
    }

    private func frame(_ grid: Grid, _ item: Int) -> CGRect? {
        grid.collection.layoutAttributesForItem(at: IndexPath(item: item, section: 0))?.frame
    }

    @Test("puts as many items in a row as fit, and spreads full rows from side to side")
    func rows() {
        let grid = Grid()
        grid.layout.sectionInset = UIEdgeInsets(top: 16, left: 10, bottom: 16, right: 10)
        _ = Page { grid }
        #expect(frame(grid, 0) == CGRect(x: 10, y: 16, width: 180, height: 200))
        #expect(frame(grid, 1) == CGRect(x: 200, y: 16, width: 180, height: 200))
        #expect(frame(grid, 2) == CGRect(x: 10, y: 226, width: 180, height: 200))
        #expect(frame(grid, 1_000) == nil)
        #expect(grid.layout.collectionViewContentSize == CGSize(width: 390, height: 16 + 500 * 210 - 10 + 16))
    }

    @Test("has cells only for what is on screen or near it, and uses them again")
    func reuse() {
        let grid = Grid()
        let page = Page { grid }
        let before = page.elements(class: "item").count
        #expect((8...16).contains(before))
        for offset in stride(from: CGFloat(0), through: 20_000, by: 1_000) {
            page.report(
                #"{"i":"\#(grid.collection.nodeID)","k":"scroll","y":\#(offset),"w":390,"h":800,"c":105000,"r":{}}"#
            )
        }
        #expect(page.elements(class: "item").count < 24)
        let visible = grid.collection.indexPathsForVisibleItems.map(\.item).sorted()
        #expect(visible.first == 190)
    }

    @Test("lays items out again for another width, and tells which one was chosen")
    func width() throws {
        let grid = Grid()
        let page = Page { grid }
        page.report(#"{"i":"\#(grid.collection.nodeID)","k":"scroll","y":0,"w":834,"h":800,"c":9000,"r":{}}"#)
        #expect(frame(grid, 3)?.minY == 0)
        let cell = try #require(grid.collection.cellForItem(at: IndexPath(item: 3, section: 0)))
        page.tap(cell.nodeID)
        #expect(grid.chosen == [3])
    }
}
