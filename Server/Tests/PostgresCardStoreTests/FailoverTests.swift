import CardModel
import CardStore
import CardStoreConformance
import Foundation
import PostgresTesting
import Testing

@testable import PostgresCardStore

/// Tests that `make check` runs, and the gate doesn't.
enum LongTests {
    static let areWanted = ProcessInfo.processInfo.environment["PLACARD_LONG_TESTS"] != nil
}

/// Starts two servers and takes as long as they do, so that it is a part of `make check`.
@Suite("PostgreSQL: failover to a standby", .timeLimit(.minutes(20)), .enabled(if: LongTests.areWanted))
struct FailoverTests {
    private static let devices: UInt64 = 4

    /// Records events one after another, each until it is acknowledged, as a device does.
    private static func send(as device: UInt64, to store: PostgresCardStore, _ progress: Progress) async throws {
        var number = device
        while await !progress.isOver {
            while (try? await store.record([.impression(number)])) == nil {
                await Task.yield()
            }
            await progress.add(number)
            number += devices
        }
    }

    @Test("When a standby takes over, the node finds it, nothing acknowledged is lost and nothing counts twice")
    func failover() async throws {
        let primary = try await PostgresServer.start(settings: ["wal_level = replica"])
        try await primary.execute("CREATE DATABASE app")
        let standby = try await primary.startStandby()
        try await primary.awaitStandby()
        let url =
            "postgresql://placard@/app?host=\(primary.folder),\(standby.folder)&port=\(primary.port),\(standby.port)"
        var options = PostgresCardStore.Options()
        options.now = { noon }
        let store = try await PostgresCardStore.open(url: url, options: options)
        try await store.launch(.sample())
        try await store.give("card-1")
        let before = try #require(await writeCheck(store))
        #expect(before.detail == "\(primary.folder):\(primary.port), timeline 1")
        let epoch = store.epoch

        let progress = Progress()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for device in 1...Self.devices {
                group.addTask { try await Self.send(as: device, to: store, progress) }
            }
            await progress.reach(100)
            try await primary.kill()
            let during = await writeCheck(store)
            let place = Self.place(of: standby)
            let message = """
                No server of the address accepts writes; \(place) is a standby. Promote one, or, \
                where it is the primary, \
                switch default_transaction_read_only off.
                """
            #expect(during?.failure?.message == message)
            try await standby.promote()
            await progress.reach(await progress.numbers.count + 100)
            await progress.end()
            try await group.waitForAll()
        }

        let after = try #require(await writeCheck(store))
        #expect(after.failure?.message == nil)
        #expect(after.detail == "\(standby.folder):\(standby.port), timeline 2")
        #expect(store.epoch != epoch)
        let counts = try await store.counts()
        let acknowledged = Int64(await progress.numbers.count)
        #expect(counts.impressions == acknowledged)
        let logged = try await store.read { connection in
            try connection.row("SELECT count(*) AS events, count(DISTINCT id) AS ids FROM events")
                .map { [try $0.integer("events"), try $0.integer("ids")] }
        }
        #expect(logged == [acknowledged, acknowledged])
        try await store.close()
    }

    private static func place(of server: PostgresServer) -> String {
        "PostgreSQL at \(server.folder)/.s.PGSQL.\(server.port)"
    }

    private func writeCheck(_ store: PostgresCardStore) async -> HealthCheck? {
        await store.healthChecks().first { $0.name == "write" }
    }
}

/// What was acknowledged so far.
private actor Progress {
    private(set) var numbers: Set<UInt64> = []
    /// Whether devices stop.
    private(set) var isOver = false
    private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    func add(_ number: UInt64) {
        numbers.insert(number)
        for entry in waiting where entry.count <= numbers.count { entry.continuation.resume() }
        waiting.removeAll { $0.count <= numbers.count }
    }

    func end() { isOver = true }

    /// Waits until so many were acknowledged.
    func reach(_ count: Int) async {
        guard numbers.count < count else { return }
        await withCheckedContinuation { waiting.append((count, $0)) }
    }
}
