/// One thing that happened on a device.
public struct DeviceEvent: Sendable, Hashable {
    /// What happened.
    public enum Kind: Sendable, Hashable {
        case impression(CardID)
        case click(CardID)
        case dismissal(CardID)
        case custom(name: String)
        case purchase(Purchase)
        case sessionStart
        case contentError(ContentError)
    }

    /// The client's id, by which the event counts once.
    public var id: EventID
    public var kind: Kind
    /// When it happened, by the device's clock after correction.
    public var at: UnixTime
    /// The properties of a custom event or purchase as JSON text, or `nil`.
    public var properties: [UInt8]?

    public init(id: EventID, kind: Kind, at: UnixTime, properties: [UInt8]? = nil) {
        self.id = id
        self.kind = kind
        self.at = at
        self.properties = properties
    }
}

extension DeviceEvent {
    /// What was bought.
    public struct Purchase: Sendable, Hashable {
        public var productID: String
        /// Three letters, ISO 4217.
        public var currency: String
        /// The price of one, in the currency's main unit.
        public var price: Double
        /// How many, 1 or more.
        public var quantity: Int64

        public init(productID: String, currency: String, price: Double, quantity: Int64 = 1) {
            self.productID = productID
            self.currency = currency
            self.price = price
            self.quantity = quantity
        }
    }

    /// Extras that did not decode as the app's type.
    public struct ContentError: Sendable, Hashable {
        public var card: CardID
        public var classType: String?
        public var field: String?
        public var message: String

        public init(card: CardID, classType: String?, field: String?, message: String) {
            self.card = card
            self.classType = classType
            self.field = field
            self.message = message
        }
    }
}

extension DeviceEvent.Kind {
    /// The card that the event is about, if it is about one.
    public var card: CardID? {
        switch self {
        case .impression(let card), .click(let card), .dismissal(let card): card
        case .contentError(let problem): problem.card
        case .custom, .purchase, .sessionStart: nil
        }
    }

    /// The name of the type on the wire.
    public var name: String {
        switch self {
        case .impression: "impression"
        case .click: "click"
        case .dismissal: "dismissal"
        case .custom: "custom"
        case .purchase: "purchase"
        case .sessionStart: "session_start"
        case .contentError: "content_error"
        }
    }
}

/// Says why an event will never be counted.
public struct EventRejection: Sendable, Hashable {
    /// Why, as a word that stays the same.
    public enum Code: String, Sendable {
        case idInvalid = "id_invalid"
        case typeUnknown = "type_unknown"
        case timeInvalid = "time_invalid"
        case cardUnknown = "card_unknown"
        case fieldMissing = "field_missing"
        case fieldInvalid = "field_invalid"
        case tooLarge = "event_too_large"
    }

    /// The id as the client sent it; empty where it sent none.
    public var id: String
    public var code: Code
    public var message: String

    public init(id: String, code: Code, message: String) {
        self.id = id
        self.code = code
        self.message = message
    }
}

/// What became of a batch of events.
public struct EventReceipt: Sendable, Hashable {
    /// How many were counted for the first time.
    public var accepted = 0
    /// How many had been counted before.
    public var duplicate = 0
    public var rejected: [EventRejection] = []

    public init(accepted: Int = 0, duplicate: Int = 0, rejected: [EventRejection] = []) {
        self.accepted = accepted
        self.duplicate = duplicate
        self.rejected = rejected
    }
}

/// The events of one user that arrived together.
public struct EventBatch: Sendable {
    public var user: UserID
    public var events: [DeviceEvent]
    /// When they arrived, by the server's clock.
    public var receivedAt: UnixTime
    /// The device that sent them, which need not be told of what they change.
    public var device: String?

    public init(user: UserID, events: [DeviceEvent], receivedAt: UnixTime, device: String? = nil) {
        self.user = user
        self.events = events
        self.receivedAt = receivedAt
        self.device = device
    }
}
