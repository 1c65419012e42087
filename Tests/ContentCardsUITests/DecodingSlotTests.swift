import Foundation
import Testing

@testable import ContentCardsUI

@MainActor
@Suite("Slots for images that are decoded", .timeLimit(.minutes(20)))
struct DecodingSlotTests {
    @Test("go to images on screen before those that are loaded ahead, and otherwise to who came first")
    func order() async {
        let slots = DecodingSlots(count: 2)
        await slots.enter(isPrefetch: true)
        await slots.enter(isPrefetch: false)
        let entered = Guarded<[String]>([])
        var tasks: [Task<Void, Never>] = []
        for (name, isPrefetch) in [("soon 1", true), ("soon 2", true), ("now 1", false), ("now 2", false)] {
            let task = Task { @MainActor in
                await slots.enter(isPrefetch: isPrefetch)
                entered.change { $0.append(name) }
            }
            tasks.append(task)
            while slots.waitingCount < tasks.count { await Task.yield() }
        }
        #expect(entered.value.isEmpty)
        for count in 1...tasks.count {
            slots.leave()
            while entered.value.count < count { await Task.yield() }
        }
        #expect(entered.value == ["now 1", "now 2", "soon 1", "soon 2"])
        for task in tasks { await task.value }
        // All were given back, and can be taken at once.
        for _ in 1...2 { slots.leave() }
        for _ in 1...2 { await slots.enter(isPrefetch: true) }
        #expect(slots.waitingCount == 0)
    }
}
