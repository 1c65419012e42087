import CardModel
import CardStore
import Testing

/// Checks of changes, health and closing.
enum LifeChecks {
    static let checks: [ConformanceCheck] = [
        announces, manyListeners, overflow, foreignCatalog, foreignUser, closes, closeDrains,
    ]

    /// Reads as many changes as are expected.
    private static func first(_ count: Int, of changes: AsyncStream<StoreChange>) async -> [StoreChange] {
        var found: [StoreChange] = []
        for await change in changes {
            found.append(change)
            if found.count == count { break }
        }
        return found
    }

    static let announces = ConformanceCheck(
        "Whoever listens hears of campaigns and of users whose version changed, in order"
    ) { stores in
        try await stores.withStore { store in
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

    static let manyListeners = ConformanceCheck(
        "Every listener hears of every change"
    ) { stores in
        try await stores.withStore { store in
            let listeners = [store.changes(), store.changes()]
            try await store.give("card-1")
            for changes in listeners { #expect(await first(1, of: changes) == [.user(someone, except: nil)]) }
        }
    }

    static let overflow = ConformanceCheck(
        "A listener that falls behind is told of anything instead"
    ) { stores in
        try await stores.withPlace { place in
            let store = try await place.open(listenerBuffer: 4)
            let changes = store.changes()
            for number in 0..<8 { try await store.give("card", to: UserID(rawValue: "user-\(number)")) }
            try await store.close()

            var heard: [StoreChange] = []
            for await change in changes { heard.append(change) }
            #expect(heard.count == 4)
            #expect(heard.last == .anything)
        }
    }

    static let foreignCatalog = ConformanceCheck(
        "A campaign that is launched through another connection is heard of within a second"
    ) { stores in
        try await stores.withPlace { place in
            let (server, command) = (try await place.open(), try await place.open())
            let changes = server.changes()
            let clock = ContinuousClock()

            // The best of some: beside all other tests, a thread may have to wait for its turn.
            var launches = 0
            var quickest = Duration.seconds(60)
            while quickest > .seconds(1), launches < 100 {
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

    static let foreignUser = ConformanceCheck(
        "A user that is changed through another connection is heard of"
    ) { stores in
        try await stores.withPlace { place in
            let (server, command) = (try await place.open(), try await place.open())
            let changes = server.changes()

            try await command.updateUsers([UserUpdate(id: someone, custom: ["plan": "gold"])], at: noon)

            let heard = await first(1, of: changes)
            #expect(heard == [.anything] || heard == [.user(someone, except: nil)])
            try await server.close()
            try await command.close()
        }
    }

    static let closes = ConformanceCheck(
        "A store that works is healthy; one that is closed says so, and closing it again is no error"
    ) { stores in
        try await stores.withPlace { place in
            let store = try await place.open()
            try await store.checkHealth()
            let changes = store.changes()
            try await store.close()
            try await store.close()

            await expectFailure(.unavailable) { try await store.checkHealth() }
            await expectFailure(.unavailable) { try await store.userRevision(of: someone) }
            await expectFailure(.unavailable) { try await store.loadCatalog() }
            await expectFailure(.unavailable) { try await store.record([.impression(1)]) }
            for await _ in changes { Issue.record("There was nothing to hear of.") }
            for await _ in store.changes() { Issue.record("There was nothing to hear of.") }
        }
    }

    static let closeDrains = ConformanceCheck(
        "Closing waits for the writes that were asked for before"
    ) { stores in
        try await stores.withPlace { place in
            let store = try await place.open()
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

            let reopened = try await place.open()
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
