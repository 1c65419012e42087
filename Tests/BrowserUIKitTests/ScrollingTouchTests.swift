import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Touches in what scrolls")
struct ScrollingTouchTests {
    private final class List: UIScrollView {
        var gives: Set<UIView> = []
        var refused: UIView?
        var asked: [String] = []

        override func touchesShouldCancel(in view: UIView) -> Bool {
            gives.contains(view) || super.touchesShouldCancel(in: view)
        }

        override func touchesShouldBegin(_ touches: Set<UITouch>, with event: UIEvent?, in view: UIView) -> Bool {
            asked.append("\(touches.first?.view === view) \(event?.touches(for: view) == touches)")
            return view !== refused && super.touchesShouldBegin(touches, with: event, in: view)
        }
    }

    private final class Dial: UIControl {
        var begun = 0

        override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
            begun += 1
            return true
        }
    }

    private final class Pad: UIView {
        var begun = 0

        override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { begun += 1 }
    }

    private let list = List()
    private let dial = Dial()
    private let page: Page

    init() {
        let (controller, box) = (UIViewController(), UIView())
        box.addSubview(dial)
        list.addSubview(box)
        controller.view.addSubview(list)
        page = Page { controller }
    }

    private var way: String? {
        page.screen.drawIfNeeded()
        return page.elements[dial.nodeID]?.attributes["data-track"]
    }

    @Test("are left to the list by a control until the finger has rested, later where the list takes them back")
    func ways() {
        #expect(list.delaysContentTouches && list.canCancelContentTouches)
        #expect(!list.touchesShouldCancel(in: dial) && list.touchesShouldCancel(in: UILabel()))
        #expect(way == "rested")
        list.delaysContentTouches = false
        #expect(way == "")
        list.gives = [dial]
        list.delaysContentTouches = true
        #expect(way == "level")
        list.canCancelContentTouches = false
        #expect(way == "rested")
        list.isScrollEnabled = false
        #expect(way == "")
    }

    @Test("belong to a control that is in nothing that scrolls")
    func outside() {
        list.superview?.addSubview(dial)
        #expect(way == "")
    }

    @Test("along a swipe are the recogniser's, and the others the list's, unless something else follows the finger")
    func swipes() {
        let (view, swipe) = (UIView(), UISwipeGestureRecognizer())
        list.addSubview(view)
        view.addGestureRecognizer(swipe)
        var track: String? {
            page.screen.drawIfNeeded()
            return page.elements[view.nodeID]?.attributes["data-track"]
        }
        #expect(track == "level")
        swipe.direction = [.up, .down]
        #expect(track == "upright")
        swipe.direction = [.up, .left]
        #expect(track == "")
        swipe.direction = .left
        view.addGestureRecognizer(UISwipeGestureRecognizer())
        #expect(track == "level")
        let pan = UIPanGestureRecognizer()
        view.addGestureRecognizer(pan)
        #expect(track == "")
        pan.isEnabled = false
        #expect(track == "level")
    }

    @Test("come to a view in the list only where that lets them begin")
    func beginnings() {
        let pad = Pad()
        list.addSubview(pad)
        page.screen.drawIfNeeded()
        var taps = 0
        dial.addAction(UIAction { _ in taps += 1 }, for: .touchUpInside)
        func act() {
            page.report(#"{"i":"\#(pad.nodeID)","k":"finger","p":"began","x":1,"y":1}"#)
            page.report(#"{"i":"\#(pad.nodeID)","k":"finger","p":"ended","x":1,"y":1}"#)
            let first = #""b":true,"sx":1,"sy":1,"x":9,"y":1"#
            page.report(#"{"i":"\#(dial.nodeID)","k":"touch","p":"moved",\#(first)}"#)
            page.report(#"{"i":"\#(dial.nodeID)","k":"touch","p":"ended","sx":1,"sy":1,"x":9,"y":1}"#)
            page.report(#"{"i":"\#(dial.nodeID)","k":"tap","e":"\#(dial.nodeID)","x":1,"y":1}"#)
        }
        act()
        #expect((pad.begun, dial.begun, taps) == (1, 1, 1))
        #expect(list.asked == Array(repeating: "true true", count: 3))
        list.refused = pad
        act()
        #expect((pad.begun, dial.begun, taps) == (1, 2, 2))
        list.refused = dial
        act()
        #expect((pad.begun, dial.begun, taps) == (2, 2, 2))
        page.tap(dial.nodeID)
        #expect(taps == 3)
    }

    private final class Snapping: UIViewController, UIScrollViewDelegate {
        var targets: [CGFloat] = []
        var wanted: CGFloat?

        func scrollViewWillEndDragging(
            _ scrollView: UIScrollView,
            withVelocity velocity: CGPoint,
            targetContentOffset: UnsafeMutablePointer<CGPoint>
        ) {
            targets.append(targetContentOffset.pointee.y)
            if let wanted { targetContentOffset.pointee.y = wanted }
        }
    }

    @Test("that scroll come to rest where the delegate wants")
    func snapping() {
        let (snapping, scroll) = (Snapping(), UIScrollView())
        scroll.delegate = snapping
        snapping.view.addSubview(scroll)
        let page = Page { snapping }
        func drag(to offset: Int) {
            let id = scroll.nodeID
            page.report(#"{"i":"\#(id)","k":"scrolling","t":"b"}"#)
            page.report(#"{"i":"\#(id)","k":"scroll","y":\#(offset),"w":390,"h":400,"c":2000,"r":{}}"#)
            page.report(#"{"i":"\#(id)","k":"scrolling","t":"e"}"#)
        }
        drag(to: 130)
        #expect(snapping.targets == [130] && scroll.contentOffset.y == 130)
        snapping.wanted = 200
        drag(to: 170)
        #expect(snapping.targets == [130, 170] && scroll.contentOffset.y == 200)
        snapping.wanted = .nan
        drag(to: 190)
        #expect(scroll.contentOffset.y == 190)
    }
}
