import CardModel
import CardStore
import CardStoreConformance
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: a database that has given users away", .timeLimit(.minutes(20)))
struct ShardFenceTests {
    @Test("A node that knows an earlier placement can neither write nor read")
    func earlier() async throws {
        try await ShardNode.withTwo { home, _ in
            let store = home.store
            try await store.updateUsers([UserUpdate(id: someone, custom: ["n": 1])], at: noon)
            try await store.movePlacement(to: 3)
            let write = await #expect(throws: StoreError.self) {
                try await store.updateUsers([UserUpdate(id: someone, custom: ["n": 2])], at: noon)
            }
            #expect(write?.isMisplaced == true)
            let read = await #expect(throws: StoreError.self) { try await store.userRevision(of: someone) }
            #expect(read?.isMisplaced == true)
            let state = await #expect(throws: StoreError.self) {
                try await store.userState(of: someone, including: .all, dueBy: noon)
            }
            #expect(state?.isMisplaced == true)
            // What isn't a user's goes on.
            try await store.saveSettings(Settings(), at: noon, by: .command)

            home.known.value = 3
            let found = try await store.userState(of: someone, including: .all, dueBy: noon)
            #expect(found?.profile.custom == ["n": 1])
            try await store.updateUsers([UserUpdate(id: someone, custom: ["n": 3])], at: noon)
            // A mover that comes late gives nothing back.
            try await store.movePlacement(to: 2)
            #expect(try await store.placementGeneration() == 3)
        }
    }

    @Test("A call to a database that was chosen before the node heard of a newer placement is refused")
    func chosen() async throws {
        try await ShardNode.withTwo { home, _ in
            try await home.store.updateUsers([UserUpdate(id: someone)], at: noon)
            try await home.store.movePlacement(to: 1)
            home.known.value = 1
            let routing = ShardRouting(shard: 0, placement: 0)
            let error = await #expect(throws: StoreError.self) {
                try await ShardRouting.$current.withValue(routing) {
                    try await home.store.userRevision(of: someone)
                }
            }
            #expect(error?.isMisplaced == true)
            // A choice of another database says nothing of this one.
            let revision = try await ShardRouting.$current.withValue(ShardRouting(shard: 1, placement: 0)) {
                try await home.store.userRevision(of: someone)
            }
            #expect(revision != nil)
        }
    }

    @Test("The placement changes once the groups have ended that were being done")
    func waiting() async throws {
        try await TemplateDatabase.withCopy { url in
            let nodes = [try await ShardNode.open(url, shard: 0), try await ShardNode.open(url, shard: 0)]
            let hold = HeldJob()
            async let holding: Void = nodes[0].store.writer.write([someone]) { _ in hold.wait() }
            while !hold.isHeld.load(ordering: .acquiring) { await Task.yield() }
            async let moving: Void = nodes[1].store.movePlacement(to: 1)
            let waits = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
            while try await nodes[1].store.read({ try $0.rows(waits).isEmpty }) { await Task.yield() }
            #expect(try await nodes[1].store.placementGeneration() == 0)
            hold.end.signal()
            try await holding
            try await moving
            #expect(try await nodes[1].store.placementGeneration() == 1)
            for node in nodes { try await node.store.close() }
        }
    }

    @Test("What a shard says to the audit log and the webhook comes to the home once")
    func outbox() async throws {
        try await ShardNode.withTwo { home, shard in
            let webhook = Webhook(url: "https://example.com", secret: "s", types: [], createdAt: noon)
            try await home.store.saveWebhook(webhook, after: nil, at: noon, by: .command)
            let before = try await home.store.auditChain().last.count
            try await shard.store.updateUsers([UserUpdate(id: someone)], at: noon)
            #expect(try await shard.store.deleteUser(someone, at: noon, by: .member("ann@example.com")))
            let entries = try await shard.store.outbox(limit: 100)
            #expect(entries.count == 2)
            #expect(try await shard.store.latestAuditEntries(limit: 10).isEmpty)
            for _ in 0..<2 { try await home.store.applyOutbox(entries, of: 1) }
            let last = try #require(entries.last)
            try await shard.store.removeOutbox(through: last.position)
            #expect(try await shard.store.outbox(limit: 100).isEmpty)

            #expect(try await home.store.auditChain().last.count == before + 1)
            let entry = try #require(try await home.store.latestAuditEntries(limit: 1).first)
            #expect(entry.action == "user.delete" && entry.actor == "ann@example.com" && entry.actorKind == "member")
            #expect(entry.subject == home.store.pseudonym(of: someone))
            #expect(try await home.store.verifyAudit().problems.isEmpty)
            let notices = try await home.store.webhookNotices(limit: 10)
            #expect(notices.map(\.subject) == [.user(someone)])
            #expect(notices.map(\.kind) == [.userDeleted])
        }
    }

    @Test("A shard has the settings of the home, under a generation of its own that changes with them")
    func replica() async throws {
        try await ShardNode.withTwo { home, shard in
            var settings = Settings()
            settings.timeZone = "Asia/Tokyo"
            try await home.store.saveSettings(settings, at: noon, by: .command)
            let replica = try await home.store.catalogReplica()
            let before = try await shard.store.catalogGeneration()
            for _ in 0..<2 { try await shard.store.replicate(replica) }
            #expect(try await shard.store.settings().timeZone == "Asia/Tokyo")
            #expect(try await shard.store.replicatedGeneration() == replica.generation)
            #expect(try await shard.store.catalogGeneration() == before + 1)
        }
    }
}
