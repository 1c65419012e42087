import CardModel
import CardStore
import PostgresCardStore
import Testing

@testable import ShardedCardStore

@Suite("Sharded: placement of users")
struct UserPlacementTests {
    @Test("Without ranges the home has all users")
    func empty() throws {
        let placement = try UserPlacement([], generations: [7])
        for rank in [0, 1, SampleRank.count - 1] { #expect(placement.owner(ofRank: rank) == 0) }
    }

    @Test("A range begins at its start and ends before the next one")
    func bounds() throws {
        let ranges = [(0, 1), (10, 0), (11, 2), (500, 1)].map { PlacedRange(start: $0.0, shard: $0.1) }
        let placement = try UserPlacement(ranges, generations: [0, 0, 0])
        for (rank, shard) in [(0, 1), (9, 1), (10, 0), (11, 2), (499, 2), (500, 1), (SampleRank.count - 1, 1)] {
            #expect(placement.owner(ofRank: rank) == shard)
        }
    }

    @Test("A placement is known to be out of date where a range has another shard or another bound")
    func comparison() throws {
        let ranges = [PlacedRange(start: 0, shard: 0), PlacedRange(start: 10, shard: 1)]
        let placement = try UserPlacement(ranges, generations: [0, 0])
        #expect(placement.hasRanges(ranges))
        for second in [PlacedRange(start: 11, shard: 1), PlacedRange(start: 10, shard: 0)] {
            #expect(!placement.hasRanges([ranges[0], second]))
        }
        #expect(!placement.hasRanges([]))
        #expect(!placement.hasRanges([ranges[0]]))
        #expect(!placement.hasRanges(ranges + [PlacedRange(start: 20, shard: 0)]))
        #expect(UserPlacement(allAt: 0).hasRanges([]))
    }

    @Test("Each range has a part in the names of its users' histories")
    func histories() throws {
        let user = UserID(rawValue: "anna")
        let rank = SampleRank.of(user)
        let ranges = [
            PlacedRange(start: 0, shard: 0, history: 3), PlacedRange(start: rank, shard: 1, history: 5),
            PlacedRange(start: rank + 1, shard: 1, history: 7),
        ]
        let found = try UserPlacement(ranges, generations: [0, 0]).ownerAndHistory(of: user)
        #expect(found.owner == 1 && found.history == 5)
        for placement in [try UserPlacement([], generations: [0]), UserPlacement(allAt: 0)] {
            let found = placement.ownerAndHistory(of: user)
            #expect(found.owner == 0 && found.history == 0)
        }
    }

    @Test("Ranges that leave users out, or name a shard that there isn't, are refused")
    func damage() {
        let damaged = [
            [(1, 0)], [(0, 0), (0, 1)], [(0, 0), (10, 1), (5, 0)], [(0, 2)], [(0, -1)],
        ].map { $0.map { PlacedRange(start: $0.0, shard: $0.1) } }
        for ranges in damaged {
            #expect(throws: StoreError.self) { try UserPlacement(ranges, generations: [0, 0]) }
        }
    }

    @Test("Even ranges give each shard the same share of users", arguments: 1...9)
    func even(count: Int) throws {
        let placement = try UserPlacement(
            UserPlacement.even(among: count),
            generations: Array(repeating: 0, count: count)
        )
        var users = Array(repeating: 0, count: count)
        for number in 0..<9_000 { users[try placement.shard(of: UserID(rawValue: "user-\(number)"))] += 1 }
        // Five standard deviations of a share.
        let share = 9_000.0 / Double(count)
        for shard in users { #expect(abs(Double(shard) - share) <= 5 * share.squareRoot()) }
    }

    @Test("A user who is just being moved is nobody's")
    func moving() throws {
        let user = UserID(rawValue: "anna")
        let rank = SampleRank.of(user)
        let ranges = [PlacedRange(start: 0, shard: 0)]
        let before = try UserPlacement(ranges, moving: rank + 1..<SampleRank.count, generations: [0])
        #expect(try before.shard(of: user) == 0)
        let during = try UserPlacement(ranges, moving: rank..<rank + 1, generations: [0])
        #expect(throws: StoreError.misplaced) { try during.shard(of: user) }
    }

    @Test("The steps toward even shares move what is elsewhere, and nothing else")
    func steps() throws {
        let quarter = SampleRank.count / 4
        let ranges = [(0, 0), (quarter, 1), (2 * quarter, 0)].map { PlacedRange(start: $0.0, shard: $0.1) }
        let placement = try UserPlacement(ranges, generations: [0, 0])
        let steps = placement.steps(toward: UserPlacement.even(among: 2))
        #expect(
            steps == [
                PlacementStep(range: quarter..<2 * quarter, source: 1, target: 0),
                PlacementStep(range: 2 * quarter..<SampleRank.count, source: 0, target: 1),
            ]
        )
        #expect(
            try UserPlacement(UserPlacement.even(among: 3), generations: [0, 0, 0])
                .steps(toward: UserPlacement.even(among: 3)).isEmpty
        )
    }
}
