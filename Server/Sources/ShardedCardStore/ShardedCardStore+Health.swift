public import CardModel
public import CardStore
import PostgresCardStore

extension ShardedCardStore {
    /// The home's name for its own history, which is that of the catalog.
    public var epoch: UInt64 { home.epoch }

    /// Returns the name of the history of a user's versions: the home's, that of the user's database, and what keeps
    /// it the same where the user comes from other ones.
    ///
    /// No other database has a part in it: whether one is open changes nothing for users who are elsewhere.
    public func userEpoch(of user: UserID) -> UInt64 {
        let (owner, history) = placement.ownerAndHistory(of: user)
        return home.epoch ^ historyPart(of: owner) ^ history
    }

    /// The name of the histories of all databases that are open.
    public var wholeEpoch: UInt64 { slots.reduce(home.epoch) { $0 ^ historyPart(of: $1.place) } }

    /// The part of a database in the names of its users' histories; the home has one in all of them anyway.
    func historyPart(of place: Int) -> UInt64 {
        // safe: a placement names no shard that there isn't
        place == 0 ? 0 : slots[place].opened?.epoch ?? 0
    }

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
        let sources = slots.map { slot in (slot: slot, changes: slot.opened?.changes()) }
        let task = Task {
            await withTaskGroup(of: Void.self) { group in
                for source in sources {
                    group.addTask {
                        if let changes = source.changes {
                            return await Self.pass(changes, of: source.slot, to: continuation)
                        }
                        for await store in source.slot.openings() {
                            let changes = store.changes()
                            // Nobody has listened until now.
                            continuation.yield(.anything)
                            await Self.pass(changes, of: source.slot, to: continuation)
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

    private static func pass(
        _ changes: AsyncStream<StoreChange>,
        of slot: ShardSlot,
        to continuation: AsyncStream<StoreChange>.Continuation
    ) async {
        for await change in changes where slot.place == 0 || change != .catalog {
            guard case .dropped = continuation.yield(change) else { continue }
            // Whatever was lost to make room is covered by this, which is behind it in the buffer.
            continuation.yield(.anything)
        }
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
            for slot in slots.dropFirst() where !slot.isRemoved {
                group.addTask {
                    guard let store = slot.opened else {
                        return (slot.place, HealthCheck("shard \(slot.place)", failure: slot.failure))
                    }
                    let check = await HealthCheck.run("shard \(slot.place)") {
                        do {
                            try await store.checkHealth()
                        } catch let error as StoreError {
                            throw StoreError(error.code, "Shard \(slot.place): \(error.message)")
                        }
                    }
                    slot.note(check.failure)
                    return (slot.place, check)
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
    public var traffic: StoreTraffic? {
        var traffic = StoreTraffic(sumOf: slots.compactMap { $0.opened?.traffic })
        traffic.absentShards = slots.count { $0.failure != nil }
        traffic.housekeepingFailures = log.counts
        return traffic
    }

    /// The log of the groups of changes, in all databases where they were opened with one log.
    public var groupCommits: GroupCommitLog? { home.groupCommits }

    // MARK: Life

    /// Finishes what is under way and closes the connections to all databases.
    public func close() async throws {
        await absent.stop()
        await housekeeping.stop()
        await copyRemoval.stop()
        await erasures.stop()
        let stores = slots.compactMap { $0.close() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in stores { group.addTask { try await store.close() } }
            try await group.waitForAll()
        }
    }
}

extension HealthCheck {
    /// Sums up the checks of the databases beside the home.
    init(summingUp checks: [HealthCheck]) {
        let failures = checks.compactMap(\.failure?.message)
        self.init(
            "shards",
            detail: failures.isEmpty ? "all answer" : failures.joined(separator: " "),
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
            // safe: as above
            partitionFailures += part.partitionFailures
            roundTrips.merge(part.roundTrips, uniquingKeysWith: +)
            retries.merge(part.retries, uniquingKeysWith: +)
        }
    }
}
