import Testing
import WireJSON

@testable import CardModel

@Suite("What follows from events")
struct EventRulesTests {
    private let cart = EventCondition(.event("cart"))

    private func event(_ name: String, at time: UnixTime, _ properties: JSONValue? = nil) -> DeviceEvent {
        DeviceEvent(
            id: EventID(high: 1, low: 2),
            kind: .custom(name: ByteString(name)),
            at: time,
            properties: properties?.bytes
        )
    }

    private func campaign(
        _ id: String,
        start: UnixTime? = nil,
        end: UnixTime? = nil,
        removal: [EventCondition] = []
    ) throws -> Campaign {
        let action = Campaign.ActionDelivery(trigger: cart, delay: 10, window: 20, start: start, end: end)
        let rules = Campaign.Rules(removal: removal)
        return try Sample.launched(id, at: 50, delivery: .action(action), rules: rules)
    }

    @Test("An event triggers a campaign while that is open, and as long as the trigger would wait")
    func open() throws {
        let rules = EventRules([try campaign("c", start: 100, end: 200)])
        for time in stride(from: 0.0, through: 250, by: 5) {
            for now in [0.0, 120, 130, 229, 230, 500] {
                let triggers = rules.consequences(of: event("cart", at: time), at: now).triggers
                let isOpen = time >= 100 && time < 200 && time + 30 > now
                #expect(triggers.count == (isOpen ? 1 : 0), "\(time) at \(now)")
                guard let trigger = triggers.first else { continue }
                #expect(trigger.at == time && trigger.due == .at(time + 10) && trigger.until == time + 30)
                #expect(trigger.id.rawValue == EventID(high: 1, low: 2).description)
                #expect(trigger.campaign.rawValue == "c" && trigger.properties == nil)
            }
        }
    }

    @Test("What happened before the launch triggers nothing, and at its moment it does")
    func launch() throws {
        let rules = EventRules([try campaign("c")])
        #expect(rules.consequences(of: event("cart", at: 49.9), at: 49.9).isEmpty)
        #expect(rules.consequences(of: event("cart", at: 50), at: 50).triggers.count == 1)
        #expect(rules.consequences(of: event("Cart", at: 60), at: 60).isEmpty)
    }

    @Test("A campaign that isn't active triggers nothing, and its removal events still take cards away")
    func statuses() throws {
        let active = try campaign("active", removal: [cart])
        let paused = try campaign("paused", removal: [cart]).applying(.pause, at: 60)
        let stopped = try campaign("stopped", removal: [cart]).applying(.stop(withdraw: false), at: 60)
        var draft = Sample.campaign("draft", delivery: active.content.delivery, rules: active.content.rules)
        let found = EventRules([draft, active, paused, stopped]).consequences(of: event("cart", at: 100), at: 100)
        #expect(found.triggers.map(\.campaign.rawValue) == ["active"])
        #expect(found.removals.map(\.rawValue) == ["active", "paused", "stopped"])
        draft.content.rules.removal = []
        #expect(EventRules([draft]).consequences(of: event("cart", at: 100), at: 100).isEmpty)
    }

    @Test("A removal event takes cards away whenever it happened, in the schedule or out of it")
    func removals() throws {
        let bought = EventCondition(.purchase(product: "cup"))
        let rules = EventRules([try campaign("c", start: 100, end: 200, removal: [bought])])
        func purchase(_ product: String, at time: UnixTime) -> DeviceEvent {
            let purchase = DeviceEvent.Purchase(productID: product, currency: "EUR", price: 1)
            return DeviceEvent(id: EventID(high: 1, low: 3), kind: .purchase(purchase), at: time)
        }
        for time in [0.0, 150, 300] {
            let found = rules.consequences(of: purchase("cup", at: time), at: 1_000)
            #expect(found.removals.map(\.rawValue) == ["c"] && found.triggers.isEmpty)
        }
        #expect(rules.consequences(of: purchase("mug", at: 150), at: 150).isEmpty)
        #expect(rules.consequences(of: event("cup", at: 150), at: 150).isEmpty)
    }

    @Test("A trigger has the properties of its event, and events about cards have no consequences")
    func properties() throws {
        let rules = EventRules([try campaign("c")])
        let found = rules.consequences(of: event("cart", at: 60, ["size": 3]), at: 60).triggers.first
        #expect(try JSONValue(parsing: try #require(found?.properties)) == ["size": 3])
        #expect(rules.consequences(of: event("cart", at: 60, [:]), at: 60).triggers.first?.properties == nil)
        let card = CardID(rawValue: "card")
        for kind in [DeviceEvent.EventKind.impression(card), .click(card), .dismissal(card), .sessionStart] {
            let event = DeviceEvent(id: EventID(high: 1, low: 4), kind: kind, at: 60)
            #expect(rules.consequences(of: event, at: 60).isEmpty)
        }
    }
}
