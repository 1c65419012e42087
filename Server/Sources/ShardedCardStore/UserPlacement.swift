import CardModel
import CardStore
import PostgresCardStore

/// The database of each user: ranges of the places that `SampleRank` gives them.
struct UserPlacement: Sendable, Hashable {
    /// The beginning of each range, in order; the first is 0.
    let starts: [Int64]
    /// The shard of each range.
    private let shards: [Int]
    /// The part of each range in the names of its users' histories, by which these stay the same in another database.
    private let histories: [UInt64]
    /// The range that is just being moved, which nobody has.
    private let moving: Range<Int64>?
    /// The generation of what each shard has, by its number.
    let generations: [Int64]

    /// Takes what the home and the shards say.
    ///
    /// - Parameters:
    ///   - ranges: The ranges, in order; empty where the home has all users.
    ///   - moving: The range that is just being moved, or `nil`.
    ///   - generations: The generation of each shard, by its number.
    /// - Throws: `StoreError.corrupt` where the ranges leave users out, or name a shard that there isn't.
    init(_ ranges: [PlacedRange], moving: Range<Int64>? = nil, generations: [Int64]) throws(StoreError) {
        let ranges = ranges.isEmpty ? [PlacedRange(start: 0, shard: 0)] : ranges
        let places = zip(ranges, ranges.dropFirst())
        guard ranges[0].start == 0, places.allSatisfy({ $0.start < $1.start }) else {
            throw StoreError(.corrupt, "The ranges of users in the table placement leave some out.")
        }
        guard ranges.allSatisfy({ generations.indices.contains(Int(clamping: $0.shard)) }) else {
            throw StoreError(.corrupt, "The table placement names a shard that isn't in the table shards.")
        }
        starts = ranges.map(\.start)
        shards = ranges.map { Int(clamping: $0.shard) }
        histories = ranges.map(\.history)
        self.moving = moving
        self.generations = generations
    }

    /// Gives one shard all users.
    init(allAt shard: Int) { (starts, shards, histories, moving, generations) = ([0], [shard], [0], nil, [0]) }

    /// Returns the shard that has a user.
    ///
    /// - Throws: `StoreError.misplaced` where the user is just being moved.
    func shard(of user: UserID) throws(StoreError) -> Int {
        let rank = SampleRank.of(user)
        guard moving?.contains(rank) != true else { throw .misplaced }
        return owner(ofRank: rank)
    }

    /// Returns the shard that has a user, or had them before they were moved.
    func owner(of user: UserID) -> Int { owner(ofRank: SampleRank.of(user)) }

    /// Returns the shard that has the users of a place, or had them before they were moved.
    func owner(ofRank rank: Int64) -> Int {
        // safe: a shard for each range
        shards[range(ofRank: rank)]
    }

    /// Returns the shard that has a user, and the range's part in the name of the user's history.
    func ownerAndHistory(of user: UserID) -> (owner: Int, history: UInt64) {
        let range = range(ofRank: SampleRank.of(user))
        // safe: a shard and a part for each range
        return (shards[range], histories[range])
    }

    /// Whether users are just being moved.
    var isMoving: Bool { moving != nil }

    /// Returns the ranges of users that a shard doesn't have, each with the shard that has them.
    func ranges(notOf shard: Int) -> [(range: Range<Int64>, owner: Int)] {
        let stops = starts.dropFirst() + [SampleRank.count]
        return zip(zip(starts, stops), shards).compactMap { bounds, owner in
            guard owner != shard, bounds.0 < bounds.1 else { return nil }
            // safe: as was just compared
            return (range: bounds.0..<bounds.1, owner: owner)
        }
    }

    /// Returns the index of the range that has a place.
    private func range(ofRank rank: Int64) -> Int {
        var (low, high) = (0, starts.count)
        // The last range that begins at the place or before it. safe: indices of an array
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if starts[middle] <= rank { low = middle } else { high = middle }
        }
        return low
    }

    /// Whether ranges, which the home says later, have all users where this placement has them.
    func hasRanges(_ ranges: [PlacedRange]) -> Bool {
        let ranges = ranges.isEmpty ? [PlacedRange(start: 0, shard: 0)] : ranges
        return starts == ranges.map(\.start) && shards == ranges.map { Int(clamping: $0.shard) }
    }

    /// Returns ranges that give each of so many shards the same share.
    static func even(among count: Int) -> [PlacedRange] { even(among: Array(0..<max(1, count))) }

    /// Returns ranges that give each of some shards the same share, and others nothing.
    static func even(among shards: [Int]) -> [PlacedRange] {
        let count = Int64(max(1, shards.count))
        return shards.enumerated().map { place, shard in
            // safe: thirty bits, by a number of databases
            PlacedRange(start: SampleRank.count / count * Int64(place), shard: Int64(shard))
        }
    }
}
