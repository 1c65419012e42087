import WireJSON

/// The purchases of a user that were counted, for one conversion and in one currency.
///
/// When a window moves, what leaves it is taken off only where it had been counted, and what enters it is added only
/// where it had not: rules may have been edited, campaigns archived and users joined since a purchase arrived.
public struct CountedPurchases: Sendable, Hashable {
    /// The number of purchases that are listed; beyond it, the oldest become final.
    public static let limit = 100

    /// A purchase that was counted.
    public struct CountedPurchase: Sendable, Hashable {
        /// The event.
        public let id: EventID
        /// The time of the purchase.
        public let at: UnixTime
        /// The days that it was counted on.
        public let day: CountingDay
        /// The amount that was paid.
        public let amount: Amount
        /// The card in whose window it is.
        public let card: CardID
        /// The variant that it was counted for.
        public let variant: VariantID

        /// Creates a purchase.
        public init(
            id: EventID,
            at: UnixTime,
            day: CountingDay,
            amount: Amount,
            card: CardID,
            variant: VariantID
        ) {
            self.id = id
            self.at = at
            self.day = day
            self.amount = amount
            self.card = card
            self.variant = variant
        }
    }

    /// A purchase that was counted for a user who was merged into this one, and isn't in this one's sums.
    public struct Other: Sendable, Hashable {
        /// The event.
        public let id: EventID
        /// The time of the purchase.
        public let at: UnixTime

        /// Creates a purchase of a merged user.
        public init(id: EventID, at: UnixTime) {
            self.id = id
            self.at = at
        }
    }

    /// No purchases.
    public static let none = CountedPurchases()
    /// Purchases of which nothing is known but their sum: those of databases that didn't list them.
    public static let unlisted = CountedPurchases(finalUntil: .infinity)

    /// The purchases, in the order in which they were counted.
    public private(set) var purchases: [CountedPurchase]
    /// Those of users who were merged into this one.
    public private(set) var others: [Other]
    /// The time up to which purchases aren't listed: they are neither taken off nor added when a window moves.
    ///
    /// Minus infinity where all are listed.
    public private(set) var finalUntil: UnixTime

    /// Creates what a store has.
    public init(_ purchases: [CountedPurchase] = [], others: [Other] = [], finalUntil: UnixTime = -.infinity) {
        self.purchases = purchases
        self.others = others
        self.finalUntil = finalUntil
    }

    /// Whether all purchases are listed.
    public var isComplete: Bool { finalUntil == -.infinity }

    /// Whether an event is one of the purchases.
    func contains(_ id: EventID) -> Bool {
        purchases.contains { $0.id == id } || others.contains { $0.id == id }
    }

    /// Whether an event was counted, or can't be known not to have been.
    func mayContain(_ event: DeviceEvent) -> Bool { event.at <= finalUntil || contains(event.id) }

    mutating func add(_ purchase: CountedPurchase) {
        if purchase.at > finalUntil { purchases.append(purchase) }
    }

    mutating func remove(_ purchase: CountedPurchase) { purchases.removeAll { $0.id == purchase.id } }

    /// Takes in what was counted of a user who is merged into this one.
    mutating func unite(_ other: CountedPurchases) {
        others += other.purchases.map { Other(id: $0.id, at: $0.at) } + other.others
        finish(until: max(finalUntil, other.finalUntil))
        trim()
    }

    /// Makes the oldest final, as far as there are too many.
    mutating func trim() {
        let excess = purchases.count + others.count - Self.limit
        guard excess > 0 else { return }
        let times = (purchases.map(\.at) + others.map(\.at)).sorted()
        finish(until: max(finalUntil, times[excess - 1]))
    }

    /// Makes what is as old as a time final, also what a merged user has brought since that time was final.
    private mutating func finish(until time: UnixTime) {
        finalUntil = time
        purchases.removeAll { $0.at <= time }
        others.removeAll { $0.at <= time }
    }
}

/// The amount that a user has paid within the windows of a conversion, in one currency.
public struct Spending: Sendable, Hashable {
    /// The amount that was paid in all.
    public private(set) var amount: Amount
    /// The number of purchases; 0 where only purchases of merged users are known.
    public private(set) var purchases: Int64
    /// The time of the first purchase, or 0 where there is none: the buyer counts on its day.
    public private(set) var firstAt: UnixTime
    /// The purchases that were counted.
    public private(set) var counted: CountedPurchases

    /// Creates what a store has.
    public init(amount: Amount, purchases: Int64, firstAt: UnixTime, counted: CountedPurchases) {
        self.amount = amount
        self.purchases = purchases
        self.firstAt = firstAt
        self.counted = counted
    }

    /// Nothing spent.
    static let none = Spending(amount: .zero, purchases: 0, firstAt: 0, counted: .none)

    /// Whether nothing has to be kept.
    var isEmpty: Bool { purchases == 0 && counted == .none }

    /// The first purchase by its time; `nil` where there is none, or not all of them are listed.
    var first: CountedPurchases.CountedPurchase? {
        counted.purchases.count == purchases ? counted.purchases.min { $0.at < $1.at } : nil
    }

    /// Adds a purchase; ``trim()`` is called when it has been counted.
    mutating func add(_ purchase: CountedPurchases.CountedPurchase) {
        // safe: counts go up by one
        purchases += 1
        amount += purchase.amount
        counted.add(purchase)
        firstAt = first?.at ?? (purchases == 1 ? purchase.at : firstAt)
    }

    /// Takes a listed purchase off.
    mutating func remove(_ purchase: CountedPurchases.CountedPurchase) {
        // safe: what is listed was counted
        purchases -= 1
        amount -= purchase.amount
        counted.remove(purchase)
        firstAt = first?.at ?? (purchases == 0 ? 0 : firstAt)
    }

    mutating func trim() { counted.trim() }

    /// Takes in which purchases were counted of a user who is merged into this one; the sums stay.
    mutating func unite(_ other: Spending) { counted.unite(other.counted) }
}

/// The time at which a card converted, and the days on which that was counted.
public struct CountedConversion: Sendable, Hashable {
    /// The time.
    public let at: UnixTime
    /// The day in the workspace's time zone as it was then, or `nil` in databases that didn't keep it.
    public let localDay: Day?

    /// Creates what a store has.
    public init(at: UnixTime, localDay: Day?) {
        self.at = at
        self.localDay = localDay
    }
}

/// One currency of a conversion of a campaign.
public struct SpendingPlace: Sendable, Hashable {
    /// The conversion.
    public let place: ConversionPlace
    /// The currency, ISO 4217.
    public let currency: ByteString

    /// Creates a place.
    public init(place: ConversionPlace, currency: ByteString) {
        self.place = place
        self.currency = currency
    }
}
