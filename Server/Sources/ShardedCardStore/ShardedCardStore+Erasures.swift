import CardModel
import CardStore
import PostgresCardStore

// A database that is restored has events again of users who were deleted since. What it had of its own users is as the
// backup has it; of users of other databases, these know that they were deleted.

extension ShardedCardStore {
    /// The time between two looks at whether a database was restored.
    private static let erasureInterval = Duration.seconds(60)
    /// The number of users who are looked for together.
    private static let usersOfLook = 500

    /// Looks now and then, in the background, at whether a database has events of users who were deleted.
    func startErasures() {
        erasures.start(every: Self.erasureInterval) { [weak self] in await self?.lookForErasures() }
    }

    private func lookForErasures() async {
        await log.run(.erasures) { try await followErasures() }
    }

    /// Removes from databases that were restored the events of users who were deleted since.
    ///
    /// One that can't be asked of its users keeps the search from being done; it is begun again with the next look.
    func followErasures() async throws {
        _ = try await onAnswering { [self] store, _ -> Void in
            let (noted, present) = try await store.erasureHistories()
            guard noted != present else { return }
            if noted != nil { try await removeErasedEvents(from: store) }
            try await store.noteErasures(in: present)
        }
    }

    /// Removes from a log what it has of users who were deleted, as any database knows it.
    private func removeErasedEvents(from store: PostgresCardStore) async throws {
        var last: UserID?
        repeat {
            try Task.checkCancellation()
            let users = try await store.loggedUsers(after: last, limit: Self.usersOfLook)
            last = users.count == Self.usersOfLook ? users.last : nil
            // Several may know it: a range that has moved leaves what is known of it.
            let known = try await onAll { try await $0.erased(among: users) }.joined()
            let times = Dictionary(known.map { ($0.user, $0.erasedAt) }, uniquingKeysWith: max)
            _ = try await store.removeEvents(of: times.map { ErasedUser(user: $0.key, erasedAt: $0.value) })
        } while last != nil
    }
}
