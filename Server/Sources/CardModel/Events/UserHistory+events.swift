public import WireJSON

extension UserHistory {
    /// Adds an event that is known at a time, by default when it has happened; one about a card is no part of the
    /// history.
    public mutating func add(_ event: DeviceEvent, now: UnixTime = .infinity) {
        switch event.kind {
        case .custom(let name):
            if events[name]?.add(event.at, now: now) == nil { events[name] = Occurrences(at: event.at) }
        case .purchase(let purchase):
            let product = Product(id: purchase.productID, currency: purchase.currency)
            if purchases[product]?.add(purchase.amount, at: event.at, now: now) == nil {
                purchases[product] = PurchaseRecord(of: purchase.amount, at: event.at)
            }
        case .sessionStart:
            if sessions?.add(event.at, now: now) == nil { sessions = Occurrences(at: event.at) }
        case .impression, .click, .dismissal, .contentError, .attributes: break
        }
    }
}

extension DeviceEvent.Purchase {
    /// The sum that was paid: the price of all pieces.
    public var amount: Amount { price * quantity }
}

extension DeviceEvent.EventKind {
    /// Whether such an event is part of ``UserHistory``.
    public var isHistory: Bool {
        switch self {
        case .custom, .purchase, .sessionStart: true
        case .impression, .click, .dismissal, .contentError, .attributes: false
        }
    }
}
