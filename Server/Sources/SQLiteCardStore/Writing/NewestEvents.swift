import CardModel

/// Finds the newest events of a user by their ids where they are in the log under several, as far as ``RecordingState``
/// asks.
struct NewestEvents {
    private struct Entry {
        let id: EventID
        /// The event of it that counts, if there is one.
        let event: DeviceEvent?
        let bytes: Int
    }

    private var entries: [Entry] = []

    /// Adds an event.
    ///
    /// - Parameters:
    ///   - id: Its id.
    ///   - event: The event, or `nil` where it only takes room.
    ///   - bytes: The size of its details.
    mutating func add(_ id: EventID, _ event: DeviceEvent?, bytes: Int) {
        entries.append(Entry(id: id, event: event, bytes: bytes))
    }

    /// The events that count, the newest first.
    var events: [DeviceEvent] {
        var bytes = 0
        return entries.sorted { ($0.id.high, $0.id.low) > ($1.id.high, $1.id.low) }
            .prefix(RecordingState.loggedLimit)
            .prefix { entry in
                // safe: bytes of rows that are in memory
                bytes += entry.bytes
                return bytes <= RecordingState.loggedBytes
            }
            .compactMap(\.event)
    }
}
