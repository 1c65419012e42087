import Foundation
import Testing

@testable import BrowserUIKit

/// What the page is asked to play.
private struct Played: Decodable {
    var p: String
    var v: [String]
    var t: String
    var d: Double
    var n: Double?
    var a: Bool
}

@MainActor
@Suite("Options of animations, and springs")
struct AnimationOptionTests {
    private let controller = UIViewController()
    private let view = UIView(frame: CGRect(x: 10, y: 20, width: 100, height: 40))

    /// Collects what waits for the end of animations while a test runs.
    private func waiting(_ body: (Page, () -> Void) throws -> Void) rethrows {
        let clock = AnimationTime.wait
        defer { AnimationTime.wait = clock }
        var pending: [@MainActor () -> Void] = []
        AnimationTime.wait = { _, body in pending.append(body) }
        controller.view.addSubview(view)
        let page = Page { controller }
        try body(page) {
            let due = pending
            pending = []
            for body in due { body() }
        }
    }

    private func played(on page: Page) throws -> [Played] {
        page.screen.drawIfNeeded()
        let attributes = page.elements[view.nodeID]?.attributes ?? [:]
        return try attributes.filter { $0.key.hasPrefix("data-animation-") }
            .map { try JSONDecoder().decode(Played.self, from: Data($0.value.utf8)) }
    }

    @Test("An animation that repeats goes on without an end, there and back where that is wanted, along its curve")
    func repeating() throws {
        try waiting { page, end in
            var isOver = false
            let options: UIView.AnimationOptions = [.repeat, .autoreverse, .curveEaseIn, .allowUserInteraction]
            UIView.animate(withDuration: 0.5, delay: 0, options: options) {
                view.alpha = 0.25
            } completion: { _ in
                isOver = true
            }
            end()
            let found = try #require(try played(on: page).first)
            #expect(found.p == "opacity" && found.v == ["1", "0.25"] && found.d == 500)
            #expect(found.n == nil && found.a && found.t == "ease-in" && !isOver)
            #expect(view.alpha == 0.25 && page.elements[view.nodeID]?.style["pointer-events"] == nil)
            #expect(page.elements[view.nodeID]?.style["transition"] == nil)
            view.layer.removeAllAnimations()
            #expect(try played(on: page).isEmpty)
        }
    }

    @Test("Another animation of a property takes the place of one without an end, and those of others go on")
    func overtaken() throws {
        try waiting { page, end throws in
            let pulse = {
                view.alpha = 1
                UIView.animate(withDuration: 0.5, delay: 0, options: [.repeat, .autoreverse]) { view.alpha = 0.25 }
            }
            pulse()
            pulse()
            #expect(try played(on: page).map(\.p) == ["opacity"])
            UIView.animate(withDuration: 0.5, delay: 0, options: .repeat) { view.frame.origin.x = 60 }
            UIView.animate(withDuration: 1) { view.transform = CGAffineTransform(scaleX: 2, y: 2) }
            #expect(try played(on: page).map(\.p).sorted() == ["left", "opacity"])
            end()
            view.alpha = 0.75
            #expect(try played(on: page).count == 2)
            UIView.animate(withDuration: 1) { view.alpha = 1 }
            #expect(try played(on: page).map(\.p) == ["left"])
            #expect(page.elements[view.nodeID]?.style["transition"]?.hasPrefix("all 1s") == true)
            pulse()
            #expect(try played(on: page).map(\.p).sorted() == ["left", "opacity"])
        }
    }

    @Test("An animation that reverses once ends after both ways, at what was set")
    func reversing() throws {
        try waiting { page, end in
            var isOver = false
            UIView.animate(withDuration: 1, delay: 0, options: .autoreverse) {
                view.frame.origin.x = 60
            } completion: {
                isOver = $0
            }
            let found = try #require(try played(on: page).first)
            #expect(found.p == "left" && found.v == ["10px", "60px"] && found.n == 2 && found.a)
            #expect(page.elements[view.nodeID]?.style["pointer-events"] == "none" && !isOver)
            end()
            #expect(try played(on: page).isEmpty && isOver)
            #expect(page.elements[view.nodeID]?.style["pointer-events"] == nil && view.frame.minX == 60)
        }
    }

    @Test("A view that moves takes no touches unless the animation lets it")
    func touches() {
        waiting { page, end in
            let blocked = {
                page.screen.drawIfNeeded()
                return page.elements[view.nodeID]?.style["pointer-events"] == "none"
            }
            UIView.animate(withDuration: 1) { view.transform = CGAffineTransform(scaleX: 2, y: 2) }
            #expect(blocked())
            end()
            #expect(!blocked())
            UIView.animate(withDuration: 1, delay: 0, options: .allowUserInteraction) { view.alpha = 0.5 }
            #expect(!blocked())
            UIView.animate(withDuration: 1) { view.setNeedsLayout() }
            #expect(!blocked())
            let animator = UIViewPropertyAnimator(duration: 1, curve: .linear) { [view] in view.alpha = 1 }
            animator.isUserInteractionEnabled = false
            animator.startAnimation()
            #expect(blocked())
        }
    }

    @Test("A spring swings beyond its end below a ratio of 1, begins with its speed, and rests in the end")
    func springs() {
        let (loose, stiff) = (
            Spring(ratio: 0.3, settlingIn: 2, velocity: 0), Spring(ratio: 1, settlingIn: 2, velocity: 0)
        )
        let times = stride(from: 0.0, through: 2, by: 0.01)
        #expect(times.contains { loose.value(at: $0) > 1.2 } && times.allSatisfy { stiff.value(at: $0) <= 1 })
        #expect(loose.value(at: 0) == 0 && stiff.value(at: 0) == 0)
        #expect(abs(loose.value(at: 2) - 1) < 0.002 && abs(stiff.value(at: 2) - 1) < 0.002)
        let thrown = Spring(ratio: 0.5, settlingIn: 1, velocity: 4)
        #expect(abs(thrown.value(at: 0.000_1) / 0.000_1 - 4) < 0.05)
        let broken = Spring(mass: .nan, stiffness: -1, damping: .infinity, velocity: .nan)
        #expect(broken.value(at: 1).isFinite && broken.settlingDuration.isFinite)
        #expect(loose.css(over: 2).hasPrefix("linear(0,") && loose.css(over: 2).hasSuffix(",1)"))
    }

    @Test("Views and animators move along a spring, and one with physics sets the duration")
    func springsOfViews() throws {
        try waiting { page, _ throws in
            let (damping, velocity) = (CGFloat(0.5), CGFloat(2))
            UIView.animate(
                withDuration: 1,
                delay: 0,
                usingSpringWithDamping: damping,
                initialSpringVelocity: velocity
            ) {
                view.alpha = 0.5
            }
            page.screen.drawIfNeeded()
            let curve = Spring(ratio: 0.5, settlingIn: 1, velocity: 2).css(over: 1)
            #expect(page.elements[view.nodeID]?.style["transition"] == "all 1s \(curve) 0s")
            let physics = UISpringTimingParameters(mass: 1, stiffness: 100, damping: 10, initialVelocity: .zero)
            let animator = UIViewPropertyAnimator(duration: 9, timingParameters: physics)
            #expect(animator.duration > 1.3 && animator.duration < 1.6)
            let ratio = UISpringTimingParameters(dampingRatio: 0.5, initialVelocity: CGVector(dx: 3, dy: 0))
            #expect(UIViewPropertyAnimator(duration: 9, timingParameters: ratio).duration == 9)
            #expect(ratio.initialVelocity.dx == 3)
        }
    }

    @Test("An animation of a layer along a spring takes the time in which that rests")
    func springsOfLayers() throws {
        try waiting { page, _ throws in
            let animation = CASpringAnimation(keyPath: "opacity")
            animation.fromValue = 0.0
            animation.toValue = 1.0
            animation.duration = animation.settlingDuration
            #expect(animation.settlingDuration > 1.3 && animation.settlingDuration < 1.6)
            let span = AnimationSpan(of: animation, now: 0)
            let part = try #require(animation.parts(on: view.layer, timing: span).first)
            let spring = Spring(mass: 1, stiffness: 100, damping: 10, velocity: 0)
            #expect(part.values == ["0", "1"] && part.easings.first == spring.css(over: animation.duration))
            animation.damping = 1
            #expect(animation.settlingDuration > 10)
            view.layer.add(animation, forKey: nil)
            #expect(try played(on: page).first?.v == ["0", "1"])
        }
    }
}
