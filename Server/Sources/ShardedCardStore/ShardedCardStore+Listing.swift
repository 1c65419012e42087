public import CardStore
public import PostgresCardStore

extension ShardedCardStore {
    /// A database that has users.
    public struct Shard: Sendable, Hashable {
        /// The number; 0 is the home.
        public let id: Int64
        /// The number of users that it has, or `nil` where it doesn't answer.
        public let users: Int64?
        /// The host and port of its server, or `nil` where it doesn't answer.
        public let server: String?
        /// The reason why it can't be used, or `nil` where it can.
        public let failure: StoreError?
    }

    /// Returns the databases that have users: the home, and the shards by their numbers, also those that don't answer.
    ///
    /// - Parameters:
    ///   - home: The address of the home.
    ///   - options: How the home is opened.
    /// - Returns: The databases.
    /// - Throws: What keeps the home from being opened.
    public static func shards(of home: String, options: PostgresCardStore.Options) async throws -> [Shard] {
        var options = options
        options.isReadOnly = true
        let store = try await PostgresCardStore.open(url: home, options: options)
        do {
            try await store.requireHome()
            (options.secretsKey, options.requiresSecretsKey) = (nil, false)
            let opening = ShardOpening(
                options: options,
                role: { id in ShardRole(id: id) { 0 } },
                pseudonymKey: try await store.pseudonymKey()
            )
            let own = try await Shard(0, store)
            let others = try await shards(at: store.shardAddresses(), opening)
            try await store.close()
            return [own] + others
        } catch {
            try? await store.close()
            throw error
        }
    }

    private static func shards(at addresses: [ShardAddress], _ opening: ShardOpening) async -> [Shard] {
        await withTaskGroup(of: Shard.self) { group in
            for address in addresses { group.addTask { await shard(at: address, opening) } }
            var shards: [Shard] = []
            for await shard in group { shards.append(shard) }
            return shards.sorted { $0.id < $1.id }
        }
    }

    private static func shard(at address: ShardAddress, _ opening: ShardOpening) async -> Shard {
        do throws(StoreError) {
            let store = try await opening.openUnnamed(address)
            do throws(StoreError) {
                let shard = try await Shard(address.id, store)
                try? await store.close()
                return shard
            } catch {
                try? await store.close()
                throw error
            }
        } catch {
            return Shard(address.id, failure: error)
        }
    }
}

extension ShardedCardStore.Shard {
    fileprivate init(_ id: Int64, _ store: PostgresCardStore) async throws(StoreError) {
        do {
            let (users, server) = (try await store.userCount(), try await store.serverName())
            self.init(id: id, users: users, server: server, failure: nil)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.unavailable, "It doesn't answer: \(type(of: error)).")
        }
    }

    fileprivate init(_ id: Int64, failure: StoreError) {
        self.init(id: id, users: nil, server: nil, failure: failure)
    }
}
