import CardModel
import CardStore
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import SQLiteCardStore
import Synchronization
import Testing
import WireJSON

@testable import CardServer

@Suite("Keys when the store can't be read")
struct CatalogCacheTests {
    /// A source of campaigns and keys that fails when a test wants it to.
    final class Source: Sendable {
        struct Broken: Error {}

        struct State {
            var keys: [APIKey]
            var isCatalogBroken = false
            var areKeysBroken = false
            var settings = Settings()
            var areSettingsBroken = false
            var generation: CatalogGeneration = 1
            /// How often the campaigns were read.
            var reads = 0
        }

        let state: Mutex<State>

        init(_ keys: [APIKey]) { state = Mutex(State(keys: keys)) }

        func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

        var reading: CatalogCache.Reading {
            .init(
                catalog: { [self] _ in
                    try state.withLock { state in
                        state.reads += 1
                        guard !state.isCatalogBroken else { throw Broken() }
                        return CatalogSource(
                            generation: state.generation,
                            campaigns: [],
                            settings: state.settings,
                            keys: state.keys
                        )
                    }
                },
                generation: { [self] in state.withLock { $0.generation } },
                epoch: { 0 },
                keys: { [self] in
                    try state.withLock { state in
                        guard !state.areKeysBroken else { throw Broken() }
                        return state.keys
                    }
                },
                settings: { [self] in
                    try state.withLock { state in
                        guard !state.areSettingsBroken else { throw Broken() }
                        return state.settings
                    }
                }
            )
        }
    }

    /// Counts.
    private final class Counter: Sendable {
        private let state = Mutex(0)

        var number: Int { state.withLock { $0 } }

        func count() { state.withLock { $0 += 1 } }
    }

    /// Something that happens once.
    private final class Flag: Sendable {
        private let state = Mutex(false)

        var isRaised: Bool { state.withLock { $0 } }

        /// Raises the flag, and returns whether it wasn't raised before.
        func raise() -> Bool {
            state.withLock { old in
                defer { old = true }
                return !old
            }
        }
    }

    private let first = KeySecret(name: "a", kind: .secret, permissions: [.manage], createdAt: 1)
    let second = KeySecret(name: "b", kind: .publishable, permissions: [.device], createdAt: 1)

    private func revoked(_ secret: KeySecret) -> APIKey {
        var key = secret.key
        key.revokedAt = 2
        return key
    }

    private func works(_ secret: KeySecret, in catalog: CatalogCache) -> Bool {
        catalog.current.credential(withHash: secret.key.hash) != nil
    }

    @Test("Whoever needs what another node has changed shares one read of the campaigns, and never gets older ones")
    func latest() async throws {
        let (source, asked) = (Source([]), Counter())
        var reading = source.reading
        reading.generation = { [reading] in
            asked.count()
            return try await reading.generation()
        }
        reading.catalog = { [reading] known in
            // Nobody reads before all have asked.
            while known != nil, asked.number % 100 != 1 { await Task.yield() }
            return try await reading.catalog(known)
        }
        let catalog = try await CatalogCache(reading, isShared: true)
        #expect(try await catalog.latest().catalog.generation == 1)
        #expect(source.state.withLock { $0.reads } == 1)
        source.set { $0.generation = 2 }
        try await withThrowingTaskGroup(of: CatalogGeneration.self) { group in
            for _ in 0..<100 { group.addTask { try await catalog.latest().catalog.generation } }
            for try await generation in group { #expect(generation == 2) }
        }
        #expect(source.state.withLock { $0.reads } < 50)
    }

    @Test("Where the campaigns can't be read, nobody gets older ones for those that were asked for")
    func latestFails() async throws {
        let source = Source([])
        let moment = ContinuousClock.now
        var reading = source.reading
        reading.now = { moment }
        let catalog = try await CatalogCache(reading, isShared: true)
        source.set { state in
            state.generation = 2
            state.isCatalogBroken = true
        }
        await #expect(throws: Source.Broken.self) { try await catalog.latest() }
        // For a second, nobody tries again.
        await #expect(throws: StoreError.self) { try await catalog.latest() }
        #expect(catalog.current.catalog.generation == 1 && catalog.current.areKeysKnown)
        source.set { $0.isCatalogBroken = false }
        try await catalog.reload()
        #expect(try await catalog.latest().catalog.generation == 2)
    }

    @Test("A key that this process revoked is refused at once, though nothing can be read, and stays so")
    func revokedHere() async throws {
        let source = Source([first.key, second.key])
        let catalog = try await CatalogCache(source.reading)
        source.set { ($0.isCatalogBroken, $0.areKeysBroken) = (true, true) }
        let before = catalog.current
        catalog.set(revoked(first))
        #expect(!works(first, in: catalog) && works(second, in: catalog))
        // What compares snapshots sees that there is another one.
        #expect(catalog.current !== before)
        await #expect(throws: Source.Broken.self) { try await catalog.reload() }
        #expect(!works(first, in: catalog) && works(second, in: catalog))
        // An older change of the key that comes late doesn't bring it back.
        catalog.set(first.key)
        #expect(!works(first, in: catalog))
        // Nor does a store that was read and doesn't have it: then it is so.
        source.set { ($0.isCatalogBroken, $0.keys) = (false, [revoked(first), second.key]) }
        try await catalog.reload()
        #expect(!works(first, in: catalog) && works(second, in: catalog) && !catalog.isStale)
    }

    /// A catalog whose second read waits, with what it has read, until it is told to go on.
    private func slowCatalog(_ source: Source) async throws -> (CatalogCache, Flag, @Sendable () -> Void) {
        let (gate, opening) = AsyncStream<Void>.makeStream()
        let began = Flag()
        let reading = source.reading
        let catalog = try await CatalogCache(
            .init(
                catalog: { known in
                    let value = try await reading.catalog(known)
                    if known != nil, began.raise() { for await _ in gate {} }
                    return value
                },
                generation: reading.generation,
                epoch: reading.epoch,
                keys: reading.keys,
                settings: reading.settings
            )
        )
        return (catalog, began, { opening.finish() })
    }

    @Test("A read that began before this process revoked a key doesn't bring it back")
    func slowRead() async throws {
        let source = Source([first.key])
        let (catalog, began, goOn) = try await slowCatalog(source)
        async let slow: Void = catalog.reload()
        while !began.isRaised { await Task.yield() }
        catalog.set(revoked(first))
        goOn()
        try await slow
        #expect(!works(first, in: catalog))
    }

    @Test("Of two reads, the one that began earlier doesn't replace what the later one read")
    func overtaken() async throws {
        let source = Source([first.key])
        let (catalog, began, goOn) = try await slowCatalog(source)
        async let slow: Void = catalog.reload()
        while !began.isRaised { await Task.yield() }
        // Another process revokes the key, and this one reads that.
        source.set { $0.keys = [revoked(first)] }
        try await catalog.reload()
        #expect(!works(first, in: catalog))
        goOn()
        try await slow
        #expect(!works(first, in: catalog))
    }

    @Test("Where only the campaigns can't be read, the keys are read by themselves")
    func keysAlone() async throws {
        let source = Source([first.key, second.key])
        let catalog = try await CatalogCache(source.reading)
        source.set { ($0.isCatalogBroken, $0.keys) = (true, [first.key]) }
        await #expect(throws: Source.Broken.self) { try await catalog.reload() }
        #expect(works(first, in: catalog) && !works(second, in: catalog))
        #expect(catalog.isStale && catalog.current.areKeysKnown)
    }

    @Test("Where the keys can't be read three times in a row, no key is accepted until they can")
    func closes() async throws {
        let source = Source([first.key])
        let catalog = try await CatalogCache(source.reading)
        source.set { ($0.isCatalogBroken, $0.areKeysBroken) = (true, true) }
        for attempt in 1...3 {
            #expect(works(first, in: catalog), "\(attempt)")
            await #expect(throws: Source.Broken.self) { try await catalog.reload() }
        }
        #expect(!works(first, in: catalog) && !catalog.current.areKeysKnown)
        // A change of one key doesn't say which others there are.
        catalog.set(second.key)
        #expect(!works(second, in: catalog) && !catalog.current.areKeysKnown)
        source.set { $0.areKeysBroken = false }
        await #expect(throws: Source.Broken.self) { try await catalog.reload() }
        #expect(works(first, in: catalog) && catalog.current.areKeysKnown && catalog.isStale)
        source.set { $0.isCatalogBroken = false }
        try await catalog.reload()
        #expect(works(first, in: catalog) && !catalog.isStale)
    }

    @Test("Where only the campaigns can't be read, what the settings say of access holds at once")
    func settingsAlone() async throws {
        let source = Source([second.key])
        let catalog = try await CatalogCache(source.reading)
        let user = UserID(rawValue: "ann")
        #expect(try catalog.current.tokens.verify(nil, for: user, at: 0) == .infinity)
        source.set { ($0.isCatalogBroken, $0.settings.userTokens) = (true, .required) }
        source.set { $0.settings.connectedContentHosts = [ContentHost("api.example.com")].compactMap(\.self) }
        await #expect(throws: Source.Broken.self) { try await catalog.reload() }
        #expect(catalog.current.settings.userTokens == .required && catalog.current.areSettingsKnown)
        #expect(throws: RequestError.self) { try catalog.current.tokens.verify(nil, for: user, at: 0) }
        // What templates may ask changes with the campaigns, and isn't lost.
        #expect(catalog.current.engine.connectedContent == nil)
        source.set { $0.isCatalogBroken = false }
        try await catalog.reload()
        #expect(catalog.current.engine.connectedContent != nil)
        #expect(catalog.healthCheck().failure == nil)
    }

    @Test("Where the settings can't be read three times in a row, no device is answered until they can")
    func settingsUnknown() async throws {
        let source = Source([second.key])
        let catalog = try await CatalogCache(source.reading)
        source.set { ($0.isCatalogBroken, $0.areSettingsBroken) = (true, true) }
        for attempt in 1...3 {
            #expect(catalog.current.areSettingsKnown && catalog.healthCheck().failure == nil, "\(attempt)")
            await #expect(throws: Source.Broken.self) { try await catalog.reload() }
        }
        #expect(!catalog.current.areSettingsKnown && catalog.healthCheck().failure?.code == .unavailable)
        #expect(catalog.current.settings.masksPersonalData && works(second, in: catalog))
        #expect(!catalog.current.tokens.accepts(nil, for: UserID(rawValue: "ann"), at: 0))
        source.set { $0.areSettingsBroken = false }
        await #expect(throws: Source.Broken.self) { try await catalog.reload() }
        #expect(catalog.current.settings == Settings() && catalog.current.areSettingsKnown && catalog.isStale)
        #expect(catalog.current.tokens.accepts(nil, for: UserID(rawValue: "ann"), at: 0))
    }

    @Test("Devices are told to come back while the settings are unknown, and keys go on working")
    func unknownSettingsOverHTTP() async throws {
        try await Workspace.run { workspace in
            let (store, broken) = (workspace.store, Flag())
            let catalog = try await CatalogCache(
                .init(
                    catalog: { known in
                        guard !broken.isRaised else { throw Source.Broken() }
                        return try await store.loadCatalog(since: known)
                    },
                    generation: { try await store.catalogGeneration() },
                    epoch: { store.epoch },
                    keys: { try await store.apiKeys() },
                    settings: { throw Source.Broken() }
                )
            )
            try await workspace.node(catalog: catalog).test(.router) { client in
                func status(_ method: HTTPRequest.Method, _ path: String, key: String) async throws -> Int {
                    let body = ByteBuffer(string: #"{"user_id":"ann","device_id":"d"}"#)
                    return try await client.execute(
                        uri: path,
                        method: method,
                        headers: [.authorization: "Bearer \(key)"],
                        body: method == .post ? body : nil
                    ) { $0.status.code }
                }
                let before = try await status(.post, "/v1/sync", key: workspace.publishable)
                #expect(before == 200)
                _ = broken.raise()
                for _ in 1...3 { try? await catalog.reload() }
                let sync = try await status(.post, "/v1/sync", key: workspace.publishable)
                let events = try await status(.post, "/v1/events", key: workspace.publishable)
                let live = try await status(.get, "/v1/live?user_id=ann", key: workspace.publishable)
                #expect([sync, events, live] == [503, 503, 503])
                let settings = try await status(.get, "/v1/settings", key: workspace.secret)
                let campaigns = try await status(.get, "/v1/campaigns", key: workspace.secret)
                #expect([settings, campaigns] == [503, 200])
            }
        }
    }

    @Test("What failed is tried again at once, then after 1, 2, 4 … 30 seconds, also when the clock is set back")
    func attempts() {
        var attempts = ReloadAttempts()
        let isDueAtOnce = attempts.isDue(isStale: false, at: 100)
        #expect(!isDueAtOnce)
        let due = (0...100).filter { attempts.isDue(isStale: true, at: 100 + Double($0)) }
        #expect(due == [0, 1, 3, 7, 15, 31, 61, 91])
        let isDueAfterClockChange = attempts.isDue(isStale: true, at: -1_000)
        #expect(isDueAfterClockChange)
        let isDueAfterSuccess = attempts.isDue(isStale: false, at: 300)
        #expect(!isDueAfterSuccess)
        let isDueAgain = attempts.isDue(isStale: true, at: 300)
        #expect(isDueAgain)
    }
}
