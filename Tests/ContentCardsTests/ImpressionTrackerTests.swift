import Foundation
import Testing

@testable import ContentCards

@Suite("An impression")
struct ImpressionTrackerTests {
    @Test("counts after 0.1 seconds on screen, once")
    func once() {
        var tracker = ImpressionTracker()
        #expect(tracker.update(visible: ["a"], at: 10).isEmpty)
        #expect(tracker.nextDeadline == 10.1)
        #expect(tracker.update(visible: ["a"], at: 10.05).isEmpty)
        #expect(tracker.update(visible: ["a"], at: 10.1) == ["a"])
        #expect(tracker.update(visible: ["a"], at: 20).isEmpty)
        #expect(tracker.nextDeadline == nil)
    }

    @Test("counts at once where the user touches the card, and not again after its time")
    func touched() {
        var tracker = ImpressionTracker()
        _ = tracker.update(visible: ["a", "b"], at: 0)
        let touches = [tracker.touch("a"), tracker.touch("a")]
        #expect(touches == [true, false])
        #expect(tracker.update(visible: ["a", "b"], at: 0.1) == ["b"])
        let isNews = tracker.touch("b")
        #expect(!isNews && tracker.seen == ["a", "b"])
        tracker.beginPresentation()
        let isNewsAgain = tracker.touch("b")
        #expect(isNewsAgain)
    }

    @Test("begins again when the card leaves the screen before")
    func interrupted() {
        var tracker = ImpressionTracker()
        _ = tracker.update(visible: ["a"], at: 0)
        _ = tracker.update(visible: [], at: 0.09)
        #expect(tracker.update(visible: ["a"], at: 0.11).isEmpty)
        #expect(tracker.update(visible: ["a"], at: 0.2).isEmpty)
        #expect(tracker.update(visible: ["a"], at: 0.22) == ["a"])
    }

    @Test("counts again in the next presentation, and not for time spent off screen")
    func presentations() {
        var tracker = ImpressionTracker()
        _ = tracker.update(visible: ["a"], at: 0)
        #expect(tracker.update(visible: ["a"], at: 1) == ["a"])
        tracker.pause()
        #expect(tracker.update(visible: ["a"], at: 2).isEmpty)
        tracker.beginPresentation()
        _ = tracker.update(visible: ["a"], at: 3)
        tracker.pause()
        #expect(tracker.update(visible: ["a"], at: 9).isEmpty)
        #expect(tracker.update(visible: ["a"], at: 9.1) == ["a"])
    }

    @Test("needs half of a card, or any part of a control card's slot")
    func area() {
        let window = CGRect(x: 0, y: 0, width: 300, height: 600)
        func isVisible(_ y: CGFloat, _ height: CGFloat, isControl: Bool = false) -> Bool {
            let card = CGRect(x: 0, y: y, width: 300, height: height)
            return ImpressionTracker.isVisible(card, isControl: isControl, in: window)
        }
        #expect(isVisible(500, 200))
        #expect(!isVisible(501, 200))
        #expect(isVisible(-100, 200))
        #expect(!isVisible(-101, 200))
        #expect(isVisible(-300, 2_000))
        #expect(!isVisible(600, 0.5, isControl: true))
        #expect(isVisible(599.9, 0.5, isControl: true))
        #expect(!isVisible(10, 0))
    }

    @Test("What a view around a card cuts off of it is not on screen")
    func cutOff() {
        let card = CGRect(x: 0, y: 100, width: 400, height: 200)
        let window = CGRect(x: 0, y: 0, width: 400, height: 600)
        func isVisible(_ height: CGFloat, isControl: Bool = false) -> Bool {
            let part = CGRect(x: 0, y: 100, width: 400, height: height)
            return ImpressionTracker.isVisible(card, isControl: isControl, part: part, in: window)
        }
        #expect(isVisible(100))
        #expect(!isVisible(99))
        #expect(isVisible(1, isControl: true))
        #expect(!isVisible(0, isControl: true))
        #expect(!ImpressionTracker.isVisible(card, isControl: true, part: .null, in: window))
    }
}
