import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("The states of gestures")
struct GestureStateTests {
    /// Notes the states that gestures come to.
    @MainActor
    private final class Watcher {
        var states: [String] = []

        func watch(_ recognizer: UIGestureRecognizer) { states.append("\(recognizer.state)") }
    }

    private final class Unwilling: UIView {
        override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { false }
    }

    private let watcher = Watcher()

    private func page(_ view: UIView, _ recognizer: UIGestureRecognizer) -> Page {
        let controller = UIViewController()
        recognizer.addTarget(watcher, action: Watcher.watch)
        view.addGestureRecognizer(recognizer)
        controller.view.addSubview(view)
        return Page { controller }
    }

    /// Reports a step of a finger that came down at the upper left corner of the window.
    private func report(
        _ phase: String,
        _ x: Int,
        _ y: Int = 0,
        isFirst: Bool = false,
        kind: String = "touch"
    )
        -> String
    {
        #""k":"\#(kind)","p":"\#(phase)","b":\#(isFirst),"x":\#(x),"y":\#(y),"sx":0,"sy":0"#
    }

    private func send(_ steps: [String], to view: UIView, in page: Page) {
        for step in steps { page.report(#"{"i":"\#(view.nodeID)",\#(step)}"#) }
    }

    @Test("of moves begin, change and end, or are cancelled, and are possible again after that")
    func moves() {
        let (view, pan) = (UIView(), UIPanGestureRecognizer())
        let page = page(view, pan)
        #expect(pan.state == .possible && pan.numberOfTouches == 0)
        send([report("moved", 10, isFirst: true)], to: view, in: page)
        #expect(pan.state == .began && pan.numberOfTouches == 1)
        send([report("moved", 20), report("ended", 20)], to: view, in: page)
        #expect(watcher.states == ["began", "changed", "ended"])
        #expect(pan.state == .possible && pan.numberOfTouches == 0)
        watcher.states = []
        send([report("moved", 10, isFirst: true), report("cancelled", 10)], to: view, in: page)
        #expect(watcher.states == ["began", "cancelled"] && pan.state == .possible)
        watcher.states = []
        send([report("moved", 30), report("ended", 30)], to: view, in: page)
        #expect(watcher.states.isEmpty)
    }

    @Test("of moves count their way from where the app sets it")
    func translation() {
        let (view, pan) = (UIView(), UIPanGestureRecognizer())
        let page = page(view, pan)
        send([report("moved", 30, 4, isFirst: true)], to: view, in: page)
        #expect(pan.translation(in: view) == CGPoint(x: 30, y: 4))
        pan.setTranslation(.zero, in: view)
        #expect(pan.translation(in: view) == .zero)
        send([report("moved", 50, 9)], to: view, in: page)
        #expect(pan.translation(in: view) == CGPoint(x: 20, y: 5))
        pan.setTranslation(CGPoint(x: 100, y: 0), in: view)
        send([report("moved", 51, 9)], to: view, in: page)
        #expect(pan.translation(in: view) == CGPoint(x: 101, y: 0))
    }

    @Test("of long presses begin once the finger has stayed, and end when it leaves")
    func presses() {
        let (view, press) = (UIView(), UILongPressGestureRecognizer())
        let page = page(view, press)
        let steps = [
            report("moved", 1, isFirst: true, kind: "hold"), report("moved", 5, kind: "hold"),
            report("ended", 5, kind: "hold"),
        ]
        send(steps, to: view, in: page)
        #expect(watcher.states == ["began", "changed", "ended"])
        send([report("ended", 5, kind: "hold")], to: view, in: page)
        #expect(watcher.states.count == 3)
    }

    @Test("of long presses wait as long as the app says, within reason")
    func durations() {
        let (view, press) = (UIView(), UILongPressGestureRecognizer())
        let page = page(view, press)
        let durations: [(seconds: TimeInterval, milliseconds: String)] = [
            (0.5, "500"), (2, "2000"), (-1, "0"), (.infinity, "500"), (1_000, "60000"),
        ]
        for (seconds, milliseconds) in durations {
            press.minimumPressDuration = seconds
            page.screen.drawIfNeeded()
            #expect(page.elements[view.nodeID]?.attributes["data-hold"] == milliseconds)
        }
    }

    @Test("of swipes are found in their directions, where the finger has gone far enough")
    func swipes() {
        let (view, swipe) = (UIView(), UISwipeGestureRecognizer())
        let page = page(view, swipe)
        #expect(swipe.direction == .right)
        send([report("ended", 40), report("ended", -40), report("ended", 20)], to: view, in: page)
        #expect(watcher.states == ["ended"])
        watcher.states = []
        swipe.direction = [.left, .up]
        send([report("ended", -40, 10), report("ended", 10, -40), report("ended", 40)], to: view, in: page)
        send([report("ended", 0, 40), report("ended", -40, 41)], to: view, in: page)
        #expect(watcher.states == ["ended", "ended"] && swipe.state == .possible)
    }

    @Test("stay possible where the view or the app does not want them")
    func refusals() {
        let (view, pan) = (Unwilling(), UIPanGestureRecognizer())
        let unwilling = page(view, pan)
        send([report("moved", 10, isFirst: true), report("moved", 20), report("ended", 20)], to: view, in: unwilling)
        #expect(watcher.states.isEmpty && pan.state == .possible)
        let (other, disabled) = (UIView(), UIPanGestureRecognizer())
        disabled.isEnabled = false
        let willing = page(other, disabled)
        send([report("moved", 10, isFirst: true), report("ended", 20)], to: other, in: willing)
        #expect(watcher.states.isEmpty)
        disabled.isEnabled = true
        send([report("moved", 10, isFirst: true), report("ended", 20)], to: other, in: willing)
        #expect(watcher.states == ["began", "ended"])
        disabled.removeTarget(watcher, action: nil)
        send([report("moved", 10, isFirst: true), report("ended", 20)], to: other, in: willing)
        #expect(watcher.states.count == 2)
    }

    @Test("belong to one view at a time, which gives up those that it loses")
    func views() {
        let (first, second, pan) = (UIView(), UIView(), UIPanGestureRecognizer())
        #expect(pan.view == nil && first.gestureRecognizers?.isEmpty != false)
        first.addGestureRecognizer(pan)
        #expect(pan.view === first)
        second.addGestureRecognizer(pan)
        #expect(pan.view === second && second.gestureRecognizers == [pan])
        #expect(first.gestureRecognizers?.isEmpty != false)
        second.removeGestureRecognizer(pan)
        #expect(pan.view == nil && second.gestureRecognizers?.isEmpty != false)
    }
}
