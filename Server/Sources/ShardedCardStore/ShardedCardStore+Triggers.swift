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
    private func changingAll(
        _ change: @escaping @Sendable (PostgresCardStore) async throws -> Bool
    ) async throws -> Bool {
        try await onAll { store in
            try await self.retryingMisplaced { try await change(store) }
        }.contains(true)
    }
}
