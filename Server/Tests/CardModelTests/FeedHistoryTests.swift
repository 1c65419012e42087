import CardModel
import Statistics
import Testing

@Suite("A device that follows by cursor always has what a device that starts afresh gets")
struct FeedHistoryTests {
    @Test("Whatever happens in between", arguments: 0..<100)
    func follows(seed: Int) throws {
        var world = FeedWorld(seed: UInt64(seed))
        for _ in 0..<120 {
            try world.happen()
            try world.checkCurrentDevices()
            for index in world.devices.indices where Int.random(in: 0..<3, using: &world.random) == 0 {
                try world.sync(index)
            }
        }
    }
}

/// A server's state, some devices of one user, and chance.
private struct FeedWorld {
    struct Device {
        var cursor: FeedCursor?
        var cards: [String: FeedReply.Card] = [:]

        /// What the device shows: it drops expired cards by itself.
        func shown(at now: UnixTime) -> [String: FeedReply.Card] {
            cards.filter { ($0.value.expiresAt ?? .infinity) > now }
        }
    }

    var random: SplitMix
    var devices = [Device(), Device(), Device()]
    private var campaigns: [Campaign] = []
    private var generation: CatalogGeneration = 0
    private var user = Sample.user()
    private var now: UnixTime = 1_000
    private var cardLimit = 6
    private var broadcasts: [Broadcast] = []
    private var settings = Settings()
    private var count = 0

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    private var catalog: Catalog {
        var settings = settings
        settings.cardLimit = cardLimit
        return Catalog(campaigns: campaigns, broadcasts: broadcasts, generation: generation, settings: settings)
    }

    mutating func happen() throws {
        switch Int.random(in: 0..<19, using: &random) {
        case 0, 1: try launch()
        case 2: try edit { $0.card?.title = "Title \(Int.random(in: 0...9, using: &$1))" }
        case 3: try edit { $0.card?.expiry = FeedWorld.expiry(&$1) }
        case 4: try transition(.stop(withdraw: Bool.random(using: &random)))
        case 5: try transition([.launch, .pause, .archive].randomElement(using: &random) ?? .launch)
        case 6: flag { $0.isDismissed = true }
        case 7: flag { $0.isViewed = true }
        case 8: now -= Bool.random(using: &random) ? Double.random(in: 0...30, using: &random) : 0
        case 9:
            cardLimit = Int.random(in: 2...8, using: &random)
            generation += 1
        case 10: change { $0.profile.custom["plan"] = ["gold", "free"].randomElement(using: &$1) }
        case 11:
            change { $0.profile.device.timeZone = ["Asia/Tokyo", "UTC", "Europe/Paris"].randomElement(using: &$1) }
        case 12, 13: trigger()
        case 14: broadcast()
        case 15: limit()
        default: now += [0, 0.3, 1, 7.5, 40].randomElement(using: &random) ?? 0
        }
    }

    mutating func sync(_ index: Int) throws {
        if let cursor = devices[index].cursor,
            cursor.isCurrent(epoch: 1, generation: generation, version: user.version, at: now)
        {
            return
        }
        let decision = FeedDecision(for: user, in: catalog, at: now)
        user.apply(decision, at: now)
        let reply = FeedReply(
            for: user,
            in: catalog,
            since: devices[index].cursor,
            epoch: 1,
            at: now,
            recheckAt: decision.recheckAt
        )
        if reply.replaces { devices[index].cards = [:] }
        for card in reply.removed { devices[index].cards[card.rawValue] = nil }
        for card in try reply.cards() { devices[index].cards[card.id] = card }
        devices[index].cursor = FeedCursor(reply.cursor.text)
        #expect(devices[index].shown(at: now) == (try everything()))
    }

    /// A device whose cursor is said to be current must have everything, and nothing must be waiting to be given.
    func checkCurrentDevices() throws {
        for device in devices {
            guard let cursor = device.cursor,
                cursor.isCurrent(epoch: 1, generation: generation, version: user.version, at: now)
            else { continue }
            #expect(device.shown(at: now) == (try everything()))
            guard user.deliveries.count + user.triggers.count + campaigns.count <= cardLimit else { continue }
            #expect(FeedDecision(for: user, in: catalog, at: now).additions.isEmpty)
        }
    }

    private func everything() throws -> [String: FeedReply.Card] {
        let reply = FeedReply(for: user, in: catalog, since: nil, epoch: 1, at: now)
        return Dictionary(uniqueKeysWithValues: try reply.cards().map { ($0.id, $0) })
    }

    private mutating func launch() throws {
        var variants = [Sample.variant("a", expiry: Self.expiry(&random))]
        if Bool.random(using: &random) {
            variants.append(Campaign.Variant(id: VariantID(rawValue: "control"), card: nil))
        }
        let gold = Audience.attribute(AttributeClause(.custom("plan"), .equals, "gold"))
        let draft = Sample.campaign(
            "c\(campaigns.count)",
            delivery: delivery(),
            audience: Bool.random(using: &random) ? gold : .everyone,
            variants: variants,
            rules: rules(),
            tags: Bool.random(using: &random) ? ["promo"] : []
        )
        campaigns.append(draft)
        replace(campaigns.count - 1, with: try draft.applying(.launch, at: now))
    }

    private mutating func delivery() -> Campaign.DeliveryMode {
        let start: UnixTime? = Bool.random(using: &random) ? now + Double.random(in: -20...60, using: &random) : nil
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return .apiTriggered(Campaign.APIDelivery(window: 60, start: start))
        // Nine hours ahead of UTC, so that the time comes for some of the zones.
        case 1: return .scheduledLocally(start: start.map { LocalTime(seconds: $0 + 9 * 3_600) }, end: nil)
        default: return .scheduled(start: start, end: nil)
        }
    }

    private mutating func rules() -> Campaign.Rules {
        var rules = Campaign.Rules(followsAudience: Bool.random(using: &random))
        rules.ignoresFrequencyCaps = Bool.random(using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: rules.reeligibility = .after(seconds: Double.random(in: 0...100, using: &random))
        case 1: rules.reeligibility = .never
        default: break
        }
        return rules
    }

    private mutating func trigger() {
        guard let campaign = campaigns.randomElement(using: &random)?.id else { return }
        count += 1
        let due = now + Double.random(in: -10...40, using: &random)
        let until = due + Double.random(in: 0...100, using: &random)
        user.triggers.append(
            Sample.trigger("t\(count)", of: campaign.rawValue, at: now, due: .at(due), until: until)
        )
        user.version += 1
    }

    private mutating func broadcast() {
        guard let campaign = campaigns.randomElement(using: &random)?.id else { return }
        count += 1
        let due = now + Double.random(in: -10...40, using: &random)
        broadcasts.append(
            Broadcast(Sample.trigger("b\(count)", of: campaign.rawValue, at: now, due: .at(due), until: due + 100))
        )
        generation += 1
    }

    private mutating func limit() {
        let cap = FrequencyCap(cards: Int.random(in: 1...5, using: &random), days: 1, tag: "promo")
        settings.frequencyCaps = Bool.random(using: &random) ? [cap] : []
        let from = Int.random(in: 0..<1_440, using: &random)
        settings.quietHours = Bool.random(using: &random) ? QuietHours(from: from, to: (from + 60) % 1_440) : nil
        generation += 1
    }

    private mutating func change(_ change: (inout UserState, inout SplitMix) -> Void) {
        let before = user
        change(&user, &random)
        if user != before { user.version += 1 }
    }

    private mutating func edit(_ change: (inout Campaign.Variant, inout SplitMix) -> Void) throws {
        guard let index = campaigns.indices.randomElement(using: &random) else { return }
        var content = campaigns[index].content
        change(&content.variants[0], &random)
        if let next = try? campaigns[index].updating(content, at: now) { replace(index, with: next) }
    }

    private mutating func transition(_ transition: Campaign.Transition) throws {
        guard let index = campaigns.indices.randomElement(using: &random) else { return }
        if let next = try? campaigns[index].applying(transition, at: now) { replace(index, with: next) }
    }

    /// Keeps a campaign as a store does.
    private mutating func replace(_ index: Int, with next: Campaign) {
        guard next != campaigns[index] else { return }
        var next = next
        generation += 1
        if next.differsOnDevices(from: campaigns[index]) { next.generation = generation }
        campaigns[index] = next
    }

    private mutating func flag(_ change: (inout Delivery) -> Void) {
        guard let index = user.deliveries.indices.randomElement(using: &random) else { return }
        let before = user.deliveries[index]
        change(&user.deliveries[index])
        guard user.deliveries[index] != before else { return }
        user.version += 1
        user.deliveries[index].changedAt = user.version
    }

    private static func expiry(_ random: inout SplitMix) -> CardTemplate.CardExpiry {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .never
        case 1: .at(Double.random(in: 950...1_600, using: &random))
        case 2: .atLocal(LocalTime(seconds: Double.random(in: 33_000...34_000, using: &random)))
        default: .afterDelivery(seconds: Double.random(in: 1...90, using: &random))
        }
    }
}
