public import CardStore
public import PostgresCardStore

/// The way in which a node opens the databases beside the home.
struct ShardOpening: Sendable {
    /// The options of each of them.
    let options: PostgresCardStore.Options
    /// The function that gives a database its part, by its number.
    let role: @Sendable (Int64) -> ShardRole
    /// The key that all databases of an installation have.
    let pseudonymKey: [UInt8]

    /// Opens shards at once, and returns each of them, or what is in the way, by their numbers.
    func openAll(_ addresses: [ShardAddress]) async -> [Int: Result<PostgresCardStore, StoreError>] {
        await withTaskGroup(of: (Int, Result<PostgresCardStore, StoreError>).self) { group in
            for address in addresses {
                group.addTask {
                    let place = Int(clamping: address.id)
                    do throws(StoreError) {
                        return (place, .success(try await open(address)))
                    } catch {
                        return (place, .failure(error))
                    }
                }
            }
            var found: [Int: Result<PostgresCardStore, StoreError>] = [:]
            for await (place, result) in group { found[place] = result }
            return found
        }
    }

    /// Opens a shard, and makes sure that it is the one; what is in the way is said with its number.
    func open(_ address: ShardAddress) async throws(StoreError) -> PostgresCardStore {
        do throws(StoreError) {
            return try await openUnnamed(address)
        } catch {
            throw StoreError(error.code, "Shard \(address.id): \(error.message)")
        }
    }

    /// Opens a shard, and makes sure that it is the one.
    func openUnnamed(_ address: ShardAddress) async throws(StoreError) -> PostgresCardStore {
        var options = options
        options.shard = role(address.id)
        do {
            let shard = try await PostgresCardStore.open(url: address.url, options: options)
            do {
                try await shard.requireShard(address.id, pseudonymKey: pseudonymKey)
            } catch {
                try? await shard.close()
                throw error
            }
            return shard
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.unavailable, "It can't be opened: \(type(of: error)).")
        }
    }
}

extension KnownShards {
    /// The number of places of databases, with the home's and those of databases that were removed.
    fileprivate var databaseCount: Int {
        // safe: a count of shards
        Int(clamping: last) + 1
    }
}

extension ShardedCardStore {
    /// Opens a store: all databases whose users are spread, or only the one at the address.
    ///
    /// - Parameters:
    ///   - url: The address of the home.
    ///   - options: How to open each of them; keys for secrets are the home's alone.
    ///   - onAbsence: Told of a shard that doesn't answer, of other reasons why it can't be opened later, and of its
    ///     return: calls that concern it are refused until it is open. `nil`, the default, refuses to open the store.
    ///   - onFailure: Told of work that the store does by itself and that fails, of the same now and then.
    /// - Returns: A sharded store, or the home where it has no shards.
    /// - Throws: What keeps a database from being opened; `StoreError.incompatible` where the address is that of a
    ///   shard, and `StoreError.conflict` where that of a shard leads to another database.
    public static func open(
        url: String,
        options: PostgresCardStore.Options,
        onAbsence: (@Sendable (ShardNotice) -> Void)? = nil,
        onFailure: @escaping @Sendable (HousekeepingFailure) -> Void = { _ in }
    ) async throws -> any CardStore {
        let known = KnownPlacement()
        var options = options
        // One log of the groups of all databases.
        options.commits = GroupCommitLog()
        var homeOptions = options
        homeOptions.homeRole = { shards in
            // Also where all were removed: events have their positions from the index since there was one.
            shards.last > 0 ? known.role(of: 0, among: shards.databaseCount) : nil
        }
        let home = try await PostgresCardStore.open(url: url, options: homeOptions)
        guard let shards = home.shardsAtOpening, shards.last > 0 else { return home }
        return try await open(home, shards, known, options, HousekeepingLog(onFailure), onAbsence)
    }

    private static func open(
        _ home: PostgresCardStore,
        _ shards: KnownShards,
        _ known: KnownPlacement,
        _ options: PostgresCardStore.Options,
        _ log: HousekeepingLog,
        _ onAbsence: (@Sendable (ShardNotice) -> Void)?
    ) async throws -> ShardedCardStore {
        let count = shards.databaseCount
        var options = options
        (options.secretsKey, options.requiresSecretsKey) = (nil, false)
        var found: [Int: Result<PostgresCardStore, StoreError>] = [:]
        do {
            let opening = ShardOpening(
                options: options,
                role: { known.role(of: $0, among: count) },
                pseudonymKey: try await home.pseudonymKey()
            )
            found = await opening.openAll(shards.addresses)
            var slots = [ShardSlot(0, home)]
            while slots.count < count {
                slots.append(try slot(slots.count, shards, found[slots.count], onAbsence))
            }
            let store = ShardedCardStore(home, slots, known, log, isReadOnly: options.isReadOnly)
            try await store.reloadPlacement()
            guard !options.isReadOnly else { return store }
            try await store.forgetLaterReplicas()
            try await store.replicateCatalog()
            await store.startCopyRemoval()
            store.startHousekeeping()
            store.startErasures()
            store.awaitAbsent(opening) { onAbsence?($0) }
            return store
        } catch {
            await close([home] + found.values.compactMap { try? $0.get() })
            throw error
        }
    }

    /// Closes databases at once, whatever they say.
    private static func close(_ stores: [PostgresCardStore]) async {
        await withTaskGroup(of: Void.self) { group in
            for store in stores { group.addTask { try? await store.close() } }
        }
    }

    /// Returns the place of a database that was opened; it stays empty where that doesn't answer and that is accepted.
    private static func slot(
        _ place: Int,
        _ shards: KnownShards,
        _ found: Result<PostgresCardStore, StoreError>?,
        _ onAbsence: (@Sendable (ShardNotice) -> Void)?
    ) throws(StoreError) -> ShardSlot {
        if shards.removed.contains(Int64(place)) { return ShardSlot(removed: place) }
        switch found {
        case nil: throw StoreError(.corrupt, "The numbers in the table shards have a gap.")
        case .success(let store): return ShardSlot(place, store)
        case .failure(let error):
            guard let onAbsence, error.code == .unavailable else { throw error }
            onAbsence(ShardNotice(shard: place, failure: error, migration: []))
            return ShardSlot(place, failure: error)
        }
    }

    // MARK: Those that didn't answer

    /// Opens the databases that didn't answer when the store was opened, each once it does.
    private func awaitAbsent(_ opening: ShardOpening, _ report: @escaping @Sendable (ShardNotice) -> Void) {
        let tasks = slots.filter { $0.opened == nil && !$0.isRemoved }.map { slot in
            Task { [weak self] in
                var pause = Self.reopeningPause
                while !Task.isCancelled {
                    try? await Task.sleep(for: pause)
                    guard !Task.isCancelled, let self else { return }
                    if await fill(slot, opening, report) { return }
                    pause = min(pause * 2, Self.longestReopeningPause)
                }
            }
        }
        absent.set(tasks)
    }

    /// Tries to open the database of a place; returns whether nothing is to be done any more.
    private func fill(
        _ slot: ShardSlot,
        _ opening: ShardOpening,
        _ report: @Sendable (ShardNotice) -> Void
    ) async -> Bool {
        do {
            // The address may have been set to another one since.
            guard let address = try await home.shardAddresses().first(where: { $0.id == Int64(slot.place) }) else {
                return true
            }
            let store = try await opening.open(address)
            do {
                guard try await admit(store, to: slot) else {
                    try? await store.close()
                    return true
                }
            } catch {
                try? await store.close()
                throw error
            }
            // Otherwise the first call that concerns it does.
            try? await reloadPlacement()
            _ = try? await removeForgottenCopies(limit: Self.copiesAtOpening)
            report(ShardNotice(shard: slot.place, failure: nil, migration: store.migration))
            return true
        } catch let error as StoreError {
            if slot.note(error) { report(ShardNotice(shard: slot.place, failure: error, migration: [])) }
            return false
        } catch {
            return false
        }
    }

    /// Puts a database in its place once it has the catalog that others have; returns whether the place is still open.
    private func admit(_ store: PostgresCardStore, to slot: ShardSlot) async throws -> Bool {
        try await forgetLaterReplica(of: store)
        while true {
            let replica = try await home.catalogReplica()
            try await store.replicate(replica)
            let isOpen = catalog.admitting(replica.moment) { slot.open(store) }
            if let isOpen { return isOpen }
        }
    }
}
