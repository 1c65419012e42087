import Statistics
import Testing

@testable import CardModel

@Suite("Recording what was decided for a feed")
struct FeedRecordingTests {
    private let user = UserID(rawValue: "u")
    private let phone = DeviceContext(locale: "ja-JP", timeZone: "Asia/Tokyo", appVersion: "1.0")

    private func delivery(_ card: String, _ ordinal: Int = 0, trigger: String? = nil) -> Delivery {
        Delivery(
            card: CardID(rawValue: card),
            campaign: CampaignID(rawValue: "c"),
            ordinal: ordinal,
            variant: VariantID(rawValue: "a"),
            deliveredAt: 100,
            origin: DeliveryOrigin(trigger: trigger.map(TriggerID.init(rawValue:)))
        )
    }

    private func change(
        of version: UserVersion,
        _ additions: [Delivery] = [],
        device: DeviceContext? = nil
    ) -> FeedChange {
        FeedChange(user: user, version: version, device: device, additions: additions, endings: [:], at: 100)
    }

    @Test("A change that was decided from another version of the user writes nothing")
    func conflict() {
        var recorder = Recorder()
        let writes = [KnownUser(version: 3), nil].map { recorder.save(change(of: 2, [delivery("x")]), over: $0) }
        #expect(writes == [nil, nil])
        #expect(recorder.counts.variants.isEmpty)
    }

    @Test("A user unknown to the store is created with the device that asked")
    func creation() {
        var recorder = Recorder()
        let writes = recorder.save(change(of: 0, device: phone), over: nil)
        var profile = UserProfile(id: user, createdAt: 100)
        profile.device = phone
        profile.lastSeenAt = 100
        #expect(writes == FeedWrites(version: 1, user: .creation(profile), triggers: []))
    }

    @Test("A known device with nothing new is only seen, and the version stays")
    func seen() {
        var recorder = Recorder()
        let known = KnownUser(version: 4, device: phone)
        let other = DeviceContext(locale: "de-DE")
        let writes = [phone, nil, other].map { recorder.save(change(of: 4, device: $0), over: known) }
        #expect(writes.map { $0?.version } == [4, 4, 5])
        #expect(writes.map { $0?.user } == [.seen, .nothing, .device(other)])
    }

    @Test("Triggers that come to nothing are used up although the user's version stays")
    func discards() throws {
        var recorder = Recorder()
        var change = change(of: 4)
        change.discards = [FeedDecision.Discard(Sample.trigger("t", at: 5), .expired)]
        let saved = recorder.save(change, over: KnownUser(version: 4))
        let writes = try #require(saved)
        #expect(writes.version == 4)
        #expect(writes.triggers == [UsedTrigger(TriggerID(rawValue: "t"), of: CampaignID(rawValue: "c"), .expired)])
    }

    @Test("Cards take their positions from the version, and use up their triggers")
    func positions() throws {
        var recorder = Recorder()
        let change = change(of: 1, [delivery("x", trigger: "t"), delivery("y", 1)])
        let saved = recorder.save(change, over: KnownUser(version: 1))
        let writes = try #require(saved)
        #expect(writes.user == .version && writes.version == 2)
        #expect([writes.position(at: 0), writes.position(at: 1)] == [2 << 12, 2 << 12 + 1])
        #expect(writes.deliveries.map(\.changedAt) == [2, 2])
        #expect(writes.triggers == [UsedTrigger(TriggerID(rawValue: "t"), of: CampaignID(rawValue: "c"), .delivered)])
    }

    @Test("Only first cards count recipients and the weights by which users were divided")
    func counts() throws {
        var recorder = Recorder()
        var change = change(of: 1, [delivery("x"), delivery("y", 1)])
        change.allocations = [CampaignID(rawValue: "c"): VariantAllocation([VariantID(rawValue: "a"): 1])]
        _ = recorder.save(change, over: KnownUser(version: 1))
        let counts = try #require(recorder.counts.variants.values.first)
        #expect(recorder.counts.variants.count == 1 && counts.delivered == 2 && counts.recipients == 1)
        #expect(recorder.counts.allocations.map(\.value) == [1])
    }

    @Test("Applying the writes leads to the state that the feed was decided to have", arguments: 0..<50)
    func random(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        var recorder = Recorder()
        recorder.calendar.follow(zone: "Asia/Tokyo")
        var expected = UserState(profile: UserProfile(id: user, createdAt: 0))
        var store = NaiveFeedStore()
        for step in 0..<60 {
            let change = randomChange(of: expected, step, &random)
            let writes = recorder.save(change, over: store.known)
            #expect((writes == nil) == (change.version != expected.version))
            guard let writes else { continue }
            store.apply(writes, at: change.at)
            if store.version != expected.version { expected.apply(change, version: writes.version) }
            #expect(store.version == expected.version && store.deliveries == expected.deliveries)
            #expect(store.device == expected.profile.device)
        }
        let counts = recorder.counts.variants.values
        #expect(counts.reduce(0) { $0 + $1.delivered } == Int64(expected.deliveries.count))
        #expect(counts.reduce(0) { $0 + $1.recipients } == Int64(expected.deliveries.count { $0.ordinal == 0 }))
    }

    private func randomChange(of state: UserState, _ step: Int, _ random: inout SplitMix) -> FeedChange {
        let additions = (0..<Int.random(in: 0..<3, using: &random)).map {
            delivery("card-\(step)-\($0)", Int.random(in: 0..<2, using: &random))
        }
        let isStale = state.version > 0 && Int.random(in: 0..<8, using: &random) == 0
        let hasDevice = state.version == 0 || Bool.random(using: &random)
        var change = FeedChange(
            user: user,
            version: isStale ? state.version - 1 : state.version,
            device: hasDevice ? DeviceContext(appVersion: "\(Int.random(in: 0..<2, using: &random))") : nil,
            additions: additions,
            endings: [:],
            at: Double(step) * 40_000
        )
        let card = state.deliveries.filter { $0.end == nil }.randomElement(using: &random)
        if let card, Bool.random(using: &random) { change.endings[card.card] = .limit }
        return change
    }
}

/// Applies writes as plainly as can be.
private struct NaiveFeedStore {
    var isKnown = false
    var version: UserVersion = 0
    var device = DeviceContext()
    var deliveries: [Delivery] = []

    var known: KnownUser? { isKnown ? KnownUser(version: version, device: device) : nil }

    mutating func apply(_ writes: FeedWrites, at time: UnixTime) {
        switch writes.user {
        case .nothing, .seen, .version: break
        case .device(let device): self.device = device
        case .creation(let profile): device = profile.device
        }
        isKnown = true
        version = writes.version
        for (card, end) in writes.endings {
            for index in deliveries.indices where deliveries[index].card == card {
                deliveries[index].end = end
                deliveries[index].changedAt = writes.version
            }
        }
        deliveries += writes.deliveries
    }
}
