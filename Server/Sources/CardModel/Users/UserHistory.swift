public import WireJSON

/// The history of a user, as far as audiences ask for it.
public struct UserHistory: Sendable, Hashable {
    /// A product as it was paid for.
    public struct Product: Sendable, Hashable {
        /// The product's id.
        @Bytewise public var id: String
        /// The currency, ISO 4217.
        @Bytewise public var currency: String

        /// Creates a product.
        public init(id: String, currency: String) {
            self.id = id
            self.currency = currency
        }
    }

    /// The parts of a history that can be read by themselves.
    public struct Parts: OptionSet, Sendable, Hashable {
        /// The bits.
        public let rawValue: UInt8
        /// Creates a set of its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// ``UserHistory/events``.
        public static let events = Parts(rawValue: 1)
        /// ``UserHistory/purchases``.
        public static let purchases = Parts(rawValue: 2)
        /// ``UserHistory/sessions``.
        public static let sessions = Parts(rawValue: 4)
        /// The times at which the user met cards, which ``Delivery`` says; it is no part of the value.
        public static let contacts = Parts(rawValue: 8)
        /// All of the value.
        public static let all: Parts = [.events, .purchases, .sessions]
    }

    /// The custom events by name.
    public var events: [ByteString: Occurrences] = [:]
    /// The purchases by product and currency.
    public var purchases: [Product: PurchaseRecord] = [:]
    /// The times at which the app was opened, or `nil` for never.
    public var sessions: Occurrences?

    /// Creates the history of a user who did nothing.
    public init() {}

    /// Whether the user did nothing.
    public var isEmpty: Bool { events.isEmpty && purchases.isEmpty && sessions == nil }

    /// The amounts that were paid for all products, by currency.
    public var revenue: [String: Amount] {
        // safe: amounts stay within their range
        purchases.reduce(into: [:]) { $0[$1.key.currency, default: .zero] += $1.value.revenue }
    }
}
