import BrowserUIKit
import ContentCards
import ContentCardsABK
import ContentCardsTesting
import Foundation
import Testing

extension SharedInstanceTests {
    @Suite("The implementation guide: an app's own objects")
    @MainActor
    struct ImplementationGuide {
        private static let cards: [ContentCard] = [
            .fixture("soup") {
                $0.priority = 6
                $0.extras = ["class_type": "Recipe", "minutes": "25"]
            },
            .fixture("bread") {
                $0.kind = .captionedImage
                $0.priority = 5
                $0.extras = ["class_type": "recipe", "minutes": "180"]
                $0.isDismissible = false
            },
            .fixture("plain") { $0.priority = 4 },
            .fixture("terms") {
                $0.priority = 3
                $0.extras = ["class_type": "message_full_page", "message_header": "Full Page"]
            },
            .fixture("film") {
                $0.priority = 2
                $0.extras = ["class_type": "message_webview", "message_header": "HTML"]
            },
            .fixture("control") {
                $0.kind = .control
                $0.extras = ["class_type": "recipe"]
            },
        ]

        private func convert(_ harness: Harness, _ types: [ContentCardClassType]) async -> [any ContentCardable] {
            await harness.refresh()
            return CardManager.shared.convertContentCards(CardManager.shared.contentCards ?? [], for: types)
        }

        @Test("are made of the cards of their class type alone, in the order of the feed, when the notification comes")
        func loading() async {
            let harness = await Harness(Self.cards)
            let screen = RecipeScreen()
            screen.loadContentCards()
            await harness.settle { screen.updateCount == 1 }
            #expect(screen.recipes.map { $0.contentCardData?.contentCardId } == ["soup", "bread", "control"])
            #expect(screen.recipes.map(\.minutes) == ["25", "180", nil])
            #expect(screen.recipes.map { $0.contentCardData?.isDismissable } == [true, false, true])
            #expect(screen.recipes[0].contentCardData?.createdAt == 1_789_000_000)
            #expect(screen.recipes[0].contentCardData?.contentCardClassType == .recipe)
            await harness.stop()
        }

        @Test("stay what they were when a refresh fails")
        func failure() async {
            let harness = await Harness(Self.cards)
            let screen = RecipeScreen()
            screen.loadContentCards()
            await harness.settle { screen.updateCount == 1 }
            harness.transport.answer("v1/sync") { _ in throw TransportError.unreachable("scripted") }
            CardManager.shared.requestContentCardsRefresh()
            await harness.settle { screen.updateCount == 2 }
            #expect(screen.recipes.count == 3)
            await harness.stop()
        }

        @Test("are told of updates only as long as they are in memory")
        func observerGone() async {
            let harness = await Harness(Self.cards)
            var screen: RecipeScreen? = RecipeScreen()
            weak let weakScreen = screen
            screen?.loadContentCards()
            await harness.settle { screen?.updateCount == 1 }
            screen = nil
            #expect(weakScreen == nil)
            await harness.refresh()
            #expect(harness.outcomes.count == 2)
            await harness.stop()
        }

        @Test("bring what their card brings: texts by the kind of card, address and key-value pairs")
        func metaData() async throws {
            let harness = await Harness(Self.cards)
            let recipes = await convert(harness, [.recipe]).compactMap { $0 as? Recipe }
            #expect(recipes.allSatisfy { $0.isContentCard })
            #expect(!Recipe(contentCardData: nil, minutes: "5").isContentCard)
            #expect(Set(recipes.map { $0.contentCardData }).count == 3)
            await harness.stop()
        }

        @Test("open what their class type says, for messages of a message centre")
        func messages() async {
            let harness = await Harness(Self.cards)
            let messages = await convert(harness, [.message(.fullPage), .message(.webView)])
            let screen = RecipeScreen()
            for message in messages.compactMap({ $0 as? any Message }) { screen.addContentCardToView(with: message) }
            #expect(screen.opened == ["page of Full Page", "web view of HTML"])
            await harness.stop()
        }

        @Test("log impression, click and dismissal of their card, a control card's impression too")
        func logging() async throws {
            let harness = await Harness(Self.cards)
            let recipes = await convert(harness, [.recipe]).compactMap { $0 as? Recipe }
            let soup = try #require(recipes.first)
            let control = try #require(recipes.last)
            soup.logContentCardImpression()
            soup.logContentCardClicked()
            soup.logContentCardDismissed()
            soup.logContentCardDismissed()
            control.logContentCardImpression()
            Recipe(contentCardData: nil, minutes: nil).logContentCardImpression()
            #expect(await harness.delivered() == ["impression", "click", "dismissal", "impression"])
            #expect(CardManager.shared.contentCards?.contains { $0.idString == "soup" } == false)
            await harness.stop()
        }
    }
}
