import CardModel
import CardStore
import NIOPosix
import Synchronization

extension CatalogCache {
    /// The values that were true at one moment, to be read without locks.
    final class Snapshot: Sendable {
        private static let lastNumber = Atomic<UInt64>(0)

        /// The number that no other snapshot of this process has.
        let number: UInt64 = Snapshot.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
        let catalog: Catalog
        let engine: TemplateEngine
        let settings: Settings
        let tokens: UserTokenVerifier
        /// Whether it is known which keys there are; where it isn't, none is accepted.
        let areKeysKnown: Bool
        /// Whether it is known what the settings are; where it isn't, no device is answered.
        let areSettingsKnown: Bool
        let source: CatalogSource
        private let credentials: [[UInt8]: KeyCredential]

        init(_ source: CatalogSource, after last: Snapshot?, _ keySetWatch: KeySetWatch) async {
            self.source = source
            let old = last?.engine
            // The engine was made with the settings of its source, which may be older than those that hold.
            let isSame =
                old?.contentBlocks == source.contentBlocks && old?.cardSizeLimit == source.settings.cardSizeLimit
                && last?.source.settings.connectedContentHosts == source.settings.connectedContentHosts
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
            // Whatever content blocks there are: they are looked up while cards are rendered.
            let canReuse = last?.source.epoch == source.epoch
            let (engine, known) = (engine, canReuse ? last?.catalog : nil)
            let compile: @Sendable () -> Catalog = {
                Catalog(
                    campaigns: source.campaigns,
                    broadcasts: source.broadcasts,
                    generation: source.generation,
                    segments: source.segments,
                    gaps: source.gaps,
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
                (isKnown ? last?.tokens : nil) ?? UserTokenVerifier(source.settings, keySetWatch: keySetWatch)
            (areKeysKnown, areSettingsKnown) = (true, !source.unreadable.contains { $0.kind == .settings })
            credentials = Self.credentials(source.keys)
        }

        /// Creates a snapshot that has other keys and is the same otherwise; `nil` where nobody can tell which there
        /// are.
        init(_ other: Snapshot, keys: [APIKey]?) {
            (catalog, engine, settings, tokens) = (other.catalog, other.engine, other.settings, other.tokens)
            var source = other.source
            source.keys = keys ?? []
            self.source = source
            (areKeysKnown, areSettingsKnown) = (keys != nil, other.areSettingsKnown)
            credentials = Self.credentials(source.keys)
        }

        /// Creates a snapshot that has other settings, with what checks tokens by them, and is the same otherwise.
        convenience init(_ other: Snapshot, settings: Settings, tokens: UserTokenVerifier) {
            self.init(other, settings, tokens, isKnown: true)
        }

        /// Creates a snapshot for when nobody can tell what the settings are, and that is the same otherwise.
        ///
        /// Then the settings are those known last, except that nobody gets what the unknown ones might refuse: no token
        /// is good, and viewers see no personal data.
        convenience init(withUnknownSettings other: Snapshot, _ keySetWatch: KeySetWatch) {
            var known = other.settings
            (known.userTokens, known.publicKeys, known.keySet) = (.required, [], nil)
            known.masksPersonalData = true
            // Without keys there is nothing to read.
            self.init(other, known, UserTokenVerifier(known, keySetWatch: keySetWatch), isKnown: false)
        }

        /// Creates a snapshot that has the settings of another.
        convenience init(_ other: Snapshot, settingsOf known: Snapshot) {
            self.init(other, known.settings, known.tokens, isKnown: known.areSettingsKnown)
        }

        private init(_ other: Snapshot, _ settings: Settings, _ tokens: UserTokenVerifier, isKnown: Bool) {
            (catalog, engine, source) = (other.catalog, other.engine, other.source)
            (self.settings, self.tokens) = (settings, tokens)
            (areKeysKnown, areSettingsKnown) = (other.areKeysKnown, isKnown)
            credentials = other.credentials
        }

        private static func credentials(_ keys: [APIKey]) -> [[UInt8]: KeyCredential] {
            Dictionary(
                keys.flatMap(KeyCredential.all).map { ($0.hash, $0) },
                uniquingKeysWith: { first, _ in first }
            )
        }

        /// Whether this was read after another one, as far as generations tell, or in another history of the store,
        /// which may begin with lower ones: that of a standby that hadn't received everything when it was promoted.
        func replaces(_ other: Snapshot) -> Bool {
            source.epoch != other.source.epoch || catalog.generation >= other.catalog.generation
        }

        /// Whether this is what the store has.
        func isCurrent(_ generation: CatalogGeneration, in epoch: UInt64) -> Bool {
            source.epoch == epoch && catalog.generation >= generation
        }

        /// The key that has a secret of that SHA-256, if it wasn't revoked.
        func credential(withHash hash: [UInt8]) -> KeyCredential? { credentials[hash] }
    }
}
