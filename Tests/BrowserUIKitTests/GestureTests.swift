import Foundation
import Testing

@testable import BrowserUIKit

/// Counts what controls and recognisers call it with.
@MainActor
private final class Listener {
    var calls: [String] = []

    func tapped() { calls.append("tapped") }
    func tappedButton(_ sender: UIButton) { calls.append("button \(sender.tag)") }
    func recognized(_ sender: UITapGestureRecognizer) {
        calls.append("tap at \(Int(sender.location(in: sender.view).x))")
    }
    func panned(_ sender: UIPanGestureRecognizer) {
        calls.append("\(sender.state) \(Int(sender.translation(in: nil).x))")
    }
    func held(_ sender: UILongPressGestureRecognizer) { calls.append("\(sender.state)") }
    func swiped(_ sender: UISwipeGestureRecognizer) { calls.append("swiped") }
    func chose(_ sender: UIBarButtonItem) { calls.append("bar \(sender.tag)") }
}

@MainActor
private final class Refusing: UIGestureRecognizerDelegate {
    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { false }
}

@MainActor
@Suite("Gestures and targets")
struct GestureTests {
    private let listener = Listener()

    private func page(_ view: UIView) -> Page {
        let controller = UIViewController()
        view.translatesAutoresizingMaskIntoConstraints = false
        controller.view.addSubview(view)
        return Page { controller }
    }

    @Test("call methods of objects that they do not hold, with and without the sender")
    func targets() {
        let button = UIButton(type: .system)
        button.tag = 7
        button.addTarget(listener, action: Listener.tapped, for: .touchUpInside)
        button.addTarget(listener, action: Listener.tappedButton, for: .touchUpInside)
        var other: Listener? = Listener()
        weak var gone: Listener?
        gone = other
        if let other { button.addTarget(other, action: Listener.tapped, for: .touchUpInside) }
        other = nil
        #expect(gone == nil)
        let page = page(button)
        page.tap(button.nodeID)
        #expect(listener.calls == ["tapped", "button 7"])
        button.removeTarget(listener, action: nil, for: .valueChanged)
        page.tap(button.nodeID)
        #expect(listener.calls.count == 4)
        button.removeTarget(nil, action: nil, for: .allEvents)
        page.tap(button.nodeID)
        #expect(listener.calls.count == 4)
    }

    @Test("of taps count them, and know their place")
    func taps() {
        let view = UIView()
        view.addGestureRecognizer(UITapGestureRecognizer(target: listener, action: Listener.recognized))
        let twice = UITapGestureRecognizer(target: listener, action: Listener.tapped)
        twice.numberOfTapsRequired = 2
        view.addGestureRecognizer(twice)
        let page = page(view)
        #expect(page.elements[view.nodeID]?.attributes["data-tap"] != nil)
        page.report(#"{"i":"\#(view.nodeID)","k":"tap","e":"\#(view.nodeID)","x":12,"y":3,"n":1}"#)
        page.report(#"{"i":"\#(view.nodeID)","k":"tap","e":"\#(view.nodeID)","x":13,"y":3,"n":2}"#)
        #expect(listener.calls == ["tap at 12", "tapped"])
        view.gestureRecognizers = nil
        page.screen.drawIfNeeded()
        #expect(page.elements[view.nodeID]?.attributes["data-tap"] ?? nil == nil)
    }

    @Test("that are off, or whose delegate refuses, leave a tap to the view")
    func refusal() {
        let button = UIButton(type: .system)
        button.addTarget(listener, action: Listener.tapped, for: .touchUpInside)
        let recognizer = UITapGestureRecognizer(target: listener, action: Listener.recognized)
        let delegate = Refusing()
        recognizer.delegate = delegate
        button.addGestureRecognizer(recognizer)
        let page = page(button)
        page.tap(button.nodeID)
        recognizer.delegate = nil
        recognizer.isEnabled = false
        page.tap(button.nodeID)
        #expect(listener.calls == ["tapped", "tapped"])
        recognizer.isEnabled = true
        page.tap(button.nodeID)
        #expect(listener.calls.last == "tap at 0")
    }

    @Test("of moves tell how far the finger has come")
    func pan() {
        let view = UIView()
        let pan = UIPanGestureRecognizer(target: listener, action: Listener.panned)
        view.addGestureRecognizer(pan)
        let page = page(view)
        let steps = [("moved", 20, true), ("moved", 50, false), ("ended", 50, false)]
        for (phase, x, isFirst) in steps {
            page.report(
                #"{"i":"\#(view.nodeID)","k":"touch","p":"\#(phase)","b":\#(isFirst),"x":\#(x),"y":5,"sx":10,"sy":5}"#
            )
        }
        #expect(listener.calls == ["began 10", "changed 40", "ended 40"])
        #expect(pan.state == .possible)
        page.report(#"{"i":"\#(view.nodeID)","k":"touch","p":"ended","x":1,"y":5,"sx":10,"sy":5}"#)
        #expect(listener.calls.count == 3)
    }

    @Test("of moves tell how fast the finger is, by the last move that took time")
    func velocity() {
        let view = UIView()
        let pan = UIPanGestureRecognizer(target: listener, action: Listener.panned)
        view.addGestureRecognizer(pan)
        let page = page(view)
        let clock = UIPanGestureRecognizer.now
        defer { UIPanGestureRecognizer.now = clock }
        func move(to x: Int, at time: TimeInterval, isFirst: Bool = false, phase: String = "moved") {
            UIPanGestureRecognizer.now = { time }
            page.report(
                #"{"i":"\#(view.nodeID)","k":"touch","p":"\#(phase)","b":\#(isFirst),"x":\#(x),"y":5,"sx":0,"sy":5}"#
            )
        }
        move(to: 10, at: 1, isFirst: true)
        #expect(pan.velocity(in: view) == .zero)
        move(to: 60, at: 1.5)
        #expect(pan.velocity(in: view) == CGPoint(x: 100, y: 0))
        move(to: 500, at: 1.5)
        move(to: 500, at: 1.5, phase: "ended")
        #expect(pan.velocity(in: view) == CGPoint(x: 100, y: 0))
        move(to: 10, at: 9, isFirst: true)
        #expect(pan.velocity(in: view) == .zero)
    }

    @Test("of swipes know the side and the distance")
    func swipe() {
        let view = UIView()
        let swipe = UISwipeGestureRecognizer(target: listener, action: Listener.swiped)
        swipe.direction = .left
        view.addGestureRecognizer(swipe)
        let page = page(view)
        for x in [80, 190, 20] {
            page.report(#"{"i":"\#(view.nodeID)","k":"touch","p":"ended","x":\#(x),"y":5,"sx":100,"sy":5}"#)
        }
        #expect(listener.calls == ["swiped"])
    }

    @Test("of a finger that stays begin after their time, and end")
    func hold() {
        let view = UIView()
        let hold = UILongPressGestureRecognizer(target: listener, action: Listener.held)
        view.addGestureRecognizer(hold)
        let page = page(view)
        #expect(page.elements[view.nodeID]?.attributes["data-hold"] == "500")
        for (phase, isFirst) in [("moved", true), ("ended", false), ("ended", false)] {
            page.report(
                #"{"i":"\#(view.nodeID)","k":"hold","p":"\#(phase)","b":\#(isFirst),"x":1,"y":5,"sx":1,"sy":5}"#
            )
        }
        #expect(listener.calls == ["began", "ended"])
    }

    @Test("of bars call methods too, and show own views and menus")
    func bars() {
        let controller = UIViewController()
        let item = UIBarButtonItem(barButtonSystemItem: .add, target: listener, action: Listener.chose)
        item.tag = 3
        let custom = UIButton(type: .system)
        custom.addTarget(listener, action: Listener.tapped, for: .touchUpInside)
        controller.navigationItem.rightBarButtonItems = [item, UIBarButtonItem(customView: custom)]
        let title = UILabel()
        title.text = "Own title"
        controller.navigationItem.titleView = title
        let navigation = UINavigationController(rootViewController: controller)
        let page = Page { navigation }
        #expect(page.texts.contains("Own title"))
        page.tap("\(navigation.view.nodeID).right0")
        page.tap(custom.nodeID)
        #expect(listener.calls == ["bar 3", "tapped"])
        controller.navigationItem.titleView = nil
        page.screen.drawIfNeeded()
        #expect(!page.texts.contains("Own title") && title.superview == nil)
    }

    @Test("of toolbars leave room, and do what their buttons do")
    func toolbar() {
        let toolbar = UIToolbar()
        let done = UIBarButtonItem(title: "Share", style: .done, target: listener, action: Listener.tapped)
        toolbar.items = [.flexibleSpace(), done]
        let page = page(toolbar)
        #expect(page.elements(class: "bar-space").count == 1)
        page.tap("\(toolbar.nodeID).item0")
        page.tap("\(toolbar.nodeID).item1")
        page.tap("\(toolbar.nodeID).item9")
        #expect(listener.calls == ["tapped"])
    }
}
