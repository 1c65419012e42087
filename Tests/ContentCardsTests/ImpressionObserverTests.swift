import ContentCardsTesting
import Testing

@testable import ContentCards

@Suite("An observer of impressions", .timeLimit(.minutes(20)))
@MainActor
struct ImpressionObserverTests {
    private final class Screen {
        var visible: [String] = []
        var seen: [String] = []
        var observer: ImpressionObserver?
    }

    private let clock = ManualClock()
    private let screen = Screen()

    private func observer() -> ImpressionObserver {
        ImpressionObserver(clock: clock, visible: { screen.visible }, onImpression: { screen.seen.append($0) })
    }

    /// Moves the clock on, and lets what was due happen.
    private func pass(_ seconds: Double) async {
        await clock.waitForSleeper(of: ImpressionTracker.minimumTime)
        clock.advance(by: seconds)
        // Who has slept goes on on another thread before it comes here, and that may be busy.
        for _ in 0..<50 { await Task.detached {}.value }
        for _ in 0..<200 { await Task.yield() }
    }

    @Test("reports a card that the user touches at once, but none of a screen that isn't presented")
    func touched() async {
        let observer = observer()
        screen.visible = ["a"]
        observer.touch("a")
        #expect(screen.seen.isEmpty)
        observer.beginPresentation()
        observer.touch("a")
        observer.touch("a")
        #expect(screen.seen == ["a"])
        await pass(0.1)
        #expect(screen.seen == ["a"])
        observer.pause()
        observer.touch("b")
        #expect(screen.seen == ["a"])
    }

    @Test("reports a card when it is due, without being asked again")
    func due() async {
        let observer = observer()
        screen.visible = ["a"]
        observer.beginPresentation()
        #expect(screen.seen.isEmpty)
        await pass(0.1)
        #expect(screen.seen == ["a"])
        #expect(observer.seen == ["a"])
    }

    @Test("counts nothing before the screen is presented, nor while it is covered, and each card again in the next one")
    func presentations() async {
        let observer = observer()
        screen.visible = ["a"]
        observer.update()
        clock.advance(by: 1)
        observer.update()
        #expect(screen.seen.isEmpty)
        observer.beginPresentation()
        observer.pause()
        clock.advance(by: 1)
        observer.update()
        #expect(screen.seen.isEmpty)
        observer.resume()
        await pass(0.1)
        #expect(screen.seen == ["a"])
        observer.pause()
        observer.resume()
        clock.advance(by: 1)
        observer.update()
        #expect(screen.seen == ["a"])
        observer.beginPresentation()
        await pass(0.1)
        #expect(screen.seen == ["a", "a"])
    }

    @Test("leaves nothing behind: what waits does not keep it")
    func lifetime() async {
        weak var gone: ImpressionObserver?
        do {
            let observer = observer()
            screen.visible = ["a"]
            observer.beginPresentation()
            gone = observer
        }
        clock.advance(by: 1)
        for _ in 0..<50 { await Task.detached {}.value }
        for _ in 0..<200 { await Task.yield() }
        #expect(gone == nil)
        #expect(screen.seen.isEmpty)
    }

    @Test("may be paused, resumed and asked again by what it calls, and reports each card once all the same")
    func reentrance() async {
        screen.observer = ImpressionObserver(
            clock: clock,
            visible: { screen.visible },
            onImpression: { id in
                screen.seen.append(id)
                screen.observer?.update()
                screen.observer?.pause()
                if id == "b" { screen.observer?.resume() }
            }
        )
        screen.visible = ["a", "b", "a", "c"]
        screen.observer?.beginPresentation()
        await pass(0.1)
        #expect(screen.seen.sorted() == ["a", "b", "c"])
        screen.visible.append("late")
        screen.observer?.resume()
        await pass(0.1)
        #expect(screen.seen.last == "late" && screen.seen.count == 4)
        screen.observer = nil
    }
}
