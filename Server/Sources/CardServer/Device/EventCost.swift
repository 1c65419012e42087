import CardModel

/// What events take of those that a user may send.
enum EventCost {
    /// The number of events, where an attribute of which all is looked at counts as ten, and each edit of an array of
    /// objects as one more.
    ///
    /// Each KiB of an event's properties beyond the first counts as one, too: they are kept and may be read again.
    static func of(_ events: [DeviceEvent]) -> Int {
        events.reduce(0) { $0 + cost(of: $1) }
    }

    private static func cost(of event: DeviceEvent) -> Int {
        guard case .attributes(let changes) = event.kind else {
            return 1 + max(0, (event.properties?.count ?? 0) - 1) / 1_024
        }
        // safe: bounded by the size of a request
        return changes.custom.reduce(1) { $0 + $1.value.cost - 1 }
    }
}

extension EventRejection {
    /// Says that nothing is kept of a user who was deleted.
    init(ofDeletedUser event: EventID) {
        self.init(id: event.description, code: .userDeleted, message: "This user was deleted.")
    }
}
