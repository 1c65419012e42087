import Testing
import WireJSON

@testable import Simulation

@Suite("The decisions of a simulation")
struct PlanTests {
    @Test("are the same for the same seed, and others for another")
    func seeds() {
        func steps(_ seed: UInt64, client: Int = 0, life: Int = 0) -> [ClientStep] {
            Array(ClientPlan(seed: seed, client: client, life: life, meanPause: 1, hasDeaths: true).prefix(50))
        }
        #expect(steps(1) == steps(1))
        #expect(steps(1) != steps(2))
        #expect(steps(1) != steps(1, client: 1))
        #expect(steps(1) != steps(1, life: 1))
        #expect(KillPlan(seed: 5, seconds: 60, processes: 4) == KillPlan(seed: 5, seconds: 60, processes: 4))
        #expect(KillPlan(seed: 5, seconds: 60, processes: 4) != KillPlan(seed: 6, seconds: 60, processes: 4))
    }

    @Test("contain every action, and deaths only where faults are wanted")
    func actions() {
        let plan = ClientPlan(seed: 3, client: 0, life: 0, meanPause: 1, hasDeaths: true)
        let steps = Array(plan.prefix(5000))
        for action in [ClientStep.Action.refresh, .impression, .click, .dismissal, .custom, .switchUser] {
            #expect(steps.contains { $0.action == action })
        }
        #expect(steps.contains { $0.death == .beforeWriting } && steps.contains { $0.death == .beforeReturning })
        #expect(steps.contains { $0.isOnSecondDevice })
        #expect(steps.allSatisfy { (0.2...1.8).contains($0.pause) })
        let calm = ClientPlan(seed: 3, client: 0, life: 0, meanPause: 1, hasDeaths: false)
        #expect(calm.prefix(5000).allSatisfy { $0.death == nil })
    }

    @Test("spoil requests in every way, and kill server and clients within the time")
    func faults() {
        var plan = RequestFaultPlan(seed: 1, device: "d", life: 0)
        let faults = (0..<1000).compactMap { _ in plan.next()?.name }
        #expect(Set(faults) == ["request lost", "answer lost", "late", "sent twice"])
        #expect((150...350).contains(faults.count))
        let kills = KillPlan(seed: 1, seconds: 60, processes: 3).kills
        #expect(kills.contains { $0.process == nil })
        #expect(kills.allSatisfy { $0.at < 60 && ($0.process ?? 0) < 3 })
        #expect(kills.map(\.at) == kills.map(\.at).sorted())
    }
}

@Suite("A ledger")
struct LedgerTests {
    private static let intent = LedgerRecord.Intent(
        id: "i1",
        user: "u",
        type: "click",
        card: "c",
        campaign: "m",
        variant: "a"
    )

    @Test("reads back what it wrote")
    func lines() {
        let records: [LedgerRecord] = [
            .intent(Self.intent), .intent(LedgerRecord.Intent(id: "i2", user: "u", type: "custom")),
            .done(id: "i1", isLogged: true), .done(id: "i2", isLogged: false), .recovered(id: "i3"),
            .automatic(id: "i4"),
            .rejected(id: "i5", code: "card_unknown"),
        ]
        for record in records { #expect(LedgerRecord(Substring(record.line)) == record) }
        #expect(LedgerRecord("I i1 u") == nil)
        #expect(LedgerRecord("") == nil)
    }

    @Test("knows the fate of every call, and of interrupted ones what was recovered")
    func fates() {
        var ledger = Ledger()
        ledger.add(
            "I 1 u custom - - -\nD 1 1\nI 2 u custom - - -\nD 2 0\nI 3 u custom - - -\nI 4 u custom - - -\nR 4\n"
        )
        #expect(ledger.entries.mapValues(\.fate) == ["1": .certain, "2": .refused, "3": .open, "4": .certain])
        #expect(ledger.openIDs == ["3"])
        #expect(ledger.recovered == ["4"])
    }

    @Test("leaves out a line that a kill has torn")
    func torn() {
        var ledger = Ledger()
        ledger.add("I 1 u custom - - -\nD 1 1\nI 2 u cus")
        ledger.add("")
        #expect(ledger.entries.keys.sorted() == ["1"])
    }

    @Test("finds the events that wait in a queue's file")
    func queue() {
        let text = """
            00000000 H "user"
            00000000 E 1 10.5 id1 click ,"card_id":"c"
            00000000 E 2 10.6 id2 custom ,"name":"a b"
            00000000 A 1
            00000000 E 3 10.7 id3 session_start\u{20}
            00000000 E 4 10.8 id4 cl
            """
        #expect(QueuedEvents.ids(in: text) == ["id2", "id3"])
        #expect(QueuedEvents.ids(in: "").isEmpty)
    }
}

@Suite("The comparison of ledgers with the server")
struct ComparisonTests {
    private static let place = LedgerComparison.Place(campaign: "m", variant: "a")

    private func ledger() -> Ledger {
        var ledger = Ledger()
        ledger.add(
            """
            I 1 u impression c m a
            D 1 1
            I 2 u impression c m a
            D 2 1
            I 3 u click c m a
            D 3 0
            I 4 v dismissal d m a
            A 5

            """
        )
        return ledger
    }

    /// What a server says that has done everything right, where the interrupted call 4 had been delivered.
    private func server() -> LedgerComparison.ServerSide {
        var side = LedgerComparison.ServerSide()
        side.events = [
            LedgerComparison.ServerEvent(id: "1", user: "u", type: "impression", card: "c"),
            LedgerComparison.ServerEvent(id: "2", user: "u", type: "impression", card: "c"),
            LedgerComparison.ServerEvent(id: "4", user: "v", type: "dismissal", card: "d"),
            LedgerComparison.ServerEvent(id: "5", user: "u", type: "session_start", card: "-"),
        ]
        var counts = LedgerComparison.Counts()
        (counts.delivered, counts.impressions, counts.uniqueImpressions, counts.dismissals) = (2, 2, 1, 1)
        side.reports[Self.place] = counts
        side.deliveries[Self.place] = 2
        return side
    }

    @Test("finds nothing where everything is right")
    func exact() {
        let comparison = LedgerComparison(ledger(), server())
        #expect(comparison.isExact)
        #expect(comparison.expected == 2)
        #expect(comparison.interrupted.delivered == 1)
    }

    @Test("takes an interrupted call as not logged where it did not arrive, and then counts it nowhere")
    func interrupted() {
        var side = server()
        side.events.removeAll { $0.id == "4" }
        #expect(!LedgerComparison(ledger(), side).isExact)
        side.reports[Self.place]?.dismissals = 0
        let comparison = LedgerComparison(ledger(), side)
        #expect(comparison.isExact)
        #expect(comparison.interrupted.without == 1)
    }

    @Test("names an event that is lost, even where the counts agree")
    func lost() {
        var side = server()
        side.events.removeAll { $0.id == "2" }
        side.reports[Self.place]?.impressions = 1
        #expect(LedgerComparison(ledger(), side).lost == ["2 impression of u"])
    }

    @Test("names an event that is stored twice")
    func double() {
        var side = server()
        side.events.append(side.events[0])
        #expect(LedgerComparison(ledger(), side).double == ["1 is stored 2 times"])
    }

    @Test(
        "names every count that is off by one, in either direction",
        arguments: [
            \LedgerComparison.Counts.delivered, \.impressions, \.uniqueImpressions, \.clicks, \.uniqueClicks,
            \.dismissals,
        ] as [WritableKeyPath<LedgerComparison.Counts, Int64> & Sendable]
    )
    func counts(count: WritableKeyPath<LedgerComparison.Counts, Int64> & Sendable) {
        var side = server()
        side.reports[Self.place]?[keyPath: count] += 1
        #expect(LedgerComparison(ledger(), side).double.count == 1)
        side.reports[Self.place]?[keyPath: count] -= 2
        #expect(LedgerComparison(ledger(), side).lost.count == 1)
    }

    @Test("names what nobody did: an event that was refused, unknown, or another user's")
    func differences() {
        var side = server()
        side.events.append(LedgerComparison.ServerEvent(id: "3", user: "u", type: "click", card: "c"))
        side.events.append(LedgerComparison.ServerEvent(id: "9", user: "u", type: "click", card: "c"))
        side.events[0].user = "v"
        let comparison = LedgerComparison(ledger(), side)
        #expect(comparison.differences.count == 3)
        #expect(!comparison.isExact)
    }

    @Test("counts a card of a campaign that no report knows as lost")
    func unknownCampaign() {
        var side = server()
        side.reports = [:]
        #expect(!LedgerComparison(ledger(), side).lost.isEmpty)
    }
}

@Suite("The statistics of a run")
struct RunStatisticsTests {
    @Test("add up over processes, and are kept as JSON")
    func sums() throws {
        var first = RunStatistics()
        first.requests = 2
        first.faults = ["late": 1]
        for milliseconds in [1.0, 1, 1, 200] { first.note(milliseconds: milliseconds) }
        var sum = try #require(RunStatistics(json: first.json))
        #expect(sum == first)
        sum += first
        #expect(sum.requests == 4)
        #expect(sum.faults == ["late": 2])
        #expect(try (1...1.1).contains(#require(sum.latency(0.5))))
        #expect(try (200...220).contains(#require(sum.latency(0.99))))
        #expect(RunStatistics().latency(0.5) == nil)
    }
}
