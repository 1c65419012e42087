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
