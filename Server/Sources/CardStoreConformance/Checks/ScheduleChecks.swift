import CardModel
import CardStore
import Testing

/// Checks of schedules.
enum ScheduleChecks {
    static let checks: [ConformanceCheck] = [
        reschedules, unschedules, due, local, broadcast, several, both, covered, immediate,
    ]

    private static let campaign = CampaignID(rawValue: "sale")
    private static let id = TriggerID(rawValue: "schedule-1")
    private static let other = UserID(rawValue: "user-2")

    private static func trigger(due: PlannedTime) -> Trigger {
        Trigger(id: id, campaign: campaign, at: noon, due: due, until: due.latest + 3_600)
    }

    private static func schedule(in store: any CardStore, due: PlannedTime = .at(noon + 600)) async throws {
        try await store.updateUsers([UserUpdate(id: someone), UserUpdate(id: other)], at: noon)
        let recipients = [someone, other].map { TriggerSend.Recipient($0) }
        _ = try await store.sendTriggers(TriggerSend(trigger(due: due), to: recipients, isScheduled: true))
    }

    static let reschedules = ConformanceCheck(
        "A send is put off for all of its users, who hear of it"
    ) { stores in
        try await stores.withStore { store in
            try await schedule(in: store)
            let before = try #require(try await store.userRevision(of: other)?.version)
            let due = PlannedTime.local(LocalTime(seconds: noon + 86_400))

            let isKept = try await store.rescheduleTrigger(
                id,
                of: campaign,
                due: due,
                until: noon + 200_000,
                at: noon + 60
            )

            #expect(isKept)
            for user in [someone, other] {
                let trigger = try #require(try await store.userState(of: user)?.triggers.first)
                #expect(trigger.due == due)
                #expect(trigger.until == noon + 200_000)
            }
            #expect(try await store.userRevision(of: other)?.version == before + 1)
        }
    }

    static let unschedules = ConformanceCheck(
        "A send is called off for all of its users, once"
    ) { stores in
        try await stores.withStore { store in
            try await schedule(in: store)
            let results = [
                try await store.unscheduleTrigger(id, of: campaign, at: noon + 60),
                try await store.unscheduleTrigger(id, of: campaign, at: noon + 60),
            ]
            #expect(results == [true, false])
            #expect(try await store.userState(of: someone)?.triggers == [])
            #expect(try await store.userState(of: other)?.triggers == [])
        }
    }

    static let due = ConformanceCheck(
        "What is due already is neither put off nor called off"
    ) { stores in
        try await stores.withStore { store in
            try await schedule(in: store)
            #expect(try await !store.unscheduleTrigger(id, of: campaign, at: noon + 600))
            let later = PlannedTime.at(noon + 900)
            #expect(
                try await !store.rescheduleTrigger(id, of: campaign, due: later, until: noon + 1_000, at: noon + 600)
            )
            #expect(try await store.userState(of: someone)?.triggers == [trigger(due: .at(noon + 600))])
        }
    }

    static let local = ConformanceCheck(
        "A time by the users' clocks has come once it has for the first of them"
    ) { stores in
        try await stores.withStore { store in
            try await schedule(in: store, due: .local(LocalTime(seconds: noon + 86_400)))
            let east = noon + 86_400 - 14 * 3_600
            #expect(try await !store.unscheduleTrigger(id, of: campaign, at: east))
            #expect(try await store.unscheduleTrigger(id, of: campaign, at: east - 1))
        }
    }

    static let broadcast = ConformanceCheck(
        "A broadcast is put off and called off, and the catalog tells"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            _ = try await store.insertBroadcast(Broadcast(trigger(due: .at(noon + 600))), by: command)
            let first = try await store.loadCatalog()

            let due = PlannedTime.at(noon + 900)
            // The catalog leaves out what is over by the real clock.
            let until = noon + 3e9
            #expect(try await store.rescheduleTrigger(id, of: campaign, due: due, until: until, at: noon))
            let second = try await store.loadCatalog()
            #expect(second.broadcasts.map(\.trigger.due) == [due])
            #expect(second.generation > first.generation)

            #expect(try await store.unscheduleTrigger(id, of: campaign, at: noon))
            let third = try await store.loadCatalog()
            #expect(third.broadcasts.isEmpty)
            #expect(third.generation > second.generation)
        }
    }

    static let several = ConformanceCheck(
        "A send of several requests of one id is put off for the users of all of them"
    ) { stores in
        try await stores.withStore { store in
            try await store.updateUsers([UserUpdate(id: someone), UserUpdate(id: other)], at: noon)
            for user in [someone, other] {
                let recipient = TriggerSend.Recipient(user)
                let send = TriggerSend(trigger(due: .at(noon + 600)), to: [recipient], isScheduled: true)
                #expect(try await store.sendTriggers(send).accepted == 1)
            }
            let due = PlannedTime.at(noon + 900)
            #expect(try await store.rescheduleTrigger(id, of: campaign, due: due, until: noon + 1_000, at: noon))
            for user in [someone, other] {
                #expect(try await store.userState(of: user)?.triggers.map(\.due) == [due])
            }
        }
    }

    static let both = ConformanceCheck(
        "A broadcast and a send of one id are put off and canceled together"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            let due = PlannedTime.at(noon + 3e9)
            try await schedule(in: store, due: .at(noon + 600))
            #expect(try await store.insertBroadcast(Broadcast(trigger(due: .at(noon + 600))), by: command))
            #expect(try await store.rescheduleTrigger(id, of: campaign, due: due, until: noon + 4e9, at: noon))
            #expect(try await store.loadCatalog().broadcasts.map(\.trigger.due) == [due])
            #expect(try await store.userState(of: other)?.triggers.map(\.due) == [due])
            #expect(try await store.unscheduleTrigger(id, of: campaign, at: noon))
            #expect(try await store.loadCatalog().broadcasts.isEmpty)
            #expect(try await store.userState(of: other)?.triggers == [])
        }
    }

    static let covered = ConformanceCheck(
        "What keeps a broadcast from a user is no schedule, whatever it took the place of"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            var removing = Campaign.sample()
            removing.content.rules.removal = [EventCondition(.event("bought"))]
            let rules = EventRules([try removing.applying(.launch, at: 0)])
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            // The time has come for the first of Earth's clocks.
            let send = trigger(due: .local(LocalTime(seconds: noon + 3_600)))
            let recipient = TriggerSend.Recipient(someone)
            _ = try await store.sendTriggers(TriggerSend(send, to: [recipient], isScheduled: true))
            #expect(try await store.insertBroadcast(Broadcast(trigger(due: .at(noon))), by: command))
            let event = DeviceEvent(1, .custom(name: "bought"))
            _ = try await store.recordEvents(EventBatch(user: someone, events: [event], receivedAt: noon, rules: rules))
            let state = try #require(try await store.userState(of: someone))
            #expect(state.triggers.map(\.coversBroadcast) == [true])
            let later = PlannedTime.at(noon + 900)
            #expect(
                try await !store.rescheduleTrigger(id, of: campaign, due: later, until: noon + 1_000, at: noon + 2)
            )
            #expect(try await !store.unscheduleTrigger(id, of: campaign, at: noon + 2))
            #expect(try await store.userState(of: someone)?.triggers == state.triggers)
        }
    }

    static let immediate = ConformanceCheck(
        "What isn't scheduled waits on, whatever is canceled by its id"
    ) { stores in
        try await stores.withStore { store in
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            let send = TriggerSend(trigger(due: .at(noon + 600)), to: [TriggerSend.Recipient(someone)])
            _ = try await store.sendTriggers(send)
            #expect(try await !store.unscheduleTrigger(id, of: campaign, at: noon))
            #expect(try await store.userState(of: someone)?.triggers.count == 1)
        }
    }
}
