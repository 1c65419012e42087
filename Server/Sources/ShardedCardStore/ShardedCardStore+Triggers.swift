public import CardModel
import CardStore
import PostgresCardStore

extension ShardedCardStore {
    /// Keeps what a backend sent to users one by one; in one transaction for each database.
    public func sendTriggers(_ send: TriggerSend) async throws -> TriggerReceipt {
        let receipts = ReceiptSum()
        try await divide(send.recipients.map(\.user)) { store, places in
            var own = send
            own.recipients = places.map { send.recipients[$0] }
            receipts.add(try await store.sendTriggers(own))
        }
        var receipt = receipts.value
        let unknown = Set(receipt.unknown)
        // In the order in which they were named, each once, as one database says it.
        var named: Set<UserID> = []
        receipt.unknown = send.recipients.map(\.user).filter { unknown.contains($0) && named.insert($0).inserted }
        return receipt
    }

    /// Keeps what a backend sent to an audience.
    public func insertBroadcast(_ broadcast: Broadcast, by actor: Actor) async throws -> Bool {
        try await replicating { try await home.insertBroadcast(broadcast, by: actor) }
    }

    /// Puts off what was scheduled by that id.
    public func rescheduleTrigger(
        _ id: TriggerID,
        of campaign: CampaignID,
        due: PlannedTime,
        until: UnixTime,
        at now: UnixTime
    ) async throws -> Bool {
        try await replicating {
            try await changingAll {
                try await $0.rescheduleTrigger(id, of: campaign, due: due, until: until, at: now)
            }
        }
    }

    /// Calls off what was scheduled by that id.
    public func unscheduleTrigger(_ id: TriggerID, of campaign: CampaignID, at now: UnixTime) async throws -> Bool {
        try await replicating {
            try await changingAll { try await $0.unscheduleTrigger(id, of: campaign, at: now) }
        }
    }

    /// Changes something in every database, and returns whether one of them has changed; again in one that refuses
    /// because users are being moved.
    ///
    /// Users who come to another database in between, or are merged into one there, may have come as they were before
    /// the change, to a database that was asked already: all are asked once more then. A user who was read for that
    /// before the change is refused one where they come from.
    private func changingAll(
        _ change: @escaping @Sendable (PostgresCardStore) async throws -> Bool
    ) async throws -> Bool {
        let refusal = RefusalNote()
        let body: @Sendable (PostgresCardStore) async throws -> Bool = { store in
            try await self.retryingMisplaced {
                do {
                    return try await change(store)
                } catch let error as StoreError {
                    if error.isMisplaced { refusal.set() }
                    throw error
                }
            }
        }
        let before = try await home.placedRanges()
        let hasChanged = try await onAll(body).contains(true)
        let haveMoved = try await hasMoved(since: before)
        guard haveMoved || refusal.value else { return hasChanged }
        let hasChangedMore = try await onAll(body).contains(true)
        return hasChanged || hasChangedMore
    }

    /// Returns whether users have come to other databases since ranges were read, once those have come who are on the
    /// way.
    ///
    /// - Throws: `StoreError.misplaced` where they are on the way for too long.
    private func hasMoved(since ranges: [PlacedRange]) async throws -> Bool {
        guard let move = try await home.move(), !move.isPlaced else {
            return try await home.placedRanges() != ranges
        }
        let end = ContinuousClock.now + Self.patience
        while let current = try await home.move(), current.start == move.start, !current.isPlaced {
            guard ContinuousClock.now < end else { throw StoreError.misplaced }
            try await Task.sleep(for: Self.pause)
        }
        return true
    }
}
