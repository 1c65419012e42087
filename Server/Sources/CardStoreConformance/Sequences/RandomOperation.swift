import CardModel
import CardStore
import OrderedCollections
import Simulation
import WireJSON

/// Operations made up by chance, each from its seed and number alone, so that others can be left out.
enum RandomOperation {
    static let users = ["user-1", "user-2", "unidentified-1", "unidentified-2"].map { UserID(rawValue: $0) }
    static let campaigns = ["sale", "news", "other"].map { CampaignID(rawValue: $0) }
    static let aliases = [UserAlias(label: "crm", name: "1"), UserAlias(label: "crm", name: "2")]
    static let references: [UserReference] =
        users.map { .id($0) } + aliases.map { .alias($0) }
        + [.email("ANN@example.com", .usual), .email("bob@example.com", MatchPreference([])), .phone("+1", .usual)]

    static func make(seed: UInt64, number: Int) -> StoreOperation {
        var dice = Dice(seed: seed, number: number)
        switch dice.roll(20) {
        case 0..<4: return events(&dice)
        case 4..<7: return feed(&dice)
        case 7: return device(&dice)
        case 8: return attributes(&dice)
        case 9, 10: return tracking(&dice)
        case 11: return identity(&dice)
        case 12: return deletion(&dice)
        case 13, 14: return trigger(&dice)
        case 15, 16: return campaign(&dice)
        case 17: return pruning(&dice)
        case 18: return sparse(&dice)
        default: return administration(&dice)
        }
    }

    /// Random choices of one operation.
    struct Dice {
        private var random: SeededRandom
        /// The time of the operation: later ones have later times, but for some.
        let now: UnixTime

        init(seed: UInt64, number: Int) {
            random = SeededRandom(seed: seed, "operation", "\(number)")
            now = noon + Double(number * 600) - (Int.random(in: 0..<10, using: &random) == 0 ? 90_000 : 0)
        }

        mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &random) }

        mutating func coin() -> Bool { roll(2) == 0 }

        mutating func pick<Value>(_ values: [Value]) -> Value { values[roll(values.count)] }

        mutating func user() -> UserID { pick(RandomOperation.users) }

        mutating func campaign() -> CampaignID { pick(RandomOperation.campaigns) }

        /// A time in the days before the operation, or shortly after it.
        mutating func time() -> UnixTime { now + Double(roll(400) - 380) * 450 }
    }
}

extension RandomOperation {
    // MARK: Devices

    private static func feed(_ dice: inout Dice) -> StoreOperation {
        let (user, campaign, now) = (dice.user(), dice.campaign(), dice.now)
        let (ordinal, isStale) = (dice.roll(3), dice.roll(8) == 0)
        let card = CardID(rawValue: "\(user.rawValue)-\(campaign.rawValue)-\(ordinal)")
        let device = dice.coin() ? dice.device() : nil
        let delivery = Delivery(
            card: card,
            campaign: campaign,
            ordinal: ordinal,
            variant: VariantID(rawValue: dice.pick(["a", "control"])),
            deliveredAt: now,
            origin: DeliveryOrigin(trigger: dice.coin() ? dice.trigger() : nil, rendered: dice.coin() ? [0x7B] : nil)
        )
        let (isEnding, isDiscarding) = (dice.coin(), dice.roll(4) == 0)
        let used = Trigger(id: dice.trigger(), campaign: campaign, at: now, due: .at(now), until: now)
        let discard = FeedDecision.Discard(used, .expired)
        return StoreOperation("saveFeed \(card) of \(user) at \(now), stale: \(isStale)") { store in
            let state = try await store.userState(of: user)
            let isKnown = state?.deliveries.contains { $0.card == card } == true
            var change = FeedChange(
                user: user,
                version: (state?.version ?? 0) + (isStale ? 1 : 0),
                device: device,
                additions: isKnown ? [] : [delivery],
                endings: isKnown && isEnding ? [card: .limit] : [:],
                discards: isDiscarding ? [discard] : [],
                at: now,
                origin: "device"
            )
            change.allocations[campaign] = VariantAllocation([VariantID(rawValue: "a"): 1])
            return try await store.saveFeed(change)
        }
    }

    private static func device(_ dice: inout Dice) -> StoreOperation {
        let (user, device, now) = (dice.user(), dice.device(), dice.now)
        return StoreOperation("recordDevice \(device) of \(user) at \(now)") { store in
            try await store.recordDevice(device, of: user, at: now)
            return true
        }
    }

    private static func sparse(_ dice: inout Dice) -> StoreOperation {
        let (user, campaign, now) = (dice.user(), dice.campaign(), dice.now)
        let failure = TemplateFailure(
            dice.pick([.aborted, .failed]),
            reason: dice.pick(["empty", "none"]),
            message: ""
        )
        if dice.coin() {
            let suppression = Withholding(campaign: campaign, variant: VariantID(rawValue: "a"), failure: failure)
            return StoreOperation("recordSuppressions \(suppression) from \(user) at \(now)") { store in
                try await store.recordSuppressions([suppression], from: user, at: now)
                return true
            }
        }
        let test = TestCard(
            card: CardID(rawValue: "test-\(now)"),
            campaign: campaign,
            variant: VariantID(rawValue: "a"),
            language: dice.coin() ? "de" : nil,
            members: Array("{}".utf8),
            isPinned: false,
            priority: 0,
            sentAt: now,
            expiresAt: now + Double(dice.roll(5)) * 3_600
        )
        return StoreOperation("sendTestCard to \(user) at \(now)") { store in
            try await store.sendTestCard(test, to: user, at: now)
        }
    }

    private static func events(_ dice: inout Dice) -> StoreOperation {
        let (user, now) = (dice.user(), dice.now)
        let events = (0...dice.roll(4)).map { _ in dice.event(of: user) }
        let batch = EventBatch(
            user: user,
            events: events,
            receivedAt: now,
            device: dice.pick([nil, "d1", "d2"]),
            rules: dice.coin() ? rules : nil
        )
        return StoreOperation("recordEvents of \(user) at \(now) by \(batch.device ?? "-"): \(events)") { store in
            try await store.recordEvents(batch)
        }
    }

    static let rules: EventRules = {
        var removing = Campaign.sample("sale")
        removing.content.rules.removal = [EventCondition(.event("returned"))]
        var action = Campaign.sample("other")
        action.content.delivery = .action(.init(trigger: EventCondition(.event("bought"))))
        return EventRules([removing, action].compactMap { try? $0.applying(.launch, at: 0) })
    }()
}

extension RandomOperation.Dice {
    mutating func device() -> DeviceContext {
        DeviceContext(locale: pick([nil, "en", "de-DE"]), timeZone: pick([nil, "Asia/Tokyo"]))
    }

    mutating func trigger() -> TriggerID { TriggerID(rawValue: pick(["t1", "t2", "t3"])) }

    mutating func event(of user: UserID) -> DeviceEvent {
        let card = CardID(rawValue: "\(user.rawValue)-\(campaign().rawValue)-\(roll(3))")
        let kinds: [DeviceEvent.EventKind] = [
            .impression(card), .click(card), .dismissal(card), .impression(card),
            .contentError(.init(card: card, classType: pick([nil, "coupon"]), field: nil, message: "missing")),
            .custom(name: ByteString(pick(["bought", "returned", "looked"]))),
            .purchase(
                .init(
                    productID: pick(["tea", "pen"]),
                    currency: pick(["EUR", "JPY"]),
                    price: Amount(billionths: Int128(roll(5_000)) * 10_000_000),
                    quantity: Int64(1 + roll(3))
                )
            ),
            .sessionStart,
            .attributes(
                AttributeChanges(custom: ["plan": .set(pick(["gold", "silver"]))], standard: [.firstName: "Ann"])
            ),
            .attributes(
                AttributeChanges(
                    standard: pick([[.email: "ann@example.com"], [.email: "bob@example.com", .phone: "+1"]])
                )
            ),
        ]
        return DeviceEvent(UInt64(1 + roll(60)), pick(kinds), at: time())
    }
}
