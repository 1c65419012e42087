import CardModel
import CardStore
import CardStoreConformance
import PostgresCardStore
import Testing

@testable import ShardedCardStore

@Suite("Sharded: moving users", .timeLimit(.minutes(20)))
struct ShardMovingTests {
    private static let users = (0..<160).map { UserID(rawValue: "user-\($0)") }

    /// Runs a test with a home that has users, and another database of which nobody knows yet.
    private func withHome(_ body: (_ place: ShardedPlace, _ other: String) async throws -> Void) async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            let store = try await place.open()
            try await store.updateUsers(Self.users.map { UserUpdate(id: $0, custom: ["n": 1]) }, at: noon)
            for user in Self.users { _ = try await store.recordEvents(batch(user, [1, 2])) }
            try await store.close()
            try await body(place, urls[1])
        }
    }

    private func batch(_ user: UserID, _ numbers: [UInt64]) -> EventBatch {
        let events = numbers.map { DeviceEvent($0, .custom(name: "seen"), at: noon + Double($0)) }
        return EventBatch(user: user, events: events, receivedAt: noon + 20, device: "device")
    }

    @Test("Users who come to another database are who they were, and go on there")
    func moved() async throws {
        try await withHome { place, other in
            let store = try await place.open()
            #expect(try await store.deleteUser(Self.users[0], at: noon + 5, by: command))
            try await store.close()
            let added = try await ShardedCardStore.addShard(
                other,
                to: place.home,
                options: place.options,
                at: noon,
                by: command
            )
            #expect(added.id == 1 && !added.isUsed)
            try await ShardedCardStore.balance(place.home, options: place.options) { _ in }
            let shards = try await ShardedCardStore.shards(of: place.home, options: place.options)
            #expect(shards.compactMap(\.users).reduce(0, +) == 159)
            #expect(shards.allSatisfy { ($0.users ?? 0) > 50 })

            let sharded = try await place.open()
            #expect(try await sharded.userCount() == 159)
            let reads = try #require(sharded.deferredReads)
            for user in Self.users.dropFirst() {
                let state = try #require(try await sharded.userState(of: user, including: .all, dueBy: noon))
                let told = await withCheckedContinuation { continuation in
                    reads.userState(of: user, including: .all, dueBy: noon) { continuation.resume(returning: $0) }
                }
                #expect(told == .success(state))
                #expect(state.profile.custom == ["n": 1])
                #expect(state.history.events["seen"]?.count == 2)
                // One is sent again, and one is new.
                let receipt = try await sharded.recordEvents(batch(user, [2, 3])).receipt
                #expect(receipt.accepted == 1 && receipt.duplicate == 1)
                #expect(try await sharded.userEvents(of: user, limit: 10).count == 3)
            }
            let all = try await sharded.eventPage(after: 0, EventFilter(), limit: 1_000)
            #expect(all.events.count == 3 * 159 && all.isLast)
            #expect(all.events.map(\.position) == all.events.map(\.position).sorted())
            // A device of a user who was deleted before is refused, wherever the user would be now.
            await expectFailure(.erased) { try await sharded.recordEvents(batch(Self.users[0], [4])) }
            #expect(try await sharded.deleteUser(Self.users[1], at: noon + 30, by: command))
            #expect(try await sharded.userEvents(of: Self.users[1], limit: 10).isEmpty)
            try await sharded.close()
        }
    }

    @Test("Aliases, former users and codes of devices are those of users wherever they have moved")
    func names() async throws {
        try await withHome { place, other in
            let user = try #require(Self.users.first { SampleRank.of($0) >= SampleRank.count / 2 })
            let former = UserID(rawValue: "anonymous-1")
            var random = SystemRandomNumberGenerator()
            let code = TestCode(using: &random)
            let alias = UserAlias(label: "shop", name: "anna")
            let store = try await place.open()
            let own = NewAlias(alias: alias, user: user, newUser: user)
            #expect(try await store.addAliases([own], at: noon) == [.given])
            try await store.updateUsers([UserUpdate(id: former)], at: noon)
            let merge = Identification(user: .id(former), identity: user)
            #expect(try await store.identifyUsers([merge], at: noon) == [.done])
            let holder = TestCodeHolder(user: user, device: "device", client: nil)
            #expect(try await store.insertTestCode(code, of: holder, at: noon) == .saved)
            try await store.close()

            try await place.add(other)
            try await ShardedCardStore.balance(place.home, options: place.options) { _ in }
            let sharded = try #require(try await place.open() as? ShardedCardStore)
            #expect(try await sharded.database(1).userRevision(of: user) != nil)
            // An alias that was given before stays with its user, also in another database.
            let neighbour = try #require(Self.users.first { SampleRank.of($0) < SampleRank.count / 2 })
            let second = NewAlias(alias: alias, user: neighbour, newUser: neighbour)
            for _ in 0..<2 { #expect(try await sharded.addAliases([second], at: noon) == [.nameTaken]) }
            #expect(try await sharded.addAliases([own], at: noon) == [.given])
            #expect(try await sharded.findUsers([.alias(alias)]) == [user])
            #expect(try await sharded.user(ofTestCode: code, at: noon + 1) == user)
            // What the former user's device still sends is the user's.
            #expect(try await sharded.recordEvents(batch(former, [7])).receipt.accepted == 1)
            let state = try await sharded.userState(of: user, including: .all, dueBy: noon)
            #expect(state?.history.events["seen"]?.count == 3)
            try await sharded.close()
        }
    }

    @Test("Whoever writes while users are moved writes each event once")
    func served() async throws {
        try await withHome { place, other in
            _ = try await ShardedCardStore.addShard(
                other,
                to: place.home,
                options: place.options,
                at: noon,
                by: command
            )
            let nodes = [try await place.open(), try await place.open()]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (place, user) in Self.users.enumerated() {
                    // Each is told by both nodes, of which one comes too late.
                    for node in nodes {
                        group.addTask {
                            for number in UInt64(10)..<14 {
                                _ = try await node.recordEvents(batch(user, [number]))
                                if place % 2 == 0 { #expect(try await node.userRevision(of: user) != nil) }
                            }
                        }
                    }
                }
                group.addTask {
                    try await ShardedCardStore.balance(place.home, options: place.options) { _ in }
                }
                try await group.waitForAll()
            }
            let all = try await nodes[0].eventPage(after: 0, EventFilter(), limit: 1_000)
            #expect(all.events.count == 160 * 6)
            for user in Self.users {
                let state = try await nodes[1].userState(of: user, including: .all, dueBy: noon)
                #expect(state?.history.events["seen"]?.count == 6)
            }
            for node in nodes { try await node.close() }
        }
    }

    @Test("A move that was interrupted is finished by the next, whatever was done of it")
    func interrupted() async throws {
        for step in 0...5 {
            try await withHome { place, other in
                _ = try await ShardedCardStore.addShard(
                    other,
                    to: place.home,
                    options: place.options,
                    at: noon,
                    by: command
                )
                let store = try #require(try await place.open() as? ShardedCardStore)
                let (home, shard) = (try store.database(0), try store.database(1))
                let range = SampleRank.count / 2..<SampleRank.count / 2 + SampleRank.count / 8
                let begun = RangeMove(range, from: 0, to: 1)
                let move = RangeMove(range, from: 0, to: 1, sourcePlacement: 1, targetPlacement: 0)
                #expect(try await home.beginMove(begun))
                if step > 0 {
                    #expect(try await home.prepareMove(begun, sourcePlacement: 1, targetPlacement: 0) == move)
                }
                if step > 1 { try await home.movePlacement(to: 1) }
                if step > 2 { try await shard.takeUsers(try await home.leavingUsers(of: move), of: move) }
                if step > 3 { try await home.placeMove(move) }
                if step > 4 { try await home.removeUsers(of: move) }
                try await ShardedCardStore.balance(place.home, options: place.options) { _ in }
                #expect(try await store.userCount() == 160)
                for user in Self.users { #expect(try await store.userRevision(of: user) != nil) }
                try await store.close()
            }
        }
    }

    @Test("A server continues a move whose mover has ended, and calls off one of which nothing was done")
    func continued() async throws {
        for isPrepared in [false, true] {
            try await withHome { place, other in
                try await place.add(other)
                let store = try #require(try await place.open() as? ShardedCardStore)
                let home = store.home
                let begun = RangeMove(SampleRank.count / 2..<SampleRank.count, from: 0, to: 1)
                #expect(try await home.beginMove(begun))
                if isPrepared {
                    _ = try await home.prepareMove(begun, sourcePlacement: 1, targetPlacement: 0)
                    try await home.movePlacement(to: 1)
                }
                try await store.continueMove(at: .now)
                #expect(try await home.move() != nil)
                try await store.continueMove(at: .now + MoveWatch.patience * 2)
                #expect(try await home.move() == nil)
                #expect(try await home.placedRanges().map(\.shard) == (isPrepared ? [0, 1] : []))
                #expect(try await store.userCount() == 160)
                for user in Self.users { #expect(try await store.userRevision(of: user) != nil) }
                try await store.close()
            }
        }
    }

    @Test("The generations of a move are those that were noted first, and a mover with others changes nothing")
    func generations() async throws {
        try await TemplateDatabase.withCopy { url in
            let home = try await ShardNode.open(url, shard: 0).store
            let range = SampleRank.count / 4..<SampleRank.count / 2
            let begun = RangeMove(range, from: 0, to: 1)
            #expect(try await home.beginMove(begun))
            #expect(try await !home.beginMove(RangeMove(0..<10, from: 0, to: 1)))
            let move = RangeMove(range, from: 0, to: 1, sourcePlacement: 5, targetPlacement: 2)
            #expect(try await home.prepareMove(begun, sourcePlacement: 5, targetPlacement: 2) == move)
            #expect(try await home.prepareMove(begun, sourcePlacement: 9, targetPlacement: 9) == move)

            let earlier = RangeMove(range, from: 0, to: 1, sourcePlacement: 4, targetPlacement: 1)
            try await home.placeMove(earlier)
            #expect(try await home.placedRanges().isEmpty)
            try await home.placeMove(move)
            #expect(try await home.placedRanges().map(\.shard) == [0, 1, 0])
            try await home.endMove(earlier)
            #expect(try await home.move() != nil)
            try await home.endMove(move)
            #expect(try await home.move() == nil)
            #expect(try await home.prepareMove(begun, sourcePlacement: 6, targetPlacement: 3) == nil)
            // A mover that took the home for the range's owner would have the target take over nobody.
            #expect(try await !home.beginMove(RangeMove(range, from: 0, to: 1)))
            #expect(try await !home.beginMove(RangeMove(0..<SampleRank.count, from: 0, to: 1)))
            #expect(try await home.beginMove(RangeMove(range, from: 1, to: 0)))
            try await home.close()
        }
    }

    @Test("Two that move users at the same time lose nobody")
    func twoMovers() async throws {
        try await withHome { place, other in
            try await place.add(other)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        do {
                            try await ShardedCardStore.balance(place.home, options: place.options) { _ in }
                        } catch let error as StoreError where [.conflict, .unavailable].contains(error.code) {}
                    }
                }
                try await group.waitForAll()
            }
            try await ShardedCardStore.balance(place.home, options: place.options) { _ in }
            let store = try await place.open()
            #expect(try await store.userCount() == 160)
            for user in Self.users { #expect(try await store.userRevision(of: user) != nil) }
            try await store.close()
        }
    }

    @Test("No users are moved while a server runs that doesn't know all databases")
    func unaware() async throws {
        try await withHome { place, other in
            let old = try await place.open()
            try await old.updateUsers([UserUpdate(id: Self.users[0], custom: ["n": 2])], at: noon)
            _ = try await ShardedCardStore.addShard(
                other,
                to: place.home,
                options: place.options,
                at: noon,
                by: command
            )
            await expectFailure(.conflict) {
                try await ShardedCardStore.balance(place.home, options: place.options) { _ in }
            }
            try await old.close()
            try await ShardedCardStore.balance(place.home, options: place.options) { _ in }
        }
    }
}
