import PostgresCardStore
import Testing

@testable import ShardedCardStore

@Suite("Sharded: whether a move goes on")
struct MoveWatchTests {
    private let start = ContinuousClock.now
    private let move = RangeMove(0..<10, from: 0, to: 1, sourcePlacement: 1, targetPlacement: 0)

    @Test("A move that stays as it is doesn't go on, once that has lasted")
    func stalled() {
        var watch = MoveWatch()
        #expect(watch.stalled(nil, at: start) == nil)
        #expect(watch.stalled(move, at: start) == nil)
        #expect(watch.stalled(move, at: start + MoveWatch.patience - .nanoseconds(1)) == nil)
        #expect(watch.stalled(move, at: start + MoveWatch.patience) == move)
        // Whoever tries to go on with it has time for that, too.
        #expect(watch.stalled(move, at: start + MoveWatch.patience * 1.5) == nil)
        #expect(watch.stalled(move, at: start + MoveWatch.patience * 2) == move)
        #expect(watch.stalled(nil, at: start + MoveWatch.patience * 4) == nil)
        #expect(watch.stalled(move, at: start + MoveWatch.patience * 4) == nil)
    }

    @Test("A move that stays as it is for a minute is called off, and not one that has come a step further")
    func overdue() {
        var watch = MoveWatch()
        #expect(!watch.isOverdue(move, at: start))
        for seconds in [0, 15, 30, 45] { _ = watch.stalled(move, at: start + .seconds(seconds)) }
        #expect(!watch.isOverdue(move, at: start + MoveWatch.limit - .nanoseconds(1)))
        #expect(watch.isOverdue(move, at: start + MoveWatch.limit))
        var placed = move
        placed.isPlaced = true
        _ = watch.stalled(placed, at: start + MoveWatch.limit)
        #expect(!watch.isOverdue(move, at: start + MoveWatch.limit))
        #expect(!watch.isOverdue(placed, at: start + MoveWatch.limit))
    }

    @Test("A move that comes a step further, or another one, goes on")
    func going() {
        var placed = move
        placed.isPlaced = true
        let next = RangeMove(10..<20, from: 0, to: 1, sourcePlacement: 2, targetPlacement: 1)
        for other in [placed, next] {
            var watch = MoveWatch()
            #expect(watch.stalled(move, at: start) == nil)
            #expect(watch.stalled(other, at: start + MoveWatch.patience * 2) == nil)
            #expect(watch.stalled(other, at: start + MoveWatch.patience * 3) == other)
        }
    }
}
