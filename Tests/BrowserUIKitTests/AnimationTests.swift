import Foundation
import Testing

@testable import BrowserUIKit

private final class Ends: NSObject, CAAnimationDelegate {
    var calls: [String] = []

    func animationDidStart(_ anim: CAAnimation) { calls.append("start") }
    func animationDidStop(_ anim: CAAnimation, finished flag: Bool) { calls.append("stop \(flag)") }
}

/// What waits for the end of animations.
@MainActor
private final class Pending {
    var bodies: [@MainActor () -> Void] = []

    func end() {
        let due = bodies
        bodies = []
        for body in due { body() }
    }
}

/// What the page is asked to play.
private struct Played: Decodable {
    var p: String
    var v: [String]
    var o: [CGFloat]
    var t: String
    var d: Double
    var n: Double?
    var a: Bool
    var f: String
}

@MainActor
@Suite("Animations that the page plays")
struct AnimationTests {
    private let controller = UIViewController()
    private let view = UIView(frame: CGRect(x: 10, y: 20, width: 100, height: 40))

    private func page() -> Page {
        controller.view.addSubview(view)
        return Page { controller }
    }

    private func played(_ id: String, on page: Page) throws -> [Played] {
        page.screen.drawIfNeeded()
        let attributes = page.elements[id]?.attributes ?? [:]
        let names = attributes.keys.filter { $0.hasPrefix("data-animation-") }
        return try names.map { try JSONDecoder().decode(Played.self, from: Data((attributes[$0] ?? "").utf8)) }
            .sorted { $0.p < $1.p }
    }

    /// Collects what waits for the end of animations while a test runs.
    private func waiting(_ body: (Page, () -> Void) throws -> Void) rethrows {
        let clock = AnimationTime.wait
        defer { AnimationTime.wait = clock }
        let pending = Pending()
        AnimationTime.wait = { _, body in pending.bodies.append(body) }
        try body(page()) { pending.end() }
    }

    @Test("Keyframes are shown one after another, and the view has its last values at once")
    func keyframes() throws {
        try waiting { page, end in
            var isOver = false
            UIView.animateKeyframes(withDuration: 2, delay: 0) {
                UIView.addKeyframe(withRelativeStartTime: 0, relativeDuration: 0.5) { view.alpha = 0.5 }
                UIView.addKeyframe(withRelativeStartTime: 0.5, relativeDuration: 0.25) {
                    view.alpha = 0
                    view.frame.origin.x = 60
                }
            } completion: {
                isOver = $0
            }
            let found = try played(view.nodeID, on: page)
            #expect(found.map(\.p) == ["left", "opacity"] && found.allSatisfy { $0.d == 2_000 && $0.n == 1 })
            #expect(found.first?.v == ["10px", "10px", "60px", "60px"] && found.first?.o == [0, 0.5, 0.75, 1])
            #expect(found.last?.v == ["1", "0.5", "0.5", "0", "0"] && found.last?.o == [0, 0.5, 0.5, 0.75, 1])
            #expect(view.alpha == 0 && page.elements[view.nodeID]?.style["opacity"] == "0" && !isOver)
            end()
            #expect(isOver)
            #expect(try played(view.nodeID, on: page).isEmpty)
        }
    }

    @Test("Keyframes that repeat go on, and changes beside keyframes take the whole time")
    func repeating() throws {
        try waiting { page, end in
            UIView.animateKeyframes(withDuration: 1, delay: 0, options: [.repeat, .autoreverse]) { view.alpha = 0 }
            end()
            let found = try #require(try played(view.nodeID, on: page).first)
            #expect(found.n == nil && found.a && found.v == ["1", "0"] && found.o == [0, 1])
            view.layer.removeAllAnimations()
            #expect(try played(view.nodeID, on: page).isEmpty)
        }
        var isDone = false
        UIView.performWithoutAnimation {
            UIView.animateKeyframes(withDuration: 1, delay: 0) {
                UIView.addKeyframe(withRelativeStartTime: 0, relativeDuration: 1) { view.alpha = 1 }
            } completion: {
                isDone = $0
            }
        }
        #expect(isDone && view.alpha == 1)
    }

    @Test("An animation of a layer moves from value to value, and leaves the layer as it is")
    func basic() throws {
        try waiting { page, end in
            let (ends, fade) = (Ends(), CABasicAnimation(keyPath: "opacity"))
            fade.fromValue = 1.0
            fade.toValue = 0.25
            fade.duration = 0.5
            fade.autoreverses = true
            fade.repeatCount = 2
            fade.timingFunction = CAMediaTimingFunction(name: .easeIn)
            fade.delegate = ends
            view.layer.add(fade, forKey: "fade")
            let found = try #require(try played(view.nodeID, on: page).first)
            #expect(found.v == ["1", "0.25"] && found.d == 500 && found.n == 4 && found.a && found.f == "none")
            #expect(found.t == "cubic-bezier(0.42,0,1,1)" && view.alpha == 1)
            #expect(view.layer.animationKeys() == ["fade"] && view.layer.animation(forKey: "fade") === fade)
            end()
            #expect(ends.calls == ["start", "stop true"] && view.layer.animationKeys() == nil)
            view.layer.add(fade, forKey: "fade")
            view.layer.removeAllAnimations()
            end()
            #expect(ends.calls.suffix(2) == ["start", "stop false"])
            #expect(try played(view.nodeID, on: page).isEmpty)
        }
    }

    @Test("An animation that is added again runs to its own end, and one that stays is told of once")
    func again() throws {
        try waiting { page, _ throws in
            let (ends, fade) = (Ends(), CABasicAnimation(keyPath: "opacity"))
            fade.toValue = 0.25
            fade.duration = 0.5
            fade.delegate = ends
            let pending = Pending()
            AnimationTime.wait = { _, body in pending.bodies.append(body) }
            view.layer.add(fade, forKey: "fade")
            view.layer.add(fade, forKey: "fade")
            #expect(ends.calls == ["start", "stop false", "start"])
            pending.bodies[0]()
            #expect(ends.calls.count == 3 && view.layer.animation(forKey: "fade") === fade)
            #expect(try played(view.nodeID, on: page).count == 1)
            fade.isRemovedOnCompletion = false
            pending.bodies[1]()
            #expect(ends.calls.last == "stop true" && view.layer.animationKeys() == ["fade"])
            view.layer.removeAnimation(forKey: "fade")
            #expect(ends.calls.count == 4 && view.layer.animationKeys() == nil)
        }
    }

    @Test("Places, colours and transforms are told as the page knows them, and what isn't given is the layer's")
    func properties() {
        func values(_ path: String, _ set: (CABasicAnimation) -> Void) -> [String]? {
            let animation = CABasicAnimation(keyPath: path)
            set(animation)
            animation.duration = 1
            return animation.parts(on: view.layer, timing: AnimationSpan(of: animation, now: 0)).first?.values
        }
        view.backgroundColor = .red
        view.layer.cornerRadius = 4
        let (red, blue) = (UIColor.red.cgColor, CGColor(srgbRed: 0, green: 0, blue: 1, alpha: 1))
        #expect(values("backgroundColor") { $0.toValue = blue } == [red.css, blue.css])
        #expect(values("cornerRadius") { $0.byValue = 6 } == ["4px", "10px"])
        let moves = values("position") { $0.toValue = CGPoint(x: 70, y: 40) }
        #expect(moves == ["translate(0px,0px)", "translate(10px,0px)"])
        #expect(values("position") { $0.toValue = NSValue(cgPoint: CGPoint(x: 70, y: 40)) } == moves)
        #expect(values("transform.rotation.z") { $0.toValue = CGFloat(2) } == ["0rad", "2rad"])
        #expect(values("transform.scale") { $0.fromValue = 3 } == ["3", "1"])
        #expect(values("shadowRadius") { $0.toValue = 3 } == nil)
    }

    @Test("Keyframes of layers have times of their own, and groups give theirs to what is in them")
    func groups() {
        let shake = CAKeyframeAnimation(keyPath: "transform.translation.x")
        shake.values = [0, 8, -8, 0]
        let fade = CABasicAnimation(keyPath: "opacity")
        fade.toValue = 0
        fade.beginTime = 1
        fade.duration = 0.5
        let group = CAAnimationGroup()
        group.animations = [shake, fade]
        group.duration = 2
        group.repeatCount = .infinity
        let parts = group.parts(on: view.layer, timing: AnimationSpan(of: group, now: 0))
        #expect(parts.map(\.property) == ["transform", "opacity"] && parts.allSatisfy { $0.runs == nil })
        #expect(parts.first?.values[1] == "translate(8px,0px)" && parts.first?.offsets.count == 4)
        #expect(parts.last?.values == ["1", "1", "0", "0"] && parts.last?.offsets == [0, 0.5, 0.75, 1])
        shake.keyTimes = [0, 0.1, 0.9, 1]
        let timed = group.parts(on: view.layer, timing: AnimationSpan(of: group, now: 0))
        #expect(timed.first?.offsets == [0, 0.1, 0.9, 1])
    }

    @Test("A transaction shows changes of layers gradually, and tells when all is over")
    func transactions() {
        waiting { page, end in
            let layer = CALayer()
            view.layer.addSublayer(layer)
            page.screen.drawIfNeeded()
            var isOver = false
            CATransaction.begin()
            CATransaction.setAnimationDuration(0.5)
            CATransaction.setCompletionBlock { isOver = true }
            layer.opacity = 0.5
            CATransaction.commit()
            page.screen.drawIfNeeded()
            let id = "\(view.nodeID).layer0"
            #expect(page.elements[id]?.style["transition"] == "all 0.5s cubic-bezier(0.25,0.1,0.25,1)")
            #expect(!isOver)
            end()
            page.screen.drawIfNeeded()
            #expect(isOver && page.elements[id]?.style["transition"] == nil)
            CATransaction.begin()
            CATransaction.setDisableActions(true)
            CATransaction.setCompletionBlock { isOver = false }
            layer.opacity = 1
            CATransaction.commit()
            page.screen.drawIfNeeded()
            #expect(!isOver && page.elements[id]?.style["transition"] == nil)
        }
    }

    @Test("A transaction waits for the animations of views, too")
    func viewsInTransactions() {
        waiting { _, end in
            var isOver = false
            CATransaction.begin()
            CATransaction.setCompletionBlock { isOver = true }
            UIView.animate(withDuration: 0.01) { view.alpha = 0.5 }
            CATransaction.commit()
            #expect(!isOver)
            end()
            #expect(isOver)
            CATransaction.begin()
            CATransaction.setCompletionBlock { isOver = false }
            UIView.animateKeyframes(withDuration: 1, delay: 0) { view.alpha = 1 }
            CATransaction.commit()
            #expect(isOver)
            end()
            #expect(!isOver)
        }
    }

    @Test("A view that leaves the window ends its animations, and those of the layers in it")
    func leaving() throws {
        try waiting { page, _ throws in
            let (ends, pulse, inner) = (Ends(), CABasicAnimation(keyPath: "opacity"), CALayer())
            pulse.toValue = 0
            pulse.repeatCount = .infinity
            pulse.delegate = ends
            view.layer.addSublayer(inner)
            for layer in [view.layer, inner] { layer.add(pulse, forKey: nil) }
            #expect(try played(view.nodeID, on: page).count == 1)
            view.removeFromSuperview()
            #expect(ends.calls == ["start", "start", "stop false", "stop false"])
            controller.view.addSubview(view)
            #expect(try played(view.nodeID, on: page).isEmpty)
        }
    }

    @Test("A layer that lies further in front is drawn there, whatever came first")
    func order() {
        let other = UIView(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
        let page = page()
        controller.view.addSubview(other)
        view.layer.zPosition = 1
        let (back, front) = (CALayer(), CALayer())
        front.zPosition = 2
        view.layer.sublayers = [front, back]
        page.screen.drawIfNeeded()
        #expect(page.elements[view.nodeID]?.style["z-index"] == "1")
        #expect(page.elements[other.nodeID]?.style["z-index"] == "0")
        #expect(page.elements[view.nodeID]?.children == ["\(view.nodeID).layer1", "\(view.nodeID).layer0"])
    }
}
