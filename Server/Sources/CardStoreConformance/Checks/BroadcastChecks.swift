import CardModel
import CardStore
import Testing

/// Checks of broadcasts.
enum BroadcastChecks {
    static let checks = [broadcasts, waitingBroadcasts]

    private static func trigger(_ id: String) -> Trigger {
        Trigger(
            id: TriggerID(rawValue: id),
            campaign: CampaignID(rawValue: "sale"),
            at: noon,
            due: .at(noon),
            until: noon + 3_600
        )
    }

    static let broadcasts = ConformanceCheck(
        "A broadcast is kept once, gives the catalog a new generation and goes when its time is over"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            let before = try await store.loadCatalog()
            var alive = trigger("alive")
            alive.until = 4_000_000_000
            alive.properties = Array(#"{"a":"é"}"#.utf8)
            let broadcast = Broadcast(alive, to: .users([someone]))
            #expect(try await store.insertBroadcast(broadcast, by: command))
            #expect(try await !store.insertBroadcast(broadcast, by: command))
            var over = trigger("over")
            over.until = 1_000
            #expect(try await store.insertBroadcast(Broadcast(over), by: command))
            let after = try await store.loadCatalog()
            #expect(after.broadcasts == [broadcast] && after.generation == before.generation + 2)
            #expect(after.campaigns == before.campaigns)
            #expect(try await store.latestAuditEntries(limit: 1).map(\.action) == ["campaign.broadcast"])
        }
    }

    static let waitingBroadcasts = ConformanceCheck(
        "Only so many broadcasts wait, of one campaign and in bytes, and what is over leaves room"
    ) { stores in
        func broadcast(_ id: String, of campaign: String, _ users: [UserID] = [someone]) -> Broadcast {
            var trigger = trigger(id)
            (trigger.campaign, trigger.until) = (CampaignID(rawValue: campaign), 4_000_000_000)
            return Broadcast(trigger, to: .users(Set(users)))
        }
        try await stores.withStore { store in
            for number in 0..<Broadcast.BroadcastLoad.campaignLimit {
                #expect(try await store.insertBroadcast(broadcast("\(number)", of: "sale"), by: command))
            }
            let before = try await store.loadCatalog()
            await expectFailure(.limitReached) {
                try await store.insertBroadcast(broadcast("one more", of: "sale"), by: command)
            }
            let after = try await store.loadCatalog()
            #expect(after.broadcasts == before.broadcasts && after.generation == before.generation)
            #expect(try await !store.insertBroadcast(broadcast("0", of: "sale"), by: command))
            #expect(try await store.insertBroadcast(broadcast("other", of: "news"), by: command))

            // Ten bytes a user, and a few more.
            let many = (0..<20_000).map { UserID(rawValue: "user-\($0 + 10_000)") }
            var added = 0
            await expectFailure(.limitReached) {
                for number in 0..<20 {
                    _ = try await store.insertBroadcast(broadcast("\(number)", of: "large", many), by: command)
                    added += 1
                }
            }
            #expect((5...10).contains(added))
            let id = TriggerID(rawValue: "0")
            #expect(try await store.unscheduleTrigger(id, of: CampaignID(rawValue: "large"), at: noon - 1))
            #expect(try await store.insertBroadcast(broadcast("again", of: "large", many), by: command))
        }
    }
}
