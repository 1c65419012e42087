import CardModel
import CardStore
import PostgresCardStore
import WireJSON

/// Users of several databases in the order in which one would have them.
///
/// A user who is being moved may be in two databases for a moment, and counts where the placement says, or where there
/// is one at all.
struct MergedUsers {
    /// Returns the database that has a user, by its number.
    let owner: (UserID) -> Int

    /// Returns users whose id begins with a text, by id, then those whose address does, by address and id.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - lists: What each database has found, by the numbers of the shards.
    ///   - limit: The number of users.
    /// - Returns: The users.
    func users(beginningWith text: String, _ lists: [[UserProfile]], limit: Int) -> [UserProfile] {
        let users = unique(lists) { $0.id }.map { (place: Place(of: $0, text), user: $0) }
        // safe: a limit that was clamped
        return users.sorted { $0.place < $1.place }.prefix(limit).map(\.user)
    }

    /// Returns users who have a text inside, by id, as far as every database has looked.
    func users(withInside parts: [InsideSearch], limit: Int) -> InsideSearch {
        let end = parts.compactMap(\.searchedTo).map { UserID(rawValue: $0) }.min()
        let users = unique(parts.map(\.users)) { $0.id }.sorted { $0.id < $1.id }
        // safe: a limit that was clamped
        let page = Array(users.filter { user in end.map { user.id <= $0 } ?? true }.prefix(limit))
        if page.count == limit { return InsideSearch(users: page, searchedTo: page.last?.id.rawValue) }
        return InsideSearch(users: page, searchedTo: end?.rawValue)
    }

    /// Returns the users that a reference may mean, as ``UserMatch`` limits them, the one last changed first, each with
    /// the number of their database.
    func matches(_ lists: [[UserMatch]]) -> [LocatedMatch] {
        let located = lists.enumerated().map { shard, matches in
            matches.map { LocatedMatch(match: $0, shard: shard) }
        }
        let users = unique(located) { $0.match.id }
        let shards = Dictionary(users.map { ($0.match.id, $0.shard) }, uniquingKeysWith: { first, _ in first })
        return users.map(\.match).considered.compactMap { match in
            shards[match.id].map { LocatedMatch(match: match, shard: $0) }
        }
    }

    private func unique<Value>(_ lists: [[Value]], _ id: (Value) -> UserID) -> [Value] {
        var found: [UserID: Value] = [:]
        for (shard, values) in lists.enumerated() {
            for value in values where found[id(value)] == nil || owner(id(value)) == shard { found[id(value)] = value }
        }
        return Array(found.values)
    }

    /// A user's place in a list.
    private struct Place: Comparable {
        /// Nothing for a user whose id begins with the text: they come first, whatever the address is.
        let address: ByteString?
        let id: UserID

        init(of user: UserProfile, _ text: String) {
            id = user.id
            let address = user.standard[.email]?.string.map(SearchText.lowercased) ?? ""
            self.address = id.rawValue.hasBytePrefix(text) ? nil : ByteString(address)
        }

        static func < (one: Place, other: Place) -> Bool {
            switch (one.address, other.address) {
            case (nil, nil): one.id < other.id
            case (nil, _): true
            case (_, nil): false
            case (let left?, let right?): left == right ? one.id < other.id : left < right
            }
        }
    }
}

/// A user that a reference may mean, and the database that has them.
struct LocatedMatch: Sendable, Hashable {
    /// The user.
    var match: UserMatch
    /// The number of the shard.
    let shard: Int
}
