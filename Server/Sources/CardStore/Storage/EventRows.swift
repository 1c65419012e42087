/// The events of rows of the log: one that can't be read is left out and named, so that it keeps no reader from the
/// others.
package struct EventRows: Sendable {
    /// The events, in the order of the rows.
    package let events: [StoredEvent]
    /// The positions of the rows that can't be read.
    package let unreadable: [Int64]
    /// The position of the last row, or `nil` where there is none.
    package let last: Int64?

    /// The number of rows.
    package var count: Int { events.count + unreadable.count }

    /// Creates what was read of several logs.
    package init(events: [StoredEvent], unreadable: [Int64], last: Int64?) {
        (self.events, self.unreadable, self.last) = (events, unreadable, last)
    }

    /// Reads rows.
    ///
    /// - Throws: `StoreError.corrupt` where a row doesn't even have a position.
    package init(_ rows: [some StoredRow]) throws {
        var (events, unreadable): ([StoredEvent], [Int64]) = ([], [])
        events.reserveCapacity(rows.count)
        for row in rows {
            do { events.append(try StoredEvent(row)) } catch { unreadable.append(try row.integer("position")) }
        }
        (self.events, self.unreadable) = (events, unreadable)
        last = try rows.last?.integer("position")
    }
}
