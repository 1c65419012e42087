import CardStore

/// Events of the logs of several databases, with their positions in the index of all.
struct LogEntries: Sendable {
    /// An event, or one that can't be read.
    struct Entry: Sendable {
        /// The position in the index.
        let position: Int64
        /// The event with that position, or `nil` where it can't be read.
        let event: StoredEvent?

        /// Gives an event its position.
        init(at position: Int64, _ event: StoredEvent?) {
            self.position = position
            var event = event
            event?.position = position
            self.event = event
        }
    }

    private var entries: [Entry]

    /// The number of events, those that can't be read among them.
    var count: Int { entries.count }

    /// Creates a list of events in any order.
    init(_ entries: [Entry] = []) { self.entries = entries }

    /// Adds other events.
    mutating func append(_ other: LogEntries) { entries += other.entries }

    /// Returns the oldest events.
    func first(_ limit: Int) -> LogEntries {
        // safe: a limit that was clamped
        LogEntries(Array(entries.sorted { $0.position < $1.position }.prefix(limit)))
    }

    /// Returns the oldest events, or the newest ones first.
    func page(limit: Int, isNewestFirst: Bool) -> EventRows {
        let sorted = entries.sorted { isNewestFirst ? $0.position > $1.position : $0.position < $1.position }
        let page = sorted.prefix(limit)
        return EventRows(
            events: page.compactMap(\.event),
            unreadable: page.filter { $0.event == nil }.map(\.position),
            last: page.last?.position
        )
    }
}
