import Foundation
import Testing

@testable import BrowserUIKit

/// A movement that the page is asked to play.
private struct Played: Decodable {
    var p: String
    var v: [String]
    var o: [CGFloat]
    var t: String
    var d: Double
    var c: Double?
    var r: Double?
}

/// A clock that a test moves, with what waits for it.
@MainActor
private final class Timeline {
    var now: TimeInterval = 100
    private var pending: [(at: TimeInterval, body: @MainActor () -> Void)] = []

    func wait(_ seconds: TimeInterval, _ body: @escaping @MainActor () -> Void) {
        pending.append((now + seconds, body))
    }

    func pass(_ seconds: TimeInterval) {
        now += seconds
        let due = pending.filter { $0.at <= now + 0.000_1 }
        pending.removeAll { $0.at <= now + 0.000_1 }
        for one in due { one.body() }
    }
}

@MainActor
@Suite("An animator that is paused, steered and turned around")
struct PropertyAnimatorTests {
    private let controller = UIViewController()
    private let view = UIView(frame: CGRect(x: 10, y: 20, width: 100, height: 40))

    /// Moves the clock of animations by hand while a test runs.
    private func timed(_ body: (Page, Timeline) throws -> Void) rethrows {
        let (wait, now) = (AnimationTime.wait, UIPanGestureRecognizer.now)
        defer { (AnimationTime.wait, UIPanGestureRecognizer.now) = (wait, now) }
        let time = Timeline()
        AnimationTime.wait = { time.wait($0, $1) }
        UIPanGestureRecognizer.now = { time.now }
        controller.view.addSubview(view)
        try body(Page { controller }, time)
    }

    private func played(on page: Page) throws -> [Played] {
        page.screen.drawIfNeeded()
        let attributes = page.elements[view.nodeID]?.attributes ?? [:]
        return try attributes.filter { $0.key.hasPrefix("data-animation-") }
            .map { try JSONDecoder().decode(Played.self, from: Data($0.value.utf8)) }
            .sorted { $0.p < $1.p }
    }

    private func transition(on page: Page) -> String? {
        page.screen.drawIfNeeded()
        return page.elements[view.nodeID]?.style["transition"]
    }

    private func fading(_ ends: @escaping (UIViewAnimatingPosition) -> Void) -> UIViewPropertyAnimator {
        let animator = UIViewPropertyAnimator(duration: 2, curve: .linear) { [view] in view.alpha = 0 }
        animator.addCompletion(ends)
        return animator
    }

    @Test("shows the part that the app sets, without having been started, and nothing else until it goes on")
    func scrubbing() throws {
        try timed { page, time in
            var ends: [UIViewAnimatingPosition] = []
            let animator = fading { ends.append($0) }
            animator.fractionComplete = 0.25
            #expect(animator.state == .active && !animator.isRunning && view.alpha == 0)
            let quarter = try #require(try played(on: page).first)
            #expect(quarter.p == "opacity" && quarter.v == ["1", "0"] && quarter.c == quarter.d / 4 && quarter.r == 0)
            time.pass(10)
            #expect(ends.isEmpty && animator.fractionComplete == 0.25)
            animator.fractionComplete = .nan
            #expect(animator.fractionComplete == 0)
            animator.fractionComplete = 7
            #expect(animator.fractionComplete == 1)
            animator.fractionComplete = 0.75
            animator.startAnimation()
            let rest = try #require(try played(on: page).first)
            #expect(rest.d == 500 && rest.c == nil && rest.t.hasPrefix("linear(0.75,") && rest.t.hasSuffix(",1)"))
            time.pass(0.5)
            let left = try played(on: page)
            #expect(ends == [.end] && animator.state == .inactive && left.isEmpty)
        }
    }

    @Test("stays where it is when it is paused on its way, and goes on from there over a time of the app's choice")
    func pausing() throws {
        try timed { page, time in
            var ends: [UIViewAnimatingPosition] = []
            let animator = fading { ends.append($0) }
            animator.startAnimation()
            #expect(transition(on: page) == "all 2s linear 0s")
            time.pass(0.5)
            #expect(animator.fractionComplete == 0.25)
            animator.pauseAnimation()
            #expect(transition(on: page) == nil && !animator.isRunning)
            let paused = try #require(try played(on: page).first)
            #expect(paused.c == paused.d / 4 && paused.r == 0)
            time.pass(5)
            #expect(ends.isEmpty && animator.fractionComplete == 0.25)
            let curve = UICubicTimingParameters(animationCurve: .easeOut)
            animator.continueAnimation(withTimingParameters: curve, durationFactor: 0.5)
            let rest = try #require(try played(on: page).first)
            #expect(rest.d == 1_000 && animator.isRunning)
            time.pass(0.5)
            let middle = 0.25 + 0.75 * TimingCurve(named: "ease-out").value(at: 0.5)
            #expect(abs(Double(animator.fractionComplete) - middle) < 0.000_1 && middle > 0.7)
            time.pass(0.5)
            #expect(ends == [.end])
        }
    }

    @Test("takes the time that is left where the app names none")
    func timeLeft() throws {
        try timed { page, time in
            let animator = fading { _ in }
            animator.startAnimation(afterDelay: 1)
            time.pass(0.5)
            #expect(animator.fractionComplete == 0 && animator.delay == 1)
            time.pass(1)
            #expect(animator.fractionComplete == 0.25)
            animator.pauseAnimation()
            animator.continueAnimation(withTimingParameters: nil, durationFactor: 0)
            let rest = try #require(try played(on: page).first)
            #expect(rest.d == 1_500)
        }
    }

    @Test("goes back to its start when it is turned around, and the views have their first values again")
    func reversing() throws {
        try timed { page, time in
            var ends: [UIViewAnimatingPosition] = []
            view.transform = CGAffineTransform(translationX: 10, y: 0)
            let animator = fading { ends.append($0) }
            animator.addAnimations { [view] in
                view.frame.origin.x = 50
                view.transform = .identity
                view.backgroundColor = .red
            }
            animator.startAnimation()
            time.pass(1.5)
            animator.isReversed = true
            #expect(animator.fractionComplete == 0.25 && animator.isRunning)
            let back = try #require(try played(on: page).first { $0.p == "opacity" })
            #expect(back.d == 1_500 && back.t.hasPrefix("linear(0.75,") && back.t.hasSuffix(",0)"))
            #expect(view.alpha == 0)
            time.pass(1.5)
            #expect(ends == [.start] && view.alpha == 1 && view.frame.minX == 10 && view.backgroundColor == nil)
            #expect(view.transform.tx == 10)
            let left = try played(on: page)
            #expect(left.isEmpty)
        }
    }

    @Test("measures a part in the direction in which it runs, and turns back again")
    func directions() {
        timed { _, time in
            var ends: [UIViewAnimatingPosition] = []
            let animator = fading { ends.append($0) }
            animator.fractionComplete = 0.25
            animator.isReversed = true
            #expect(animator.fractionComplete == 0.75)
            animator.fractionComplete = 0.5
            animator.isReversed = false
            #expect(animator.fractionComplete == 0.5)
            animator.startAnimation()
            time.pass(0.5)
            animator.isReversed = true
            time.pass(0.1)
            animator.isReversed = false
            time.pass(0.6)
            #expect(ends == [.end])
        }
    }

    @Test("stops with what is seen, and ends where the app says, which is told once")
    func stopping() {
        timed { page, time in
            var ends: [UIViewAnimatingPosition] = []
            let animator = fading { ends.append($0) }
            animator.startAnimation()
            time.pass(0.5)
            animator.stopAnimation(false)
            #expect(view.alpha == 0.75 && animator.state == .stopped && transition(on: page) == nil)
            animator.startAnimation()
            animator.fractionComplete = 0.9
            #expect(animator.state == .stopped && view.alpha == 0.75)
            animator.finishAnimation(at: .start)
            #expect(view.alpha == 1 && ends == [.start] && animator.state == .inactive)
            animator.finishAnimation(at: .end)
            time.pass(10)
            #expect(view.alpha == 1 && ends == [.start])
        }
    }

    @Test("that is stopped without an end tells nobody, and leaves what is seen")
    func stoppingForGood() {
        timed { _, time in
            var ends: [UIViewAnimatingPosition] = []
            let animator = fading { ends.append($0) }
            animator.fractionComplete = 0.5
            animator.stopAnimation(true)
            time.pass(10)
            #expect(view.alpha == 0.5 && ends.isEmpty && animator.state == .inactive)
            let other = fading { ends.append($0) }
            other.startAnimation()
            time.pass(1)
            other.stopAnimation(false)
            other.finishAnimation(at: .end)
            #expect(view.alpha == 0 && ends == [.end])
        }
    }

    @Test("stays active at its end where the app wants that, and can be turned around from there")
    func pausesOnCompletion() {
        timed { _, time in
            var ends: [UIViewAnimatingPosition] = []
            let animator = fading { ends.append($0) }
            animator.pausesOnCompletion = true
            animator.startAnimation()
            time.pass(2)
            #expect(ends.isEmpty && animator.state == .active && !animator.isRunning)
            #expect(animator.fractionComplete == 1)
            animator.isReversed = true
            animator.startAnimation()
            #expect(animator.isRunning && animator.fractionComplete == 0)
            animator.pausesOnCompletion = false
            time.pass(2)
            #expect(ends == [.start] && view.alpha == 1)
        }
    }

    @Test("begins changes later that have a part of the time to wait, and takes in others on its way")
    func additions() throws {
        try timed { page, time in
            let animator = fading { _ in }
            animator.addAnimations({ [view] in view.frame.origin.x = 80 }, delayFactor: 0.5)
            animator.fractionComplete = 0.25
            let parts = try played(on: page)
            #expect(parts.map(\.p) == ["left", "opacity"] && parts.first?.o == [0, 0.5, 1])
            animator.addAnimations { [view] in view.frame.origin.y = 30 }
            let top = try played(on: page).last
            #expect(top?.p == "top" && top?.o == [0, 0.25, 1] && top?.r == 0)
            time.pass(1)
            #expect(animator.fractionComplete == 0.25)
        }
    }

    @Test("can't be paused, steered or stopped where it isn't interruptible")
    func uninterruptible() {
        timed { _, time in
            var ends: [UIViewAnimatingPosition] = []
            let animator = fading { ends.append($0) }
            animator.isInterruptible = false
            animator.startAnimation()
            time.pass(1)
            animator.pauseAnimation()
            animator.fractionComplete = 0.1
            animator.stopAnimation(true)
            #expect(animator.isRunning && animator.fractionComplete == 0.5)
            time.pass(1)
            #expect(ends == [.end])
        }
    }

    @Test("is scrubbed along its curve where the app wants that, and goes on along the rest of it")
    func scrubbingAlongCurve() throws {
        try timed { page, time in
            var ends: [UIViewAnimatingPosition] = []
            let curve = TimingCurve(named: "ease-in")
            let animator = UIViewPropertyAnimator(duration: 2, curve: .easeIn) { [view] in view.alpha = 0 }
            animator.addCompletion { ends.append($0) }
            @MainActor func part() throws -> Double {
                let shown = try #require(try played(on: page).first)
                return (shown.c ?? 0) / shown.d
            }
            animator.fractionComplete = 0.5
            let even = try part()
            #expect(animator.scrubsLinearly && even == 0.5)
            animator.scrubsLinearly = false
            animator.fractionComplete = 0.5
            let half = try part()
            #expect(abs(half - curve.value(at: 0.5)) < 0.001 && half < 0.4 && animator.fractionComplete == 0.5)
            animator.startAnimation()
            time.pass(0.5)
            #expect(abs(animator.fractionComplete - 0.75) < 0.001)
            animator.pauseAnimation()
            let later = try part()
            #expect(abs(later - curve.value(at: 0.75)) < 0.001 && abs(animator.fractionComplete - 0.75) < 0.001)
            animator.continueAnimation(withTimingParameters: nil, durationFactor: 0)
            time.pass(0.51)
            #expect(ends == [.end])
        }
    }

    @Test("ends the process, as UIKit does, where the app changes while it is active whether it can be interrupted")
    func settingWhileActive() async {
        await #expect(processExitsWith: .failure) {
            await MainActor.run {
                let animator = UIViewPropertyAnimator(duration: 1, curve: .linear)
                animator.pauseAnimation()
                animator.isInterruptible = false
            }
        }
        let isManual = UIViewPropertyAnimator(duration: 1, curve: .linear).isManualHitTestingEnabled
        #expect(!isManual)
    }

    @Test("Curves run from 0 to 1, as style sheets have them, whatever points an app gives")
    func curves() {
        let ease = TimingCurve(through: CGPoint(x: 0.42, y: 0), CGPoint(x: 0.58, y: 1))
        #expect(ease.css == "cubic-bezier(0.42,0,0.58,1)")
        #expect(ease.value(at: 0) == 0 && ease.value(at: 1) == 1 && abs(ease.value(at: 0.5) - 0.5) < 0.000_1)
        #expect(ease.value(at: 0.25) < 0.15)
        #expect(TimingCurve(named: "linear").value(at: 0.3) == 0.3)
        let wild = TimingCurve(through: CGPoint(x: CGFloat.nan, y: -.infinity), CGPoint(x: 9, y: CGFloat.nan))
        #expect(wild.css == "cubic-bezier(0,0,1,0)" && wild.value(at: 0.5).isFinite)
    }
}
