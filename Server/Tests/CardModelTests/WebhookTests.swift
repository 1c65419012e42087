import CardModel
import Testing

@Suite("Progress of a webhook")
struct WebhookTests {
    @Test("The pause doubles with each failure, up to an hour, and a success ends it")
    func pauses() {
        var progress = WebhookProgress(position: 4)
        var pauses: [Double] = []
        for _ in 0..<14 {
            progress.fail("HTTP 500", retryAfter: nil, chance: 0.5, at: 1_000)
            pauses.append(progress.nextAttemptAt - 1_000)
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 3_600, 3_600])
        #expect(progress.position == 4)
        #expect(progress.lastFailure == "HTTP 500")

        progress.advance(to: 9, sent: true, at: 5_000)
        #expect(progress.failures == 0)
        #expect(progress.nextAttemptAt == 5_000)
        #expect(progress.lastSuccessAt == 5_000)
        #expect(progress.position == 9)
    }

    @Test func `A pause is as long by the clock as it was meant, and over where the clock was set back by more`() {
        var progress = WebhookProgress(position: 0)
        #expect(progress.rest(at: 0) == 0 && progress.rest(at: 1e9) == 0)
        progress.fail("HTTP 503", retryAfter: 3_600, chance: 0.5, at: 10_000)
        #expect([10_000, 10_001, 13_599, 13_600, 13_601].map { progress.rest(at: $0) } == [3_600, 3_599, 1, 0, 0])
        // A time that is more than an hour away was never meant.
        #expect([9_999, 5_000, -1e9].map { progress.rest(at: $0) } == [0, 0, 0])
        var short = WebhookProgress(position: 0)
        short.fail("HTTP 500", retryAfter: nil, chance: 0.5, at: 10_000)
        #expect(short.rest(at: 10_000) == 1 && short.rest(at: 9_000) == 1_001)
        short.advance(to: 1, sent: true, at: 10_000)
        #expect(short.rest(at: 10_000) == 0)
    }

    @Test("Chance spreads the pause, and the receiver may ask for a longer one")
    func asked() {
        func pause(chance: Double, retryAfter: Double?) -> Double {
            var progress = WebhookProgress(position: 0)
            progress.fail("HTTP 503", retryAfter: retryAfter, chance: chance, at: 0)
            return progress.nextAttemptAt
        }
        #expect(pause(chance: 0, retryAfter: nil) == 0.75)
        #expect(pause(chance: 1, retryAfter: nil) == 1.25)
        #expect(pause(chance: 0.5, retryAfter: 30) == 30)
        #expect(pause(chance: 0.5, retryAfter: 0) == 1)
        #expect(pause(chance: 0.5, retryAfter: 1e9) == 3_600)
    }
}
