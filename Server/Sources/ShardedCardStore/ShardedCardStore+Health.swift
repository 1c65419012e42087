import CardModel
public import CardStore
import PostgresCardStore

extension ShardedCardStore {
    /// The store's name for its own history, in which every database has a part.
    public var epoch: UInt64 { stores.reduce(0) { $0 ^ $1.epoch } }

    /// Any number of nodes may have the same databases.
    public var isShared: Bool { true }

    // MARK: Changes

    /// Announces changes from now on, whichever node makes them and in whichever database.
    ///
    /// The catalog is the home's: that a database got its copy of it is no change.
    public func changes() -> AsyncStream<StoreChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: StoreChange.self,
            bufferingPolicy: .bufferingNewest(home.listenerBuffer)
        )
        // Listened to before this returns.
        let sources = stores.enumerated().map { place, store in (isHome: place == 0, changes: store.changes()) }
        let task = Task {
            await withTaskGroup(of: Void.self) { group in
                for source in sources {
                    group.addTask {
                        for await change in source.changes where source.isHome || change != .catalog {
                            guard case .dropped = continuation.yield(change) else { continue }
                            // Whatever was lost to make room is covered by this, which is behind it in the buffer.
                            continuation.yield(.anything)
                        }
                    }
                }
                await group.waitForAll()
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    // MARK: Health

    /// Looks whether devices can be served, as the home's own checks do, and says of each other database what is in the
    /// way there.
    ///
    /// A database that doesn't answer keeps the node from none of the others' users, so that is no failure: all nodes
    /// would refuse all devices because of a part of them.
    public func healthChecks() async -> [HealthCheck] {
        async let others = shardChecks()
        let own = await home.healthChecks()
        return own + [HealthCheck(summingUp: await others)]
    }

    private func shardChecks() async -> [HealthCheck] {
        await withTaskGroup(of: (Int, HealthCheck).self) { group in
            for (place, store) in stores.enumerated().dropFirst() {
                group.addTask {
                    let check = await HealthCheck.run("shard \(place)") { try await store.checkHealth() }
                    return (place, check)
                }
            }
            var checks: [(place: Int, check: HealthCheck)] = []
            for await (place, check) in group { checks.append((place, check)) }
            return checks.sorted { $0.place < $1.place }.map(\.check)
        }
    }

    /// Checks that devices can be served; throws what is in the way.
    public func checkHealth() async throws {
        if let failure = await healthChecks().lazy.compactMap(\.failure).first { throw failure }
    }

    // MARK: Measures

    /// The traffic of the store with all its servers.
    public var traffic: StoreTraffic? { StoreTraffic(sumOf: stores.compactMap(\.traffic)) }

    /// The log of the groups of changes, in all databases where they were opened with one log.
    public var groupCommits: GroupCommitLog? { home.groupCommits }

    // MARK: Life

    /// Finishes what is under way and closes the connections to all databases.
    public func close() async throws {
        await housekeeping.stop()
        _ = try await onAll { try await $0.close() }
    }
}

extension HealthCheck {
    /// Sums up the checks of the databases beside the home.
    init(summingUp checks: [HealthCheck]) {
        let failures = checks.compactMap { check in check.failure.map { "\(check.name): \($0.message)" } }
        self.init(
            "shards",
            detail: failures.isEmpty ? nil : failures.joined(separator: " "),
            seconds: checks.map(\.seconds).max() ?? 0
        )
    }
}

extension StoreTraffic {
    /// Adds up the traffic with several servers.
    init(sumOf parts: [StoreTraffic]) {
        self.init()
        for part in parts {
            connections += part.connections
            // safe: as above
            waiting += part.waiting
            // safe: as above
            waits += part.waits
            roundTrips.merge(part.roundTrips, uniquingKeysWith: +)
            retries.merge(part.retries, uniquingKeysWith: +)
        }
    }
}
