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
}
