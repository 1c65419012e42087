/// The cards that the events of a batch are about, found by the place of an event without a search.
///
/// A batch has up to hundreds of events about a few cards, and recording asks for the card of each several times.
public struct EventCards: Sendable {
    /// The ids that events name, each once, in the order of the events.
    public let ids: [CardID]
    /// The places in ``ids`` by the places of the events; `nil` for an event about no card.
    private let indices: [Int?]
    private let indicesByID: [CardID: Int]
    /// The cards that are known, by the places in ``ids``; `nil` for a card that isn't the user's.
    private var cards: [RecordedCard?]

    /// Finds what cards events are about, none of which is known yet.
    public init(_ events: [DeviceEvent]) {
        var ids: [CardID] = []
        var indicesByID: [CardID: Int] = [:]
        indices = events.map { event in
            event.kind.card.map { id in
                if let index = indicesByID[id] { return index }
                indicesByID[id] = ids.count
                ids.append(id)
                return ids.count - 1
            }
        }
        cards = Array(repeating: nil, count: ids.count)
        self.ids = ids
        self.indicesByID = indicesByID
    }

    /// The cards that are known.
    public var known: [RecordedCard] { cards.compactMap(\.self) }

    /// The card with an id, or `nil` where it isn't known.
    ///
    /// Setting one that no event names has no effect.
    public subscript(id: CardID) -> RecordedCard? {
        // safe: a place of the list
        get { indicesByID[id].flatMap { cards[$0] } }
        // safe: a place of the list
        set { if let index = indicesByID[id] { cards[index] = newValue } }
    }

    /// The card that the event at a place is about, or `nil` where there is none or it isn't known.
    ///
    /// Setting it has no effect where the event is about no card.
    public subscript(ofEventAt place: Int) -> RecordedCard? {
        // safe: a place of the list
        get { indices[place].flatMap { cards[$0] } }
        // safe: a place of the list
        set { if let index = indices[place] { cards[index] = newValue } }
    }

    /// The id of the card that the event at a place is about where that card isn't known, or `nil`.
    func unknown(ofEventAt place: Int) -> CardID? {
        // safe: a place of the list
        guard let index = indices[place], cards[index] == nil else { return nil }
        // safe: a place of the list
        return ids[index]
    }
}
