import CardModel
import CardStore
import CardStoreConformance
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: a node that knows of no other database", .timeLimit(.minutes(20)))
struct UnawareNodeTests {
    @Test("It writes nothing from the moment on that users are moved elsewhere")
    func moving() async throws {
        try await TemplateDatabase.withCopy { url in
            var options = PostgresCardStore.Options()
            // As one does that has written nothing for that long.
            options.leaseRenewal = .zero
            let node = try await PostgresCardStore.open(url: url, options: options)
            try await node.updateUsers([UserUpdate(id: someone)], at: noon)
            let mover = try await ShardNode.open(url, shard: 0).store
            let move = RangeMove(0..<10, from: 0, to: 1)
            #expect(try await mover.beginMove(move))
            for _ in 0..<2 {
                await expectFailure(.unavailable) { try await node.updateUsers([UserUpdate(id: someone)], at: noon) }
            }
            try await mover.cancelMove(move)
            try await node.updateUsers([UserUpdate(id: someone)], at: noon)

            #expect(try await mover.beginMove(move))
            let prepared = try #require(
                try await mover.prepareMove(move, sourcePlacement: 1, targetPlacement: 0)
            )
            // Something may have been done of it by now.
            for known in [move, prepared] { try await mover.cancelMove(known) }
            #expect(try await mover.move() == prepared)
            try await mover.placeMove(prepared)
            try await mover.endMove(prepared)
            await expectFailure(.unavailable) { try await node.updateUsers([UserUpdate(id: someone)], at: noon) }
            let late = try await PostgresCardStore.open(url: url, options: options)
            await expectFailure(.unavailable) { try await late.updateUsers([UserUpdate(id: someone)], at: noon) }

            // Those that know the others go on, and so does what concerns nobody.
            try await mover.updateUsers([UserUpdate(id: someone)], at: noon)
            options.leavesUsers = true
            let command = try await PostgresCardStore.open(url: url, options: options)
            try await command.saveSettings(Settings(), at: noon, by: .command)
            // The node alone, which has been refused since; the late one has never got a lease.
            #expect(try await mover.nodesUnaware(ofDatabases: 1) == 1)
            for store in [node, mover, late, command] { try await store.close() }
        }
    }

    @Test("It writes nothing to a shard")
    func shard() async throws {
        try await ShardNode.withTwo { _, shard in
            try await shard.store.updateUsers([UserUpdate(id: someone)], at: noon)
            let node = try await PostgresCardStore.open(url: shard.url, options: PostgresCardStore.Options())
            await expectFailure(.unavailable) { try await node.updateUsers([UserUpdate(id: someone)], at: noon) }
            try await node.close()
        }
    }
}
