import Testing

@testable import CardModel

@Suite("Cards of a batch of events")
struct EventCardsTests {
    private let first = CardID(rawValue: "first")
    private let second = CardID(rawValue: "second")

    private func event(_ kind: DeviceEvent.EventKind) -> DeviceEvent {
        DeviceEvent(id: EventID(high: 0, low: 0), kind: kind, at: 0)
    }

    private func card(_ id: CardID) -> RecordedCard {
        RecordedCard(id: id, campaign: CampaignID(rawValue: "c"), variant: VariantID(rawValue: "v"))
    }

    @Test("Each id is named once, in the order of the events")
    func ids() {
        let cards = EventCards([
            event(.click(second)), event(.sessionStart), event(.impression(first)), event(.dismissal(second)),
        ])
        #expect(cards.ids == [second, first])
        #expect(cards.known.isEmpty)
    }

    @Test("A card is found by its id and by the place of each event that is about it")
    func places() {
        var cards = EventCards([event(.click(second)), event(.sessionStart), event(.dismissal(second))])
        #expect(cards.unknown(ofEventAt: 0) == second)
        #expect(cards.unknown(ofEventAt: 1) == nil)
        cards[second] = card(second)
        #expect(cards[second]?.id == second)
        #expect(cards[ofEventAt: 0]?.id == second)
        #expect(cards[ofEventAt: 1] == nil)
        #expect(cards.unknown(ofEventAt: 2) == nil)
        cards[ofEventAt: 2]?.isMarked = true
        #expect(cards[ofEventAt: 0]?.isMarked == true)
        #expect(cards.known.map(\.id) == [second])
    }

    @Test("A card that no event names is ignored")
    func stranger() {
        var cards = EventCards([event(.click(second)), event(.sessionStart)])
        cards[first] = card(first)
        cards[ofEventAt: 1] = card(first)
        #expect(cards[first] == nil)
        #expect(cards.known.isEmpty)
    }

    @Test("A batch without events has no cards")
    func empty() {
        #expect(EventCards([]).ids.isEmpty)
    }
}
