import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("The timer of expiries", .timeLimit(.minutes(20)))
struct ExpiryTimerTests {
    let clock = ManualClock()

    private func feed(expiringIn seconds: TimeInterval) -> FeedState {
        let card = ContentCard.fixture("a") { $0.expiresAt = clock.now + seconds }
        return FeedState(cards: [card], cursor: nil, lastSync: nil, dismissals: [], reported: [:])
    }

    @Test("waits for what the last of several changes at once has left to expire")
    func order() async {
        let store = FeedStore(clock: clock, sink: CardEventSink())
        for _ in 0..<300 {
            await withTaskGroup(of: Void.self) { group in
                for seconds in 1...8 {
                    let feed = feed(expiringIn: TimeInterval(seconds))
                    group.addTask {
                        _ = store.change { state in
                            state.show(feed)
                            return true
                        }
                    }
                }
            }
            #expect(store.expiry.date == store.snapshot.nextExpiry)
        }
        store.finish()
    }

    @Test("stays still once the feed is finished")
    func finished() {
        let store = FeedStore(clock: clock, sink: CardEventSink())
        let feed = feed(expiringIn: 10)
        store.finish()
        _ = store.change { state in
            state.show(feed)
            return true
        }
        #expect(store.expiry.date == nil)
    }

    @Test("fires at its date, in naps of a minute, however the clock is set in between")
    func clocks() async {
        let timer = ExpiryTimer(clock: clock)
        let (fired, continuation) = AsyncStream.makeStream(of: Int.self)
        var numbers = fired.makeAsyncIterator()
        timer.watch(clock.now + 100) { continuation.yield(1) }
        await clock.waitForSleeper(of: 60)
        clock.jump(by: -50)
        for left: TimeInterval in [60, 30] {
            clock.advance(by: 60)
            await clock.waitForSleeper(of: left)
        }
        clock.jump(by: 3_600)
        clock.advance(by: 30)
        #expect(await numbers.next() == 1)
        // A date that has passed is none to wait for.
        timer.watch(clock.now - 1) { continuation.yield(2) }
        #expect(await numbers.next() == 2)
        timer.stop()
    }

    @Test("fires for the last date alone, and for the same date once")
    func replaced() async {
        let timer = ExpiryTimer(clock: clock)
        let (fired, continuation) = AsyncStream.makeStream(of: Int.self)
        var numbers = fired.makeAsyncIterator()
        let start = clock.now
        timer.watch(start + 10) { continuation.yield(1) }
        timer.watch(start + 20) { continuation.yield(2) }
        timer.watch(start + 20) { continuation.yield(3) }
        await clock.waitForSleeper(of: 20)
        clock.advance(by: 10)
        clock.advance(by: 10)
        #expect(await numbers.next() == 2)
        timer.watch(start + 30) { continuation.yield(4) }
        timer.watch(nil) { continuation.yield(5) }
        timer.watch(start + 40) { continuation.yield(6) }
        await clock.waitForSleeper(of: 20)
        clock.advance(by: 20)
        #expect(await numbers.next() == 6)
        continuation.finish()
        #expect(await numbers.next() == nil)
        timer.stop()
    }

    @Test("takes all cards away that expire in the same second, and publishes that once")
    func sameSecond() async {
        let store = FeedStore(clock: clock, sink: CardEventSink())
        let date = clock.now + 30
        let cards: [ContentCard] = [
            .fixture("a") { $0.expiresAt = date }, .fixture("b") { $0.expiresAt = date }, .fixture("c"),
            .fixture("d") { ($0.expiresAt, $0.isDismissed) = (date - 10, true) },
        ]
        var updates = store.subscribe().makeAsyncIterator()
        store.open(
            DeviceRecord(deviceID: "d", user: "u"),
            FeedState(cards: cards, cursor: nil, lastSync: nil, dismissals: [], reported: [:])
        )
        #expect(await updates.next()?.cards.map(\.id) == ["a", "b", "c"])
        await clock.waitForSleeper(of: 30)
        clock.advance(by: 30)
        #expect(await updates.next()?.cards.map(\.id) == ["c"])
        #expect(store.snapshot.nextExpiry == nil && store.expiry.date == nil)
        // The clock is set back: they are there again, for as long as they have left.
        clock.jump(by: -5)
        store.publish()
        #expect(await updates.next()?.cards.map(\.id) == ["a", "b", "c"])
        await clock.waitForSleeper(of: 5)
        store.finish()
        #expect(await updates.next() == nil)
    }
}
