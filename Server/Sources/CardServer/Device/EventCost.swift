import CardModel

/// The cost of events, of those that a user can send.
enum EventCost {
    /// The number of events, where an attribute of which all is looked at counts as ten, and each edit of an array of
    /// objects as one more.
    ///
    /// Each KiB of an event's properties beyond the first counts as one, too: they are kept and may be read again.
    static func of(_ events: [DeviceEvent]) -> Int {
        events.reduce(0) { $0 + cost(of: $1) }
    }

    /// About as many bytes as events take where they are kept.
    static func bytes(of events: [DeviceEvent]) -> Int {
        events.reduce(0) { $0 + row + ($1.properties?.count ?? 0) + attributeBytes(of: $1) }
    }

    /// The cost of a row beside the properties of its event.
    private static let row = 300
    /// The cost of an attribute that an event notes, whose value is kept with its user, within the user's limits.
    private static let attribute = 100

    private static func attributeBytes(of event: DeviceEvent) -> Int {
        guard case .attributes(let changes) = event.kind else { return 0 }
        return changes.custom.count * attribute
    }

    private static func cost(of event: DeviceEvent) -> Int {
        guard case .attributes(let changes) = event.kind else {
            return 1 + max(0, (event.properties?.count ?? 0) - 1) / 1_024
        }
        // safe: bounded by the size of a request
        return changes.custom.reduce(1) { $0 + $1.value.cost - 1 }
    }
}

extension DeviceLimiter {
    /// Takes events from what their user may send, and their bytes from what the client's address may.
    func take(_ events: [DeviceEvent], of sync: SyncRequest, _ limits: DeviceLimits) throws(Wait) {
        if !sync.isProven { try take(.eventBytes, of: sync.client, limits, cost: EventCost.bytes(of: events)) }
        try take(.events, of: sync.user.rawValue, limits, cost: EventCost.of(events))
    }
}

extension EventRejection {
    /// Says that nothing is kept of a user who was deleted.
    init(ofDeletedUser event: EventID) {
        self.init(id: event.description, code: .userDeleted, message: "This user was deleted.")
    }
}
