import CardModel
import CardStore
import Logging
import ServiceLifecycle
import Synchronization

/// Keeps the keys of `jwks_url` up to date: from time to time, and soon after a token has named an unknown key.
///
/// The keys are kept with the settings, so that a server starts while the provider is down.
actor KeySetRefresher: Service {
    /// The number of seconds after which the keys are fetched again.
    static let interval = 600.0
    /// The shortest time between two fetches, in seconds, whatever tokens name.
    static let shortestInterval = 60.0
    /// The time between two looks of the refresher for something to do, in seconds.
    static let pause = 5.0

    private let store: any CardStore
    private let catalog: CatalogCache
    private let fetch: @Sendable (String) async throws -> JSONWebKeySet
    private let clock: @Sendable () -> UnixTime
    private let logger: Logger
    private var lastFetch: UnixTime

    init(
        store: any CardStore,
        catalog: CatalogCache,
        fetch: @escaping @Sendable (String) async throws -> JSONWebKeySet,
        clock: @escaping @Sendable () -> UnixTime,
        logger: Logger
    ) {
        self.store = store
        self.catalog = catalog
        self.fetch = fetch
        self.clock = clock
        self.logger = logger
        lastFetch = clock()
    }

    nonisolated func run() async throws {
        await WorkLoop().run {
            await step()
            return Self.pause
        }
    }

    /// Fetches the keys where that is due.
    func step() async {
        guard let url = catalog.current.settings.keySetURL else { return }
        let watch = catalog.keySetWatch
        let keyAge = watch.age(of: url, at: clock())
        let age = abs(clock() - lastFetch)
        guard age >= Self.shortestInterval else { return }
        guard watch.take() || age >= Self.interval else { return }
        lastFetch = clock()
        do {
            let set = try await fetch(url)
            watch.noteFetch(of: url, at: lastFetch)
            guard try await store.saveUserTokenKeys(set, of: url, at: clock()) else { return }
            try await catalog.reload()
            let host = OutboundURL(url)?.authority ?? ""
            logger.info("The keys of user tokens have changed", metadata: ["host": "\(host)"])
        } catch {
            watch.noteFailure()
            let metadata: Logger.Metadata = ["error": "\(error)", "age_seconds": "\(keyAge)"]
            guard keyAge <= KeySetWatch.maximumAge else {
                return logger.error("The keys of user tokens are too old to check tokens", metadata: metadata)
            }
            logger.warning("The keys of user tokens are those of the last time", metadata: metadata)
        }
    }
}
