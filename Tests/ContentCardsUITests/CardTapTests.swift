import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCardsUI

@MainActor
@Suite("A tap on a card in SwiftUI")
struct CardTapTests {
    /// Writes down what is logged.
    private final class Calls: CardFeedSource {
        let names = Guarded<[String]>([])
        let feed = CardFeed(cards: [])
        var updates: AsyncStream<CardFeed> { AsyncStream { $0.finish() } }

        func refresh(_ reason: SyncReason) async throws(ContentCardsError) {}

        func logImpression(_ card: ContentCard) -> Bool { note("seen") }
        func logClick(_ card: ContentCard, customAction: Bool) -> Bool { note(customAction ? "custom" : "clicked") }
        func logDismissal(_ card: ContentCard) -> Bool { note("dismissed") }

        func note(_ name: String) -> Bool {
            names.change { $0.append(name) }
            return true
        }
    }

    private let calls = Calls()
    private let linked = ContentCard.fixture("linked")
    private let plain = ContentCard.fixture("plain") { $0.urlString = nil }

    private func tap(
        _ card: ContentCard,
        opens: Bool = true,
        isTaken: (@MainActor (ContentCard) -> Bool)? = nil
    ) -> CardDestination {
        let tap = CardTap(
            card: card,
            source: calls,
            isTaken: isTaken,
            shouldOpen: { _ in opens },
            countImpression: { [calls] in _ = calls.logImpression(card) }
        )
        return tap.perform()
    }

    @Test("counts the card as seen before it is clicked, and opens its address")
    func address() {
        let destination = tap(linked)
        #expect(calls.names.value == ["seen", "clicked"] && destination == CardDestination(of: linked))
        #expect(destination != .nowhere)
    }

    @Test("opens nothing that the app has taken or doesn't want to be opened, which are clicks all the same")
    func taken() {
        let destinations = [tap(linked, opens: false), tap(linked) { _ in true }, tap(linked) { _ in false }]
        #expect(destinations == [.nowhere, .nowhere, CardDestination(of: linked)])
        #expect(calls.names.value == ["seen", "clicked", "seen", "clicked", "seen", "clicked"])
    }

    @Test("on a card without an address asks the app, and is a click where that has taken it")
    func withoutAddress() {
        let destinations = [tap(plain), tap(plain) { _ in false }, tap(plain) { _ in true }]
        #expect(destinations == [.nowhere, .nowhere, .nowhere])
        #expect(calls.names.value == ["seen", "seen", "custom"])
    }

    @Test("does nothing where the address would run something inside the app")
    func refused() {
        let script = ContentCard.fixture("script") { $0.urlString = "javascript:alert(1)" }
        let destination = tap(script) { _ in true }
        #expect(destination == .nowhere && calls.names.value.isEmpty)
    }
}
