import CardModel
import CardStore
import CardStoreConformance
import Foundation
import PostgresCardStore
import PostgresTesting
import Testing

@testable import ShardedCardStore

@Suite("Sharded: users that a database has a second time", .timeLimit(.minutes(20)))
struct UserCopyTests {
    private static let users = (0..<80).map { UserID(rawValue: "user-\($0)") }
    /// The range that goes from the shard to the home.
    private static let range = SampleRank.count / 2..<SampleRank.count / 4 * 3

    private func open(_ place: ShardedPlace) async throws -> ShardedCardStore {
        try #require(try await place.open() as? ShardedCardStore)
    }

    private func has(_ user: UserID, _ store: PostgresCardStore) async throws -> Bool {
        try await store.exportUser(user) != nil
    }

    private func findings(_ place: ShardedPlace) async throws -> [String: StoreFinding] {
        let key = try #require(place.options.secretsKey)
        let findings = await ShardedCardStore.diagnose(url: place.home, secretsKey: key, isFull: false)
        return Dictionary(findings.map { ($0.subject, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Has the home say which generation the shard had with the last move.
    private func note(_ generation: String, in place: ShardedPlace) async throws {
        try await ShardedPlace.execute("UPDATE shards SET placement = \(generation)", in: place.home)
    }

    /// Runs a test with the address of a backup of a database.
    private func withBackup(of url: String, _ body: (_ backup: String) async throws -> Void) async throws {
        let database = try #require(url.components(separatedBy: "@/").last?.split(separator: "?").first)
        let cluster = try await PostgresCluster.shared()
        try await cluster.execute("CREATE DATABASE \(database)_backup TEMPLATE \(database)")
        do {
            try await body(url.replacing("@/\(database)?", with: "@/\(database)_backup?"))
        } catch {
            try? await cluster.execute("DROP DATABASE \(database)_backup WITH (FORCE)")
            throw error
        }
        try await cluster.execute("DROP DATABASE \(database)_backup WITH (FORCE)")
    }

    @Test func `Users who had left a shard after the backup that was restored are counted and found once`()
        async throws
    {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            #expect(try await place.add(urls[1]))
            let filled = try await open(place)
            try await filled.updateUsers(Self.users.map { UserUpdate(id: $0, custom: ["n": 1]) }, at: noon)
            try await filled.close()
            let moved = Self.users.filter { Self.range.contains(SampleRank.of($0)) }
            let gone = try #require(moved.first)
            try await withBackup(of: urls[1]) { backup in
                let store = try await open(place)
                let move = RangeMove(Self.range, from: 1, to: 0)
                #expect(try await store.home.beginMove(move))
                try await store.finish(move)
                try await store.updateUsers(moved.map { UserUpdate(id: $0, custom: ["n": 2]) }, at: noon + 1)
                #expect(try await store.deleteUser(gone, at: noon + 2, by: command))
                try await store.close()
                #expect(try await findings(place)["shard 1 copies"] == nil)

                try await place.setShard(1, to: backup)
                let finding = try #require(try await findings(place)["shard 1 copies"])
                #expect(finding.level == .warning)
                #expect(finding.message.hasPrefix("\(moved.count) user"))
                #expect(finding.command == "placard shards balance")
                #expect(try await findings(place)["copies"] == nil)

                let restored = try await open(place)
                #expect(try await restored.userCount() == 79)
                #expect(try await restored.searchUsers(matching: "user-", after: nil, limit: 100).users.count == 79)
                for user in Self.users where user != gone {
                    let state = try await restored.userState(of: user, including: .all, dueBy: noon)
                    #expect(state?.profile.custom == ["n": moved.contains(user) ? 2 : 1], "\(user)")
                }
                let own = Self.users.filter { restored.placement.owner(of: $0) == 1 }
                #expect(try await restored.database(1).userCount() == Int64(own.count))
                let event = DeviceEvent(1, .custom(name: "seen"), at: noon)
                let batch = EventBatch(user: gone, events: [event], receivedAt: noon, device: "device")
                await expectFailure(.erased) { try await restored.recordEvents(batch) }
                try await restored.close()
                #expect(try await findings(place)["shard 1 copies"] == nil)
            }
        }
    }

    @Test func `Copies that are newer than the users, or all that there is, stay until they are removed for good`()
        async throws
    {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            #expect(try await place.add(urls[1]))
            let store = try await open(place)
            try await store.updateUsers(Self.users.map { UserUpdate(id: $0) }, at: noon)
            let own = Self.users.filter { store.placement.owner(of: $0) == 0 }
            let (outdated, newer, only) = (own[0], own[1], own[2])
            let shard = try store.database(1)
            let before = try await shard.userCount()
            for user in [outdated, newer, only] {
                let rows = try #require(try await store.home.exportUser(user))
                try await shard.importUser(rows)
            }
            try await ShardedPlace.execute(
                "UPDATE users SET version = version + 1 WHERE id = '\(newer.rawValue)'",
                in: urls[1]
            )
            try await ShardedPlace.execute("DELETE FROM users WHERE id = '\(only.rawValue)'", in: urls[0])

            #expect(try await store.removeCopies(limit: 0) == CopyRemoval(kept: 0, isComplete: false))
            // Nothing says that the shard was restored, rather than the home, or that the shard is the later one.
            for generation in ["NULL", "0", "-1"] {
                try await note(generation, in: place)
                #expect(try await store.removeForgottenCopies() == CopyRemoval())
                #expect(try await store.removeCopies() == CopyRemoval(kept: 3, isComplete: true))
            }
            #expect(try await shard.userCount() == before + 3)
            try await note("1", in: place)
            #expect(try await store.removeForgottenCopies() == CopyRemoval(kept: 2, isComplete: true))
            for _ in 0..<2 { #expect(try await store.removeCopies() == CopyRemoval(kept: 2, isComplete: true)) }
            #expect(try await !has(outdated, shard))
            for user in [newer, only] { #expect(try await has(user, shard), "\(user)") }
            await expectFailure(.conflict) {
                try await ShardedCardStore.balance(place.home, options: place.options) { _ in }
            }
            try await ShardedCardStore.balance(place.home, options: place.options, removingCopies: true) { _ in }
            #expect(try await shard.userCount() == before)
            #expect(try await shard.placementGeneration() == 1)
            #expect(try await store.userRevision(of: newer) != nil)
            try await store.close()
        }
    }

    @Test func `Nothing is removed while users are moved, nor from a database that has got others since`()
        async throws
    {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            #expect(try await place.add(urls[1]))
            let store = try await open(place)
            try await store.updateUsers(Self.users.map { UserUpdate(id: $0) }, at: noon)
            let user = try #require(Self.users.first { store.placement.owner(of: $0) == 0 })
            let shard = try store.database(1)
            try await shard.importUser(try #require(try await store.home.exportUser(user)))
            let begun = RangeMove(Self.range, from: 1, to: 0)
            #expect(try await store.home.beginMove(begun))
            try await note("1", in: place)
            #expect(try await store.removeCopies() == CopyRemoval(isComplete: false))
            #expect(try await store.removeForgottenCopies() == CopyRemoval(isComplete: false))
            try await note("NULL", in: place)
            #expect(try await has(user, shard))
            try await store.home.cancelMove(begun)
            let generation = try await shard.placementGeneration()
            #expect(try await !shard.removeCopies(of: [user], at: generation + 1))
            #expect(try await has(user, shard))
            #expect(try await shard.removeCopies(of: [user], at: generation))
            #expect(try await !has(user, shard))
            #expect(try await store.userRevision(of: user) != nil)
            try await store.close()
        }
    }

    @Test func `A copy of a user who was deleted doesn't come back with those who are moved to its database`()
        async throws
    {
        try await ShardNode.withTwo { home, shard in
            try await home.store.updateUsers(Self.users.map { UserUpdate(id: $0) }, at: noon)
            let user = try #require(Self.users.first { Self.range.contains(SampleRank.of($0)) })
            try await shard.store.importUser(try #require(try await home.store.exportUser(user)))
            #expect(try await home.store.deleteUser(user, at: noon + 1, by: command))
            let move = RangeMove(Self.range, from: 0, to: 1, sourcePlacement: 1, targetPlacement: 0)
            try await home.store.movePlacement(to: 1)
            let leaving = try await home.store.leavingUsers(of: move)
            try await shard.store.takeUsers(leaving, of: move)
            #expect(try await !has(user, shard.store))
            let others = Self.users.filter { Self.range.contains(SampleRank.of($0)) && $0 != user }
            #expect(try await shard.store.userCount() == Int64(others.count))
        }
    }

    @Test func `A copy is outdated by the same user, a later one of the id, or the end of the one that it is of`()
        async throws
    {
        try await ShardNode.withTwo { home, shard in
            let user = Self.users[0]
            try await home.store.updateUsers([UserUpdate(id: user)], at: noon)
            try await shard.store.importUser(try #require(try await home.store.exportUser(user)))
            func copies() async throws -> [UserCopy] {
                try await shard.store.copies(in: 0..<SampleRank.count, after: nil, limit: 10)
            }
            let first = try await copies()
            #expect(first.map(\.user) == [user])
            #expect(try await home.store.outdated(first, at: 0) == [user])
            // The database has got or given users since.
            #expect(try await home.store.outdated(first, at: 1).isEmpty)

            #expect(try await home.store.deleteUser(user, at: noon + 1, by: command))
            #expect(try await home.store.outdated(first, at: 0) == [user])
            // Who came after that end isn't ended by it.
            try await ShardedPlace.execute("UPDATE users SET created_at = created_at + 100", in: shard.url)
            let second = try await copies()
            #expect(try await home.store.outdated(second, at: 0).isEmpty)

            try await home.store.updateUsers([UserUpdate(id: user)], at: noon + 50)
            try await ShardedPlace.execute("UPDATE users SET version = version + 100", in: shard.url)
            let third = try await copies()
            #expect(try await home.store.outdated(third, at: 0).isEmpty)
            try await ShardedPlace.execute("UPDATE users SET created_at = created_at - 100", in: shard.url)
            let fourth = try await copies()
            #expect(try await home.store.outdated(fourth, at: 0) == [user])
        }
    }

    @Test func `A shard behind the home's notes has forgotten moves, and one that is as far has all`() throws {
        let placement = try UserPlacement([], generations: [9, 1, 2, 3, 4])
        let noted: [Int: Int64] = [1: 2, 2: 2, 3: 2]
        let search = CopySearch(placement: placement, noted: noted, limit: 1, includesNewer: false)
        #expect((0..<5).map(search.hasForgotten) == [false, true, false, false, false])
        #expect((0..<5).map(search.hasAll) == [true, false, true, false, false])
    }

    @Test func `A move notes what its databases have once the target has its users`() async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            #expect(try await place.add(urls[1]))
            let store = try await open(place)
            #expect(try await store.home.notedPlacements().isEmpty)
            for (source, target) in [(1, 0), (0, 1)] {
                let move = RangeMove(Self.range, from: Int64(source), to: Int64(target))
                #expect(try await store.home.beginMove(move))
                try await store.finish(move)
                let generation = try await store.database(1).placementGeneration()
                #expect(try await store.home.notedPlacements() == [1: generation])
            }
            try await store.close()
        }
    }

    @Test func `The ranges that a shard doesn't have are those of others, up to the last place`() throws {
        let ranges = [(0, 1), (10, 0), (20, 1), (30, 2)].map { PlacedRange(start: $0.0, shard: $0.1) }
        let placement = try UserPlacement(ranges, generations: [0, 0, 0])
        #expect(!placement.isMoving)
        let found = placement.ranges(notOf: 1)
        #expect(found.map(\.range) == [10..<20, 30..<SampleRank.count])
        #expect(found.map(\.owner) == [0, 2])
        #expect(try UserPlacement([], generations: [0]).ranges(notOf: 0).isEmpty)
        let moving = try UserPlacement([], moving: 0..<5, generations: [0, 0])
        #expect(moving.isMoving && moving.ranges(notOf: 1).map(\.range) == [0..<SampleRank.count])
    }
}
