import WireJSON

/// Names what a record of a user's history sums up.
public struct HistoryKey: Hashable, Sendable {
    /// The part of the history: one bit.
    public let part: UserHistory.Parts
    /// The event's name or the product's id; empty for sessions.
    @Bytewise public private(set) var name: String
    /// The currency, ISO 4217; empty but for purchases.
    @Bytewise public private(set) var currency = ""

    /// Creates a key.
    public init(_ part: UserHistory.Parts, name: String = "", currency: String = "") {
        self.part = part
        self.name = name
        self.currency = currency
    }

    /// Creates the key of the record that an event belongs to, or returns `nil` for an event that no history has.
    public init?(_ kind: DeviceEvent.EventKind) {
        switch kind {
        case .custom(let name): self.init(.events, name: name.text)
        case .purchase(let purchase): self.init(.purchases, name: purchase.productID, currency: purchase.currency)
        case .sessionStart: self.init(.sessions)
        case .impression, .click, .dismissal, .contentError, .attributes: return nil
        }
    }
}

/// A summary of what a user did of one kind.
public enum HistorySummary: Sendable, Hashable {
    /// Custom events of one name, or sessions.
    case occurrences(Occurrences)
    /// Purchases of one product in one currency.
    case purchases(PurchaseRecord)

    /// Sums up the first of its kind; with an amount where it is a purchase.
    public init(of amount: Amount?, at time: UnixTime) {
        if let amount {
            self = .purchases(PurchaseRecord(of: amount, at: time))
        } else {
            self = .occurrences(Occurrences(at: time))
        }
    }

    /// Adds another one, which need not be the latest, and which is known at `now`.
    public mutating func add(_ amount: Amount?, at time: UnixTime, now: UnixTime) {
        switch self {
        case .occurrences(var occurrences):
            occurrences.add(time, now: now)
            self = .occurrences(occurrences)
        case .purchases(var record):
            record.add(amount ?? 0, at: time, now: now)
            self = .purchases(record)
        }
    }

    /// The number of times and the times.
    public var occurrences: Occurrences {
        switch self {
        case .occurrences(let occurrences): occurrences
        case .purchases(let record): record.occurrences
        }
    }

    /// The amount that was paid in all; 0 for what is no purchase.
    public var revenue: Amount {
        if case .purchases(let record) = self { record.revenue } else { 0 }
    }
}

/// A record of a user's history while a batch of events is recorded.
public struct HistoryRecord: Sendable, Hashable {
    /// Whether the store has a row for it.
    public let isStored: Bool
    /// The present summary, or `nil` where there is nothing yet.
    public private(set) var summary: HistorySummary?
    /// Whether the batch added to it.
    public private(set) var isChanged = false

    /// Creates a record of what the store has, or of `nil` where it has no row.
    public init(_ stored: HistorySummary?) {
        isStored = stored != nil
        summary = stored
    }

    /// Adds an event that is known at a time.
    mutating func add(_ event: DeviceEvent, now: UnixTime) {
        var amount: Amount?
        if case .purchase(let purchase) = event.kind { amount = purchase.amount }
        if summary?.add(amount, at: event.at, now: now) == nil { summary = HistorySummary(of: amount, at: event.at) }
        isChanged = true
    }
}
