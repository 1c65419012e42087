public import CardModel
import CardStore
import PostgresCardStore

extension ShardedCardStore {
    /// Joins users without an id of their own with who they are, in order.
    public func identifyUsers(
        _ users: [Identification],
        at now: UnixTime
    ) async throws -> [Identification.IdentificationOutcome] {
        var outcomes: [Identification.IdentificationOutcome] = []
        for identification in users { outcomes.append(try await identify(identification, at: now)) }
        return outcomes
    }

    private func identify(
        _ identification: Identification,
        at now: UnixTime
    ) async throws -> Identification.IdentificationOutcome {
        let identity = identification.identity
        let found = try await findUsers([identification.user]).first ?? nil
        if found == nil, case .id(let former) = identification.user {
            try await followEarlierMerge(of: former, into: identity)
        }
        if let outcome = Recorder().outcome(of: identification, for: found) { return outcome }
        guard let user = found else { return .userUnknown }
        // A merge is told to all databases, and isn't begun while one of them can't hear of it.
        _ = try await onAll { try await $0.placementGeneration() }
        let outcome = try await retryingMisplaced {
            let placement = placement
            let (from, to) = (try placement.shard(of: user), try placement.shard(of: identity))
            guard from != to else {
                let local = Identification(user: .id(user), identity: identity)
                return try await onStore(to, in: placement) {
                    try await $0.identifyUsers([local], at: now).first ?? .userUnknown
                }
            }
            let begins = try await onStore(from, in: placement) {
                try await $0.beginDeparture(of: user, to: identity, at: now)
            }
            guard begins else { return .userUnknown }
            return try await finish(Departure(user: user, identity: identity, at: now), from: from)
        }
        if outcome == .done {
            try await follow(user, into: identity)
            try await removeRepeatedEvents(of: identity)
        }
        await drainOutbox(of: identity)
        return outcome
    }

    /// Tells every database of a merge that an earlier attempt has done, which may have been interrupted before it had
    /// told them.
    private func followEarlierMerge(of user: UserID, into identity: UserID) async throws {
        guard try await onStore(of: identity, { try await $0.hasMerged(user, into: identity) }) else { return }
        try await follow(user, into: identity)
        try await removeRepeatedEvents(of: identity)
    }

    /// Tells every database that a user is another one by now.
    private func follow(_ user: UserID, into identity: UserID) async throws {
        _ = try await onAll { try await $0.followMerge(of: user, into: identity) }
        try await home.moveAliases(of: user, to: identity)
    }

    /// Leaves one of each event that several logs have of a user: that of the database where the user is, if it has it.
    private func removeRepeatedEvents(of user: UserID) async throws {
        let own = placement.owner(of: user)
        let stores = try databases()
        var earlier = [try database(own)]
        for (place, store) in stores where place != own {
            try await removeEvents(of: user, from: store, inFavorOf: earlier)
            earlier.append(store)
        }
    }

    private func removeEvents(
        of user: UserID,
        from store: PostgresCardStore,
        inFavorOf others: [PostgresCardStore]
    ) async throws {
        let piece = 5_000
        var last: [UInt8] = []
        while true {
            let ids = try await store.eventIDs(of: user, after: last, limit: piece)
            guard let end = ids.last else { return }
            for other in others {
                let repeated = try await other.loggedIDs(among: ids, of: user)
                if !repeated.isEmpty { try await store.removeEvents(repeated, of: user) }
            }
            guard ids.count == piece else { return }
            last = end
        }
    }

    /// Continues merges that were interrupted of users of a database; one that can't be keeps none of the others.
    ///
    /// - Throws: What kept the last of those from it that couldn't be ended.
    func finishDepartures(from place: Int) async throws {
        var failure: (any Error)?
        for departure in try await database(place).unfinishedDepartures(limit: 100) {
            do {
                guard try await finish(departure, from: place) == .done else { continue }
                try await removeRepeatedEvents(of: departure.identity)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// Merges a user, who isn't changed by others any more, into another one of another database.
    ///
    /// Each step can be done again: a merge that was done is known by the id. The departure ends once all databases
    /// know of the merge: what they have of the user would otherwise be nobody's, also where the identity is deleted.
    func finish(_ departure: Departure, from place: Int) async throws -> Identification.IdentificationOutcome {
        let source = try database(place)
        guard let rows = try await source.departingRows(of: departure) else {
            // Another node has ended it. A user whose merge was refused is still the same user.
            return try await onStore(of: departure.identity) { try await $0.refusal(of: departure) } ?? .done
        }
        let outcome = try await onStore(of: departure.identity) { try await $0.merge(rows, of: departure) }
        switch outcome {
        case .done:
            try await follow(departure.user, into: departure.identity)
            try await source.finishDeparture(departure)
        default: try await source.cancelDeparture(departure)
        }
        return outcome
    }

    // MARK: Deletion

    /// Forgets a user: profile, deliveries and events, in every database.
    public func deleteUser(_ user: UserID, at now: UnixTime, by actor: Actor) async throws -> Bool {
        // Those who were merged into the user may have left events elsewhere, and others may be merged in between.
        try await forgetElsewhere(user, at: now)
        let isDeleted = try await onStore(of: user) { try await $0.deleteUser(user, at: now, by: actor) }
        if isDeleted { try await forgetElsewhere(user, at: now) }
        try await home.forgetNames(of: user)
        await drainOutbox(of: user)
        return isDeleted
    }

    private func forgetElsewhere(_ user: UserID, at now: UnixTime) async throws {
        try await retryingMisplaced {
            let own = try placement.shard(of: user)
            for (place, store) in try databases() where place != own {
                try await store.forgetElsewhere(user, at: now)
            }
        }
    }

    /// Forgets users, one after another.
    public func deleteUsers(_ users: [UserReference], at now: UnixTime, by actor: Actor) async throws -> [UserID] {
        var deleted: [UserID] = []
        for reference in users {
            var user = try await findUsers([reference]).first ?? nil
            // An attempt that was interrupted may have left something in other databases of a user who is gone.
            if user == nil, case .id(let id) = reference { user = id }
            guard let user, try await deleteUser(user, at: now, by: actor) else { continue }
            deleted.append(user)
        }
        return deleted
    }
}
