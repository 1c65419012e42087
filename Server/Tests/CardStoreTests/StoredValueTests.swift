import CardModel
import CardStoreConformance
import Simulation
import Testing
import WireJSON

@testable import CardStore

@Suite("What a store keeps as text")
struct StoredValueTests {
    // MARK: Settings

    @Test(
        "A damaged setting of who gets in is no default, which would be open",
        arguments: [
            "user_tokens", "public_keys", "jwks_url", "token_issuer", "token_audience", "token_max_lifetime_seconds",
            "require_two_factor", "mask_personal_data", "launch_approval",
        ]
    )
    func damagedAccess(name: String) throws {
        for value in ["{}", "[]", "7", "\"other\"", "true"] {
            let read = try? Settings(stored: #"{"\#(name)":\#(value)}"#)
            // What has the right type is a value, and only where it means one.
            let isValue: Bool =
                switch (name, value) {
                case ("public_keys", "[]"), ("token_max_lifetime_seconds", "7"): true
                case ("require_two_factor", "true"), ("mask_personal_data", "true"): true
                case ("jwks_url", "\"other\""), ("token_issuer", "\"other\""), ("token_audience", "\"other\""): true
                default: false
                }
            #expect((read != nil) == isValue, "\(name): \(value)")
        }
        #expect(try Settings(stored: #"{"\#(name)":null}"#) == Settings())
    }

    @Test("Settings that were cut off anywhere can't be read, and whole ones are as they were")
    func cutOff() throws {
        var settings = Settings()
        settings.timeZone = "Asia/Tokyo"
        settings.userTokens = .required
        settings.tokenRules.issuer = "caf\u{E9}"
        (settings.cardLimit, settings.eventDays, settings.requiresTwoFactor) = (7, 31, true)
        let text = settings.stored.text
        #expect(try Settings(stored: text) == settings)
        for count in 0..<text.utf8.count {
            let part = String(decoding: text.utf8.prefix(count), as: UTF8.self)
            #expect(throws: StoreError.self, "\(count) bytes") { try Settings(stored: part) }
        }
    }

    // MARK: Purchases

    private func purchase(_ number: UInt64, at time: UnixTime) throws -> CountedPurchases.CountedPurchase {
        CountedPurchases.CountedPurchase(
            id: EventID(high: .max, low: number),
            at: time,
            day: CountingDay(utc: Day(of: time), local: Day(number: -1)),
            amount: try #require(Amount(exactly: "-0.000000001")),
            card: CardID(rawValue: "caf\u{E9}"),
            variant: VariantID(rawValue: "a")
        )
    }

    @Test("Purchases that were counted are read as they were written, whatever their times are")
    func purchases() throws {
        let listed = try [purchase(0, at: noon + 0.25), purchase(.max, at: -0.001), purchase(7, at: 1e15)]
        let other = CountedPurchases.Other(id: EventID(high: 0, low: 1), at: noon)
        for counted in [
            CountedPurchases.none, CountedPurchases(listed), CountedPurchases(listed, others: [other]),
            CountedPurchases(finalUntil: noon), CountedPurchases(listed, others: [other, other], finalUntil: -0.5),
            CountedPurchases.unlisted,
        ] {
            #expect(try CountedPurchases(stored: counted.stored) == counted)
        }
        #expect(CountedPurchases.unlisted.stored == nil && CountedPurchases.none.stored == #"{"p":[]}"#)
    }

    @Test(
        "Purchases of which a part can't be read can't be read: one that counts as unknown would be counted twice",
        arguments: [
            "", "{}", "[]", #"{"p":{}}"#, #"{"p":[7]}"#, #"{"p":[[]]}"#, #"{"p":[],"o":7}"#, #"{"p":[],"o":{}}"#,
            #"{"p":[],"o":[["x",1]]}"#, #"{"p":[],"u":"1"}"#, #"{"p":[],"u":null}"#, #"{"p":[],"o":null}"#,
        ]
    )
    func damagedPurchases(text: String) {
        let error = #expect(throws: StoreError.self) { try CountedPurchases(stored: text) }
        #expect(error?.code == .corrupt)
    }

    // MARK: Segments

    private func row(_ id: String, _ audience: Audience?) -> SampleRow {
        let content = audience.map { Segment.SegmentContent(name: id, audience: $0) }
        let segment = content.map { Segment(id: SegmentID(rawValue: id), content: $0, createdAt: noon) }
        return RowCase.campaigns[2].row.with("id", .string(id))
            .with("content", segment.map { .string($0.storedContent) } ?? .string("{"))
    }

    @Test("Who is in a segment isn't known where it isn't of a part of it, by whatever way, and is of all others")
    func segments() {
        func segment(_ id: String) -> Audience { .segment(SegmentID(rawValue: id)) }
        let rows = [
            row("outer", .none([.all([segment("middle")])])), row("middle", .any([.everyone, segment("lost")])),
            row("lost", nil), row("vip", .everyone), row("one", segment("two")), row("two", .any([segment("one")])),
            row("missing", segment("nowhere")),
        ]
        var reader = RowReader()
        let found = SegmentAudiences(rows, &reader)
        #expect(reader.unreadable == [UnreadableRow(.segment, id: "lost")])
        #expect(found.unreadable == Set(["lost", "middle", "outer"].map(SegmentID.init(rawValue:))))
        #expect(Set(found.audiences.keys.map(\.rawValue)) == ["vip", "one", "two", "missing"])
        #expect(SegmentAudiences([row("vip", .everyone)]).unreadable.isEmpty)
    }

    // MARK: Limits

    @Test("There is room up to a limit, and none beyond it, nor where numbers end")
    func limits() throws {
        let limit = WorkspaceLimit.contentBlocks
        try limit.check(999)
        try limit.check(0, adding: 1_000)
        try limit.check(.max, adding: .min)
        for (present, added) in [(1_000, 1), (0, 1_001), (.max, 1), (.max, .max), (1_001, 0)] as [(Int64, Int64)] {
            let error = #expect(throws: StoreError.self) { try limit.check(present, adding: added) }
            #expect(error?.code == .limitReached)
        }
        // What is too much already may stay, and may get less.
        let before = ContentTypesSize(count: 600, bytes: 2 << 20)
        try before.check(after: before)
        try ContentTypesSize(count: 599, bytes: 1).check(after: before)
        #expect(throws: StoreError.self) { try ContentTypesSize(count: 601, bytes: 1).check(after: before) }
        #expect(throws: StoreError.self) { try ContentTypesSize(count: 1, bytes: 3 << 20).check(after: before) }
    }

    @Test(
        "A sample has the share of ranks that users are of all, and never more than are kept",
        arguments: [
            (0, 134_217_728), (100_001, 134_217_728), (400_000, 134_217_728), (800_000, 67_108_864),
            (1_600_000, 33_554_432), (.max, 0),
        ] as [(Int64, Int64)]
    )
    func samples(total: Int64, ranks: Int64) {
        #expect(ReachLimits().ranks(of: total) == ranks)
    }

    /// The rank is in an index, and says which database a user is in: another one would lose users.
    @Test(
        "A user's rank is the one that it always was",
        arguments: [
            ("", 54_742_624), ("user-0", 128_778_825), ("user-1", 107_992_825),
            ("user-2", 150_218_431), ("user-42", 428_102_829), ("alice", 870_491_403),
            ("佐藤", 417_889_184), ("a@example.com", 829_667_622),
        ] as [(String, Int64)]
    )
    func rank(user: String, rank: Int64) {
        #expect(SampleRank.of(UserID(rawValue: user)) == rank)
    }

    @Test func `The ranks that are kept are an eighth of all, as the index of samples says`() {
        #expect(SampleRank.count == 1_073_741_824 && SampleRank.kept == 134_217_728)
    }

    @Test("Every user has a rank of thirty bits, and an eighth of them one that is kept")
    func ranks() {
        let ranks = (0..<8_000).map { SampleRank.of(UserID(rawValue: "user-\($0)")) }
        #expect(ranks.allSatisfy { (0..<SampleRank.count).contains($0) })
        #expect((800...1_200).contains(ranks.count { $0 < SampleRank.kept }))
    }
}

@Suite("How groups of changes are counted")
struct GroupCommitLogTests {
    @Test("A number counts at the first bound that it doesn't exceed, and the last place has all that exceed them")
    func bounds() {
        var histogram = GroupCommitLog.Histogram([1, 2, 4])
        for number in [0, 1, 1.5, 2, 2.25, 4, 5, 1_000] { histogram.add(number) }
        #expect(histogram.counts == [2, 2, 2, 2] && histogram.sum == 1_015.75)
        var nothing = GroupCommitLog.Histogram([])
        nothing.add(7)
        #expect(nothing.counts == [1])
    }

    @Test("Each group is counted once and told to whoever listens from then on")
    func groups() async {
        let log = GroupCommitLog()
        log.note(GroupCommitLog.Group(changes: 1, wait: .zero, duration: .milliseconds(500)))
        let (stream, continuation) = AsyncStream.makeStream(of: GroupCommitLog.Group.self)
        log.observe { continuation.yield($0) }
        let group = GroupCommitLog.Group(changes: 2_000, wait: .seconds(5), duration: .seconds(6))
        log.note(group)
        continuation.finish()
        var told: [GroupCommitLog.Group] = []
        for await group in stream { told.append(group) }
        #expect(told == [group])
        #expect(log.counts.changes.counts == [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] && log.counts.changes.sum == 2_001)
        #expect(log.counts.waits.counts.first == 1 && log.counts.waits.counts.dropLast().last == 1)
        #expect(log.counts.durations.counts.suffix(5) == [1, 0, 0, 0, 1])
    }
}
