import Testing
import WireJSON

@testable import CardModel

@Suite("The work of conditions on events")
struct EventWorkTests {
    /// An expression that leads to hundreds of steps at each letter.
    private let condition = EventCondition(
        .event("note"),
        filters: [EventCondition.PropertyFilter("text", .matchesRegex, "(a?){200}b")]
    )
    private let events = (0..<100).map { number in
        DeviceEvent(
            id: EventID(high: 1, low: UInt64(number)),
            kind: .custom(name: "note"),
            at: 10,
            properties: JSONValue.object(["text": .string(String(repeating: "a", count: 300) + "b")]).bytes
        )
    }

    @Test("The events of a request share the work of expressions, and each has its own elsewhere")
    func shared() {
        let matcher = EventMatcher(condition)
        let alone = events.count { matcher.matches(ReadableEvent($0)) }
        let work = PatternWork.ofBatch
        let together = events.count { matcher.matches(ReadableEvent($0, within: work)) }
        #expect(alone == 100 && (1..<100).contains(together))
    }

    @Test("A plan asks conditions of conversions and campaigns with the work of one request")
    func plan() throws {
        var campaign = try Sample.launched("c")
        campaign.content.conversions = [Campaign.Conversion(id: "noted", goal: .event(condition))]
        let removing = try Sample.launched("r", rules: Campaign.Rules(removal: [condition]))
        var recorder = Recorder()
        recorder.conversions = ConversionRules([campaign])
        let batch = EventBatch(
            user: UserID(rawValue: "ann"),
            events: events,
            receivedAt: 100,
            rules: EventRules([removing])
        )
        let plan = recorder.plan(batch, in: RecordingState(for: batch, version: 0))
        #expect((1..<100).contains(plan.matches.count) && plan.consequences.count <= plan.matches.count)
    }

    @Test("The users of a backend's request share its work")
    func request() throws {
        var campaign = try Sample.launched("c")
        campaign.content.conversions = [Campaign.Conversion(id: "noted", goal: .event(condition))]
        var recorder = Recorder()
        recorder.conversions = ConversionRules([campaign])
        var request = TrackedRequest()
        for (place, event) in events.enumerated() {
            let user = UserID(rawValue: "user-\(place % 20)")
            _ = request.add(TrackedChange(user: .id(user), newUser: user, content: .event(event)), of: user)
        }
        let batches = request.batches(rules: nil, at: 100)
        let found = batches.reduce(0) { count, batch in
            count + recorder.plan(batch, in: RecordingState(for: batch, version: 0)).matches.count
        }
        #expect(batches.count == 20 && (1..<100).contains(found))
    }

    @Test("Each trigger of an event has all that can be read of it")
    func triggers() throws {
        let trigger = EventCondition(.event("note"))
        let campaigns = try ["a", "b"].map { id in
            try Sample.launched(id, delivery: .action(Campaign.ActionDelivery(trigger: trigger, delay: 1, window: 20)))
        }
        let found = EventRules(campaigns).consequences(of: events[0], at: 10).triggers
        #expect(found.map(\.properties) == [events[0].properties, events[0].properties])
    }
}
