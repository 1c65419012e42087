import CardModel
import CardStore
import CardStoreConformance
import Dispatch
import GRDB
import Synchronization
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: reach")
struct ReachTests {
    private static let gold = Audience.attribute(AttributeClause(.custom("plan"), .equals, "gold"))

    @Test("Of many users a sample is asked, always the same, and what it says is near the truth")
    func samples() async throws {
        try await withFolder { folder in
            let store = try SQLiteCardStore(path: folder + "/placard.sqlite")
            for start in stride(from: 0, to: 8_000, by: 1_000) {
                let updates = (start..<start + 1_000).map { number in
                    UserUpdate(
                        id: UserID(rawValue: "user-\(number)"),
                        custom: ["plan": number % 4 == 0 ? "gold" : "silver", "n": .integer(Int64(number))]
                    )
                }
                try await store.updateUsers(updates, at: noon)
            }
            func reach(_ audience: Audience, _ sample: Int64) async throws -> AudienceReach {
                let matcher = AudienceMatcher(audience)
                return try await store.read { database in
                    try ReachCount(matcher, at: noon, in: database)
                        .run(exactly: false, limits: ReachLimits(exact: 100, sample: sample))
                }
            }
            let small = try await reach(Self.gold, 400)
            #expect(!small.isExact)
            #expect((300...500).contains(small.asked))
            #expect(small.bounds.contains(2_000))
            #expect(try await reach(Self.gold, 400) == small)

            // No more than an eighth is there to be asked.
            let large = try await reach(Self.gold, 8_000)
            #expect((900...1_100).contains(large.asked))
            #expect(large.bounds.contains(2_000) && large.margin < small.margin)

            let narrower = try await reach(
                .all([Self.gold, .attribute(AttributeClause(.custom("n"), .lessThan, 4_000))]),
                400
            )
            #expect(narrower.asked == small.asked && narrower.found < small.found)

            #expect(
                try await reach(.everyone, 400)
                    == AudienceReach(found: 8_000, asked: 8_000, total: 8_000, isExact: true)
            )
            let listed = Audience.all([Self.gold, .users([UserID(rawValue: "user-4"), UserID(rawValue: "user-5")])])
            #expect(try await reach(listed, 400) == AudienceReach(found: 1, asked: 2, total: 8_000, isExact: true))
            let exact = try await store.audienceReach(of: AudienceMatcher(Self.gold), at: noon, exactly: true)
            #expect(exact == AudienceReach(found: 2_000, asked: 8_000, total: 8_000, isExact: true))
            try await store.close()
        }
    }

    @Test("Few counts run at once, others of a bounded number wait, and the rest of the store can be read")
    func waiting() async throws {
        try await withFolder { folder in
            let store = try SQLiteCardStore(path: folder + "/placard.sqlite")
            let holds = (0..<LongReads.concurrency).map { _ in HeldRead() }
            let held = holds.map { hold in Task { try await store.longRead { _ in hold.wait() } } }
            for hold in holds { await hold.begins() }
            let waiting = (0..<LongReads.waitingLimit).map { _ in
                Task { try await store.audienceReach(of: AudienceMatcher(.everyone), at: noon, exactly: true).found }
            }
            while store.longReads.waitingCount < LongReads.waitingLimit { await Task.yield() }
            await expectFailure(.unavailable) {
                try await store.audienceReach(of: AudienceMatcher(.everyone), at: noon, exactly: true)
            }
            #expect(try await store.segments(includingArchived: true, limit: 10, offset: 0).isEmpty)
            for hold in holds { hold.end() }
            for task in held { try await task.value }
            for task in waiting { #expect(try await task.value == 0) }
            try await store.close()
        }
    }

    @Test("A count whose users cost far too much is given up")
    func costs() throws {
        var time = Duration.zero
        let question = AudienceQuestion(AudienceMatcher(.everyone)) { time }
        let state = UserState(profile: UserProfile(id: someone, createdAt: noon))
        let user = UserFacts(state, at: noon, workspaceZone: "UTC")
        // A thousandth of a second a user is too much in the long run, and a second now and then isn't.
        time = .seconds(1)
        for _ in 0..<1_000 { #expect(try question.means(user)) }
        var asked = 0
        let error = #expect(throws: StoreError.self) {
            for _ in 0..<100_000 {
                time += .milliseconds(1)
                asked += 1
                _ = try question.means(user)
            }
        }
        #expect(error?.code == .limitReached)
        #expect((9_000...12_000).contains(asked))
    }

    @Test("A comparison of many users asks a sample of them, and says what is near the truth")
    func comparisons() async throws {
        try await withFolder { folder in
            let store = try SQLiteCardStore(path: folder + "/placard.sqlite")
            let updates = (0..<2_000).map { number in
                UserUpdate(
                    id: UserID(rawValue: "user-\(number)"),
                    custom: ["plan": number % 4 == 0 ? "gold" : "silver", "n": .integer(Int64(number))]
                )
            }
            for start in [0, 1_000] { try await store.updateUsers(Array(updates[start..<start + 1_000]), at: noon) }
            let half = Audience.attribute(AttributeClause(.custom("n"), .lessThan, 1_000))
            let matchers = [Self.gold, half, .everyone].map { AudienceMatcher($0) }
            let sampled = try await store.read { database in
                try OverlapCount(matchers, at: noon, in: database).run(limits: ReachLimits(exact: 100, sample: 200))
            }
            #expect(!sampled.isExact && sampled.total == 2_000)
            #expect((140...260).contains(sampled.asked))
            #expect(sampled.reach(ofAll: [0, 1]).bounds.contains(250))
            #expect(sampled.reach(ofAll: [2]).found == sampled.asked)

            let exact = try await store.audienceOverlap(of: matchers, at: noon)
            #expect(exact.isExact && exact.asked == 2_000)
            #expect(exact.reach(ofAll: [0, 1]).users == 250)
            #expect(exact.reach(ofMoreThan: 1, among: [0, 1, 2]).users == 1_250)
            #expect(exact.reach(ofMoreThan: 2, among: [0, 1, 2]).users == 250)
            try await store.close()
        }
    }

    @Test("A comparison is given up far sooner than a count, since a member waits for it")
    func comparisonCosts() throws {
        var time = Duration.zero
        let question = AudienceQuestion(overlapOf: [AudienceMatcher(.everyone)]) { time }
        let state = UserState(profile: UserProfile(id: someone, createdAt: noon))
        let user = UserFacts(state, at: noon, workspaceZone: "UTC")
        var asked: Int64 = 0
        let error = #expect(throws: StoreError.self) {
            for _ in 0..<100_000 {
                time += .milliseconds(1)
                asked += 1
                _ = try question.means(user)
            }
        }
        #expect(error?.code == .limitReached)
        #expect((1_000...1_100).contains(asked))
        // The one that was refused isn't counted.
        #expect(question.users == [1: asked - 1])
    }

    @Test("The sample is read from its index alone, and the index follows its users")
    func reads() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            let updates = (0..<1_000).map { UserUpdate(id: UserID(rawValue: "user-\($0)"), custom: ["plan": "silver"]) }
            try await store.updateUsers(updates, at: noon)
            let matcher = AudienceMatcher(Self.gold)
            func sampled() async throws -> AudienceReach {
                try await store.read { database in
                    try ReachCount(matcher, at: noon, in: database)
                        .run(exactly: false, limits: ReachLimits(exact: 0, sample: 1_000))
                }
            }
            let before = try await sampled()
            try await store.updateUsers(updates.map { UserUpdate(id: $0.id, custom: ["plan": "gold"]) }, at: noon)
            for number in 0..<500 {
                _ = try await store.deleteUser(UserID(rawValue: "user-\(number)"), at: 0, by: .command)
            }
            let after = try await sampled()
            #expect(before.found == 0 && before.total == 1_000)
            #expect(after.found == after.asked && after.asked < before.asked && after.total == 500)
            try await store.close()

            let plan = try withDatabase(path) { database in
                try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(SQL.sampledUsers)", arguments: [1])
                    .map { $0["detail"] as String }
            }
            #expect(plan == ["SEARCH users USING COVERING INDEX users_sample (sample_rank<?)"])
        }
    }
}

/// A read that lasts until it is told to end.
private final class HeldRead: Sendable {
    private let isHeld = Atomic<Bool>(false)
    private let semaphore = DispatchSemaphore(value: 0)

    func wait() {
        isHeld.store(true, ordering: .releasing)
        semaphore.wait()
    }

    func begins() async {
        while !isHeld.load(ordering: .acquiring) { await Task.yield() }
    }

    func end() { semaphore.signal() }
}
