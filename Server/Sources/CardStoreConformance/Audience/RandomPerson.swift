import CardModel
import CardStore
import OrderedCollections
import Simulation
import Testing
import WireJSON

/// A user made up by chance, as plain facts.
struct RandomPerson: CustomStringConvertible {
    typealias Card = (
        campaign: String, variant: String, at: UnixTime, views: [UnixTime], clicks: [UnixTime], dismissals: [UnixTime]
    )

    let id: UserID
    let createdAt = noon - 30 * 86_400
    var custom: JSONObject = [:]
    var country: String?
    var locale: String?
    var zone: String?
    var appVersion: String?
    var seenAt: UnixTime?
    var events: [(name: String, at: UnixTime)] = []
    var purchases: [(product: String, currency: String, price: Amount, quantity: Int64, at: UnixTime)] = []
    var sessions: [UnixTime] = []
    var cards: [Card] = []

    init(number: Int, using random: inout SeededRandom) {
        id = UserID(rawValue: "person-\(number)")
        func maybe<Value>(_ values: [Value]) -> Value? {
            Bool.random(using: &random) ? values.randomElement(using: &random) : nil
        }
        /// Quarters of an hour within the last twelve days.
        func moment() -> UnixTime { noon - 900 * Double(Int.random(in: 0...1_152, using: &random)) }
        func moments(_ most: Int) -> [UnixTime] { (0..<Int.random(in: 0...most, using: &random)).map { _ in moment() } }
        custom["plan"] = maybe(RandomAudience.plans)
        custom["age"] = maybe(RandomAudience.numbers)
        custom["vip"] = maybe([true, false, 1, "true"])
        custom["tags"] = maybe([["a"], ["a", "b", 2], [], [true, "c"], "a"])
        custom["since"] = maybe(RandomAudience.times)
        country = maybe(["JP", "FR"])
        appVersion = maybe(["1.0", "2.9", "2.10", "2.10.1"])
        locale = maybe(["ja-JP", "fr-FR", "en-US"])
        zone = maybe(["Asia/Tokyo", "America/New_York", "UTC", "Australia/Lord_Howe"])
        if appVersion != nil || locale != nil || zone != nil { seenAt = noon - 86_400 }
        for name in RandomAudience.events { events += moments(6).map { (name, $0) } }
        // More than are kept with their times.
        if Int.random(in: 0..<8, using: &random) == 0 { events += (0..<130).map { _ in ("often", moment()) } }
        for product in RandomAudience.products {
            for at in moments(3) {
                let currency = ["USD", "JPY"].randomElement(using: &random) ?? "USD"
                purchases.append((product, currency, Amount(Int64.random(in: 0...9, using: &random)), 2, at))
            }
        }
        sessions = moments(4)
        for campaign in RandomAudience.campaigns where Bool.random(using: &random) {
            let at = moment()
            cards.append(
                (campaign, ["a", "b"].randomElement(using: &random) ?? "a", at, moments(2), moments(1), moments(1))
            )
        }
    }

    var description: String { "\(id.rawValue): \(events) \(purchases) \(sessions) \(cards) \(custom) \(zone ?? "-")" }

    private var device: DeviceContext { DeviceContext(locale: locale, timeZone: zone, appVersion: appVersion) }

    private var deeds: [DeviceEvent] {
        var kinds: [(DeviceEvent.EventKind, UnixTime)] = events.map { (.custom(name: ByteString($0.name)), $0.at) }
        kinds += purchases.map { purchase in
            let bought = DeviceEvent.Purchase(
                productID: purchase.product,
                currency: purchase.currency,
                price: purchase.price,
                quantity: purchase.quantity
            )
            return (.purchase(bought), purchase.at)
        }
        kinds += sessions.map { (.sessionStart, $0) }
        return kinds.enumerated().map { DeviceEvent(UInt64($0), $1.0, at: $1.1) }
    }

    /// Puts the person into a store, as devices and backends do.
    func save(in store: any CardStore) async throws {
        try await store.updateUsers(
            [UserUpdate(id: id, custom: custom, standard: country.map { [.country: .string($0)] } ?? [:])],
            at: createdAt
        )
        if device != DeviceContext() { try await store.recordDevice(device, of: id, at: noon - 86_400) }
        for (index, card) in cards.enumerated() {
            let name = "\(id.rawValue)-\(card.campaign)"
            try await store.give(name, of: card.campaign, variant: card.variant, to: id, at: card.at)
            let card = (id: CardID(rawValue: name), card: card)
            var marks: [(DeviceEvent.EventKind, UnixTime)] = card.card.views.map { (.impression(card.id), $0) }
            marks += card.card.clicks.map { (.click(card.id), $0) }
            marks += card.card.dismissals.map { (.dismissal(card.id), $0) }
            let first = 1_000 * (index + 1)
            try await store.record(
                marks.enumerated().map { DeviceEvent(UInt64(first + $0), $1.0, at: $1.1) },
                of: id
            )
        }
        try await store.record(deeds, of: id)
    }

    /// The person as the model has them, without a store.
    var state: UserState {
        var profile = UserProfile(id: id, createdAt: createdAt)
        profile.custom = custom
        if let country { profile.standard[.country] = .string(country) }
        profile.device = device
        profile.lastSeenAt = seenAt
        var history = UserHistory()
        for deed in deeds { history.add(deed) }
        let deliveries = cards.map { card in
            var delivery = Delivery(
                card: CardID(rawValue: card.campaign),
                campaign: CampaignID(rawValue: card.campaign),
                ordinal: 0,
                variant: VariantID(rawValue: card.variant),
                deliveredAt: card.at
            )
            delivery.isViewed = !card.views.isEmpty
            delivery.isClicked = !card.clicks.isEmpty
            delivery.isDismissed = !card.dismissals.isEmpty
            delivery.lastViewedAt = card.views.max()
            delivery.lastClickedAt = card.clicks.max()
            delivery.dismissedAt = card.dismissals.max()
            return delivery
        }
        return UserState(profile: profile, deliveries: deliveries, history: history)
    }
}
