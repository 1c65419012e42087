public import CardModel
import CardStore
import PostgresCardStore

extension ShardedCardStore {
    /// Changes users, creating those that the store does not know; in one transaction for each database.
    @discardableResult
    public func updateUsers(_ users: [UserUpdate], at now: UnixTime) async throws -> [UserLimits.Excess?] {
        let excesses = PlacedValues<UserLimits.Excess?>(nil, count: users.count)
        try await divide(users.map(\.id)) { store, places in
            excesses.set(try await store.updateUsers(places.map { users[$0] }, at: now), at: places)
        }
        return excesses.value
    }

    /// Writes what a backend tells of its users, in order for each user, and in one transaction for each database.
    public func trackUsers(
        _ changes: [TrackedChange],
        rules: EventRules?,
        at now: UnixTime
    ) async throws -> TrackOutcome {
        var request = TrackRouting(at: now)
        for change in changes { try await add(change, to: &request) }
        let routes = request.routes
        let sum = TrackSum(count: changes.count)
        let places = routes.indices.filter { routes[$0] != nil }
        try await divide(places.compactMap { routes[$0]?.user }) { store, indices in
            // safe: places of the changes that concern a user
            let own = indices.map { places[$0] }
            let outcome = try await store.trackUsers(own.compactMap { routes[$0]?.change }, rules: rules, at: now)
            sum.add(outcome, at: own)
        }
        return sum.value
    }

    /// Finds the user that a change concerns, and enters the alias of one who is created.
    private func add(_ change: TrackedChange, to request: inout TrackRouting) async throws {
        var change = change
        for _ in 0..<Self.claimAttempts {
            let found = change.needsCandidates ? try await candidates(for: change.user) : []
            guard let user = request.user(of: change, among: found) else { return request.add(nil) }
            guard case .creation(let profile, let alias?) = user else { return request.add(user, of: change) }
            // Whoever else creates a user with the alias at the same moment is the one who is meant.
            if try await claim(alias, for: profile.id) == profile.id { return request.add(user, of: change) }
            change.newUser = profile.id
        }
        throw StoreError(.conflict, "An alias is given to several users at the same time. Try again.")
    }

    /// The number of times that a claim of an alias is repeated that another caller may be about to use.
    static let claimAttempts = 5

    /// Enters an alias for a user, and returns whose it is.
    ///
    /// An entry whose user lacks the alias is void once it is old.
    func claim(_ alias: UserAlias, for user: UserID) async throws -> UserID {
        var void: UserID?
        var pause = Duration.milliseconds(20)
        for _ in 0..<Self.claimAttempts {
            switch try await home.claimAlias(alias, for: user, inPlaceOf: void) {
            case .granted: return user
            case .held(let owner, let isFresh):
                let reference = UserReference.alias(alias)
                let present = try await onStore(of: owner) { try await $0.findUsers([reference]).first ?? nil }
                if let present { return present }
                if !isFresh {
                    // It may be with another user since, which the directory hasn't heard of.
                    if let other = try await holder(of: alias) { return other }
                    void = owner
                }
                try await Task.sleep(for: pause)
                pause = pause * 2
            }
        }
        throw StoreError(.conflict, "An alias is given to several users at the same time. Try again.")
    }

    /// Returns the user who has an alias, in whichever database, or `nil` for none.
    private func holder(of alias: UserAlias) async throws -> UserID? {
        try await findUsers([.alias(alias)]).first ?? nil
    }

    /// Gives aliases, in order.
    public func addAliases(_ aliases: [NewAlias], at now: UnixTime) async throws -> [NewAlias.AliasOutcome] {
        var outcomes: [NewAlias.AliasOutcome] = []
        for new in aliases { outcomes.append(try await give(new, at: now)) }
        return outcomes
    }

    private func give(_ new: NewAlias, at now: UnixTime) async throws -> NewAlias.AliasOutcome {
        if let user = new.user {
            guard try await userRevision(of: user) != nil else { return .userUnknown }
        }
        let user = new.user ?? new.newUser
        let owner = try await claim(new.alias, for: user)
        guard owner == user else { return new.user == nil ? .given : .nameTaken }
        // The directory begins with the first shard: what was given before, it hasn't heard of.
        if let other = try await holder(of: new.alias), other != user {
            try await home.releaseAlias(new.alias, of: user)
            return new.user == nil ? .given : .nameTaken
        }
        let outcome = try await onStore(of: user) { try await $0.addAliases([new], at: now).first ?? .userUnknown }
        if outcome != .given { try await home.releaseAlias(new.alias, of: user) }
        return outcome
    }
}

/// The databases that the changes of a backend's request go to.
struct TrackRouting {
    /// A change as the database of its user gets it.
    struct Route: Sendable {
        let user: UserID
        let change: TrackedChange
    }

    /// The route of each change, `nil` where it concerns nobody.
    private(set) var routes: [Route?] = []
    private let recorder = Recorder()
    private let now: UnixTime
    /// The users that the request creates, by the references that mean them.
    private var created: [UserReference: UserID] = [:]

    init(at now: UnixTime) { self.now = now }

    /// Returns the user that a change concerns, or `nil` for nobody.
    func user(of change: TrackedChange, among candidates: [UserMatch]) -> TrackedUser? {
        if candidates.isEmpty, let user = created[change.user] { return .known(user) }
        let user = recorder.user(of: change, among: candidates, at: now)
        return user == .nobody ? nil : user
    }

    mutating func add(_ route: Route?) { routes.append(route) }

    /// Adds a change that concerns a user.
    mutating func add(_ user: TrackedUser, of change: TrackedChange) {
        guard let id = user.id else { return routes.append(nil) }
        var own = change
        switch user {
        case .nobody: return routes.append(nil)
        case .creation: created[change.user] = id
        case .known:
            // Who was found by another name is named by the id: the database needn't find them again.
            if case .id = change.user { break }
            own.user = .id(id)
            own.newUser = nil
        }
        routes.append(Route(user: id, change: own))
    }
}
