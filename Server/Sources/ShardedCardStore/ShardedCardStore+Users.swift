public import CardModel
public import CardStore
import PostgresCardStore

extension ShardedCardStore {
    private var mergedUsers: MergedUsers {
        let placement = placement
        return MergedUsers { placement.owner(of: $0) }
    }

    // MARK: Lists

    /// Reads the number of users, in all databases.
    public func userCount() async throws -> Int64 {
        try await onAllToSum { try await $0.userCount() }.reduce(0, +)
    }

    /// Reads users whose id begins with a text, then those whose e-mail address does; in all databases.
    public func listUsers(startingWith text: String, after place: UserID?, limit: Int) async throws -> [UserProfile] {
        let limit = PageLimit.clamp(limit)
        let address = try await address(of: place, besides: text)
        let lists = try await onAll {
            try await $0.users(beginningWith: text, after: place, address: address, limit: limit, isLong: false)
        }
        return mergedUsers.users(beginningWith: text, lists, limit: limit)
    }

    /// Reads users whose id, name or e-mail address has a text, in the databases that answer.
    public func searchUsers(
        matching text: String,
        after place: UserSearchPlace?,
        limit: Int
    ) async throws -> UserSearchPage {
        var page = UserSearchPages(text: text, limit: PageLimit.clamp(limit), after: place)
        var found: [UserProfile] = []
        var isPartial = false
        if let part = page.beginning {
            let address = try await address(of: part.place, besides: text)
            let lists = try await onAnswering { store, _ in
                try await store.users(
                    beginningWith: text,
                    after: part.place,
                    address: address,
                    limit: part.limit,
                    isLong: true
                )
            }
            isPartial = self.isPartial(lists)
            let users = mergedUsers.users(beginningWith: text, lists.map { $0 ?? [] }, limit: part.limit)
            page.addBeginning { _, _ in users.map(\.id.rawValue) }
            found += users
        }
        if let part = page.inside {
            let answers = try await onAnswering { store, _ in
                try await store.users(withInside: text, after: part.place, limit: part.limit)
            }
            isPartial = isPartial || self.isPartial(answers)
            let parts = answers.map { $0 ?? InsideSearch(users: [], searchedTo: nil) }
            let inside = mergedUsers.users(withInside: parts, limit: part.limit)
            page.addInside { _, _ in (ids: inside.users.map(\.id.rawValue), searchedTo: inside.searchedTo) }
            found += inside.users
        }
        let byID = Dictionary(found.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let users = page.ids.compactMap { byID[UserID(rawValue: $0)] }
        return UserSearchPage(users: users, next: page.next, isPartial: isPartial)
    }

    /// Returns the folded address after which a list goes on, or `nil` where it goes on after an id.
    ///
    /// - Throws: What the user's database says: without the address, the list would begin again.
    private func address(of place: UserID?, besides text: String) async throws -> String? {
        guard let place, !place.rawValue.hasBytePrefix(text) else { return nil }
        let owner = placement.owner(of: place)
        if let address = try await database(owner).foldedAddress(of: place) { return address }
        // The user may have moved, or be gone.
        return try await onAll { try await $0.foldedAddress(of: place) }.compactMap(\.self).first
    }

    // MARK: References

    /// Finds users, each `nil` where there is none or more than one is meant.
    public func findUsers(_ users: [UserReference]) async throws -> [UserID?] {
        let found = try await matches(of: users)
        return zip(users, found).map { user, matches in user.choose(from: matches.map(\.match)) }
    }

    /// Reads all that is known of users.
    ///
    /// What their logs say is added up over all databases, since events stay where they arrived: none of them can be
    /// missing.
    public func userRecords(of users: [UserReference]) async throws -> [[UserRecord]] {
        for _ in 1..<Self.lookupAttempts {
            let found = try await foundRecords(of: users)
            if found.isComplete { return found.records }
            // Whoever was found has left the database before the rest was read, or was deleted.
            try await reloadPlacement()
        }
        return try await foundRecords(of: users).records
    }

    private func foundRecords(
        of users: [UserReference]
    ) async throws -> (records: [[UserRecord]], isComplete: Bool) {
        let found = try await matches(of: users)
        let shards = Dictionary(found.joined().map { ($0.match.id, $0.shard) }, uniquingKeysWith: { first, _ in first })
        let own = slots.indices.map { shard in shards.filter { $0.value == shard }.map(\.key) }
        let lists = try await onAll(with: own, skipping: \.isEmpty, as: [[UserRecord]]()) { store, ids in
            try await store.userRecords(of: ids.map { .id($0) })
        }
        let others = slots.indices.map { shard in shards.filter { $0.value != shard }.map(\.key) }
        let activities = try await onAll(with: others) { store, ids in try await store.activity(of: ids) }
        var records: [UserID: UserRecord] = [:]
        for var record in lists.joined().joined() {
            var activity = UserActivity(of: record)
            for other in activities.compactMap({ $0[record.profile.id] }) { activity.add(other) }
            activity.save(in: &record)
            records[record.profile.id] = record
        }
        let all = found.map { matches in matches.compactMap { records[$0.match.id] } }
        return (all, zip(found, all).allSatisfy { $0.count == $1.count })
    }

    /// Returns the users that a reference may mean, the one last changed first.
    func candidates(for user: UserReference) async throws -> [UserMatch] {
        try await matches(of: [user]).joined().map(\.match)
    }

    /// Returns the users that references may mean, the one last changed first; where user tokens are required, nobody
    /// whose device set the address.
    ///
    /// One who has moved while databases were asked may have been in none of them at that moment, and is looked for
    /// again; also where others were found, where an address means several.
    private func matches(of users: [UserReference]) async throws -> [[LocatedMatch]] {
        var found: [[LocatedMatch]] = []
        for _ in 0..<Self.lookupAttempts {
            let placement = placement
            found = try await matches(of: users, by: placement)
            guard zip(users, found).contains(where: { $0.mayMeanOthers(than: $1) }) else { break }
            if try await placement.hasRanges(home.placedRanges()) { break }
            try await reloadPlacement()
        }
        guard found.contains(where: { $0.contains(where: \.match.isClaimed) }) else { return found }
        let mode = try await home.storedSettings().userTokens
        return mode == .required ? found.map { matches in matches.filter { !$0.match.isClaimed } } : found
    }

    /// The number of times that users are looked for who move in the meantime.
    private static let lookupAttempts = 3

    /// Returns the users that references may mean, by where users are.
    ///
    /// A user who is named by the id, or by an alias of the directory, is asked for in one database, and in all of them
    /// where it hasn't the user.
    private func matches(of users: [UserReference], by placement: UserPlacement) async throws -> [[LocatedMatch]] {
        let aliases = users.compactMap { user -> UserAlias? in
            guard case .alias(let alias) = user else { return nil }
            return alias
        }
        let owners = try await home.aliasOwners(of: aliases)
        let shards = users.map { user -> Int? in
            switch user {
            case .id(let id): placement.owner(of: id)
            case .alias(let alias): owners[alias].map { placement.owner(of: $0) }
            case .email, .phone: nil
            }
        }
        let places = slots.indices.map { shard in
            users.indices.filter { shards[$0] == nil || shards[$0] == shard }
        }
        var found = try await matches(of: users, at: places)
        let missing = users.indices.filter { shards[$0] != nil && found[$0].isEmpty }
        guard !missing.isEmpty else { return found }
        let others = try await matches(of: users, at: slots.map { _ in missing })
        // safe: places of the users
        for place in missing { found[place] = others[place] }
        return found
    }

    /// Returns the users that references may mean: each database is asked for those at some places of the list.
    private func matches(of users: [UserReference], at places: [[Int]]) async throws -> [[LocatedMatch]] {
        let lists = try await onAll(with: places, skipping: \.isEmpty, as: []) { store, places in
            // safe: places of the users
            try await store.userMatches(of: places.map { users[$0] })
        }
        var found = users.map { _ in slots.map { _ in [UserMatch]() } }
        for (shard, list) in lists.enumerated() {
            // safe: a list for each database and place
            for (place, matches) in zip(places[shard], list) { found[place][shard] = matches }
        }
        let merged = mergedUsers
        return found.map { merged.matches($0) }
    }

    /// Returns a text that stands for a user where the id must not be kept: all databases have the home's key.
    public func pseudonym(of user: UserID) -> String { home.pseudonym(of: user) }

    // MARK: Triggers

    /// Reads the triggers of a user and a campaign that wait no more, the newest first.
    public func pastTriggers(of user: UserID, for campaign: CampaignID, limit: Int) async throws -> [PastTrigger] {
        try await onStore(of: user) { try await $0.pastTriggers(of: user, for: campaign, limit: limit) }
    }

    /// Reads the last trigger of a user that waits no more, by campaign.
    public func lastTriggers(of user: UserID) async throws -> [CampaignID: PastTrigger] {
        try await onStore(of: user) { try await $0.lastTriggers(of: user) }
    }
}

extension UserReference {
    /// Whether users may be meant besides those that were found: an address may be that of several.
    fileprivate func mayMeanOthers(than found: [LocatedMatch]) -> Bool {
        switch self {
        case .id, .alias: found.isEmpty
        case .email, .phone: true
        }
    }
}
