import Foundation
import Testing

@testable import BrowserUIKit

/// Writes down the touches that come to it.
private final class Canvas: UIView {
    var calls: [String] = []
    var handsOn = false
    var refused: UIView?

    private func note(_ name: String, _ touches: Set<UITouch>, _ event: UIEvent?) {
        guard let touch = touches.first, event?.touches(for: touch.view ?? self) == touches else { return }
        let (point, previous) = (touch.location(in: self), touch.previousLocation(in: self))
        calls.append("\(name) \(Int(previous.x)),\(Int(previous.y)) \(Int(point.x)),\(Int(point.y))")
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        note("began", touches, event)
        if handsOn { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) { note("moved", touches, event) }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { note("ended", touches, event) }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) { note("cancelled", touches, event) }

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        let found = super.hitTest(point, with: event)
        return found === refused ? nil : found
    }
}

private final class CanvasController: UIViewController {
    var touches: [UITouch] = []

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { self.touches += touches }
}

@MainActor
@Suite("Touches")
struct TouchTests {
    private let controller = CanvasController()
    private let canvas = Canvas()
    private let label = UILabel()
    private let page: Page

    init() {
        canvas.addSubview(label)
        controller.view.addSubview(canvas)
        let controller = controller
        page = Page { controller }
    }

    /// Reports a finger on a view in the canvas, which begins at 100,200.
    private func finger(_ phase: String, _ x: Int, _ y: Int, on view: UIView, pointer: String = "touch") {
        let origins = phase == "began" ? #","o":{"\#(canvas.nodeID)":[100,200]},"w":"\#(pointer)""# : ""
        page.report(#"{"i":"\#(view.nodeID)","k":"finger","p":"\#(phase)","x":\#(x),"y":\#(y)\#(origins)}"#)
    }

    @Test("can be made by an app's own tests, which say what they tell")
    func made() {
        final class Finger: UITouch {
            let inWindow = UIWindow(frame: .zero)
            override var tapCount: Int { 2 }
            override var window: UIWindow? { inWindow }
            override func location(in view: UIView?) -> CGPoint { CGPoint(x: 3, y: 4) }
        }
        final class Taking: UIView {
            var taps: [Int] = []
            override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
                taps += touches.map(\.tapCount)
            }
        }
        let (view, touch, event) = (Taking(), Finger(), UIEvent())
        view.touchesBegan([touch], with: event)
        #expect(view.taps == [2])
        #expect(event.allTouches == nil && event.touches(for: view) == nil)
        #expect(event.coalescedTouches(for: touch) == [touch] && event.predictedTouches(for: touch) == [])
        #expect(touch.view == nil && touch.window === touch.inWindow && touch.location(in: view) == CGPoint(x: 3, y: 4))
        #expect(UITouch().window == nil)
    }

    @Test("come to the view that the finger is on, or up the chain to who takes them, in its coordinates")
    func delivery() {
        let clock = UIPanGestureRecognizer.now
        defer { UIPanGestureRecognizer.now = clock }
        UIPanGestureRecognizer.now = { 1 }
        finger("began", 110, 205, on: label)
        finger("moved", 120, 225, on: label)
        finger("ended", 130, 225, on: label)
        finger("moved", 140, 225, on: label)
        #expect(canvas.calls == ["began 10,5 10,5", "moved 10,5 20,25", "ended 20,25 30,25"])
        #expect(controller.touches.isEmpty)
        canvas.handsOn = true
        finger("began", 110, 205, on: label, pointer: "mouse")
        let touch = controller.touches.first
        #expect(touch?.view === label && touch?.window === canvas.window && touch?.type == .indirectPointer)
        #expect(touch?.tapCount == 2 && touch?.phase == .began)
        #expect(touch?.location(in: nil) == CGPoint(x: 110, y: 205))
    }

    @Test("are cancelled where the browser takes the finger for scrolling, or another one comes down")
    func cancelled() {
        finger("began", 110, 205, on: canvas)
        finger("cancelled", 110, 205, on: canvas)
        finger("began", 110, 205, on: canvas)
        finger("began", 111, 205, on: canvas)
        #expect(canvas.calls.map { $0.prefix(5) } == ["began", "cance", "began", "cance", "began"])
        #expect(page.screen.receive(Data(#"{"events":[{"i":"v0","k":"finger","p":"began","x":1,"y":1}]}"#.utf8)))
        #expect(!page.screen.receive(Data(#"{"events":[{"i":"v0","k":"finger","p":"began"}]}"#.utf8)))
    }

    @Test("are cancelled by a gesture of the view or one around it, unless that leaves them to the view")
    func gestures() {
        let tap = UITapGestureRecognizer()
        controller.view.addGestureRecognizer(tap)
        page.screen.drawIfNeeded()
        for cancels in [true, false] {
            canvas.calls = []
            tap.cancelsTouchesInView = cancels
            finger("began", 110, 205, on: canvas)
            page.tap(controller.view.nodeID)
            finger("ended", 110, 205, on: canvas)
            #expect(canvas.calls.count == 2 && canvas.calls[1].hasPrefix(cancels ? "cancelled" : "ended"))
        }
    }

    @Test("go to the view around one that a hit test refuses, and end at controls and at what scrolls")
    func hits() {
        canvas.refused = label
        finger("began", 110, 205, on: label)
        finger("ended", 110, 205, on: label)
        #expect(canvas.calls.isEmpty && controller.touches.first?.view === controller.view)
        canvas.refused = nil
        for view in [UIButton(type: .system), UIScrollView()] as [UIView] {
            canvas.addSubview(view)
            page.screen.drawIfNeeded()
            finger("began", 110, 205, on: view)
            finger("ended", 110, 205, on: view)
        }
        #expect(canvas.calls.isEmpty && controller.touches.count == 1)
    }
}
