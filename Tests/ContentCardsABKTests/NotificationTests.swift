import BrowserUIKit
import ContentCards
import ContentCardsABK
import ContentCardsTesting
import Foundation
import Testing

/// The instance is shared, so only one test at a time has it.
@Suite("Under the documented names", .serialized)
@MainActor
enum SharedInstanceTests {}

extension SharedInstanceTests {
    @Suite("A request for cards is followed by exactly one notification, on the main thread,")
    @MainActor
    struct Notifications {
        @Test("that it has succeeded, when the cards are there, changed or not")
        func success() async {
            let harness = await Harness([.fixture("a")])
            await harness.refresh()
            #expect(harness.appboy.contentCardsController.contentCards.map(\.idString) == ["a"])
            await harness.refresh()
            await harness.settle()
            #expect(harness.outcomes == [true, true])
            await harness.stop()
        }

        @Test("each of them, also where several are made at once")
        func several() async {
            let harness = await Harness([.fixture("a")])
            for _ in 0..<3 { harness.appboy.requestContentCardsRefresh() }
            await harness.settle { harness.outcomes.count == 3 }
            await harness.settle()
            #expect(harness.outcomes == [true, true, true])
            await harness.stop()
        }

        @Test("until which the cards are those of before")
        func untilThen() async {
            let harness = await Harness([.fixture("a")])
            await harness.refresh()
            let (doors, door) = AsyncStream.makeStream(of: Void.self)
            harness.transport.answer("v1/sync") { _ in
                for await _ in doors { break }
                return .sync([.fixture("b")], cursor: "2")
            }
            let controller = harness.appboy.contentCardsController
            let count = harness.transport.requests.count
            harness.appboy.requestContentCardsRefresh()
            #expect(controller.contentCards.map(\.idString) == ["a"])
            await harness.settle { harness.transport.requests.count > count }
            #expect(controller.contentCards.map(\.idString) == ["a"])
            #expect(harness.outcomes == [true])
            door.yield()
            await harness.settle { harness.outcomes.count == 2 }
            #expect(harness.outcomes == [true, true])
            #expect(controller.contentCards.map(\.idString) == ["b"])
            await harness.stop()
        }

        @Test("also where a silent push message has asked; the system hears what any message has brought")
        func push() async {
            let harness = await Harness([.fixture("a")])
            var results: [UIBackgroundFetchResult] = []
            func receive(_ message: [AnyHashable: Any]) async {
                let count = results.count
                harness.appboy.register(UIApplication.shared, didReceiveRemoteNotification: message) {
                    results.append($0)
                }
                await harness.settle { results.count > count }
            }
            let message: [AnyHashable: Any] = ["aps": ["content-available": 1], ContentCardsClient.pushKey: true]
            await harness.refresh()
            await receive(["aps": ["content-available": 1]])
            #expect(harness.outcomes == [true])
            await receive(message)
            harness.transport.answer("v1/sync") { _ in .sync([.fixture("b")], cursor: "2") }
            await receive(message)
            #expect(harness.appboy.contentCardsController.contentCards.map(\.idString) == ["b"])
            harness.transport.answer("v1/sync") { _ in throw TransportError.unreachable("scripted") }
            await receive(message)
            #expect(results == [.noData, .noData, .newData, .failed])
            #expect(harness.outcomes == [true, true, true, false])
            await harness.stop()
        }

        @Test("and a silent push message brings the cards of the user that the app has named just before")
        func pushForNewUser() async {
            let harness = await Harness([.fixture("a")])
            await harness.refresh()
            harness.clock.advance(by: 3_600)
            var results: [UIBackgroundFetchResult] = []
            for user in ["b", "c", "last"] { harness.appboy.changeUser(user) }
            harness.appboy.register(
                UIApplication.shared,
                didReceiveRemoteNotification: [ContentCardsClient.pushKey: true]
            ) { results.append($0) }
            await harness.settle { !results.isEmpty }
            await harness.settle()
            #expect(results == [.newData] || results == [.noData])
            #expect(harness.outcomes == [true, true])
            #expect(harness.appboy.user.userID == "last")
            #expect(harness.appboy.contentCardsController.contentCards.map(\.idString) == ["a"])
            await harness.stop()
        }

        @Test("that it has failed, when there is no network")
        func offline() async {
            let harness = await Harness([.fixture("a")])
            await harness.refresh()
            harness.transport.answer("v1/sync") { _ in throw TransportError.unreachable("scripted") }
            await harness.refresh()
            await harness.settle()
            #expect(harness.outcomes == [true, false])
            #expect(harness.appboy.contentCardsController.contentCardCount() == 1)
            await harness.stop()
        }

        @Test("that it has failed, when the server fails")
        func serverFailure() async {
            let harness = await Harness()
            await harness.refresh()
            harness.transport.answer("v1/sync") { _ in .failure(500, code: "internal") }
            await harness.refresh()
            await harness.settle()
            #expect(harness.outcomes == [true, false])
            await harness.stop()
        }

        @Test("that it has succeeded, when the device asks too often: the cards that are there are those to show")
        func rateLimited() async {
            let harness = await Harness([.fixture("a")])
            for _ in 0..<8 { await harness.refresh() }
            await harness.settle()
            #expect(harness.transport.requests.count { $0.url.path.hasSuffix("v1/sync") } < 8)
            #expect(harness.outcomes == Array(repeating: true, count: 8))
            #expect(harness.appboy.contentCardsController.contentCardCount() == 1)
            await harness.stop()
        }

        @Test("that it has failed, when the device asks too often and never got a card")
        func rateLimitedWithoutCards() async {
            let harness = await Harness()
            harness.transport.answer("v1/sync") { _ in throw TransportError.unreachable("scripted") }
            harness.appboy.changeUser("other")
            for _ in 0..<8 { await harness.refresh() }
            await harness.settle()
            #expect(harness.outcomes == Array(repeating: false, count: 8))
            await harness.stop()
        }

        @Test("that it has failed, when content cards are disabled")
        func disabled() async {
            let harness = await Harness([.fixture("a")])
            await harness.appboy.client.disable()
            await harness.refresh()
            await harness.settle()
            #expect(harness.outcomes == [false])
            #expect(harness.appboy.contentCardsController.contentCards.isEmpty)
            await harness.stop()
        }

        @Test("that it has failed, when the user is switched on its way, whose cards are gone at once")
        func userSwitched() async {
            let harness = await Harness([.fixture("a")])
            await harness.refresh()
            harness.transport.answer("v1/sync") { _ in
                try await Task.sleep(for: .seconds(3600))
                return .sync()
            }
            let count = harness.transport.requests.count
            harness.appboy.requestContentCardsRefresh()
            await harness.settle { harness.transport.requests.count > count }
            harness.appboy.changeUser("other")
            #expect(harness.appboy.contentCardsController.contentCards.isEmpty)
            await harness.settle { harness.outcomes.count == 2 }
            await harness.settle()
            #expect(harness.outcomes == [true, false])
            #expect(harness.appboy.user.userID == "other")
            await harness.stop()
        }
    }
}
