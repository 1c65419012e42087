import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
private final class Judge: UIGestureRecognizerDelegate {
    var along = false
    var waits = false
    var looks: ((UITouch) -> Bool)?

    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { along }

    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRequireFailureOf otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { waits }

    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        looks?(touch) ?? true
    }
}

@MainActor
@Suite("Delegates of gestures")
struct GestureDelegateTests {
    @MainActor
    private final class Counter {
        var calls: [String] = []

        func tapped(_ recognizer: UIGestureRecognizer) { calls.append(recognizer.name ?? "") }
        func moved(_ recognizer: UIGestureRecognizer) { calls.append("\(recognizer.name ?? "") \(recognizer.state)") }
    }

    private final class Level: UIView {
        override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
            gestureRecognizer.name != "refused"
        }
    }

    private let view = Level()
    private let inner = UIView()
    private let counter = Counter()
    private let judge = Judge()
    private let page: Page

    init() {
        let (controller, view) = (UIViewController(), view)
        view.addSubview(inner)
        controller.view.addSubview(view)
        page = Page { controller }
    }

    private func tap(_ name: String, taps: Int = 1) -> UITapGestureRecognizer {
        let tap = UITapGestureRecognizer(target: counter, action: Counter.tapped)
        tap.name = name
        tap.numberOfTapsRequired = taps
        tap.delegate = judge
        view.addGestureRecognizer(tap)
        page.screen.drawIfNeeded()
        return tap
    }

    private func touch(on element: UIView, count: Int = 1) {
        page.report(#"{"i":"\#(view.nodeID)","k":"tap","e":"\#(element.nodeID)","x":3,"y":4,"n":\#(count)}"#)
    }

    @Test("let one gesture of a view be found at a time, or several where one of them says so")
    func along() {
        for name in ["a", "b"] { _ = tap(name) }
        touch(on: view)
        #expect(counter.calls == ["a"])
        judge.along = true
        touch(on: view)
        #expect(counter.calls == ["a", "a", "b"])
    }

    @Test("keep one that has begun going, whatever else the finger could mean")
    func going() {
        let swipe = UISwipeGestureRecognizer(target: counter, action: Counter.moved)
        let pan = UIPanGestureRecognizer(target: counter, action: Counter.moved)
        (swipe.name, pan.name) = ("swipe", "pan")
        view.gestureRecognizers = [swipe, pan]
        page.screen.drawIfNeeded()
        func drag() {
            for (phase, isFirst, x) in [("moved", true, 20), ("moved", false, 60), ("ended", false, 90)] {
                let place = #""sx":10,"sy":5,"x":\#(x),"y":5"#
                page.report(#"{"i":"\#(view.nodeID)","k":"touch","p":"\#(phase)","b":\#(isFirst),\#(place)}"#)
            }
        }
        drag()
        #expect(counter.calls == ["pan began", "pan changed", "pan ended"])
        (counter.calls, swipe.delegate, judge.along) = ([], judge, true)
        drag()
        #expect(counter.calls == ["pan began", "pan changed", "swipe ended", "pan ended"])
    }

    @Test("leave touches of what lies in the view to it")
    func receiving() {
        let (view, inner) = (view, inner)
        _ = tap("a")
        judge.looks = { $0.view === view && $0.location(in: view) == CGPoint(x: 3, y: 4) }
        touch(on: inner)
        #expect(counter.calls.isEmpty)
        touch(on: view)
        #expect(counter.calls == ["a"])
        // Keys have no touch.
        judge.looks = { _ in false }
        page.tap(view.nodeID)
        #expect(counter.calls == ["a", "a"])
        #expect(inner.window != nil)
    }

    @Test("are asked whether one waits for another, and views whether one may begin")
    func waiting() {
        let wait = UITapGestureRecognizer.wait
        defer { UITapGestureRecognizer.wait = wait }
        var pending: [@MainActor () -> Void] = []
        UITapGestureRecognizer.wait = { pending.append($1) }
        let (single, double) = (tap("single"), tap("double", taps: 2))
        double.delegate = nil
        judge.waits = true
        touch(on: view)
        #expect(counter.calls.isEmpty && pending.count == 1 && single.required == [double])
        pending.removeFirst()()
        #expect(counter.calls == ["single"])
        touch(on: view)
        touch(on: view, count: 2)
        pending.removeFirst()()
        #expect(counter.calls == ["single", "double"])
        double.name = "refused"
        touch(on: view, count: 2)
        #expect(counter.calls.count == 2)
    }

    @Test("A finger from an edge begins there, and not inside of the screen")
    func edges() {
        let pan = UIScreenEdgePanGestureRecognizer(target: counter, action: Counter.moved)
        pan.name = "edge"
        pan.edges = [.left, .bottom]
        view.addGestureRecognizer(pan)
        page.screen.drawIfNeeded()
        func drag(_ x: Int, _ y: Int) -> Bool {
            counter.calls = []
            let place = #""sx":\#(x),"sy":\#(y),"x":\#(x + 9),"y":\#(y)"#
            page.report(#"{"i":"\#(view.nodeID)","k":"touch","p":"moved","b":true,\#(place)}"#)
            page.report(#"{"i":"\#(view.nodeID)","k":"touch","p":"ended",\#(place)}"#)
            return counter.calls == ["edge began", "edge ended"]
        }
        #expect(drag(10, 300) && !drag(200, 300) && !drag(385, 300) && drag(200, 840))
        pan.edges = []
        #expect(!drag(10, 300))
        #expect(pan.location(ofTouch: 0, in: nil) == pan.location(in: nil) && pan.numberOfTouches == 0)
    }
}
