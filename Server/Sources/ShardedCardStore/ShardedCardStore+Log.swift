public import CardModel
public import CardStore
import PostgresCardStore

// Each database numbers its own log. Whoever reads all of them gets the positions of the index, which the home keeps.

extension ShardedCardStore {
    /// Reads a user's events, the newest first.
    ///
    /// They are where they arrived: those of a user who has moved, or of one who was merged into a user elsewhere,
    /// stay.
    public func userEvents(of user: UserID, limit: Int) async throws -> [StoredEvent] {
        let limit = PageLimit.clamp(limit)
        try await growIndex()
        let found = try await onAll(removed: EventRows.empty) {
            try await $0.loggedEvents(of: user, limit: limit)
        }
        return try await entries(found).page(limit: limit, isNewestFirst: true).events
    }

    /// Reads the log of events from after a position on.
    public func eventPage(after position: Int64, _ filter: EventFilter, limit: Int) async throws -> EventPage {
        let limit = PageLimit.clamp(limit)
        let end = try await growIndex()
        let range = EventLogRange(
            after: position,
            filter,
            first: try await logStart(after: position, through: end) ?? end,
            last: end
        )
        let rows = try await events(in: LogSpan(after: range.start, through: range.searchedTo), filter, limit: limit)
        return range.page(of: rows, limit: limit)
    }

    /// Reads the log of events, the newest first.
    public func searchEvents(
        matching filter: EventLogFilter,
        before position: Int64?,
        limit: Int
    ) async throws -> EventLogPage {
        let limit = PageLimit.clamp(limit)
        let last = try await growIndex()
        // A position comes from an address that anybody can type, and before it there may be none for long.
        // safe: 1 or more
        let newest = try await newestPosition(through: min(last, max(1, position ?? .max) - 1))
        // safe: positions count events up
        let start = filter.user == nil ? max(0, newest + 1 - EventLogRange.window) : 0
        // safe: 1 or more
        let spans = try await spans(of: LogSpan(after: max(1, start) - 1, through: newest))
        let found = try await onAll(with: spans, skipping: \.isEmpty, as: EventRows.empty) { store, span in
            try await store.newestEvents(in: span, matching: filter, limit: limit)
        }
        let rows = try await entries(found).page(limit: limit, isNewestFirst: true)
        if rows.count == limit { return EventLogPage(events: rows.events, searchedTo: rows.last) }
        return EventLogPage(events: rows.events, searchedTo: start > 0 ? start : nil)
    }

    /// Returns the time at which the newest event that is kept was received, in the databases that are open.
    public func newestEventTime() async throws -> UnixTime? {
        try await onOpened { store, _ in try await store.newestEventTime() }.values.compactMap(\.self).max()
    }

    /// Reads the position of the newest event, or 0.
    public func lastEventPosition() async throws -> Int64 { try await newestPosition(through: try await growIndex()) }

    /// Reads how long events and notices wait for the webhook.
    ///
    /// Notices that are still in the database of their user don't count yet; they are there for seconds.
    public func webhookQueue() async throws -> WebhookQueue? {
        guard let place = try await home.webhookPlace() else { return nil }
        // What isn't in the index yet waits as well.
        let sent = try await spans(of: LogSpan(after: 0, through: place.position))
        let arrivals = try await onAll(with: sent) { store, span in try await store.arrival(after: span.end) }
        return WebhookQueue(failures: place.failures, oldestAt: (arrivals + [place.noticeAt]).compactMap(\.self).min())
    }

    // MARK: The index

    /// Enters what is new in the log of each database in the index, and returns its last position.
    ///
    /// A database that doesn't answer is left out: its events get larger positions once it does.
    @discardableResult
    func growIndex() async throws -> Int64 {
        let known = try await home.eventIndexExtent(shards: slots.count)
        let ends = known.ends
        let found = try await onOpened { store, place -> LogSpan? in
            do {
                // safe: there is an end for each database
                return try await store.newEvents(after: ends[place])
            } catch let error as StoreError where error.code == .unavailable {
                return nil
            }
        }
        let news = ends.enumerated().map { place, end in
            (found[place] ?? nil) ?? LogSpan(after: end, through: end)
        }
        guard news.contains(where: { !$0.isEmpty }) else { return known.end }
        return try await retryingMisplaced { try await home.enterEvents(news) }
    }

    /// Returns the part of each database's log that a part of the index has.
    private func spans(of part: LogSpan) async throws -> [LogSpan] {
        try await home.logSpans(of: part, shards: slots.count)
    }

    /// Returns the position before the first event of a part of the index, or `nil` where none is there.
    private func logStart(after position: Int64, through end: Int64) async throws -> Int64? {
        guard position < end else { return nil }
        let spans = try await spans(of: LogSpan(after: position, through: end))
        let first = try await onAll(with: spans, skipping: \.isEmpty, as: Int64?.none) { store, span in
            try await store.firstEvent(in: span)
        }
        // safe: positions begin with 1
        return try await positions(first).min().map { $0 - 1 }
    }

    /// Returns the position of the newest event up to one of the index, or 0.
    private func newestPosition(through end: Int64) async throws -> Int64 {
        let spans = try await spans(of: LogSpan(after: 0, through: end))
        let newest = try await onAll(with: spans, skipping: \.isEmpty, as: Int64?.none) { store, span in
            try await store.newestEvent(in: span)
        }
        return try await positions(newest).max() ?? 0
    }

    /// Returns the positions of the index of positions in the databases' own logs, one of each at most.
    private func positions(_ own: [Int64?]) async throws -> [Int64] {
        let places = own.enumerated().compactMap { shard, position in
            position.map { ShardPosition(shard: shard, position: $0) }
        }
        return try await home.indexPositions(of: places).compactMap(\.self)
    }

    // MARK: Events

    /// Reads the events of a part of the index that a filter leaves, the oldest first.
    ///
    /// It begins with as many positions as events are asked for, since every database could have all of them, and goes
    /// on with more where these didn't have enough.
    private func events(in part: LogSpan, _ filter: EventFilter, limit: Int) async throws -> EventRows {
        var found = LogEntries()
        var start = part.start
        var width = filter == EventFilter() ? Int64(limit) : EventLogRange.window
        while start < part.end, found.count < limit {
            // safe: not negative, and the start is less
            let end = part.end - start > width ? start + width : part.end
            let piece = try await entries(in: LogSpan(after: start, through: end), filter, limit: limit - found.count)
            found.append(piece)
            start = end
            // There may be no event for long.
            if piece.count == 0 { start = try await logStart(after: end, through: part.end) ?? part.end }
            // safe: compared right here
            width = width > .max / 2 ? .max : width * 2
        }
        return found.page(limit: limit, isNewestFirst: false)
    }

    private func entries(in part: LogSpan, _ filter: EventFilter, limit: Int) async throws -> LogEntries {
        let spans = try await spans(of: part)
        let found = try await onAll(with: spans, skipping: \.isEmpty, as: EventRows.empty) { store, span in
            try await store.loggedEvents(in: span, filter, limit: limit)
        }
        return try await entries(found).first(limit)
    }

    /// Gives the events of the databases their positions in the index; those that aren't in it are left out.
    private func entries(_ rows: [EventRows]) async throws -> LogEntries {
        var (places, events): ([ShardPosition], [StoredEvent?]) = ([], [])
        for (shard, rows) in rows.enumerated() {
            places += rows.events.map { ShardPosition(shard: shard, position: $0.position) }
            events += rows.events.map(Optional.some)
            places += rows.unreadable.map { ShardPosition(shard: shard, position: $0) }
            events += rows.unreadable.map { _ in nil }
        }
        let positions = try await home.indexPositions(of: places)
        return LogEntries(
            zip(positions, events).compactMap { position, event in position.map { LogEntries.Entry(at: $0, event) } }
        )
    }
}

extension EventRows {
    fileprivate static var empty: EventRows { EventRows(events: [], unreadable: [], last: nil) }
}
