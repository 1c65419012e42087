import Statistics
import Testing

@testable import CardModel

@Suite("What may wait at once")
struct LoadLimitTests {
    @Test("Broadcasts are within each of three limits, and the first that is exceeded is named")
    func broadcasts() {
        typealias Load = Broadcast.BroadcastLoad
        let (campaign, all, size) = (Load.campaignLimit, Load.limit, Load.sizeLimit)
        #expect(Load(ofCampaign: 0, count: 0, size: 0).excess == nil)
        #expect(Load(ofCampaign: campaign, count: all, size: size).excess == nil)
        let ofCampaign = Load(ofCampaign: campaign + 1, count: all + 1, size: size + 1).excess
        #expect(ofCampaign == "At most 250 broadcasts of a campaign wait for their users at once.")
        let count = Load(ofCampaign: campaign, count: all + 1, size: size + 1).excess
        #expect(count == "At most 1000 broadcasts wait for their users at once.")
        let bytes = Load(ofCampaign: campaign, count: all, size: size + 1).excess
        #expect(bytes == "All broadcasts that wait have at most 2097152 bytes of audiences and properties.")
    }

    @Test("A user has room for so many triggers, whatever their size")
    func triggerCount() {
        typealias Load = Trigger.TriggerLoad
        #expect(Load.limit == 500 && Load.sizeLimit == 1_048_576)
        #expect(Load(count: Load.limit - 1).hasRoom(for: nil))
        #expect(!Load(count: Load.limit).hasRoom(for: nil))
        #expect(!Load(count: Load.limit).hasRoom(for: []))
        #expect(!Load(count: .max).hasRoom(for: [1]))
    }

    @Test("Properties have room up to the last byte, and a trigger without any needs none")
    func triggerSize() {
        typealias Load = Trigger.TriggerLoad
        let properties = [UInt8](repeating: 0, count: 100)
        #expect(Load(size: Load.sizeLimit - 100).hasRoom(for: properties))
        #expect(!Load(size: Load.sizeLimit - 99).hasRoom(for: properties))
        #expect(Load(size: Load.sizeLimit).hasRoom(for: nil) && Load(size: Load.sizeLimit + 1).hasRoom(for: []))
        #expect(!Load(size: .max).hasRoom(for: properties))
    }

    @Test("What users do triggers no more than half of what a backend may")
    func events() {
        typealias Load = Trigger.TriggerLoad
        #expect(Load().hasRoomForEvent)
        #expect(Load(count: 249, size: Load.eventSizeLimit - 1).hasRoomForEvent)
        #expect(!Load(count: 250).hasRoomForEvent && !Load(size: Load.eventSizeLimit).hasRoomForEvent)
        // A backend still has room there.
        #expect(Load(count: 250, size: Load.eventSizeLimit).hasRoom(for: [1]))
    }

    @Test("Filled trigger by trigger, a load is never beyond its limits by more than one event", arguments: 0..<20)
    func filling(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        var load = Trigger.TriggerLoad()
        var refused = 0
        while refused < 20 {
            let size = Int.random(in: 0...(seed.isMultiple(of: 2) ? 20 : Trigger.propertyLimit), using: &random)
            let isEvent = Bool.random(using: &random)
            let properties = [UInt8](repeating: 1, count: size)
            guard isEvent ? load.hasRoomForEvent : load.hasRoom(for: properties) else {
                refused += 1
                continue
            }
            load.count += 1
            load.size += size
            #expect(load.count <= Trigger.TriggerLoad.limit)
            #expect(load.size <= Trigger.TriggerLoad.sizeLimit)
        }
        #expect(load.count >= Trigger.waitingLimit || load.size >= Trigger.TriggerLoad.eventSizeLimit)
    }
}
