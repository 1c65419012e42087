import CardModel
import CardStore
import CardStoreConformance
import Testing

@testable import PostgresCardStore
@testable import ShardedCardStore

@Suite("Sharded: requests about users who come to another database in between", .timeLimit(.minutes(20)))
struct MovingRaceTests {
    /// The range that is moved, and a user of it.
    private static let range = SampleRank.count / 2..<SampleRank.count
    private static let alias = UserAlias(label: "shop", name: "anna")
    private static let users = (0..<100).map { UserID(rawValue: "user-\($0)") }
    private static let trigger = Trigger(
        id: TriggerID(rawValue: "send-1"),
        campaign: CampaignID(rawValue: "sale"),
        at: noon,
        due: .at(noon + 600),
        until: noon + 4_200
    )

    /// Runs a test with a store of a home and a shard that has nobody yet, a user with an alias from before there was a
    /// shard, and the address of the home.
    private func withStore(
        _ body: (_ store: ShardedCardStore, _ user: UserID, _ home: String) async throws -> Void
    ) async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            let user = try #require(Self.users.first { Self.range.contains(SampleRank.of($0)) })
            let single = try await place.open()
            try await single.updateUsers([user, try neighbour()].map { UserUpdate(id: $0) }, at: noon)
            let given = NewAlias(alias: Self.alias, user: user, newUser: user)
            #expect(try await single.addAliases([given], at: noon) == [.given])
            try await single.close()
            try await place.add(urls[1])
            var options = place.options
            // However busy the machine is.
            options.lockTimeout = .seconds(600)
            let opened = try await ShardedCardStore.open(url: place.home, options: options)
            let store = try #require(opened as? ShardedCardStore)
            do {
                try await body(store, user, urls[0])
            } catch {
                try? await store.close()
                throw error
            }
            try await store.close()
        }
    }

    @Test func `A send is called off for users who were copied before it was called off where they came from`()
        async throws
    {
        try await withStore { store, user, _ in
            let trigger = Self.trigger
            let send = TriggerSend(trigger, to: [TriggerSend.Recipient(user)], isScheduled: true)
            #expect(try await store.sendTriggers(send).accepted == 1)
            let (home, shard) = (store.home, try store.database(1))
            let begun = RangeMove(Self.range, from: 0, to: 1)
            #expect(try await home.beginMove(begun))
            let move = try #require(try await home.prepareMove(begun, sourcePlacement: 1, targetPlacement: 0))
            try await home.movePlacement(to: 1)
            let leaving = try await home.leavingUsers(of: move)

            async let calling = store.unscheduleTrigger(trigger.id, of: trigger.campaign, at: noon + 1)
            while try await home.read({ try !$0.rows("SELECT 1 AS found FROM triggers").isEmpty }) {
                await Task.yield()
            }
            try await shard.takeUsers(leaving, of: move)
            try await home.placeMove(move)
            try await home.removeUsers(of: move)
            try await home.endMove(move)
            let isCalledOff = try await calling
            #expect(isCalledOff)
            let state = try #require(try await store.userState(of: user, including: .all, dueBy: noon + 3_600))
            #expect(state.triggers == [])
        }
    }

    @Test func `A send is called off for whoever was merged into a user elsewhere in between`() async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            #expect(try await place.add(urls[1]))
            let store = try #require(try await place.open() as? ShardedCardStore)
            let guests = (0..<100).map { UserID(rawValue: "anonymous-\($0)") }
            let users = Self.users
            let guest = try #require(guests.first { store.placement.owner(of: $0) == 0 })
            let identity = try #require(users.first { store.placement.owner(of: $0) == 1 })
            try await store.updateUsers([guest, identity].map { UserUpdate(id: $0) }, at: noon)
            let send = TriggerSend(Self.trigger, to: [TriggerSend.Recipient(guest)], isScheduled: true)
            #expect(try await store.sendTriggers(send).accepted == 1)
            let (home, shard) = (store.home, try store.database(1))
            let departure = Departure(user: guest, identity: identity, at: noon)
            #expect(try await home.beginDeparture(of: guest, to: identity, at: departure.at))
            let rows = try #require(try await home.departingRows(of: departure))

            async let calling = store.unscheduleTrigger(Self.trigger.id, of: Self.trigger.campaign, at: noon + 1)
            // The shard says that it has nothing of the send, as long as that is so.
            for _ in 0..<50 { _ = try await shard.placementGeneration() }
            #expect(try await shard.merge(rows, of: departure) == .done)
            try await home.finishDeparture(departure)
            let isCalledOff = try await calling
            #expect(isCalledOff)
            let state = try #require(try await store.userState(of: identity, including: .all, dueBy: noon + 3_600))
            #expect(state.triggers == [])
            try await store.close()
        }
    }

    /// A user who isn't of the range.
    private func neighbour() throws -> UserID {
        try #require(Self.users.first { !Self.range.contains(SampleRank.of($0)) })
    }

    /// Asks a store for something about a user, for which it reads a table, and moves the user after the shard has
    /// answered, and before the home has.
    private func asking<Answer: Sendable>(
        _ store: ShardedCardStore,
        _ user: UserID,
        _ url: String,
        reading table: String = "aliases",
        _ question: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let (home, shard) = (store.home, try store.database(1))
        let rows = try #require(try await home.exportUser(user))
        // Another process, so that the store's own writer is free.
        var options = ShardedPlace(home: url).options
        options.leavesUsers = true
        let mover = try await PostgresCardStore.open(url: url, options: options)
        let hold = HeldJob()
        async let holding: Void = mover.writer.write(scope: .nobody) { session in
            try session.connection.execute("LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE")
            hold.wait()
            try session.connection.execute("DELETE FROM aliases WHERE user_id = $1", [user.rawValue])
            try session.connection.execute("DELETE FROM users WHERE id = $1", [user.rawValue])
            try session.connection.execute(
                "INSERT INTO placement (start, shard) VALUES (0, 0), ($1, 1)",
                [Self.range.lowerBound]
            )
        }
        while !hold.isHeld.load(ordering: .acquiring) { await Task.yield() }
        async let asking = question()
        let waits = """
            SELECT 1 AS found FROM pg_locks AS l JOIN pg_database AS d ON d.oid = l.database
            WHERE d.datname = current_database() AND l.relation = '\(table)'::regclass AND NOT l.granted
            """
        while try await mover.read({ try $0.rows(waits).isEmpty }) { await Task.yield() }
        try await shard.importUser(rows)
        hold.end.signal()
        try await holding
        let answer = try await asking
        try await mover.close()
        return answer
    }

    @Test func `A user who has left one database and wasn't seen in the other is looked for again`() async throws {
        try await withStore { store, user, url in
            let found = try await asking(store, user, url) { try await store.findUsers([.alias(Self.alias)]) }
            #expect(found == [user])
        }
    }

    @Test func `Nobody is deleted by an address that is also that of a user who was seen in no database`()
        async throws
    {
        try await withStore { store, user, url in
            let neighbour = try neighbour()
            let address = "ann@example.com"
            let updates = [user, neighbour].map { UserUpdate(id: $0, standard: [.email: .string(address)]) }
            try await store.updateUsers(updates, at: noon)
            let only = UserReference.email(address, MatchPreference([]))
            let deleted = try await asking(store, user, url, reading: "users") {
                try await store.deleteUsers([only], at: noon, by: .command)
            }
            #expect(deleted == [])
            #expect(try await store.userRevision(of: neighbour) != nil)
            #expect(try await Set(store.candidates(for: only).map(\.id)) == [user, neighbour])
        }
    }

    @Test func `Nobody gets the alias of a user who was seen in no database`() async throws {
        try await withStore { store, user, url in
            let neighbour = try neighbour()
            let taken = NewAlias(alias: Self.alias, user: neighbour, newUser: neighbour)
            let outcomes = try await asking(store, user, url) { try await store.addAliases([taken], at: noon) }
            #expect(outcomes == [.nameTaken])
            #expect(try await store.findUsers([.alias(Self.alias)]) == [user])
        }
    }

    @Test func `An alias of the directory is asked for in the database of its user alone`() async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            #expect(try await place.add(urls[1]))
            let all = try #require(try await place.open() as? ShardedCardStore)
            let users = (0..<100).map { UserID(rawValue: "user-\($0)") }
            let own = try #require(users.first { all.placement.owner(of: $0) == 0 })
            let other = try #require(users.first { all.placement.owner(of: $0) == 1 })
            try await all.updateUsers([own, other].map { UserUpdate(id: $0) }, at: noon)
            for user in [own, other] {
                let alias = UserAlias(label: "shop", name: user.rawValue)
                let given = NewAlias(alias: alias, user: user, newUser: user)
                #expect(try await all.addAliases([given], at: noon) == [.given])
            }
            try await all.close()

            try await place.setShard(1, to: ShardedPlace.away)
            let store = try await ShardedCardStore.open(url: place.home, options: place.options) { _ in }
            let reference = UserReference.alias(UserAlias(label: "shop", name: own.rawValue))
            #expect(try await store.findUsers([reference]) == [own])
            // Nobody can tell whether someone there has another one, which may be from before there was a directory.
            for name in [other.rawValue, "nobody"] {
                await expectFailure(.unavailable) {
                    try await store.findUsers([.alias(UserAlias(label: "shop", name: name))])
                }
            }
            try await store.close()
        }
    }
}
