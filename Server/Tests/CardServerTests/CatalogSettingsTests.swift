import CardModel
import CardStore
import Synchronization
import Testing

@testable import CardServer

@Suite("Settings that are read without the campaigns", .timeLimit(.minutes(5)))
struct CatalogSettingsTests {
    private struct Broken: Error {}

    @Test("The keys of user tokens are read while others ask for what is known")
    func tokenKeys() async throws {
        let (isBroken, known) = (Mutex<Bool>.Box(false), Mutex<CatalogCache?>.Box(nil))
        let seen = Mutex<[Settings.UserTokenMode]>.Box([])
        var required = Settings()
        required.userTokens = .required
        let reading = CatalogCache.Reading(
            catalog: { _ in
                guard !isBroken.withLock({ $0 }) else { throw Broken() }
                return CatalogSource(generation: 1, campaigns: [], settings: Settings(), keys: [])
            },
            generation: { 1 },
            epoch: { 0 },
            keys: { [] },
            settings: { [required] in required },
            tokens: { settings, watch in
                // Where the lock is held, this ends the test.
                if let catalog = known.withLock({ $0 }) {
                    let mode = catalog.current.settings.userTokens
                    seen.withLock { $0.append(mode) }
                }
                return UserTokenVerifier(settings, keySetWatch: watch)
            }
        )
        let catalog = try await CatalogCache(reading)
        known.withLock { $0 = catalog }
        isBroken.withLock { $0 = true }
        await #expect(throws: Broken.self) { try await catalog.reload() }
        let modes = seen.withLock { $0 }
        #expect(modes == [.disabled])
        #expect(catalog.current.settings.userTokens == .required)
        // What was read holds on while the settings are the same.
        await #expect(throws: Broken.self) { try await catalog.reload() }
        let count = seen.withLock { $0.count }
        #expect(count == 1)
    }
}
