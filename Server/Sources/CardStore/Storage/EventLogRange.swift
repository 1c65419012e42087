package import CardModel

/// The part of the log of events that one read looks at.
package struct EventLogRange: Sendable {
    /// The number of positions that a search looks at: some ten milliseconds.
    package static let window: Int64 = 20_000

    private let position: Int64
    private let end: Int64
    /// The position after which the read begins.
    package let start: Int64
    /// The position up to which the read looks.
    package let searchedTo: Int64

    /// Creates the part.
    ///
    /// - Parameters:
    ///   - position: The position after which a caller asks; it comes from outside and can be the largest there is.
    ///   - filter: What is asked for. One that matches little looks at no more than ``window`` positions.
    ///   - first: The position before the next event that is still there: there are gaps of any length before events.
    ///   - last: The last position that was given out.
    package init(after position: Int64, _ filter: EventFilter, first: Int64, last: Int64) {
        self.position = position
        end = max(position, last)
        start = max(position, first)
        // What was given out by now and no more, so that a filter that matches little holds nobody up.
        // The end is never before the start, unless the log is empty.
        // safe: neither is negative
        let isShort = filter == EventFilter() || end - start <= Self.window
        // safe: the end is further than that
        searchedTo = isShort ? end : start + Self.window
    }

    /// Returns the page that those rows make, of which `limit` at most were asked for.
    package func page(of rows: EventRows, limit: Int) -> EventPage {
        let isFull = rows.count >= limit
        var page = EventPage(
            events: rows.events,
            position: isFull ? rows.last ?? position : searchedTo,
            isLast: !isFull && searchedTo == end
        )
        page.unreadable = rows.unreadable
        return page
    }
}
