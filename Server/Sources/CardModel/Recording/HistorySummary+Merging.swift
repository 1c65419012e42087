extension HistorySummary {
    /// Adds what another user's record of the same key sums up.
    mutating func merge(_ other: HistorySummary, at now: UnixTime) {
        switch (self, other) {
        case (.occurrences(var own), .occurrences(let other)):
            own.merge(other, at: now)
            self = .occurrences(own)
        case (.purchases(var own), .purchases(let other)):
            own.merge(other, at: now)
            self = .purchases(own)
        case (.occurrences, .purchases), (.purchases, .occurrences): break
        }
    }

    /// Takes back an event that another user has too.
    mutating func removeRepeated(_ event: DeviceEvent) {
        switch self {
        case .occurrences(var occurrences):
            occurrences.removeRepeated(at: occurrences.recent.lastIndex(of: Occurrences.rounded(event.at)))
            self = .occurrences(occurrences)
        case .purchases(var record):
            var amount = Amount.zero
            if case .purchase(let purchase) = event.kind { amount = purchase.amount }
            record.removeRepeated(amount, at: event.at)
            self = .purchases(record)
        }
    }
}
