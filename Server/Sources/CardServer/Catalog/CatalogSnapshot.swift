import CardModel
import CardStore
import NIOPosix

extension CatalogCache {
    /// What was true at one moment, to be read without locks.
    final class Snapshot: Sendable {
        let catalog: Catalog
        let engine: TemplateEngine
        let settings: Settings
        let tokens: UserTokenVerifier
        /// Whether it is known which keys there are; where it isn't, none is accepted.
        let areKeysKnown: Bool
        let source: CatalogSource
        private let credentials: [[UInt8]: KeyCredential]

        init(_ source: CatalogSource, after last: Snapshot?, _ unknownKeys: UnknownKeySignal) async {
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
            areKeysKnown = true
            credentials = Self.credentials(source.keys)
        }

        /// Creates a snapshot that has other keys and is the same otherwise; `nil` where nobody can tell which there are.
        init(_ other: Snapshot, keys: [APIKey]?) {
            (catalog, engine, settings, tokens) = (other.catalog, other.engine, other.settings, other.tokens)
            var source = other.source
            source.keys = keys ?? []
            self.source = source
            areKeysKnown = keys != nil
            credentials = Self.credentials(source.keys)
        }

        private static func credentials(_ keys: [APIKey]) -> [[UInt8]: KeyCredential] {
            Dictionary(
                keys.flatMap(KeyCredential.all).map { ($0.hash, $0) },
                uniquingKeysWith: { first, _ in first }
            )
        }

        /// The key that has a secret of that SHA-256, if it wasn't revoked.
        func credential(withHash hash: [UInt8]) -> KeyCredential? { credentials[hash] }
    }
}
