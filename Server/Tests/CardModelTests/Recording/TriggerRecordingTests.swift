import Statistics
import Testing

@testable import CardModel

@Suite("Recording what backends send")
struct TriggerRecordingTests {
    private static let names = ["ann", "bob", "carl", "dora"].map(UserID.init(rawValue:))

    @Test("A recipient who isn't known is named, or created where the send says so")
    func unknown() {
        let trigger = Sample.trigger("s", at: 70)
        var send = TriggerSend(trigger, to: Self.names.prefix(2).map { TriggerSend.Recipient($0) })
        let known = [Self.names[0]: KnownRecipient(version: 4)]
        let named = Recorder().record(send, for: known)
        #expect(named.receipt.unknown == [Self.names[1]] && named.receipt.accepted == 1)
        #expect(named.creations.isEmpty && named.waiting.map(\.version) == [5])
        send.makesUsers = true
        let created = Recorder().record(send, for: known)
        #expect(created.creations == [UserProfile(id: Self.names[1], createdAt: 70)])
        #expect(created.receipt.accepted == 2 && created.waiting.map(\.version) == [5, 1])
    }

    @Test("What waits of a scheduled send is marked, so that its id finds it")
    func schedules() {
        var send = TriggerSend(Sample.trigger("s"), to: [TriggerSend.Recipient(Self.names[0])], isScheduled: true)
        let known = [Self.names[0]: KnownRecipient(version: 1)]
        #expect(Recorder().record(send, for: known).waiting.map(\.isScheduled) == [true])
        send.isScheduled = false
        #expect(Recorder().record(send, for: known).waiting.map(\.isScheduled) == [false])
    }

    @Test("A send that would go beyond what may wait for one of its recipients writes nothing")
    func limits() {
        typealias Load = Trigger.TriggerLoad
        func record(_ load: Load, bytes: Int? = nil, hasTrigger: Bool = false) -> TriggerWrites {
            let properties = bytes.map { [UInt8](repeating: 1, count: $0) }
            let recipients = [TriggerSend.Recipient(Self.names[1]), .init(Self.names[0], properties: properties)]
            let known = [Self.names[0]: KnownRecipient(version: 1, hasTrigger: hasTrigger, load: load)]
            return Recorder().record(
                TriggerSend(Sample.trigger("s"), to: recipients, makesUsers: true),
                for: known
            )
        }
        #expect(record(Load(count: Load.limit - 1, size: Load.sizeLimit - 10), bytes: 10).waiting.count == 2)
        for refused in [record(Load(count: Load.limit)), record(Load(size: Load.sizeLimit - 9), bytes: 10)] {
            #expect(refused.isBeyondLimit && refused.waiting.isEmpty && refused.creations.isEmpty)
            #expect(refused.receipt == TriggerReceipt())
        }
        // What brings nothing new is no matter.
        #expect(record(Load(count: Load.limit, size: 2 * Load.sizeLimit), hasTrigger: true).receipt.duplicate == 1)
        #expect(record(Load(size: 2 * Load.sizeLimit)).waiting.count == 2)
    }

    @Test(
        "However sends name users, each has one trigger of an id, with the properties of the first",
        arguments: 0..<100
    )
    func random(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        var store = NaiveTriggerStore()
        var expected: [UserID: [TriggerID: [UInt8]?]] = [:]
        var (accepted, duplicate, unknown) = (0, 0, 0)
        for step in 0..<40 {
            let recipients = (0..<Int.random(in: 0..<6, using: &random)).map { place in
                let user = Self.names[Int.random(in: 0..<Self.names.count, using: &random)]
                return TriggerSend.Recipient(
                    user,
                    properties: Bool.random(using: &random) ? [UInt8(step), UInt8(place)] : nil
                )
            }
            let trigger = Sample.trigger("s\(Int.random(in: 0..<8, using: &random))", at: Double(step))
            let makes = Int.random(in: 0..<3, using: &random) == 0
            store.record(TriggerSend(trigger, to: recipients, makesUsers: makes))
            for recipient in recipients {
                guard expected[recipient.user] != nil || makes else {
                    unknown += 1
                    continue
                }
                if expected[recipient.user, default: [:]][trigger.id] == nil {
                    expected[recipient.user, default: [:]][trigger.id] = .some(recipient.properties)
                    accepted += 1
                } else {
                    duplicate += 1
                }
            }
        }
        #expect(store.triggers.mapValues { $0.mapValues(\.properties) } == expected)
        #expect(store.versions == expected.mapValues { UserVersion($0.count) })
        #expect([store.receipt.accepted, store.receipt.duplicate] == [accepted, duplicate])
        #expect(store.receipt.unknown.count == unknown)
    }
}

/// Loads and applies as plainly as can be.
private struct NaiveTriggerStore {
    var versions: [UserID: UserVersion] = [:]
    var triggers: [UserID: [TriggerID: Trigger]] = [:]
    var receipt = TriggerReceipt()

    mutating func record(_ send: TriggerSend) {
        var known: [UserID: KnownRecipient] = [:]
        for (user, version) in versions {
            known[user] = KnownRecipient(version: version, hasTrigger: triggers[user]?[send.trigger.id] != nil)
        }
        let writes = Recorder().record(send, for: known)
        for profile in writes.creations {
            #expect(versions[profile.id] == nil)
            versions[profile.id] = 0
        }
        for waiting in writes.waiting {
            #expect(triggers[waiting.user]?[waiting.trigger.id] == nil)
            triggers[waiting.user, default: [:]][waiting.trigger.id] = waiting.trigger
            versions[waiting.user] = waiting.version
        }
        receipt.accepted += writes.receipt.accepted
        receipt.duplicate += writes.receipt.duplicate
        receipt.unknown += writes.receipt.unknown
    }
}
