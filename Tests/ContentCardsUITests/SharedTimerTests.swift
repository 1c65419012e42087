import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCardsUI

@MainActor
@Suite("The shared timer", .timeLimit(.minutes(20)))
struct SharedTimerTests {
    @MainActor
    private final class Owner {
        var calls = 0
        let limit: Int

        init(limit: Int) {
            self.limit = limit
        }

        func wake() -> Bool {
            calls += 1
            return calls < limit
        }
    }

    let clock = ManualClock()

    private func second() async {
        await clock.waitForSleeper(of: 1)
        clock.advance(by: 1)
    }

    @Test("wakes all who wait by one sleep, and those who have had enough no more")
    func sharing() async {
        let timer = SharedTimer(clock: clock)
        let owners = [Owner(limit: 9), Owner(limit: 1)]
        for owner in owners { timer.add(owner) { [weak owner] in owner?.wake() ?? false } }
        await second()
        await clock.waitForSleeper(of: 1)
        #expect(owners.map(\.calls) == [1, 1] && clock.sleepers == [1])
        await second()
        await clock.waitForSleeper(of: 1)
        #expect(owners.map(\.calls) == [2, 1])
    }

    @Test("runs while anybody waits, and again for the next who does")
    func idle() async {
        let timer = SharedTimer(clock: clock)
        let owner = Owner(limit: 2)
        #expect(!timer.isRunning)
        timer.add(owner) { owner.wake() }
        timer.remove(owner)
        #expect(!timer.isRunning)
        timer.add(owner) { owner.wake() }
        #expect(timer.isRunning)
        await second()
        await second()
        while timer.isRunning { await Task.yield() }
        #expect(owner.calls == 2)
    }
}
