import CardStore
import PostgresCardStore

extension ShardedCardStore {
    /// Calls off a move whose target stays away: nobody serves its users until it has ended, and the source has all of
    /// them.
    ///
    /// Nothing is done where the target has the range by what the home says.
    func callOff(_ move: RangeMove) async throws {
        guard move.isPrepared else { return try await home.cancelMove(move) }
        guard try await home.beginCallingOff(move) else { return }
        try await giveBack(move)
    }

    /// Has the source of a move that was called off have its users again.
    ///
    /// A mover that comes late removes nobody there, since the source has gone past the move.
    func giveBack(_ move: RangeMove) async throws {
        // safe: generations count moves
        try await database(Int(clamping: move.source)).movePlacement(to: move.sourcePlacement + 1)
        try await home.endCallingOff(move)
    }

    /// Tells the targets of moves that were called off, which may have got the users without anyone knowing.
    ///
    /// One that can't be told keeps no other one from hearing of its moves.
    ///
    /// - Throws: `StoreError.unavailable` where one of them doesn't answer, and `StoreError.conflict` where one was
    ///   added since this store was opened.
    func undoCalledOffMoves() async throws {
        var failure: (any Error)?
        for move in try await home.calledOffMoves() {
            do {
                guard try await database(Int(clamping: move.target)).undoTaking(move) else { continue }
                try await home.forgetCalledOff(move)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }
}
