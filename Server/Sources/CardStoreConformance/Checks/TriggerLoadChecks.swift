import CardModel
import CardStore
import Testing

/// Checks of how much may wait for a user, and what of it is read.
enum TriggerLoadChecks {
    static let checks: [ConformanceCheck] = [counted, sized, over, farAway, properties]

    private static let campaign = CampaignID(rawValue: "sale")
    private static let month = 30 * 86_400.0

    private static func trigger(_ id: String, at time: UnixTime = noon, due: UnixTime) -> Trigger {
        Trigger(id: TriggerID(rawValue: id), campaign: campaign, at: time, due: .at(due), until: due + 3_600)
    }

    private static func send(
        _ trigger: Trigger,
        to users: [UserID],
        bytes: Int = 0,
        in store: any CardStore
    ) async throws -> Int {
        // The quotes, the braces, the name and the colon take eight.
        let text = bytes > 0 ? #"{"t":"\#(String(repeating: "x", count: bytes - 8))"}"# : nil
        let recipients = users.map { TriggerSend.Recipient($0, properties: text.map { Array($0.utf8) }) }
        return try await store.sendTriggers(TriggerSend(trigger, to: recipients, isScheduled: true)).accepted
    }

    static let counted = ConformanceCheck(
        "Only so many sends wait for a user, and one that would add another reaches nobody"
    ) { stores in
        let other = UserID(rawValue: "user-2")
        try await stores.withStore { store in
            try await store.updateUsers([UserUpdate(id: someone), UserUpdate(id: other)], at: noon)
            for number in 0..<Trigger.TriggerLoad.limit {
                let accepted = try await send(trigger("\(number)", due: noon + month), to: [someone], in: store)
                #expect(accepted == 1)
            }
            let before = try await store.userRevision(of: other)
            await expectFailure(.limitReached) {
                try await send(trigger("more", due: noon + month), to: [other, someone], in: store)
            }
            #expect(try await store.userRevision(of: other) == before)
            #expect(try await send(trigger("0", due: noon + month), to: [someone], in: store) == 0)
            #expect(try await send(trigger("more", due: noon + month), to: [other], in: store) == 1)
            #expect(try await store.unscheduleTrigger(TriggerID(rawValue: "1"), of: campaign, at: noon))
            #expect(try await send(trigger("again", due: noon + month), to: [someone], in: store) == 1)
        }
    }

    static let sized = ConformanceCheck(
        "The properties of all that waits for a user have only so many bytes, of which events leave half to sends"
    ) { stores in
        try await stores.withStore { store in
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            let rules = EventRules([try TriggerChecks.other()])
            let text = Array(#"{"text":"\#(String(repeating: "x", count: 15_000))"}"#.utf8)
            for start in stride(from: UInt64(1), to: 101, by: 20) {
                let events = (start..<start + 20).map { number in
                    var event = DeviceEvent(number, .custom(name: "bought"))
                    event.properties = text
                    return event
                }
                let batch = EventBatch(user: someone, events: events, receivedAt: noon, rules: rules)
                #expect(try await store.recordEvents(batch).receipt.accepted == 20)
            }
            let events = try #require(try await store.userState(of: someone)?.triggers)
            let size = events.reduce(0) { $0 + ($1.properties?.count ?? 0) }
            #expect((Trigger.TriggerLoad.eventSizeLimit..<Trigger.TriggerLoad.eventSizeLimit + 16_384).contains(size))

            let fitting = (Trigger.TriggerLoad.sizeLimit - size) / 16_000
            for number in 0..<fitting {
                let trigger = trigger("\(number)", due: noon + month)
                #expect(try await send(trigger, to: [someone], bytes: 16_000, in: store) == 1)
            }
            await expectFailure(.limitReached) {
                try await send(trigger("more", due: noon + month), to: [someone], bytes: 16_000, in: store)
            }
            #expect(try await send(trigger("plain", due: noon + month), to: [someone], in: store) == 1)
        }
    }

    static let over = ConformanceCheck(
        "What a user didn't fetch in time takes no room from other sends"
    ) { stores in
        try await stores.withStore { store in
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            for number in 0..<Trigger.TriggerLoad.limit {
                #expect(try await send(trigger("\(number)", due: noon), to: [someone], in: store) == 1)
            }
            let later = noon + 3_600
            #expect(try await send(trigger("later", at: later, due: later), to: [someone], in: store) == 1)
        }
    }

    static let farAway = ConformanceCheck(
        "However much waits for later, what is due is read"
    ) { stores in
        try await stores.withStore { store in
            let users = [someone] + (1...3).map { UserID(rawValue: "unidentified-\($0)") }
            try await store.updateUsers(users.map { UserUpdate(id: $0) }, at: noon)
            for (index, user) in users.dropFirst().enumerated() {
                for number in 0..<Trigger.TriggerLoad.limit {
                    let trigger = trigger("\(index)-\(number)", due: noon + month)
                    #expect(try await send(trigger, to: [user], in: store) == 1)
                }
            }
            let now = trigger("now", at: noon + 60, due: noon + 60)
            #expect(try await send(now, to: [someone], in: store) == 1)
            for user in users.dropFirst() {
                let identification = Identification(user: .id(user), identity: someone)
                #expect(try await store.identifyUsers([identification], at: noon) == [.done])
            }
            let state = try #require(try await store.userState(of: someone, including: [], dueBy: noon + 60))
            #expect(state.triggers.first == now)
            #expect(state.triggers.count > Trigger.TriggerLoad.limit)
        }
    }

    static let properties = ConformanceCheck(
        "The properties of what isn't due anywhere on Earth aren't read, and the rest of it is"
    ) { stores in
        try await stores.withStore { store in
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            func clock(_ hours: Double) -> PlannedTime {
                .local(LocalTime(seconds: noon + 60 + hours * 3_600))
            }
            let moments: [(id: String, due: PlannedTime)] = [
                ("due", .at(noon + 60)), ("later", .at(noon + 61)), ("local", clock(14)), ("late", clock(14.01)),
            ]
            for (id, due) in moments {
                var trigger = trigger(id, due: noon)
                (trigger.due, trigger.until) = (due, due.latest + 3_600)
                #expect(try await send(trigger, to: [someone], bytes: 100, in: store) == 1)
            }
            let state = try #require(try await store.userState(of: someone, including: [], dueBy: noon + 60))
            let read = state.triggers.filter { $0.properties != nil }
            #expect(Set(read.map(\.id.rawValue)) == ["due", "local"])
            #expect(Set(state.triggers.dropFirst(2).map(\.id.rawValue)) == ["later", "late"])
            let all = try #require(try await store.userState(of: someone)?.triggers)
            #expect(all.count == 4 && all.allSatisfy { $0.properties?.count == 100 })
            #expect(Set(all.map(\.due)) == Set(state.triggers.map(\.due)))
        }
    }
}
