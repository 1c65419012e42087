/// The cards of a campaign by time, to find the last that a user had been given by a moment without looking at all.
struct CardTimeline: Sendable {
    /// The times at which cards were given, in order.
    private let times: [UnixTime]
    /// The card of each of these times, by its place in the list.
    private let places: [Int]

    /// Orders cards; of those that were given at the same moment, the first in the list counts.
    init(_ cards: some RandomAccessCollection<ConvertibleCard>) {
        let ordered = cards.enumerated().sorted {
            ($0.element.deliveredAt, $0.offset) < ($1.element.deliveredAt, $1.offset)
        }
        var (times, places): ([UnixTime], [Int]) = ([], [])
        for (place, card) in ordered where card.deliveredAt != times.last {
            times.append(card.deliveredAt)
            places.append(place)
        }
        (self.times, self.places) = (times, places)
    }

    /// The place of the last card that had been given by a moment, or `nil` for none.
    func last(givenBy time: UnixTime) -> Int? {
        var range = times.startIndex..<times.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            // safe: the middle is in the range
            range = times[middle] <= time ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        // safe: above the first
        return range.lowerBound > times.startIndex ? places[range.lowerBound - 1] : nil
    }
}
