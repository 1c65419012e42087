import CardModel
import CardStore
import CardStoreConformance
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: devices that ask at the same time", .timeLimit(.minutes(20)))
struct SharedDeviceReadTests {
    /// Has reads begin while every connection is in use, and lets them go on once that many wait.
    private func together<Value: Sendable>(
        _ count: Int,
        in store: PostgresCardStore,
        _ read: @escaping @Sendable (Int) async throws -> Value,
        beforeLast: () async throws -> Void = {}
    ) async throws -> [Result<Value, any Error>] {
        let jobs = (0..<store.options.readers).map { _ in HeldJob() }
        let holding = jobs.map { job in Task { try await store.read { _ in job.wait() } } }
        for job in jobs { while !job.isHeld.load(ordering: .acquiring) { await Task.yield() } }
        var tasks: [Task<Value, any Error>] = []
        var failure: (any Error)?
        for place in 0..<count {
            if place == count - 1 { do { try await beforeLast() } catch { failure = error } }
            tasks.append(Task { try await read(place) })
            while store.deviceReads.waitingCount <= place { await Task.yield() }
        }
        for job in jobs { job.end.signal() }
        for task in holding { try await task.value }
        var results: [Result<Value, any Error>] = []
        for task in tasks { results.append(await task.result) }
        if let failure { throw failure }
        return results
    }

    private func user(_ place: Int) -> UserID { UserID(rawValue: "é\u{301}-\(place)") }

    @Test("Each gets the revision of their own user, by one question to the server")
    func revisions() async throws {
        try await withStore { store in
            // Every third isn't known, and two ask for the same user.
            for place in 0..<30 where place % 3 != 0 {
                try await store.recordDevice(DeviceContext(locale: "en-\(place)"), of: user(place), at: noon)
            }
            var before = 0
            let found = try await together(60, in: store) { place in
                try await store.userRevision(of: user(place % 30))
            } beforeLast: {
                before = try #require(store.traffic?.roundTrips[.read])
            }
            let after = try #require(store.traffic?.roundTrips[.read])
            #expect(after == before + 1)
            for (place, result) in found.enumerated() {
                let revision = try result.get()
                let known = place % 3 == 0 ? nil : DeviceContext(locale: "en-\(place % 30)").fingerprint
                #expect(revision?.device == known)
                let alone = try await store.userRevision(of: user(place % 30))
                #expect(revision == alone)
            }
        }
    }

    /// Gives users what is read by different statements: nothing at all, cards, a history, a trigger, a test card.
    private func fill(_ store: PostgresCardStore, _ users: [UserID]) async throws {
        try await store.launch(.sample())
        for (place, user) in users.enumerated() where place % 5 != 0 {
            for ordinal in 0..<place { try await store.give("card-\(place)-\(ordinal)", ordinal: ordinal, to: user) }
            if place % 5 == 2 { try await store.record([DeviceEvent(1, .custom(name: "open-\(place)"))], of: user) }
            if place % 5 == 3 {
                let (id, campaign) = (TriggerID(rawValue: "t\(place)"), CampaignID(rawValue: "sale"))
                let trigger = Trigger(id: id, campaign: campaign, at: noon, due: .at(noon), until: noon + 60)
                _ = try await store.sendTriggers(TriggerSend(trigger, to: [TriggerSend.Recipient(user)]))
            }
            if place % 5 == 4 {
                let test = TestCard(
                    card: CardID(rawValue: "test-\(place)"),
                    campaign: CampaignID(rawValue: "sale"),
                    variant: VariantID(rawValue: "a"),
                    language: nil,
                    members: Array(#","type":"classic","title":"Hi""#.utf8),
                    isPinned: false,
                    priority: 0,
                    sentAt: noon,
                    expiresAt: noon + 60
                )
                #expect(try await store.sendTestCard(test, to: user, at: noon))
            }
        }
    }

    @Test("Each gets the state of their own user, whoever has triggers, histories and test cards")
    func states() async throws {
        try await withStore { store in
            let users = (0..<15).map(user)
            try await fill(store, users)
            var before = 0
            let found = try await together(15, in: store) { place in
                try await store.userState(of: users[place], including: .all, dueBy: noon)
            } beforeLast: {
                before = try #require(store.traffic?.roundTrips[.read])
            }
            let after = try #require(store.traffic?.roundTrips[.read])
            #expect(after == before + 2)
            for (place, result) in found.enumerated() {
                let state = try result.get()
                #expect(state?.deliveries.count == (place % 5 == 0 ? nil : place))
                #expect(state?.triggers.count == (place % 5 == 0 ? nil : place % 5 == 3 ? 1 : 0))
                #expect(state?.testCards.count == (place % 5 == 0 ? nil : place % 5 == 4 ? 1 : 0))
                if place % 5 == 2 { #expect(state?.history != UserHistory()) }
                let alone = try await store.userState(of: users[place], including: .all, dueBy: noon)
                #expect(state == alone)
            }
        }
    }

    @Test("A user who can't be read fails no other whose state is read with theirs")
    func unreadable() async throws {
        try await withStore { store in
            let users = (0..<6).map(user)
            for user in users { try await store.updateUsers([UserUpdate(id: user, custom: ["n": 1])], at: noon) }
            _ = try await store.writer.write { session in
                try session.connection.execute("UPDATE users SET custom = '{' WHERE id = $1", [users[2].rawValue])
            }
            let found = try await together(6, in: store) { place in
                try await store.userState(of: users[place], including: [], dueBy: noon)
            }
            for (place, result) in found.enumerated() {
                switch result {
                case .success(let state): #expect(place != 2 && state?.profile.custom == ["n": 1])
                case .failure(let error): #expect(place == 2 && (error as? StoreError)?.code == .corrupt)
                }
            }
        }
    }

    @Test("Nobody gets what is older than their call")
    func fresh() async throws {
        try await withStore { store in
            try await store.updateUsers([UserUpdate(id: someone, custom: ["n": 1])], at: noon)
            let before = try #require(try await store.userRevision(of: someone)).version
            let found = try await together(5, in: store) { _ in
                try await store.userRevision(of: someone)?.version
            } beforeLast: {
                try await store.updateUsers([UserUpdate(id: someone, custom: ["n": 2])], at: noon)
            }
            // The last one asked after the change; that the others learn of it too is no harm.
            let last = try #require(try found.last?.get())
            #expect(last > before)
        }
    }

    @Test("A caller who has chosen the database by an older placement is refused, and those beside them aren't")
    func fences() async throws {
        try await ShardNode.withTwo { home, _ in
            let store = home.store
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            try await store.movePlacement(to: 1)
            home.known.value = 1
            let found = try await together(8, in: store) { place in
                let routing = ShardRouting(shard: 0, placement: place % 2 == 0 ? 1 : 0)
                return try await ShardRouting.$current.withValue(routing) {
                    try await store.userRevision(of: someone)
                }
            }
            for (place, result) in found.enumerated() {
                switch result {
                case .success(let revision): #expect(place % 2 == 0 && revision != nil)
                case .failure(let error): #expect(place % 2 == 1 && (error as? StoreError)?.isMisplaced == true)
                }
            }
        }
    }

    @Test("What calls back says what a task is told, and refuses a caller who chose by an older placement")
    func callbacks() async throws {
        try await ShardNode.withTwo { home, _ in
            let (store, reads) = (home.store, try #require(home.store.deferredReads))
            try await store.launch(.sample())
            try await store.give("card-1")
            func told() async -> (Result<UserRevision?, StoreError>, Result<UserState?, StoreError>) {
                let revision = await withCheckedContinuation { continuation in
                    reads.userRevision(of: someone) { continuation.resume(returning: $0) }
                }
                let state = await withCheckedContinuation { continuation in
                    reads.userState(of: someone, including: .all, dueBy: noon) { continuation.resume(returning: $0) }
                }
                return (revision, state)
            }
            let (revision, state) = await told()
            let (known, all) = (
                try await store.userRevision(of: someone),
                try await store.userState(of: someone, including: .all, dueBy: noon)
            )
            #expect(revision == .success(known) && state == .success(all))
            #expect(known != nil && all?.deliveries.count == 1)
            try await store.movePlacement(to: 1)
            let (late, lateState) = await told()
            #expect(late == .failure(.misplaced) && lateState == .failure(.misplaced))
        }
    }
}
