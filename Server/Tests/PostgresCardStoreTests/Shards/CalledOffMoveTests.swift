import CardModel
import CardStore
import CardStoreConformance
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: the rows of moves that are called off or lost", .timeLimit(.minutes(20)))
struct CalledOffMoveTests {
    private static let range = SampleRank.count / 2..<SampleRank.count
    private static let address = ShardAddress(shard: 1, url: "postgresql://placard@127.0.0.1:1/cards")

    /// Begins a move from the home to the shard, and prepares it.
    private func begin(_ home: PostgresCardStore) async throws -> RangeMove {
        let begun = RangeMove(Self.range, from: 0, to: 1)
        #expect(try await home.beginMove(begun))
        let move = try await home.prepareMove(begun, sourcePlacement: 1, targetPlacement: 0)
        return try #require(move)
    }

    @Test func `A move that was called off isn't placed, and is told to its target once`() async throws {
        try await ShardNode.withTwo { home, _ in
            let move = try await begin(home.store)
            for _ in 0..<2 { #expect(try await home.store.beginCallingOff(move)) }
            #expect(try await !home.store.placeMove(move))
            #expect(try await home.store.placedRanges().isEmpty)
            for _ in 0..<2 { try await home.store.endCallingOff(move) }
            #expect(try await home.store.move() == nil)
            let told = try await home.store.calledOffMoves()
            #expect(told.map(\.start) == [move.start] && told.allSatisfy { $0.isCalledOff && !$0.isPlaced })
            // Neither from nor to the target, until it has heard of it.
            for (source, target) in [(Int64(0), Int64(1)), (1, 0), (0, 2)] {
                let next = RangeMove(0..<10, from: source, to: target)
                #expect(try await home.store.beginMove(next) == (target == 2))
                try await home.store.cancelMove(next)
            }
            try await home.store.forgetCalledOff(move)
            #expect(try await home.store.calledOffMoves().isEmpty)
            #expect(try await home.store.beginMove(RangeMove(0..<10, from: 0, to: 1)))
        }
    }

    @Test func `A move that goes on isn't forgotten as one that was called off, and a placed one isn't called off`()
        async throws
    {
        try await ShardNode.withTwo { home, _ in
            let move = try await begin(home.store)
            try await home.store.endCallingOff(move)
            #expect(try await home.store.move() == move)
            #expect(try await home.store.placeMove(move))
            #expect(try await !home.store.beginCallingOff(move))
            try await home.store.callOffMove(move)
            try await home.store.endCallingOff(move)
            #expect(try await home.store.move()?.isPlaced == true)
            #expect(try await home.store.calledOffMoves().isEmpty)
            try await home.store.endMove(move)
            #expect(try await !home.store.placeMove(move))
        }
    }

    @Test func `A target that hears of it removes what has come, and later users stay`() async throws {
        try await ShardNode.withTwo { home, shard in
            let users = (0..<20).map { UserID(rawValue: "user-\($0)") }
            try await home.store.updateUsers(users.map { UserUpdate(id: $0) }, at: noon)
            let move = try await begin(home.store)
            let leaving = try await home.store.leavingUsers(of: move)
            try await shard.store.takeUsers(leaving, of: move)
            #expect(try await !shard.store.refuseUsers(of: move))
            #expect(try await shard.store.hasUsers(in: move))
            try await shard.store.undoTaking(move)
            #expect(try await !shard.store.hasUsers(in: move))
            #expect(try await shard.store.placementGeneration() == 2)
            await expectFailure(.unavailable) { try await shard.store.takeUsers(leaving, of: move) }
            let next = RangeMove(Self.range, from: 0, to: 1, sourcePlacement: 3, targetPlacement: 2)
            try await shard.store.takeUsers(leaving, of: next)
            for _ in 0..<2 { try await shard.store.undoTaking(move) }
            #expect(try await shard.store.refuseUsers(of: move))
            #expect(try await shard.store.hasUsers(in: next))
        }
    }

    @Test func `A lost shard isn't given up where its move has gone on since it was read`() async throws {
        try await ShardNode.withTwo { home, _ in
            try await home.store.saveShard(Self.address, ranges: nil, isNew: true, at: noon, by: command)
            let move = try await begin(home.store)
            #expect(try await home.store.placeMove(move))
            await expectFailure(.conflict) {
                let ending = (move: move, outcome: LostMove.returned(to: 0))
                return try await home.store.giveUpShard(1, ending: ending, at: noon, by: command)
            }
            #expect(try await home.store.removedShards().isEmpty)
            let placed = try #require(try await home.store.move())
            let ending = (move: placed, outcome: LostMove.returned(to: 0))
            let lost = try await home.store.giveUpShard(1, ending: ending, at: noon, by: command)
            #expect(lost == LostShard(share: 0, events: 0, move: .returned(to: 0)))
            let ranges = try await home.store.placedRanges()
            #expect(ranges.map(\.shard) == [0, 0] && ranges.map(\.start) == [0, Self.range.lowerBound])
            #expect(ranges.last?.history != 0)
            #expect(try await home.store.move() == nil)
        }
    }

    @Test func `A range that has become part of a larger one is given back alone`() async throws {
        try await ShardNode.withTwo { home, _ in
            let half = Self.range.lowerBound
            let ranges = [
                PlacedRange(start: 0, shard: 0), PlacedRange(start: 10, shard: 1), PlacedRange(start: 20, shard: 0),
            ]
            try await home.store.saveShard(Self.address, ranges: ranges, isNew: true, at: noon, by: command)
            let begun = RangeMove(20..<half, from: 0, to: 1)
            #expect(try await home.store.beginMove(begun))
            let prepared = try await home.store.prepareMove(begun, sourcePlacement: 1, targetPlacement: 0)
            let move = try #require(prepared)
            #expect(try await home.store.placeMove(move))
            #expect(try await home.store.placedRanges().map(\.start) == [0, 10, half])
            let placed = try #require(try await home.store.move())
            let ending = (move: placed, outcome: LostMove.returned(to: 0))
            let lost = try await home.store.giveUpShard(1, ending: ending, at: noon, by: command)
            #expect(lost.share == 10 / Double(SampleRank.count))
        }
    }

    @Test func `Of several commands that give one shard up at once, one does, and no move to it begins after that`()
        async throws
    {
        try await ShardNode.withTwo { home, _ in
            let ranges = [PlacedRange(start: 0, shard: 0), PlacedRange(start: 10, shard: 1)]
            try await home.store.saveShard(Self.address, ranges: ranges, isNew: true, at: noon, by: command)
            let nodes = [home.store, try await ShardNode.open(home.url, shard: 0).store]
            let done = try await withThrowingTaskGroup(of: Bool.self) { group in
                for place in 0..<4 {
                    group.addTask {
                        do {
                            _ = try await nodes[place % 2].giveUpShard(1, at: noon, by: command)
                            return true
                        } catch let error as StoreError where error.code == .conflict {
                            return false
                        }
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(done == 1)
            #expect(try await home.store.removedShards() == [1])
            #expect(try await home.store.placedRanges().map(\.shard) == [0, 0])
            #expect(try await !home.store.beginMove(RangeMove(0..<5, from: 0, to: 1)))
            try await nodes[1].close()
        }
    }
}
