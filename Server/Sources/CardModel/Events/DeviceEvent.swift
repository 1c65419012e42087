public import WireJSON

/// One thing that happened on a device.
public struct DeviceEvent: Sendable, Hashable {
    /// The kinds of events.
    public enum EventKind: Sendable, Hashable {
        /// A card was seen.
        case impression(CardID)
        /// A card was clicked.
        case click(CardID)
        /// A card was dismissed.
        case dismissal(CardID)
        /// Something that the app named.
        case custom(name: ByteString)
        /// Something was bought.
        case purchase(Purchase)
        /// The app was opened.
        case sessionStart
        /// A card's extras did not decode.
        case contentError(ContentError)
        /// The app said something of its user.
        case attributes(AttributeChanges)
    }

    /// The client's id, by which the event counts once.
    public var id: EventID
    /// The kind of the event.
    public var kind: EventKind
    /// The time of the event, by the device's clock after correction.
    public var at: UnixTime
    /// The properties of a custom event or purchase as JSON text, or `nil`.
    public var properties: [UInt8]?

    /// Creates an event.
    public init(id: EventID, kind: EventKind, at: UnixTime, properties: [UInt8]? = nil) {
        self.id = id
        self.kind = kind
        self.at = at
        self.properties = properties
    }
}

extension DeviceEvent {
    /// A purchase of a product.
    public struct Purchase: Sendable, Hashable {
        /// The product, as the app names it.
        @Bytewise public var productID: String
        /// Three letters, ISO 4217.
        @Bytewise public var currency: String
        /// The price of one.
        public var price: Amount
        /// The number of pieces, 1 or more.
        public var quantity: Int64

        /// Creates a purchase.
        public init(productID: String, currency: String, price: Amount, quantity: Int64 = 1) {
            self.productID = productID
            self.currency = currency
            self.price = price
            self.quantity = quantity
        }
    }

    /// Extras that did not decode as the app's type.
    public struct ContentError: Sendable, Hashable {
        /// The card.
        public var card: CardID
        /// The app's type, if the device named it.
        @Bytewise public var classType: String?
        /// The key of the extras, if the device named it.
        @Bytewise public var field: String?
        /// The device's message.
        public var message: String

        /// Creates an error.
        public init(card: CardID, classType: String?, field: String?, message: String) {
            self.card = card
            self.classType = classType
            self.field = field
            self.message = message
        }
    }
}

extension DeviceEvent.EventKind {
    /// The card that the event is about, if it is about one.
    public var card: CardID? {
        switch self {
        case .impression(let card), .click(let card), .dismissal(let card): card
        case .contentError(let problem): problem.card
        case .custom, .purchase, .sessionStart, .attributes: nil
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
        case .attributes: "attributes"
        }
    }
}

/// Says why an event will never be counted.
public struct EventRejection: Sendable, Hashable {
    /// The reason, a word that stays the same.
    public enum Code: String, Sendable {
        /// The id is not a UUID.
        case idInvalid = "id_invalid"
        /// There is no such event type.
        case typeUnknown = "type_unknown"
        /// The time is absent, not a number, or too far ahead or back.
        case timeInvalid = "time_invalid"
        /// The user has no such card.
        case cardUnknown = "card_unknown"
        /// The user was deleted, and no backend has created them again.
        case userDeleted = "user_deleted"
        /// A required field is absent.
        case fieldMissing = "field_missing"
        /// A field has the wrong type or range.
        case fieldInvalid = "field_invalid"
        /// A name stands twice in an object of a field.
        case fieldRepeated = "field_repeated"
        /// The event has more bytes than are kept.
        case tooLarge = "event_too_large"
        /// Something of the event would be more than is kept of one user; see ``UserLimits``.
        case limitReached = "limit_reached"
    }

    /// The id as the client sent it; empty where it sent none.
    public var id: String
    /// The reason for the rejection.
    public var code: Code
    /// The message that says what to do, without any of the data.
    public var message: String

    /// Creates a rejection.
    public init(id: String, code: Code, message: String) {
        self.id = id
        self.code = code
        self.message = message
    }
}

/// The result of a batch of events.
public struct EventReceipt: Sendable, Hashable {
    /// The number of events that were counted for the first time.
    public var accepted = 0
    /// The number of events that had been counted before.
    public var duplicate = 0
    /// Those that never will be.
    public var rejected: [EventRejection] = []

    /// Creates a receipt.
    public init(accepted: Int = 0, duplicate: Int = 0, rejected: [EventRejection] = []) {
        self.accepted = accepted
        self.duplicate = duplicate
        self.rejected = rejected
    }
}
