import CardModel
import CardStore
import PostgresCardStore

/// The reads of devices, each of the one database that has the user.
///
/// A user who is being moved is an error here, after which a caller asks the store, which waits.
struct ShardedReads: DeferredReads {
    let store: ShardedCardStore

    func userRevision(
        of user: UserID,
        _ completion: @escaping @Sendable (Result<UserRevision?, StoreError>) -> Void
    ) {
        do throws(StoreError) {
            try withReads(of: user) { $0.userRevision(of: user, completion) }
        } catch {
            completion(.failure(error))
        }
    }

    func userState(
        of user: UserID,
        including parts: UserHistory.Parts,
        dueBy time: UnixTime,
        _ completion: @escaping @Sendable (Result<UserState?, StoreError>) -> Void
    ) {
        do throws(StoreError) {
            try withReads(of: user) { $0.userState(of: user, including: parts, dueBy: time, completion) }
        } catch {
            completion(.failure(error))
        }
    }

    /// Calls the reads of the database that has a user; they are refused where it has the user no longer.
    private func withReads(of user: UserID, _ body: (any DeferredReads) -> Void) throws(StoreError) {
        let placement = store.placement
        let shard = try placement.shard(of: user)
        // safe: a placement names no shard that there isn't, and has a generation of each
        let (database, generation) = (try store.database(shard), placement.generations[shard])
        guard let reads = database.deferredReads else { throw .misplaced }
        let routing = ShardRouting(shard: Int64(shard), placement: generation)
        ShardRouting.$current.withValue(routing) { body(reads) }
    }
}
