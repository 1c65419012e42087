import CardModel
import CardStore
import Synchronization
import WireJSON

/// The campaigns, keys and settings as this process has them in memory.
///
/// It is only a cache: the store tells when it is out of date, whichever process made the change. Where the store can't
/// be read again, campaigns stay as they are known, and keys and settings don't: keys that this process changed are
/// replaced at once, the others and the settings are read by themselves, and where that fails too, no key is accepted,
/// or no device is answered, since settings say whether users need a token.
final class CatalogCache: Sendable {
    /// The number of times that reading the keys can fail in a row before no key is accepted, and the settings before
    /// no device is answered.
    static let attempts = 3

    /// Tells when a user token has named an unknown key.
    let keySetWatch = KeySetWatch()
    let reading: Reading
    /// The read that all share who need what others have changed.
    let sharedReload = Mutex(SharedReload())
    /// Whether other nodes may change the store.
    let isShared: Bool
    private let state: Mutex<State>

    /// The functions that read the store.
    struct Reading: Sendable {
        var catalog: @Sendable (CatalogSource?) async throws -> CatalogSource
        var generation: @Sendable () async throws -> CatalogGeneration
        /// The store's name for its history; see ``CatalogSource/epoch``.
        var epoch: @Sendable () -> UInt64
        var keys: @Sendable () async throws -> [APIKey]
        var settings: @Sendable () async throws -> Settings
        /// Returns the present moment; the clock's by default.
        var now: @Sendable () -> ContinuousClock.Instant = { .now }
        /// Reads the keys of user tokens that settings have, which takes a while.
        var tokens: @Sendable (Settings, KeySetWatch) -> UserTokenVerifier = { UserTokenVerifier($0, keySetWatch: $1) }
    }

    /// The snapshot that is known, and the reads that are older than it.
    fileprivate struct State {
        var snapshot: Snapshot
        /// The number of the last read or change that began.
        var lastTicket: UInt64 = 0
        /// The number of the read whose campaigns the snapshot has.
        var catalogTicket: UInt64 = 0
        /// The number of the read whose keys the snapshot has.
        var keysTicket: UInt64 = 0
        /// The number of the last read that failed.
        var failedTicket: UInt64 = 0
        /// The number of times that reading the keys failed in a row.
        var keyFailures = 0
        /// The number of the read whose settings the snapshot has.
        var settingsTicket: UInt64 = 0
        /// The number of times that reading the settings failed in a row.
        var settingsFailures = 0
        /// Keys that this process changed, with the number of the change; reads that began before don't know of it.
        var changedKeys: [ByteString: (ticket: UInt64, key: APIKey)] = [:]

        mutating func nextTicket() -> UInt64 {
            lastTicket += 1
            return lastTicket
        }
    }

    /// Reads the store.
    convenience init(store: any CardStore) async throws {
        try await self.init(
            Reading(
                catalog: { try await store.loadCatalog(since: $0) },
                generation: { try await store.catalogGeneration() },
                epoch: { store.epoch },
                keys: { try await store.apiKeys() },
                settings: { try await store.settings() }
            ),
            isShared: store.isShared
        )
    }

    /// Reads the store in that way, now and later.
    init(_ reading: Reading, isShared: Bool = false) async throws {
        self.reading = reading
        self.isShared = isShared
        state = Mutex(State(snapshot: await Snapshot(try await reading.catalog(nil), after: nil, keySetWatch)))
    }

    /// The present snapshot, as far as this process knows.
    var current: Snapshot { state.withLock { $0.snapshot } }

    /// Whether the last attempt to read the store failed, so that it has to be read again.
    var isStale: Bool { state.withLock { $0.failedTicket > $0.catalogTicket } }

    /// Reads the store again, and only its keys and settings where that fails.
    ///
    /// What is older than what is known by then is dropped.
    ///
    /// - Parameter isOfRequest: Whether requests cause it, as often as they like: then only the campaigns are read, and
    ///   a failure doesn't count as one after which no key is accepted.
    /// - Throws: What kept the store from reading, also where keys and settings could be read.
    func reload(isOfRequest: Bool = false) async throws {
        let (last, ticket) = state.withLock { ($0.snapshot, $0.nextTicket()) }
        let source: CatalogSource
        do {
            source = try await reading.catalog(last.source)
        } catch {
            state.withLock { $0.failedTicket = max($0.failedTicket, ticket) }
            if !isOfRequest {
                await reloadKeys()
                await reloadSettings()
            }
            throw error
        }
        let fresh = await Snapshot(source, after: last, keySetWatch)
        state.withLock { state in
            guard ticket > state.catalogTicket, fresh.replaces(state.snapshot) else { return }
            state.catalogTicket = ticket
            let keys = state.keysRead(source.keys, ticket)
            state.snapshot = Snapshot(state.settingsRead(with: fresh, ticket), keys: keys)
        }
    }

    /// Makes a change of a key that the store has kept hold from now on, without reading the store.
    ///
    /// A key that was revoked stays so, also where an older change of it comes late.
    func set(_ key: APIKey) {
        state.withLock { state in
            let name = ByteString(key.id)
            if let changed = state.changedKeys[name]?.key, changed.revokedAt != nil { return }
            state.changedKeys[name] = (state.nextTicket(), key)
            guard state.snapshot.areKeysKnown else { return }
            state.snapshot = Snapshot(state.snapshot, keys: state.withChanges(state.snapshot.source.keys))
        }
    }

    /// Reads the keys alone, which takes no campaign that can be read.
    private func reloadKeys() async {
        let ticket = state.withLock { $0.nextTicket() }
        let keys = try? await reading.keys()
        state.withLock { state in
            if let keys {
                state.snapshot = Snapshot(state.snapshot, keys: state.keysRead(keys, ticket))
            } else if state.keysFailed(ticket) {
                state.snapshot = Snapshot(state.snapshot, keys: nil)
            }
        }
    }

    /// Reads the settings alone, so that what they say of access holds though a campaign can't be read.
    private func reloadSettings() async {
        let ticket = state.withLock { $0.nextTicket() }
        let settings = try? await reading.settings()
        // Before the lock, for which every request waits.
        let tokens = settings.map { self.tokens(of: $0, after: current) }
        state.withLock { state in
            if let settings, let tokens {
                guard ticket > state.settingsTicket else { return }
                (state.settingsTicket, state.settingsFailures) = (ticket, 0)
                state.snapshot = Snapshot(state.snapshot, settings: settings, tokens: tokens)
            } else if state.settingsFailed(ticket) {
                state.snapshot = Snapshot(withUnknownSettings: state.snapshot, keySetWatch)
            }
        }
    }

    /// Returns what checks user tokens by settings; what was found good stays so while these are the same.
    private func tokens(of settings: Settings, after last: Snapshot) -> UserTokenVerifier {
        settings == last.settings ? last.tokens : reading.tokens(settings, keySetWatch)
    }

    /// Whether keys and settings are those of the store, as far as this process can know.
    func healthCheck() -> HealthCheck {
        let snapshot = current
        guard snapshot.areKeysKnown, snapshot.areSettingsKnown else {
            let what = snapshot.areKeysKnown ? "settings" : "keys"
            return HealthCheck("configuration", failure: StoreError(.unavailable, "The \(what) can't be read."))
        }
        return HealthCheck("configuration")
    }
}

extension CatalogCache.State {
    /// Notes that the keys were read, and returns those that hold: what is known where that is newer, or else what was
    /// read with the changes of which that read doesn't know.
    mutating func keysRead(_ keys: [APIKey], _ ticket: UInt64) -> [APIKey]? {
        guard ticket > keysTicket else { return snapshot.areKeysKnown ? snapshot.source.keys : nil }
        keysTicket = ticket
        keyFailures = 0
        changedKeys = changedKeys.filter { $0.value.ticket > ticket }
        return withChanges(keys)
    }

    /// Notes that the keys could not be read, and returns whether that was once too often.
    mutating func keysFailed(_ ticket: UInt64) -> Bool {
        keyFailures = min(keyFailures + 1, CatalogCache.attempts)
        guard keyFailures == CatalogCache.attempts else { return false }
        // A read that began before doesn't make them known again.
        keysTicket = max(keysTicket, ticket)
        return true
    }

    /// Notes that the settings were read with all else, and returns what was read, with the settings that are known
    /// where those are newer.
    mutating func settingsRead(with fresh: CatalogCache.Snapshot, _ ticket: UInt64) -> CatalogCache.Snapshot {
        guard ticket > settingsTicket else { return CatalogCache.Snapshot(fresh, settingsOf: snapshot) }
        (settingsTicket, settingsFailures) = (ticket, 0)
        return fresh
    }

    /// Notes that the settings could not be read, and returns whether that was once too often.
    mutating func settingsFailed(_ ticket: UInt64) -> Bool {
        settingsFailures = min(settingsFailures + 1, CatalogCache.attempts)
        guard settingsFailures == CatalogCache.attempts, snapshot.areSettingsKnown else { return false }
        // A read that began before doesn't make them known again.
        settingsTicket = max(settingsTicket, ticket)
        return true
    }

    /// Returns keys as they are after this process's changes.
    func withChanges(_ keys: [APIKey]) -> [APIKey] {
        guard !changedKeys.isEmpty else { return keys }
        let known = Set(keys.map { ByteString($0.id) })
        return keys.map { changedKeys[ByteString($0.id)]?.key ?? $0 }
            + changedKeys.filter { !known.contains($0.key) }.map { $0.value.key }
    }
}
