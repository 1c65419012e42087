import CardModel
import Testing

@testable import CardServer

@Suite("What events take of those that a user may send")
struct EventCostTests {
    private func event(_ bytes: Int?) -> DeviceEvent {
        let id = EventID(high: 1, low: 1)
        let properties = bytes.map { [UInt8](repeating: 0x20, count: $0) }
        return DeviceEvent(id: id, kind: .custom(name: "seen"), at: 0, properties: properties)
    }

    @Test(
        "Each KiB of properties beyond the first counts as an event",
        arguments: [
            (nil, 1), (0, 1), (1, 1), (1_024, 1), (1_025, 2), (2_048, 2), (2_049, 3), (16_384, 16),
        ] as [(Int?, Int)]
    )
    func properties(bytes: Int?, cost: Int) {
        #expect(EventCost.of([event(bytes)]) == cost)
        #expect(EventCost.of([event(bytes), event(nil)]) == cost + 1)
    }

    @Test("A change that looks at all of an attribute counts as ten, and others as nothing beside their event")
    func attributes() {
        func event(_ changes: AttributeChange...) -> DeviceEvent {
            var attributes = AttributeChanges()
            for (place, change) in changes.enumerated() { attributes.custom["a\(place)"] = change }
            return DeviceEvent(id: EventID(high: 1, low: 1), kind: .attributes(attributes), at: 0)
        }
        let match = AttributeChange.ObjectEdits.ObjectMatch(key: "k", value: 1)
        let edits = AttributeChange.ObjectEdits(additions: [], updates: [], removals: [match, match], merges: false)
        #expect(EventCost.of([event(.set("x"), .set("y"), .increment(by: 1))]) == 1)
        #expect(EventCost.of([event(.edit(adding: ["x"], removing: []))]) == 10)
        #expect(EventCost.of([event(.merge([:]), .edit(adding: [], removing: ["x"]))]) == 19)
        #expect(EventCost.of([event(.editObjects(edits)), event(.set("x"))]) == 13)
    }
}
