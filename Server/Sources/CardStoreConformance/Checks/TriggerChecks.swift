import CardModel
import CardStore
import Testing

/// Checks of triggers.
enum TriggerChecks {
    static let checks: [ConformanceCheck] =
        [
            sends, mergedRecipient, mergedBroadcast, mergedSend, mergedLateBroadcast, localTime, uses, discards,
            tracked,
            consequences, cancels, forgets,
        ] + BroadcastChecks.checks + TriggerRepeatChecks.checks + TriggerLoadChecks.checks

    private static let campaign = CampaignID(rawValue: "sale")

    private static func trigger(_ id: String = "send-1", at time: UnixTime = noon) -> Trigger {
        Trigger(id: TriggerID(rawValue: id), campaign: campaign, at: time, due: .at(time), until: time + 3_600)
    }

    private static func recipient(_ user: UserID, _ text: String = #"{"tile":1}"#) -> TriggerSend.Recipient {
        TriggerSend.Recipient(user, properties: Array(text.utf8))
    }

    static let sends = ConformanceCheck(
        "A send waits for each recipient once, with their own properties, and names those who are unknown"
    ) { stores in
        try await stores.withStore { store in
            let stranger = UserID(rawValue: "stranger")
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            let before = try #require(try await store.userRevision(of: someone)).version
            let first = try await store.sendTriggers(
                TriggerSend(trigger(), to: [recipient(someone), recipient(stranger)])
            )
            #expect(first.accepted == 1 && first.duplicate == 0 && first.unknown == [stranger])
            let again = try await store.sendTriggers(TriggerSend(trigger(), to: [recipient(someone, "{}")]))
            #expect(again.accepted == 0 && again.duplicate == 1)

            let state = try #require(try await store.userState(of: someone))
            #expect(state.version == before + 1)
            var expected = trigger()
            expected.properties = Array(#"{"tile":1}"#.utf8)
            #expect(state.triggers == [expected])
            #expect(try await store.userRevision(of: stranger) == nil)

            let made = try await store.sendTriggers(TriggerSend(trigger(), to: [recipient(stranger)], makesUsers: true))
            #expect(made.accepted == 1)
            #expect(try await store.userState(of: stranger)?.triggers.count == 1)
        }
    }

    static let mergedRecipient = ConformanceCheck(
        "A scheduled send is put off and called off for who its recipients became"
    ) { stores in
        try await stores.withStore { store in
            let guest = UserID(rawValue: "unidentified-1")
            try await store.updateUsers([UserUpdate(id: guest), UserUpdate(id: someone)], at: noon)
            var scheduled = trigger()
            (scheduled.due, scheduled.until) = (.at(noon + 600), noon + 4_200)
            let send = TriggerSend(scheduled, to: [TriggerSend.Recipient(guest)], isScheduled: true)
            #expect(try await store.sendTriggers(send).accepted == 1)
            let identification = Identification(user: .id(guest), identity: someone)
            #expect(try await store.identifyUsers([identification], at: noon) == [.done])

            let (due, until) = (PlannedTime.at(noon + 1_200), noon + 4_800)
            #expect(try await store.rescheduleTrigger(scheduled.id, of: campaign, due: due, until: until, at: noon))
            #expect(try await store.userState(of: someone)?.triggers.map(\.due) == [due])
            #expect(try await store.unscheduleTrigger(scheduled.id, of: campaign, at: noon))
            #expect(try await store.userState(of: someone)?.triggers.isEmpty == true)
        }
    }

    static let mergedBroadcast = ConformanceCheck(
        "A broadcast whose card is gone because two users are one gives them no other"
    ) { stores in
        // The identity may have a row of that id: what covers the broadcast takes its place.
        for isNamed in [false, true] {
            try await stores.withStore { store in
                try await store.launch(.sample())
                try await store.updateUsers([UserUpdate(id: guest), UserUpdate(id: someone)], at: noon)
                if isNamed {
                    #expect(
                        try await store.sendTriggers(TriggerSend(trigger("all"), to: [recipient(someone)])).accepted
                            == 1
                    )
                }
                #expect(try await store.insertBroadcast(Broadcast(trigger("all")), by: command))
                let state = try await join(store, guestGivenBy: trigger("all").id, at: noon)
                #expect(state.triggers.map(\.id) == [trigger("all").id])
                #expect(state.triggers.map(\.coversBroadcast) == [true])
            }
        }
    }

    private static let guest = UserID(rawValue: "unidentified-1")

    /// Gives a guest a card by a trigger and another user one without, and joins them; the guest's card is gone then.
    private static func join(
        _ store: any CardStore,
        guestGivenBy trigger: TriggerID,
        at now: UnixTime
    ) async throws -> UserState {
        for (user, origin) in [(guest, DeliveryOrigin(trigger: trigger)), (someone, nil)] {
            let delivery = Delivery(
                card: CardID(rawValue: "card-\(user.rawValue)"),
                campaign: campaign,
                ordinal: 0,
                variant: VariantID(rawValue: "a"),
                deliveredAt: noon,
                origin: origin
            )
            let version = try #require(try await store.userRevision(of: user)).version
            let change = FeedChange(user: user, version: version, additions: [delivery], endings: [:], at: noon)
            #expect(try await store.saveFeed(change) != nil)
        }
        let identification = Identification(user: .id(guest), identity: someone)
        #expect(try await store.identifyUsers([identification], at: now) == [.done])
        let state = try #require(try await store.userState(of: someone))
        #expect(state.deliveries.map(\.card.rawValue) == ["card-\(someone.rawValue)"])
        return state
    }

    static let mergedSend = ConformanceCheck(
        "A send to two users whose card is gone because they are one gives them no other"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            try await store.updateUsers([UserUpdate(id: guest), UserUpdate(id: someone)], at: noon)
            let send = TriggerSend(trigger(), to: [recipient(guest), recipient(someone)])
            #expect(try await store.sendTriggers(send).accepted == 2)
            let state = try await join(store, guestGivenBy: trigger().id, at: noon)
            #expect(state.triggers.isEmpty)
            let again = try await store.sendTriggers(TriggerSend(trigger(), to: [recipient(someone)]))
            #expect(again.accepted == 0 && again.duplicate == 1)
        }
    }

    static let mergedLateBroadcast = ConformanceCheck(
        "A broadcast that is over, whose card is gone because two users are one, "
            + "gives them no other when it is sent by name"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            try await store.updateUsers([UserUpdate(id: guest), UserUpdate(id: someone)], at: noon)
            #expect(try await store.insertBroadcast(Broadcast(trigger("all")), by: command))
            _ = try await join(store, guestGivenBy: trigger("all").id, at: noon + 7_200)
            let late = trigger("all", at: noon + 7_200)
            let again = try await store.sendTriggers(TriggerSend(late, to: [recipient(someone)]))
            #expect(again.accepted == 0 && again.duplicate == 1)
        }
    }

    static let localTime = ConformanceCheck(
        "A trigger in local time keeps the time that it was given"
    ) { stores in
        try await stores.withStore { store in
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            var trigger = trigger()
            trigger.due = .local(LocalTime(seconds: noon))
            _ = try await store.sendTriggers(TriggerSend(trigger, to: [TriggerSend.Recipient(someone)]))
            #expect(try await store.userState(of: someone)?.triggers == [trigger])
        }
    }

    static let uses = ConformanceCheck(
        "A trigger that gave its card, or never will, waits no more and is never taken for a new one"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            for id in ["used", "useless"] {
                _ = try await store.sendTriggers(TriggerSend(trigger(id), to: [recipient(someone)]))
            }
            let state = try #require(try await store.userState(of: someone))
            let useless = try #require(state.triggers.first { $0.id.rawValue == "useless" })
            let used = try #require(state.triggers.first { $0.id.rawValue == "used" })
            var delivery = Delivery(
                card: CardID(rawValue: "card-1"),
                campaign: campaign,
                ordinal: 0,
                variant: VariantID(rawValue: "a"),
                deliveredAt: noon,
                origin: DeliveryOrigin(trigger: used.id, properties: used.properties, rendered: Array("x".utf8))
            )
            let change = FeedChange(
                user: someone,
                version: state.version,
                additions: [delivery],
                endings: [:],
                discards: [.init(useless, .notReeligible)],
                at: noon
            )
            let version = try #require(try await store.saveFeed(change))
            delivery.changedAt = version
            let after = try #require(try await store.userState(of: someone))
            #expect(after.triggers.isEmpty && after.deliveries == [delivery])
            var expected = state
            expected.apply(change, version: version)
            #expect(after == expected)
            let past = try await store.pastTriggers(of: someone, for: campaign, limit: 10)
            #expect(Set(past.map(\.outcome)) == [.delivered, .notReeligible])
            #expect(try await store.lastTriggers(of: someone) == [campaign: past[0]])
            #expect(try await store.lastTriggers(of: UserID(rawValue: "nobody")).isEmpty)
            let again = try await store.sendTriggers(TriggerSend(trigger("used"), to: [recipient(someone)]))
            #expect(again.duplicate == 1)
            #expect(try await store.userState(of: someone)?.triggers == [])
        }
    }

    static let discards = ConformanceCheck(
        "Discarding alone changes nothing that a device could see"
    ) { stores in
        try await stores.withStore { store in
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            _ = try await store.sendTriggers(TriggerSend(trigger(), to: [recipient(someone)]))
            let state = try #require(try await store.userState(of: someone))
            let change = FeedChange(
                user: someone,
                version: state.version,
                additions: [],
                endings: [:],
                discards: [.init(state.triggers[0], .expired)],
                at: noon
            )
            #expect(try await store.saveFeed(change) == state.version)
            #expect(try await store.userState(of: someone)?.triggers == [])
        }
    }

    /// The campaign, launched, whose cards go when their user buys.
    private static func removing() throws -> Campaign {
        var campaign = Campaign.sample()
        campaign.content.rules.removal = [EventCondition(.event("bought"))]
        return try campaign.applying(.launch, at: 0)
    }

    /// Another active campaign, whose card comes with a purchase.
    static func other() throws -> Campaign {
        var campaign = Campaign.sample("other")
        campaign.content.delivery = .action(.init(trigger: EventCondition(.event("bought"))))
        return try campaign.applying(.launch, at: 0)
    }

    static let tracked = ConformanceCheck(
        "What a backend's event brings about comes with it as well"
    ) { stores in
        try await stores.withStore { store in
            let event = DeviceEvent(1, .custom(name: "bought"))
            let rules = EventRules([try other()])
            _ = try await store.trackUsers(
                [TrackedChange(user: .id(someone), newUser: someone, content: .event(event))],
                rules: rules,
                at: noon
            )
            #expect(try await store.userState(of: someone)?.triggers.count == 1)
        }
    }

    static let consequences = ConformanceCheck(
        "What an event brings about comes with it, once, whatever is resent"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            try await store.give("card-1")
            let event = DeviceEvent(1, .custom(name: "bought"))
            let rules = try EventRules([removing(), other()])
            let batch = EventBatch(user: someone, events: [event], receivedAt: noon, device: "d", rules: rules)
            let first = try await store.recordEvents(batch)
            #expect(first.bringsNews && first.versionAfter == first.versionBefore + 1)
            let state = try #require(try await store.userState(of: someone))
            #expect(state.deliveries.map(\.end) == [.removalEvent])
            #expect(state.triggers == rules.consequences(of: event, at: noon).triggers && state.triggers.count == 1)
            #expect(state.deliveries.map(\.changedAt) == [first.versionAfter])
            let second = try await store.recordEvents(batch)
            #expect(!second.bringsNews && second.receipt.duplicate == 1)
            #expect(try await store.userState(of: someone) == state)
        }
    }

    static let cancels = ConformanceCheck(
        "A removal event cancels what waits and happened no later"
    ) { stores in
        try await stores.withStore { store in
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            for (id, time) in [("before", noon - 10), ("after", noon + 10)] {
                _ = try await store.sendTriggers(TriggerSend(trigger(id, at: time), to: [recipient(someone)]))
            }
            let event = DeviceEvent(1, .custom(name: "bought"))
            let rules = EventRules([try removing()])
            let outcome = try await store.recordEvents(
                EventBatch(user: someone, events: [event], receivedAt: noon, rules: rules)
            )
            #expect(outcome.bringsNews)
            #expect(try await store.userState(of: someone)?.triggers.map(\.id.rawValue) == ["after"])
            #expect(try await store.pastTriggers(of: someone, for: campaign, limit: 5).map(\.outcome) == [.removed])
        }
    }

    static let forgets = ConformanceCheck(
        "What waits for a user is forgotten with the user"
    ) { stores in
        try await stores.withStore { store in
            _ = try await store.sendTriggers(TriggerSend(trigger(), to: [recipient(someone)], makesUsers: true))
            #expect(try await store.deleteUser(someone, at: 0, by: .command))
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            #expect(try await store.userState(of: someone)?.triggers == [])
            #expect(try await store.sendTriggers(TriggerSend(trigger(), to: [recipient(someone)])).accepted == 1)
        }
    }
}
