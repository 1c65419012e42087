import CardModel
import CardStore
import CardStoreConformance
import Testing
import WireJSON

@testable import PostgresCardStore

@Suite("PostgreSQL: reads that take long", .timeLimit(.minutes(20)))
struct LongReadTests {
    private let everyone = AudienceMatcher(.everyone)

    /// Keeps every connection of a pool busy while a body runs.
    private func withBusy(_ pool: ConnectionPool, _ size: Int, _ body: () async throws -> Void) async throws {
        let jobs = (0..<size).map { _ in HeldJob() }
        let tasks = jobs.map { job in Task { try await pool.read { _ in job.wait() } } }
        for job in jobs { while !job.isHeld.load(ordering: .acquiring) { await Task.yield() } }
        var failure: (any Error)?
        do { try await body() } catch { failure = error }
        for job in jobs { job.end.signal() }
        for task in tasks { try await task.value }
        if let failure { throw failure }
    }

    @Test("A device is answered while every connection for long reads is in use")
    func devices() async throws {
        try await withStore { store in
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            try await withBusy(store.longPool, store.options.longReaders) {
                let revision = try await store.userRevision(of: someone)
                let state = try await store.userState(of: someone)
                #expect(revision != nil && state != nil)
            }
        }
    }

    @Test("Counts, searches and records of users take none of the connections that devices read on")
    func longReads() async throws {
        try await withStore { store in
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            try await withBusy(store.pool, store.options.readers) {
                let reach = try await store.audienceReach(of: everyone, at: noon, exactly: true)
                let found = try await store.searchUsers(matching: "ser", after: nil, limit: 9)
                let records = try await store.userRecords(of: [.id(someone)])
                #expect(reach.found == 1 && found.users.count == 1 && records.first?.count == 1)
            }
        }
    }

    @Test("Reports and pages of the log take none of the connections that devices read on, and devices none of theirs")
    func reports() async throws {
        try await withStore { store in
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            let absent = CampaignID(rawValue: "absent")
            try await withBusy(store.pool, store.options.readers) {
                let report = try await store.campaignReport(of: absent)
                let totals = try await store.campaignTotals(of: [absent])
                let page = try await store.eventPage(after: 0, EventFilter(), limit: 9)
                #expect(report == nil && totals[absent]?.isEmpty == true && page.events.isEmpty)
            }
            try await withBusy(store.reportPool, store.options.reportReaders) {
                let revision = try await store.userRevision(of: someone)
                #expect(revision != nil)
            }
        }
    }

    @Test("Long reads beyond those that may wait are refused at once")
    func refusal() async throws {
        try await withStore { store in
            try await withBusy(store.longPool, store.options.longReaders) {
                let waiting = (0..<ConnectionPool.longWaitingLimit).map { _ in
                    Task { try await store.audienceReach(of: everyone, at: noon, exactly: true) }
                }
                while store.longPool.load.waiting < ConnectionPool.longWaitingLimit { await Task.yield() }
                let error = await #expect(throws: StoreError.self) {
                    _ = try await store.audienceReach(of: everyone, at: noon, exactly: true)
                }
                #expect(error?.code == .unavailable)
                for task in waiting { task.cancel() }
            }
            #expect(try await store.audienceReach(of: everyone, at: noon, exactly: true).found == 0)
        }
    }

    @Test("Attributes are only read where an audience asks for some, and then of few users at a time")
    func columns() {
        func needs(_ audience: Audience) -> AudienceNeeds { AudienceMatcher(audience).needs }
        let bucket = needs(.bucket(RandomBucket(0...10)))
        #expect(!UserScan.columns(bucket).contains("custom") && !UserScan.columns(bucket).contains("standard"))
        #expect(UserScan.batchSize(bucket) == 5_000)
        let custom = needs(.attribute(AttributeClause(.custom("plan"), .exists)))
        #expect(UserScan.columns(custom).contains("custom") && !UserScan.columns(custom).contains("standard"))
        #expect(UserScan.batchSize(custom) == 200)
        let country = needs(.attribute(AttributeClause(.standard(.country), .exists)))
        #expect(UserScan.columns(country).contains("standard") && !UserScan.columns(country).contains("custom"))
    }

    @Test("A count reads users in several batches, each once", arguments: [true, false])
    func batches(isExact: Bool) async throws {
        try await withStore { store in
            let updates = (0..<1_000).map { number in
                UserUpdate(id: UserID(rawValue: "user-\(number)"), custom: ["even": .bool(number % 2 == 0)])
            }
            try await store.updateUsers(updates, at: noon)
            let even = AudienceMatcher(.attribute(AttributeClause(.custom("even"), .equals, true)))
            #expect(try await store.audienceReach(of: even, at: noon, exactly: isExact).found == 500)
        }
    }
}
