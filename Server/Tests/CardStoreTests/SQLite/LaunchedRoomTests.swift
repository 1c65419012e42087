import CardModel
import CardStore
import CardStoreConformance
import GRDB
import SQLiteCardStore
import Testing

@Suite("SQLite: how large all campaigns that were launched are")
struct LaunchedRoomTests {
    @Test(
        "Beyond 128 MiB none is launched and none that was grows; drafts don't count, and one that shrinks may be saved"
    )
    func bounded() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            let live = try await store.launch(.sample("live"))
            try await store.insertCampaign(.sample("draft"), by: command)
            // As many bytes as there may be but for a few, in a row that isn't worth making sense of.
            try await DatabaseQueue(path: path).write { database in
                try database.execute(
                    sql: """
                        INSERT INTO campaigns (id, content, status, withdrawn, version, generation,
                            created_at, updated_at,
                            launched_at)
                        SELECT 'large', '{"name":"large","rest":"' || hex(zeroblob(67108800)) || '"}',
                            'stopped', 0, 1, 0, 0, 0, 0
                        """
                )
            }
            let draft = try #require(try await store.campaign(CampaignID(rawValue: "draft")))
            let launched = try draft.applying(.launch, at: noon)
            await expectFailure(.limitReached) {
                try await store.updateCampaign(launched, from: 1, action: "campaign.launch", by: command)
            }
            #expect(try await store.campaign(draft.id) == draft)
            try await store.insertCampaign(.sample("other"), by: command)

            func edited(_ name: String) throws -> Campaign {
                var content = live.content
                content.name = name
                return try live.updating(content, at: noon + 1)
            }
            await expectFailure(.limitReached) {
                try await store.updateCampaign(edited("A longer name"), from: 2, action: "campaign.update", by: command)
            }
            let shorter = try await store.updateCampaign(edited("x"), from: 2, action: "campaign.update", by: command)
            #expect(shorter.version == 3)
            let paused = try shorter.applying(.pause, at: noon + 2)
            #expect(
                try await store.updateCampaign(paused, from: 3, action: "campaign.pause", by: command).status == .paused
            )
            try await store.close()
        }
    }

    @Test("What a campaign adds is its content once it is launched, and then what an edit makes longer")
    func growth() throws {
        let draft = Campaign.sample()
        let launched = try draft.applying(.launch, at: noon)
        let size = Int64(launched.storedContent.utf8.count)
        #expect(draft.launchedGrowth(from: nil) == 0)
        #expect(launched.launchedGrowth(from: draft) == size)
        #expect(launched.launchedGrowth(from: nil) == size)
        #expect(try launched.applying(.stop(withdraw: true), at: noon).launchedGrowth(from: launched) == 0)
        var content = launched.content
        content.name += "12345"
        let longer = try launched.updating(content, at: noon)
        #expect(longer.launchedGrowth(from: launched) == 5)
        #expect(launched.launchedGrowth(from: longer) == 0)
    }
}
