import ContentCards
import ContentCardsABK
import ContentCardsTesting
import Foundation
import Testing

extension SharedInstanceTests {
    @Suite("A live object")
    @MainActor
    struct LiveObjects {
        @Test("is the same at each look, and keeps what the app has changed until the server changes the card")
        func identity() async throws {
            let harness = await Harness([.fixture("a")])
            await harness.refresh()
            let first = harness.appboy.contentCardsController.contentCards.first
            let card = try #require(first as? ABKClassicContentCard)
            card.title = "Mine"
            card.logContentCardImpression()
            await harness.refresh()
            #expect(harness.appboy.contentCardsController.contentCards.first === card)
            #expect(card.title == "Mine")
            #expect(card.viewed)
            harness.transport.answer("v1/sync") { _ in .sync([.fixture("a") { $0.title = "Theirs" }], cursor: "2") }
            await harness.refresh()
            #expect(harness.appboy.contentCardsController.contentCards.first === card)
            #expect(card.title == "Theirs")
            await harness.stop()
        }

        @Test("is clicked where the app has given it an address, and not where the app has taken that away")
        func ownAddress() async throws {
            let harness = await Harness([.fixture("a") { $0.urlString = nil }, .fixture("b")])
            await harness.refresh()
            let cards = harness.appboy.contentCardsController.contentCards
            let plain = try #require(cards.first { $0.idString == "a" })
            let linked = try #require(cards.first { $0.idString == "b" })
            plain.logContentCardClicked()
            #expect(!plain.clicked)
            plain.urlString = "https://shop.example/own"
            plain.logContentCardClicked()
            linked.urlString = "https://shop.example/b"
            linked.logContentCardClicked()
            #expect(plain.clicked && linked.clicked)
            #expect(await harness.delivered() == ["click", "click"])
            linked.urlString = nil
            linked.logContentCardClicked()
            #expect(await harness.delivered() == ["click", "click"])
            await harness.stop()
        }

        @Test("is counted while it is there, and as unviewed until it was seen, but for those of control groups")
        func counts() async {
            let harness = await Harness([.fixture("a"), .fixture("b"), .fixture("c") { $0.kind = .control }])
            await harness.refresh()
            let controller = harness.appboy.contentCardsController
            #expect(controller.contentCardCount() == 3 && controller.unviewedContentCardCount() == 2)
            for card in controller.contentCards where card.idString != "b" { card.logContentCardImpression() }
            #expect(controller.contentCardCount() == 3 && controller.unviewedContentCardCount() == 1)
            for card in controller.contentCards where card.idString == "b" { card.logContentCardDismissed() }
            #expect(controller.contentCardCount() == 2 && controller.unviewedContentCardCount() == 0)
            await harness.stop()
        }

        @Test("of a type that the SDK doesn't know is a card, and none that a badge counts")
        func unknownType() async {
            let harness = await Harness([.fixture("a"), .fixture("x") { $0.kind = .unknown("hologram") }])
            await harness.refresh()
            let controller = harness.appboy.contentCardsController
            #expect(controller.contentCardCount() == 2 && controller.unviewedContentCardCount() == 1)
            await harness.stop()
        }

        @Test("is dismissed where the app has allowed that, stays away, and is not dismissed where the app forbids it")
        func ownDismissibility() async throws {
            let (fixed, free) = (ContentCard.fixture("a") { $0.isDismissible = false }, ContentCard.fixture("b"))
            let harness = await Harness([fixed, free])
            await harness.refresh()
            let controller = harness.appboy.contentCardsController
            let allowed = try #require(controller.contentCards.first { $0.idString == "a" })
            let forbidden = try #require(controller.contentCards.first { $0.idString == "b" })
            allowed.dismissible = true
            forbidden.dismissible = false
            for card in [allowed, forbidden, allowed] { card.logContentCardDismissed() }
            #expect(allowed.dismissed && !forbidden.dismissed)
            #expect(await harness.delivered() == ["dismissal"])
            harness.transport.answer("v1/sync") { _ in .sync([fixed, free], cursor: "2") }
            await harness.refresh()
            #expect(controller.contentCards.map(\.idString) == ["b"])
            await harness.stop()
        }

        @Test("logs nothing once its card is gone, and stays as it was")
        func gone() async throws {
            let harness = await Harness([.fixture("a")])
            await harness.refresh()
            let card = try #require(harness.appboy.contentCardsController.contentCards.first)
            harness.transport.answer("v1/sync") { _ in .sync([], cursor: "2") }
            await harness.refresh()
            #expect(harness.appboy.contentCardsController.contentCards.isEmpty)
            card.logContentCardImpression()
            card.logContentCardClicked()
            card.logContentCardDismissed()
            #expect(!card.viewed && !card.clicked && !card.dismissed)
            #expect(await harness.delivered().isEmpty)
            await harness.stop()
        }

        @Test("is not dismissed where that is not allowed")
        func notDismissible() async {
            let harness = await Harness([.fixture("a") { $0.isDismissible = false }])
            await harness.refresh()
            let card = harness.appboy.contentCardsController.contentCards.first
            card?.logContentCardDismissed()
            #expect(card?.dismissed == false)
            #expect(harness.appboy.contentCardsController.contentCardCount() == 1)
            await harness.stop()
        }
    }

    @Suite("The user")
    @MainActor
    struct Users {
        @Test("is this device until a user signs in, and the last one who did")
        func signingIn() async {
            let harness = await Harness([.fixture("a")], user: nil)
            await harness.refresh()
            #expect(harness.appboy.client.userID?.hasPrefix("anonymous-") == true)
            #expect(harness.appboy.user.userID == nil)
            harness.appboy.changeUser("first")
            harness.appboy.changeUser("second", sdkAuthSignature: "token")
            harness.appboy.changeUser("")
            await harness.refresh()
            #expect(harness.appboy.user.userID == "second")
            #expect(harness.outcomes == [true, true])
            await harness.stop()
        }
    }
}
