import CardModel
import Testing
import WireJSON

@Suite("Cards that wait for something to happen")
struct TriggerTests {
    private let api = Campaign.DeliveryMode.apiTriggered(Campaign.APIDelivery(window: 1_000))

    private func catalog(
        _ delivery: Campaign.DeliveryMode,
        audience: Audience = .everyone,
        rules: Campaign.Rules = Campaign.Rules(),
        broadcasts: [Broadcast] = [],
        cardLimit: Int = 250
    ) throws -> Catalog {
        var settings = Settings()
        settings.cardLimit = cardLimit
        return Catalog(
            campaigns: [try Sample.launched("c", delivery: delivery, audience: audience, rules: rules)],
            broadcasts: broadcasts,
            generation: 1,
            settings: settings
        )
    }

    @Test("Nobody gets the card untriggered, and each trigger gives one with its own properties")
    func gives() throws {
        let catalog = try catalog(api)
        var user = Sample.user()
        let nothing = FeedDecision(for: user, in: catalog, at: 10, explains: true)
        #expect(nothing.isEmpty && nothing.reasons.values.map(\.code) == ["not_triggered"])
        user.triggers = [Sample.trigger("b", at: 5), Sample.trigger("a", at: 1, properties: ["tile_id": 7])]
        let decision = FeedDecision(for: user, in: catalog, at: 10)
        #expect(decision.additions.map(\.origin?.trigger?.rawValue) == ["a", "b"])
        #expect(decision.additions.map(\.ordinal) == [0, 1])
        #expect(decision.additions[0].origin?.properties == Array(#"{"tile_id":7}"#.utf8))
        user.apply(decision, at: 10)
        #expect(FeedDecision(for: user, in: catalog, at: 11).isEmpty)
    }

    @Test("A trigger waits until it is due, and in vain when its time is over")
    func waits() throws {
        let catalog = try catalog(api)
        var user = Sample.user()
        user.triggers = [Sample.trigger("t", at: 5, due: .at(100), until: 200)]
        let early = FeedDecision(for: user, in: catalog, at: 99.5, explains: true)
        #expect(early.isEmpty && early.recheckAt == 100)
        #expect(early.reasons.values.first == .triggerWaiting(until: 100))
        #expect(FeedDecision(for: user, in: catalog, at: 100).additions.count == 1)
        #expect(FeedDecision(for: user, in: catalog, at: 199.5).additions.count == 1)
        let late = FeedDecision(for: user, in: catalog, at: 200)
        #expect(late.additions.isEmpty && late.discards.map(\.outcome) == [.expired])
    }

    @Test("A send that asks for a time before it was made is due when it was made")
    func past() throws {
        let day = 86_400.0
        let catalog = try catalog(api, rules: Campaign.Rules(reeligibility: .after(seconds: day)))
        var user = Sample.user()
        user.triggers = [Sample.trigger("a", at: 5)]
        user.apply(FeedDecision(for: user, in: catalog, at: 10), at: 10)
        let now = 5 * day
        user.triggers = [Sample.trigger("b", at: now, due: .at(day / 2), until: now + 100)]
        #expect(FeedDecision(for: user, in: catalog, at: now).additions.count == 1)
        let early = Sample.trigger("c", at: day / 2, until: now + 100)
        user.triggers = [early]
        #expect(FeedDecision(for: user, in: catalog, at: now).additions.isEmpty)
    }

    @Test("A broadcast reaches a user whose own trigger of its id came too soon and ends")
    func endedBesideBroadcast() throws {
        let day = 86_400.0
        let rules = Campaign.Rules(reeligibility: .after(seconds: day))
        let late = Broadcast(Sample.trigger("s", at: 2 * day, until: 9 * day))
        var user = Sample.user()
        user.triggers = [Sample.trigger("first", at: 5, until: 9 * day)]
        user.apply(FeedDecision(for: user, in: try catalog(api, rules: rules), at: 10), at: 10)
        user.triggers = [Sample.trigger("s", at: 20, until: 9 * day)]
        let decision = FeedDecision(for: user, in: try catalog(api, rules: rules, broadcasts: [late]), at: 3 * day)
        #expect(decision.additions.map(\.origin?.trigger?.rawValue) == ["s"])
        user.apply(decision, at: 3 * day)
        #expect(FeedDecision(for: user, in: try catalog(api, rules: rules, broadcasts: [late]), at: 6 * day).isEmpty)
    }

    @Test("A user who was given too many cards in all gets no other of a campaign that gave one, and learns why")
    func tooManyCards() throws {
        let rules = Campaign.Rules(reeligibility: .after(seconds: 0))
        let catalog = try catalog(api, rules: rules, cardLimit: 2 * FeedDecision.cardsOfUser)
        var user = Sample.user()
        user.triggers = (1...FeedDecision.cardsOfUser).map { Sample.trigger("t\($0)", at: 5, until: 900) }
        user.apply(FeedDecision(for: user, in: catalog, at: 10), at: 10)
        #expect(user.deliveries.count == FeedDecision.cardsOfUser)
        user.triggers = [Sample.trigger("last", at: 20, until: 900)]
        let decision = FeedDecision(for: user, in: catalog, at: 30, explains: true)
        #expect(decision.additions.isEmpty && decision.reasons.values.map(\.code) == ["too_many_cards"])
        user.deliveries.removeLast()
        #expect(FeedDecision(for: user, in: catalog, at: 30).additions.count == 1)
    }

    @Test("A trigger that isn't due stays when another one gives a card, since it may be put off")
    func notDue() throws {
        let day = 86_400.0
        let catalog = try catalog(api, rules: Campaign.Rules(reeligibility: .after(seconds: 3 * day)))
        var user = Sample.user()
        let waiting = Sample.trigger("later", at: 5, due: .at(day), until: 9 * day)
        user.triggers = [Sample.trigger("now", at: 5, until: 9 * day), waiting]
        user.apply(FeedDecision(for: user, in: catalog, at: 10), at: 10)
        #expect(user.triggers == [waiting])
        let decision = FeedDecision(for: user, in: catalog, at: day)
        #expect(decision.additions.isEmpty && decision.discards.map(\.outcome) == [.notReeligible])
    }

    @Test("A trigger in local time follows its user to another country")
    func travels() throws {
        let catalog = try catalog(api)
        let nine = try #require(LocalTime("2027-01-31T09:00:00"))
        var user = Sample.user()
        user.triggers = [Sample.trigger("t", due: .local(nine))]
        user.profile.device.timeZone = "Asia/Tokyo"
        let midnight = nine.seconds - 9 * 3_600
        #expect(FeedDecision(for: user, in: catalog, at: midnight - 1).recheckAt == midnight)
        #expect(FeedDecision(for: user, in: catalog, at: midnight).additions.count == 1)
        user.profile.device.timeZone = "America/New_York"
        let there = FeedDecision(for: user, in: catalog, at: midnight)
        #expect(there.isEmpty && there.recheckAt == nine.seconds + 5 * 3_600)
    }

    @Test("Outside the audience a trigger waits for its user to come in")
    func waitsForAudience() throws {
        let gold = Audience.attribute(AttributeClause(.custom("plan"), .equals, "gold"))
        let catalog = try catalog(api, audience: gold)
        var user = Sample.user()
        user.triggers = [Sample.trigger("t", until: 500)]
        let outside = FeedDecision(for: user, in: catalog, at: 10, explains: true)
        #expect(outside.isEmpty && outside.reasons.values.map(\.code) == ["audience"])
        user.profile.custom["plan"] = "gold"
        #expect(FeedDecision(for: user, in: catalog, at: 20).additions.count == 1)
    }

    @Test("Where a campaign gives one card for ever, a second trigger comes to nothing")
    func once() throws {
        let catalog = try catalog(api, rules: .init(reeligibility: .never))
        var user = Sample.user()
        user.triggers = [Sample.trigger("a", at: 1), Sample.trigger("b", at: 2)]
        let decision = FeedDecision(for: user, in: catalog, at: 10)
        #expect(decision.additions.map(\.origin?.trigger?.rawValue) == ["a"])
        #expect(decision.discards.map(\.trigger.rawValue) == ["b"])
        #expect(decision.discards.map(\.outcome) == [.notReeligible])
    }

    @Test("While no card can be given, no trigger is lost to one that waits as well", arguments: ["audience", "cap"])
    func nothingLost(obstacle: String) throws {
        let gold = Audience.attribute(AttributeClause(.custom("plan"), .equals, "gold"))
        var settings = Settings()
        if obstacle == "cap" { settings.frequencyCaps = [FrequencyCap(cards: 1, days: 1)] }
        let campaign = try Sample.launched(
            "c",
            delivery: api,
            audience: obstacle == "audience" ? gold : .everyone,
            rules: .init(reeligibility: .never)
        )
        let other = try Sample.launched("other")
        let catalog = Catalog(campaigns: [campaign, other], generation: 1, settings: settings)
        var user = Sample.user()
        user.apply(FeedDecision(for: user, in: catalog, at: 0), at: 0)
        user.triggers = [Sample.trigger("a", at: 1, until: 10_000), Sample.trigger("b", at: 9_000, until: 200_000)]
        let between = FeedDecision(for: user, in: catalog, at: 9_100)
        #expect(between.additions.isEmpty && between.discards.isEmpty)
        user.apply(between, at: 9_100)
        user.profile.custom["plan"] = "gold"
        let last = FeedDecision(for: user, in: catalog, at: 100_000)
        #expect(last.additions.map(\.origin?.trigger?.rawValue) == ["b"])
        #expect(last.discards.map(\.outcome) == [.expired])
    }

    @Test("Beyond the limit a trigger waits for room")
    func waitsForRoom() throws {
        var important = Sample.variant("a")
        important.card?.priority = 1
        var settings = Settings()
        settings.cardLimit = 1
        let catalog = Catalog(
            campaigns: [
                try Sample.launched("important", variants: [important]), try Sample.launched("c", delivery: api),
            ],
            generation: 1,
            settings: settings
        )
        var user = Sample.user()
        user.apply(FeedDecision(for: user, in: catalog, at: 0), at: 0)
        user.triggers = [Sample.trigger("t", at: 1, until: 500)]
        let full = FeedDecision(for: user, in: catalog, at: 2, explains: true)
        #expect(full.isEmpty && full.reasons[CampaignID(rawValue: "c")] == .cardLimit)
        user.deliveries[0].isDismissed = true
        #expect(FeedDecision(for: user, in: catalog, at: 3).additions.map(\.campaign.rawValue) == ["c"])
    }

    @Test("Where a campaign gives a card every so often, it is the trigger's own time that counts")
    func everySoOften() throws {
        let catalog = try catalog(api, rules: .init(reeligibility: .after(seconds: 100)))
        var user = Sample.user()
        user.triggers = [10, 60, 110, 150, 210].map { Sample.trigger("t\(Int($0))", at: $0) }
        let decision = FeedDecision(for: user, in: catalog, at: 1_000)
        #expect(decision.additions.map(\.origin?.trigger?.rawValue) == ["t10", "t110", "t210"])
        #expect(decision.discards.map(\.trigger.rawValue) == ["t60", "t150"])
    }

    @Test("A broadcast gives each user of both audiences one card, and is due for all of them")
    func broadcasts() throws {
        let listed = Audience.users([UserID(rawValue: "u")])
        let broadcast = Broadcast(Sample.trigger("all", at: 5, due: .at(50), until: 500), to: listed)
        let catalog = try catalog(api, broadcasts: [broadcast])
        #expect(catalog.nextStart(after: 5) == 50)
        var user = Sample.user()
        #expect(FeedDecision(for: user, in: catalog, at: 49).isEmpty)
        #expect(FeedDecision(for: Sample.user("other"), in: catalog, at: 50).isEmpty)
        let decision = FeedDecision(for: user, in: catalog, at: 50)
        #expect(decision.additions.map(\.origin?.trigger?.rawValue) == ["all"])
        user.apply(decision, at: 50)
        #expect(FeedDecision(for: user, in: catalog, at: 60).isEmpty)
        #expect(FeedDecision(for: Sample.user(), in: catalog, at: 500).isEmpty)
    }

    @Test("Of more triggers than cards are possible the newest give cards, and the others wait for room")
    func limits() throws {
        let catalog = try catalog(api, cardLimit: 3)
        var user = Sample.user()
        user.triggers = (0..<10).map { Sample.trigger("t\($0)", at: Double($0)) }
        let decision = FeedDecision(for: user, in: catalog, at: 100)
        #expect(decision.additions.map(\.origin?.trigger?.rawValue) == ["t7", "t8", "t9"])
        #expect(decision.discards.isEmpty)
        user.apply(decision, at: 100)
        #expect(FeedDecision(for: user, in: catalog, at: 101).isEmpty)
        user.deliveries[0].isDismissed = true
        let next = FeedDecision(for: user, in: catalog, at: 102)
        #expect(next.additions.map(\.origin?.trigger?.rawValue) == ["t6"])
    }
}

@Suite("What events bring about")
struct EventConsequenceTests {
    private let bought = EventCondition(
        .purchase(product: nil),
        filters: [.init("price", .greaterThan, 20), .init("colour", .equals, "red")]
    )

    private func event(
        _ kind: DeviceEvent.EventKind,
        at time: UnixTime = 100,
        _ properties: JSONValue? = nil
    ) -> DeviceEvent {
        DeviceEvent(id: EventID(high: 1, low: 2), kind: kind, at: time, properties: properties?.bytes)
    }

    private func consequences(
        _ event: DeviceEvent,
        _ campaigns: Campaign...,
        at now: UnixTime = 100
    ) -> EventConsequences {
        Catalog(campaigns: campaigns, generation: 1).eventRules.consequences(of: event, at: now)
    }

    @Test("An event that a campaign waits for gives a trigger that is due after the delay, with the properties")
    func triggers() throws {
        let action = Campaign.ActionDelivery(trigger: EventCondition(.event("cart")), delay: 60, window: 10)
        let campaign = try Sample.launched("c", delivery: .action(action))
        let trigger = try #require(consequences(event(.custom(name: "cart"), ["sku": "x"]), campaign).triggers.first)
        #expect(trigger.due == .at(160) && trigger.until == 170 && trigger.at == 100)
        #expect(trigger.properties == Array(#"{"sku":"x"}"#.utf8))
        #expect(consequences(event(.custom(name: "other")), campaign).isEmpty)
        #expect(consequences(event(.sessionStart), campaign).isEmpty)
        // One that was logged offline so long ago that its card's time is over.
        #expect(consequences(event(.custom(name: "cart")), campaign, at: 170).isEmpty)
    }

    @Test("A purchase is compared by its own fields and its properties")
    func purchases() throws {
        let campaign = try Sample.launched("c", delivery: .action(.init(trigger: bought)))
        func purchase(_ price: Amount, _ colour: String) -> DeviceEvent {
            event(.purchase(.init(productID: "p", currency: "EUR", price: price)), ["colour": .string(colour)])
        }
        #expect(consequences(purchase(21, "red"), campaign).triggers.count == 1)
        #expect(consequences(purchase(20, "red"), campaign).isEmpty)
        #expect(consequences(purchase(21, "blue"), campaign).isEmpty)
        let other = try Sample.launched("c", delivery: .action(.init(trigger: .init(.purchase(product: "q")))))
        #expect(consequences(purchase(21, "red"), other).isEmpty)
    }

    @Test("What happened before the launch or outside the schedule does not count")
    func respectsSchedule() throws {
        let action = Campaign.ActionDelivery(trigger: EventCondition(.event("e")), start: 50, end: 90)
        let campaign = try Sample.launched("c", at: 60, delivery: .action(action))
        let counted = [40.0, 59, 60, 89.5, 90].filter {
            !consequences(event(.custom(name: "e"), at: $0), campaign).isEmpty
        }
        #expect(counted == [60, 89.5])
    }

    @Test("A removal event takes cards away, also of a campaign that is over, and only a running one is triggered")
    func removes() throws {
        let rules = Campaign.Rules(removal: [bought, EventCondition(.event("gone"))])
        let campaign = try Sample.launched(
            "c",
            delivery: .action(.init(trigger: EventCondition(.event("gone")))),
            rules: rules
        )
        let both = consequences(event(.custom(name: "gone")), campaign)
        #expect(both.triggers.count == 1 && both.removals == [campaign.id])
        let stopped = try campaign.applying(.stop(withdraw: false), at: 1)
        let one = consequences(event(.custom(name: "gone")), stopped)
        #expect(one.triggers.isEmpty && one.removals == [campaign.id])
    }
}
