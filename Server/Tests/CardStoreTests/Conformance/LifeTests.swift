import CardModel
import CardStore
import Foundation
import Testing

@Suite("Changes, backup, health and the end", .timeLimit(.minutes(10)))
struct LifeTests {
    /// Reads as many changes as are expected.
    private func first(_ count: Int, of changes: AsyncStream<StoreChange>) async -> [StoreChange] {
        var found: [StoreChange] = []
        for await change in changes {
            found.append(change)
            if found.count == count { break }
        }
        return found
    }

    @Test(
        "Whoever listens hears of campaigns and of users whose version changed, in order",
        arguments: StoreUnderTest.allCases
    )
    func announces(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store in
            let changes = store.changes()
            try await store.insertCampaign(.sample("draft"), by: command)
            try await store.launch(.sample())
            try await store.give("card-1")
            try await store.record([.impression(1)])
            try await store.record([.impression(2)])
            try await store.saveSettings(Settings.tokyo, at: noon, by: command)

            #expect(
                await first(4, of: changes) == [
                    .catalog, .user(someone, except: nil), .user(someone, except: nil), .catalog,
                ]
            )
        }
    }

    @Test("Every listener hears of every change", arguments: StoreUnderTest.allCases)
    func manyListeners(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store in
            let listeners = [store.changes(), store.changes()]
            try await store.give("card-1")
            for changes in listeners { #expect(await first(1, of: changes) == [.user(someone, except: nil)]) }
        }
    }

    @Test("A listener that falls behind is told of anything instead", arguments: StoreUnderTest.allCases)
    func overflow(_ kind: StoreUnderTest) async throws {
        try await kind.withStores { place in
            let store = try place.open(listenerBuffer: 4)
            let changes = store.changes()
            for number in 0..<8 { try await store.give("card", to: UserID(rawValue: "user-\(number)")) }
            try await store.close()

            var heard: [StoreChange] = []
            for await change in changes { heard.append(change) }
            #expect(heard.count == 4)
            #expect(heard.last == .anything)
        }
    }

    @Test(
        "A campaign that is launched through another connection is heard of within a second",
        arguments: StoreUnderTest.allCases
    )
    func foreignCatalog(_ kind: StoreUnderTest) async throws {
        try await kind.withStores { place in
            let (server, command) = (try place.open(), try place.open())
            let changes = server.changes()
            let clock = ContinuousClock()

            // The best of some: beside all other tests, a thread may have to wait for its turn.
            var launches = 0
            var quickest = Duration.seconds(60)
            while quickest > .seconds(1), launches < 10 {
                try await command.launch(.sample("sale-\(launches)"))
                let start = clock.now
                let heard = await first(1, of: changes)
                #expect(heard == [.catalog])
                quickest = min(quickest, clock.now - start)
                launches += 1
            }

            #expect(quickest < .seconds(1))
            #expect(try await server.loadCatalog().campaigns.count == launches)
            try await server.close()
            try await command.close()
        }
    }

    @Test("A user that is changed through another connection is heard of", arguments: StoreUnderTest.allCases)
    func foreignUser(_ kind: StoreUnderTest) async throws {
        try await kind.withStores { place in
            let (server, command) = (try place.open(), try place.open())
            let changes = server.changes()

            try await command.updateUsers([UserUpdate(id: someone, custom: ["plan": "gold"])], at: noon)

            let heard = await first(1, of: changes)
            #expect(heard == [.anything] || heard == [.user(someone, except: nil)])
            try await server.close()
            try await command.close()
        }
    }

    @Test("A backup is the whole store with an epoch of its own", arguments: StoreUnderTest.allCases)
    func backUp(_ kind: StoreUnderTest) async throws {
        try await kind.withStores { place in
            let store = try place.open()
            try await store.launch(.sample())
            try await store.give("card-1")
            try await store.record([.impression(1)])

            let path = place.path + ".backup"
            try await store.makeBackup(at: path)
            try await store.record([.impression(2)])

            let restored = try place.openBackup(at: path)
            #expect(restored.epoch != store.epoch)
            #expect(try await restored.counts().impressions == 1)
            #expect(try await restored.userState(of: someone) == store.userState(of: someone))
            #expect(try await restored.record([.impression(1)]).receipt.duplicate == 1)
            try await restored.close()
            try await store.close()
        }
    }

    @Test("A backup overwrites nothing and leaves nothing else behind", arguments: StoreUnderTest.allCases)
    func backUpRefuses(_ kind: StoreUnderTest) async throws {
        try await kind.withStores { place in
            let store = try place.open()
            let path = place.path + ".backup"
            try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            let before = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()

            await expectFailure(.exists) { try await store.makeBackup(at: path) }
            await expectFailure(.unavailable) { try await store.makeBackup(at: folder + "/none/backup") }

            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("precious".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == before)
            try await store.close()
        }
    }

    @Test(
        "A store that works is healthy; one that is closed says so, and closing it again is no error",
        arguments: StoreUnderTest.allCases
    )
    func closes(_ kind: StoreUnderTest) async throws {
        try await kind.withStores { place in
            let store = try place.open()
            try await store.checkHealth()
            let changes = store.changes()
            try await store.close()
            try await store.close()

            await expectFailure(.unavailable) { try await store.checkHealth() }
            await expectFailure(.unavailable) { try await store.userRevision(of: someone) }
            await expectFailure(.unavailable) { try await store.loadCatalog() }
            await expectFailure(.unavailable) { try await store.record([.impression(1)]) }
            await expectFailure(.unavailable) { try await store.makeBackup(at: place.path + ".backup") }
            for await _ in changes { Issue.record("There was nothing to hear of.") }
            for await _ in store.changes() { Issue.record("There was nothing to hear of.") }
        }
    }

    @Test("Closing waits for the writes that were asked for before", arguments: StoreUnderTest.allCases)
    func closeDrains(_ kind: StoreUnderTest) async throws {
        try await kind.withStores { place in
            let store = try place.open()
            try await store.launch(.sample())
            try await store.give("card-1")

            let accepted = await withTaskGroup(of: Int.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        (try? await store.record([.impression(UInt64(number))]).receipt.accepted) ?? 0
                    }
                }
                group.addTask {
                    try? await store.close()
                    return 0
                }
                return await group.reduce(0, +)
            }

            let reopened = try place.open()
            #expect(try await reopened.counts().impressions == Int64(accepted))
            try await reopened.close()
        }
    }
}

extension Settings {
    fileprivate static var tokyo: Settings {
        var settings = Settings()
        settings.timeZone = "Asia/Tokyo"
        return settings
    }
}
