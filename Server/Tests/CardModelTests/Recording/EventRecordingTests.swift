import Testing
import WireJSON

@testable import CardModel

@Suite("Recording a batch of events")
struct EventRecordingTests {
    private let sale = CampaignID(rawValue: "sale")

    private func event(_ number: UInt64, _ kind: DeviceEvent.EventKind, at time: UnixTime = 100) -> DeviceEvent {
        DeviceEvent(id: EventID(high: 1, low: number), kind: kind, at: time)
    }

    private func card(_ id: String) -> CardID { CardID(rawValue: id) }

    private var store: NaiveEventStore {
        var store = NaiveEventStore()
        store.give("one", of: "sale", at: 0)
        store.give("two", of: "sale", at: 10)
        return store
    }

    private func counts(_ recorder: Recorder) -> CampaignCounts {
        recorder.counts.variants.values.reduce(into: CampaignCounts()) { $0 += $1 }
    }

    @Test("An event about a card that the user doesn't have is refused, and isn't for the log")
    func unknownCard() {
        var (store, recorder) = (store, Recorder())
        let writes = store.record([event(1, .click(card("other"))), event(2, .click(card("one")))], with: &recorder)
        #expect(writes.outcome.receipt.rejected.map(\.code) == [.cardUnknown])
        #expect(writes.outcome.receipt.accepted == 1)
        #expect(store.log.map(\.id) == [EventID(high: 1, low: 2)])
        #expect(counts(recorder).clicks == 1)
    }

    @Test("An event that was recorded before is a duplicate, also within a batch, and changes nothing")
    func duplicates() {
        var (store, recorder) = (store, Recorder())
        let seen = event(1, .impression(card("one")))
        let first = store.record([seen, seen], with: &recorder)
        #expect(first.outcome.receipt == EventReceipt(accepted: 1, duplicate: 1))
        let again = store.record([seen], with: &recorder)
        #expect(again.outcome.receipt == EventReceipt(accepted: 0, duplicate: 1))
        #expect(again.cards.isEmpty && again.outcome.versionAfter == first.outcome.versionAfter)
        #expect(first.user == .version && again.user == .nothing)
        #expect(counts(recorder).impressions == 1)
    }

    @Test("A second card of the campaign counts no second unique impression or click, also within a batch")
    func unique() {
        var (store, recorder) = (store, Recorder())
        let kinds: [DeviceEvent.EventKind] = [
            .impression(card("one")), .impression(card("two")), .click(card("two")), .click(card("one")),
        ]
        _ = store.record(kinds.enumerated().map { event(UInt64($0.offset), $0.element) }, with: &recorder)
        let counts = counts(recorder)
        #expect(counts.impressions == 2 && counts.uniqueImpressions == 1)
        #expect(counts.clicks == 2 && counts.uniqueClicks == 1)
    }

    @Test("What was counted of a card that is gone with a joining was another user's conversion")
    func goneCard() throws {
        var (store, recorder) = (store, Recorder())
        var campaign = try Sample.launched("sale")
        campaign.content.conversions = [
            Campaign.Conversion(
                id: "buy",
                goal: .event(EventCondition(.event("buy"))),
                window: 300,
                opening: .delivery
            )
        ]
        recorder.conversions = ConversionRules([campaign])
        let place = ConversionPlace(campaign: sale, conversion: "buy")
        store.conversions[place] = [card("gone"): CountedConversion(at: 50, localDay: nil)]
        _ = store.record([event(1, .custom(name: "buy"), at: 20)], with: &recorder)
        #expect(store.conversions[place]?.count == 2)
        #expect(recorder.counts.conversions.keys.allSatisfy { !$0.variant.rawValue.isEmpty })
        let counts = recorder.counts.conversions.values.reduce(into: ConversionCounts()) { $0 += $1 }
        #expect(counts.conversions == 1 && counts.uniqueConversions == 1)
    }

    @Test("Marks that devices are told of raise the version; later times alone don't")
    func versions() throws {
        var (store, recorder) = (store, Recorder())
        let first = store.record([event(1, .impression(card("one")), at: 50)], with: &recorder)
        #expect(first.outcome.versionAfter == 1 && first.knowingDevice == "phone")
        #expect(try #require(first.cards.first).isMarked)
        let later = store.record([event(2, .impression(card("one")), at: 90)], with: &recorder)
        #expect(later.outcome.versionAfter == 1 && later.outcome.historyParts == .contacts)
        let row = try #require(later.cards.first)
        #expect(!row.isMarked && row.isTouched && row.marks.viewedAt == 90 && row.firstViewedAt == 50)
    }

    @Test(
        "A name of an event beyond the limit is refused and taken out of the log again; known names and sessions go on"
    )
    func names() {
        var (store, recorder) = (store, Recorder())
        recorder.limits.eventNames = 2
        let names = ["a", "b", "c", "a"].enumerated().map {
            event(UInt64($0.offset), .custom(name: ByteString($0.element)))
        }
        let writes = store.record(names + [event(9, .sessionStart)], with: &recorder)
        #expect(writes.outcome.excesses == [2: UserLimits.Excess(.eventNames, limit: 2)])
        #expect(writes.withdrawn == [EventID(high: 1, low: 2)])
        #expect(writes.outcome.receipt.accepted == 4 && store.log.count == 4)
        #expect(store.histories[HistoryKey(.events, name: "a")]?.occurrences.count == 2)
        #expect(store.histories[HistoryKey(.sessions)]?.occurrences.count == 1)
    }

    @Test("Attributes change once for a batch, those beyond a limit are left out, and every device is told")
    func attributes() {
        var (store, recorder) = (store, Recorder())
        recorder.limits.attributes = 1
        func set(_ name: String, _ value: JSONValue) -> DeviceEvent.EventKind {
            .attributes(AttributeChanges(custom: [name: .set(value)]))
        }
        let writes = store.record(
            [event(1, set("a", 1)), event(2, set("b", 2)), event(3, set("a", 3))],
            with: &recorder
        )
        #expect(writes.outcome.excesses == [1: UserLimits.Excess(.attributes, limit: 1)])
        #expect(store.profile.custom["a"] == 3 && store.profile.custom.count == 1)
        #expect(writes.outcome.bringsNews && writes.knowingDevice == nil && store.version == 1)
        let same = store.record([event(4, set("a", 3))], with: &recorder)
        #expect(same.profile == nil && store.version == 1)
    }

    @Test("A removal event ends cards, cancels what waits and covers broadcasts, but for what happened later")
    func removal() throws {
        var (store, recorder) = (store, Recorder())
        let rules = EventRules([
            try Sample.launched("sale", rules: Campaign.Rules(removal: [EventCondition(.event("bye"))]))
        ])
        for (id, time) in [("early", 50.0), ("late", 150.0)] {
            let trigger = Sample.trigger(id, of: "sale", at: time)
            store.triggers[trigger.key] = NaiveEventStore.StoredTrigger(trigger: trigger)
            store.broadcasts.append(Sample.trigger("all-\(id)", of: "sale", at: time))
        }
        let writes = store.record([event(1, .custom(name: "bye"))], rules: rules, with: &recorder)
        #expect(writes.endedCampaigns == [sale] && writes.outcome.bringsNews && writes.knowingDevice == nil)
        #expect(writes.usedTriggers == [UsedTrigger(TriggerID(rawValue: "early"), of: sale, .removed)])
        #expect(writes.triggers.isEmpty && writes.covers.map(\.id.rawValue) == ["all-early"])
        #expect(writes.covers.allSatisfy { $0.coversBroadcast })
        for (number, time) in [(2, 40.0), (3, 140.0)] {
            let again = store.record(
                [event(UInt64(number), .custom(name: "bye"), at: time)],
                rules: rules,
                with: &recorder
            )
            #expect(again.endedCampaigns.isEmpty && !again.outcome.bringsNews)
        }
        #expect(waits(store) == ["all-early", "late"])
    }

    /// The ids of the triggers that wait.
    private func waits(_ store: NaiveEventStore) -> [String] {
        store.triggers.values.filter { $0.outcome == nil }.map(\.trigger.id.rawValue).sorted()
    }

    @Test(
        "A broadcast is cancelled where the user's own trigger of its id is, was, or ends otherwise, but not once given"
    )
    func covers() throws {
        var (store, recorder) = (store, Recorder())
        let rules = EventRules([
            try Sample.launched("sale", rules: Campaign.Rules(removal: [EventCondition(.event("bye"))]))
        ])
        let outcomes: [String: Trigger.TriggerOutcome?] = [
            "waits": nil, "removed": .removed, "expired": .expired, "given": .delivered,
        ]
        for (id, outcome) in outcomes {
            let trigger = Sample.trigger(id, of: "sale", at: 50)
            store.triggers[trigger.key] = NaiveEventStore.StoredTrigger(trigger: trigger, outcome: outcome)
            store.broadcasts.append(trigger)
        }
        _ = store.record([event(1, .custom(name: "bye"))], rules: rules, with: &recorder)
        let covers = store.triggers.values.filter { $0.outcome == nil && $0.trigger.coversBroadcast }
        #expect(covers.map(\.trigger.id.rawValue).sorted() == ["expired", "removed", "waits"])
        #expect(store.triggers.values.count { $0.outcome == .delivered } == 1)
    }

    @Test("What keeps a broadcast that isn't due from a user outlasts the broadcast, which may be put off")
    func longCovers() throws {
        var (store, recorder) = (store, Recorder())
        let rules = EventRules([
            try Sample.launched("sale", rules: Campaign.Rules(removal: [EventCondition(.event("bye"))]))
        ])
        for (id, due) in [("due", 9_000.0), ("planned", 11_000.0)] {
            var broadcast = Sample.trigger(id, of: "sale", at: 50)
            (broadcast.due, broadcast.until) = (.at(due), due + 5_000)
            store.broadcasts.append(broadcast)
        }
        let writes = store.record([event(1, .custom(name: "bye"))], at: 10_000, rules: rules, with: &recorder)
        #expect(writes.covers.map(\.until) == [14_000, 16_000 + Campaign.longestWindow])
        #expect(writes.covers.allSatisfy { $0.coversBroadcast })
    }

    @Test("A removal event ends a card that the limit dropped as well, and one that it ended before stays as it is")
    func removesDropped() throws {
        var (store, recorder) = (store, Recorder())
        let rules = EventRules([
            try Sample.launched("sale", rules: Campaign.Rules(removal: [EventCondition(.event("bye"))]))
        ])
        store.ends = [card("one"): .limit, card("two"): .limit]
        let first = store.record([event(1, .custom(name: "bye"))], rules: rules, with: &recorder)
        #expect(first.endedCampaigns == [sale] && first.outcome.bringsNews)
        let again = store.record([event(2, .custom(name: "bye"))], rules: rules, with: &recorder)
        #expect(again.endedCampaigns.isEmpty && !again.outcome.bringsNews)
    }

    @Test("An event triggers a campaign, and a later one of the same batch cancels what it triggered")
    func triggers() throws {
        var (store, recorder) = (store, Recorder())
        let action = Campaign.ActionDelivery(trigger: EventCondition(.event("open")))
        let rules = EventRules([
            try Sample.launched(
                "sale",
                delivery: .action(action),
                rules: Campaign.Rules(removal: [EventCondition(.event("bye"))])
            )
        ])
        let open = event(1, .custom(name: "open"), at: 20_000)
        _ = store.record([open], rules: rules, with: &recorder)
        #expect(store.triggers.count == 1 && store.triggers.values.allSatisfy { $0.outcome == nil })
        let second = event(2, .custom(name: "open"), at: 20_001)
        let bye = event(3, .custom(name: "bye"), at: 20_002)
        _ = store.record([second, bye], rules: rules, with: &recorder)
        #expect(store.triggers.count == 2 && store.triggers.values.allSatisfy { $0.outcome == .removed })
    }
}
