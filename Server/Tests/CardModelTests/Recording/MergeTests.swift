import Statistics
import Testing
import WireJSON

@testable import CardModel

@Suite("Merging two users")
struct MergeTests {
    private static let guest = UserID(rawValue: "unidentified-1")
    private static let ann = UserID(rawValue: "ann")

    private static func account(_ id: UserID, version: UserVersion = 1) -> MergeState.Account {
        MergeState.Account(UserProfile(id: id, createdAt: 100), version: version)
    }

    private func writes(_ state: MergeState, _ recorder: Recorder = Recorder()) throws -> MergeWrites {
        guard case .accepted(let writes) = recorder.merge(state, into: Self.ann, at: 10_000) else {
            throw Refused()
        }
        return writes
    }

    private func refusal(
        _ state: MergeState,
        _ recorder: Recorder = Recorder()
    ) -> Identification.IdentificationOutcome? {
        guard case .refused(let outcome) = recorder.merge(state, into: Self.ann, at: 10_000) else { return nil }
        return outcome
    }

    private struct Refused: Error {}

    private func ids(_ names: String...) -> Set<CampaignID> { Set(names.map(CampaignID.init(rawValue:))) }

    private func conversions(_ campaigns: String...) -> [ConversionPlace: [CardID: CountedConversion]] {
        campaigns.reduce(into: [:]) { conversions, campaign in
            let place = ConversionPlace(campaign: CampaignID(rawValue: campaign), conversion: "buy")
            conversions[place] = [CardID(rawValue: campaign): CountedConversion(at: 20, localDay: nil)]
        }
    }

    private func names(_ prefix: String, _ count: Int) -> [HistoryKey: HistorySummary] {
        var histories: [HistoryKey: HistorySummary] = [HistoryKey(.sessions): HistorySummary(of: nil, at: 1)]
        for index in 0..<count {
            histories[HistoryKey(.events, name: "\(prefix)\(index)")] = HistorySummary(of: nil, at: 1)
        }
        return histories
    }

    @Test("Who isn't known, is the identity or has another id of their own isn't merged")
    func outcomes() {
        let recorder = Recorder()
        let identification = Identification(user: .id(Self.guest), identity: Self.ann)
        #expect(recorder.outcome(of: identification, for: nil) == .userUnknown)
        #expect(recorder.outcome(of: identification, for: Self.ann) == .done)
        #expect(recorder.outcome(of: identification, for: UserID(rawValue: "bob")) == .otherwiseIdentified)
        #expect(recorder.outcome(of: identification, for: Self.guest) == nil)
    }

    @Test("An identity that isn't there is created with all that the user has, since the user was")
    func creates() throws {
        var guest = Self.account(Self.guest, version: 4)
        guest.profile.custom = ["plan": "gold"]
        guest.profile.device = DeviceContext(locale: "ja-JP")
        guest.campaigns = [CampaignID(rawValue: "sale")]
        guest.histories = names("a", 2)
        let writes = try writes(MergeState(user: guest, identity: nil))
        var expected = guest.profile
        expected.id = Self.ann
        #expect(writes.profile == expected && !writes.isStored && writes.version == 5)
        #expect(writes.campaigns == guest.campaigns && writes.histories.count == 3)
        #expect(writes.histories.allSatisfy { !$0.isStored })
    }

    @Test("The identity keeps what it has, its cards too, and its version is above those of both")
    func keeps() throws {
        var (guest, ann) = (Self.account(Self.guest, version: 9), Self.account(Self.ann, version: 3))
        guest.profile.custom = ["plan": "gold", "tea": true]
        ann.profile.custom = ["plan": "free"]
        guest.profile.device = DeviceContext(locale: "ja-JP", timeZone: "Asia/Tokyo")
        ann.profile.device = DeviceContext(locale: "de-DE")
        guest.campaigns = ids("a", "b")
        ann.campaigns = ids("b", "c")
        guest.conversions = conversions("a", "b")
        ann.conversions = conversions("c")
        let writes = try writes(MergeState(user: guest, identity: ann))
        #expect(writes.profile.custom == ["plan": "free", "tea": true] && writes.profile.createdAt == 100)
        #expect(writes.profile.device == DeviceContext(locale: "de-DE", timeZone: "Asia/Tokyo"))
        #expect(writes.version == 10 && writes.isStored)
        #expect(writes.campaigns == ids("a") && Set(writes.conversions.map(\.place.campaign)) == ids("a"))
    }

    @Test("A broadcast whose card stays behind is kept from the identity, and one whose card moves is not")
    func broadcasts() throws {
        var (guest, ann) = (Self.account(Self.guest), Self.account(Self.ann))
        let sends = ids("a", "b").sorted { $0.rawValue < $1.rawValue }.map { campaign in
            Trigger(id: TriggerID(rawValue: "s"), campaign: campaign, at: 10, due: .at(20), until: 90)
        }
        guest.campaigns = ids("a", "b")
        guest.broadcasts = sends
        ann.campaigns = ids("b")
        let writes = try writes(MergeState(user: guest, identity: ann))
        let covers = writes.covers
        #expect(covers.map(\.campaign) == [sends[1].campaign] && covers.map(\.id) == [sends[1].id])
        #expect(covers.allSatisfy { $0.coversBroadcast && $0.until == 90 })
        #expect(try self.writes(MergeState(user: guest, identity: nil)).covers.isEmpty)
    }

    @Test("What keeps a broadcast from the identity takes the place of an earlier trigger while the broadcast is open")
    func takesPlace() throws {
        let writes = try writes(MergeState(user: Self.account(Self.guest), identity: nil))
        let places = ([9_999, 10_000, 10_001] as [UnixTime]).map { writes.takesPlace(Sample.trigger("s", until: $0)) }
        #expect(places == [false, false, true])
    }

    @Test("Two aliases with one label, or more than a user may have, refuse it")
    func aliases() {
        var (guest, ann) = (Self.account(Self.guest), Self.account(Self.ann))
        var recorder = Recorder()
        recorder.limits.aliases = 2
        guest.aliases = [UserAlias(label: "crm", name: "1")]
        ann.aliases = [UserAlias(label: "crm", name: "2")]
        #expect(refusal(MergeState(user: guest, identity: ann), recorder) == .labelTaken)
        ann.aliases = [UserAlias(label: "shop", name: "2"), UserAlias(label: "app", name: "3")]
        let excess = UserLimits.Excess(.aliases, limit: 2)
        #expect(refusal(MergeState(user: guest, identity: ann), recorder) == .limitReached(excess))
        guest.aliases = []
        #expect(refusal(MergeState(user: guest, identity: ann), recorder) == nil)
    }

    @Test("More names of events than a user may have refuse it, unless the identity has as many; sessions are none")
    func names() {
        var (guest, ann) = (Self.account(Self.guest), Self.account(Self.ann))
        var recorder = Recorder()
        recorder.limits.eventNames = 3
        (guest.histories, ann.histories) = (names("a", 2), names("b", 1))
        #expect(refusal(MergeState(user: guest, identity: ann), recorder) == nil)
        ann.histories = names("b", 2)
        let excess = UserLimits.Excess(.eventNames, limit: 3)
        #expect(refusal(MergeState(user: guest, identity: ann), recorder) == .limitReached(excess))
        ann.histories = names("a", 5)
        #expect(refusal(MergeState(user: guest, identity: ann), recorder) == nil)
    }

    @Test("More attributes than a user may have refuse it")
    func attributes() {
        var (guest, ann) = (Self.account(Self.guest), Self.account(Self.ann))
        var recorder = Recorder()
        recorder.limits.attributes = 2
        guest.profile.custom = ["a": 1, "b": 2]
        ann.profile.custom = ["c": 3]
        let excess = UserLimits.Excess(.attributes, limit: 2)
        #expect(refusal(MergeState(user: guest, identity: ann), recorder) == .limitReached(excess))
    }

    @Test("What both did is the history of all events, whatever was pruned and whatever both have", arguments: 0..<60)
    func histories(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        var world = MergingWorld()
        world.act(&random)
        let writes = try writes(world.state)
        var merged = world.ann.histories
        for history in writes.histories {
            #expect(history.isStored == (merged[history.key] != nil))
            merged[history.key] = history.summary
        }
        #expect(merged.mapValues(\.occurrences) == world.expected.mapValues(\.occurrences))
        #expect(merged.mapValues(\.revenue) == world.expected.mapValues(\.revenue))
        #expect(merged == world.expected)
    }
}

/// Two users who do things at random, some of them as both, and whose logs are pruned.
private struct MergingWorld {
    var guest = NaiveEventStore()
    var ann = NaiveEventStore()
    /// All that both did, each event once.
    var done: [DeviceEvent] = []
    var recorder = Recorder()

    mutating func act(_ random: inout SplitMix) {
        for _ in 0..<Int.random(in: 0..<400, using: &random) {
            let event = Self.event(done.count, &random)
            done.append(event)
            let actor = Int.random(in: 0..<8, using: &random)
            if actor < 5 { _ = guest.record([event], with: &recorder) }
            if actor > 3 { _ = ann.record([event], with: &recorder) }
        }
        let end = Double(Int.random(in: 0..<1_000, using: &random))
        let both = Set(guest.log.map(\.id)).intersection(ann.log.map(\.id))
        // What both have is known as long as it is in the logs.
        guest.log.removeAll { $0.at < end && !both.contains($0.id) }
        ann.log.removeAll { $0.at < end && !both.contains($0.id) }
    }

    private static func event(_ number: Int, _ random: inout SplitMix) -> DeviceEvent {
        let currency = Bool.random(using: &random) ? "USD" : "JPY"
        let price = Amount(billionths: Int128(Int.random(in: 1..<50, using: &random)) * 100_000_000)
        let purchase = DeviceEvent.Purchase(productID: "p", currency: currency, price: price)
        let kinds: [DeviceEvent.EventKind] = [
            .sessionStart, .custom(name: "a"), .custom(name: "a"), .custom(name: "a"), .custom(name: "b"),
            .purchase(purchase),
        ]
        return DeviceEvent(
            id: EventID(high: 7, low: UInt64(number)),
            kind: kinds.randomElement(using: &random) ?? .sessionStart,
            // Each at its own time, to the millisecond.
            at: Double(Int.random(in: 0..<1_000, using: &random)) + Double(number) / 1_000
        )
    }

    var state: MergeState {
        func account(_ store: NaiveEventStore) -> MergeState.Account {
            var account = MergeState.Account(store.profile, version: store.version)
            account.histories = store.histories
            return account
        }
        let known = Set(ann.log.map(\.id))
        return MergeState(
            user: account(guest),
            identity: account(ann),
            repeated: guest.log.filter { known.contains($0.id) }
        )
    }

    var expected: [HistoryKey: HistorySummary] {
        var store = NaiveEventStore()
        var recorder = Recorder()
        _ = store.record(done, with: &recorder)
        return store.histories
    }
}
