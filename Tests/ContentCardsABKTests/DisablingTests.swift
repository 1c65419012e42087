import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCardsABK

extension SharedInstanceTests {
    @Suite("Without the SDK,")
    @MainActor
    struct Disabling {
        /// Begins another run of the app.
        private func beginRun() {
            Appboy.run.withLock { $0 = AppRun() }
        }

        @Test("when its data was wiped, there is no instance until the app is started again, and no card is left")
        func wiping() async {
            defer { beginRun() }
            let harness = await Harness([.fixture("a")])
            await harness.refresh()
            Appboy.wipeDataAndDisableForAppRun()
            #expect(Appboy.sharedInstance() == nil)
            #expect(harness.appboy.contentCardsController.contentCards.isEmpty)
            await harness.settle { harness.appboy.client.userID == nil }
            #expect(harness.appboy.client.feed.cards.isEmpty)
            Appboy.start(withApiKey: "pk_test", withAppboyOptions: [ABKEndpointKey: "https://cards.example"])
            #expect(Appboy.sharedInstance() == nil)
            beginRun()
            let next = await Harness([.fixture("a")])
            #expect(Appboy.sharedInstance() === next.appboy)
            await next.stop()
            await harness.stop()
        }

        @Test("when it was disabled, later runs have no instance either, until it is to be enabled")
        func disabling() async {
            defer {
                AppRun.isDisabled = nil
                beginRun()
            }
            let harness = await Harness([.fixture("a")])
            await harness.refresh()
            Appboy.disableSDK()
            #expect(Appboy.sharedInstance() == nil)
            await harness.settle { harness.appboy.client.feed.cards.isEmpty }
            #expect(harness.appboy.client.feed.cards.isEmpty)
            beginRun()
            Appboy.start(with: harness.appboy.client)
            #expect(Appboy.sharedInstance() == nil)
            Appboy.requestEnableSDKOnNextAppRun()
            Appboy.start(with: harness.appboy.client)
            #expect(Appboy.sharedInstance() == nil)
            beginRun()
            let again = Appboy.start(with: harness.appboy.client)
            #expect(Appboy.sharedInstance() === again)
            await harness.settle(within: 5) { !again.contentCardsController.contentCards.isEmpty }
            again.requestContentCardsRefresh()
            await harness.settle { !again.contentCardsController.contentCards.isEmpty }
            #expect(again.contentCardsController.contentCards.map(\.idString) == ["a"])
            await harness.stop()
        }
    }
}
