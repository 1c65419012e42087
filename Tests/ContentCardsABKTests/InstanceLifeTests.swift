import ContentCards
import ContentCardsABK
import ContentCardsTesting
import Foundation
import Testing

extension SharedInstanceTests {
    @Suite("An instance")
    @MainActor
    struct InstanceLife {
        @Test("is gone once another was started, whatever cards of it the app still holds")
        func replaced() async throws {
            weak var instance: Appboy?
            let card: ABKContentCard
            do {
                let harness = await Harness([.fixture("a")])
                await harness.refresh()
                instance = harness.appboy
                card = try #require(harness.appboy.contentCardsController.contentCards.first)
                await harness.stop()
            }
            let next = await Harness()
            await next.settle { instance == nil }
            #expect(instance == nil)
            // What is held logs nothing any more.
            card.logContentCardImpression()
            #expect(card.idString == "a" && !card.viewed)
            await next.stop()
        }
    }
}
