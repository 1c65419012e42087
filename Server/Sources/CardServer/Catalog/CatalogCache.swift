import CardModel
import CardStore
import Logging
import NIOPosix
import ServiceLifecycle
import Synchronization

/// The campaigns, keys and settings as this process has them in memory.
///
/// It is only a cache: the store tells when it is out of date, whichever process made the change.
final class CatalogCache: Sendable {
    /// What was true at one moment, to be read without locks.
    final class Snapshot: Sendable {
        let catalog: Catalog
        let engine: TemplateEngine
        let settings: Settings
        let tokens: UserTokenVerifier
        fileprivate let source: CatalogSource
        private let credentials: [[UInt8]: KeyCredential]

        fileprivate init(_ source: CatalogSource, after last: Snapshot?, _ unknownKeys: UnknownKeySignal) async {
            self.source = source
            let old = last?.engine
            let isSame =
                old?.contentBlocks == source.contentBlocks && old?.cardSizeLimit == source.settings.cardSizeLimit
                && last?.settings.connectedContentHosts == source.settings.connectedContentHosts
            let hosts = source.settings.connectedContentHosts
            engine =
                isSame && old != nil
                ? old ?? TemplateEngine()
                : TemplateEngine(
                    filters: CryptographyFilters.all,
                    contentBlocks: source.contentBlocks,
                    cardSizeLimit: source.settings.cardSizeLimit,
                    connectedContent: hosts.isEmpty ? nil : SessionContent(hosts: hosts)
                )
            let (engine, known) = (engine, isSame ? last?.catalog : nil)
            let compile: @Sendable () -> Catalog = {
                Catalog(
                    campaigns: source.campaigns,
                    broadcasts: source.broadcasts,
                    generation: source.generation,
                    segments: source.segments,
                    settings: source.settings,
                    engine: engine,
                    reusing: known
                )
            }
            // Ten thousand campaigns take a while, in which others want their answers.
            catalog = (try? await NIOThreadPool.singleton.runIfActive(compile)) ?? compile()
            settings = source.settings
            // What was found good stays so while the settings are the same.
            let isKnown = last?.settings == source.settings
            tokens =
                (isKnown ? last?.tokens : nil) ?? UserTokenVerifier(source.settings, unknownKeys: unknownKeys)
            credentials = Dictionary(
                source.keys.flatMap(KeyCredential.all).map { ($0.hash, $0) },
                uniquingKeysWith: { first, _ in first }
            )
        }

        /// The key that has a secret of that SHA-256, if it wasn't revoked.
        func credential(withHash hash: [UInt8]) -> KeyCredential? { credentials[hash] }
    }

    /// Tells when a user token has named an unknown key.
    let unknownKeys = UnknownKeySignal()
    private let store: any CardStore
    private let snapshot: Mutex<Snapshot>

    /// Reads the store.
    init(store: any CardStore) async throws {
        self.store = store
        snapshot = Mutex(await Snapshot(try await store.catalog(), after: nil, unknownKeys))
    }

    /// What is true now, as far as this process knows.
    var current: Snapshot { snapshot.withLock { $0 } }

    /// Reads the store again.
    ///
    /// What is older than what is known meanwhile is dropped.
    func reload() async throws {
        let last = current
        let fresh = await Snapshot(try await store.catalog(since: last.source), after: last, unknownKeys)
        snapshot.withLock { known in
            if fresh.catalog.generation >= known.catalog.generation { known = fresh }
        }
    }
}
