import CardModel
import CardStore
import CardStoreConformance
import Foundation
import PostgresTesting
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: how large all campaigns that were launched are", .timeLimit(.minutes(20)))
struct LaunchedRoomTests {
    @Test("Beyond 128 MiB none is launched, and drafts are kept")
    func bounded() async throws {
        try await TemplateDatabase.withCopy { url in
            let name = try #require(URL(string: url)).lastPathComponent
            var options = PostgresCardStore.Options()
            options.now = { testTime }
            let store = try await PostgresCardStore.open(url: url, options: options)
            let live = try await store.launch(.sample("live"))
            try await store.insertCampaign(.sample("draft"), by: command)
            // As many bytes as there may be but for a few.
            try await PostgresCluster.shared().execute(
                """
                UPDATE campaigns SET content = '{"name":"live","rest":"' || repeat('x',
                    134217600) || '"}' WHERE id = 'live'
                """,
                in: name
            )
            let draft = try #require(try await store.campaign(CampaignID(rawValue: "draft")))
            let launched = try draft.applying(.launch, at: noon)
            await expectFailure(.limitReached) {
                try await store.updateCampaign(launched, from: 1, action: "campaign.launch", by: command)
            }
            #expect(try await store.campaign(draft.id) == draft)
            try await store.insertCampaign(.sample("other"), by: command)
            #expect(live.version == 2)
            try await store.close()
        }
    }
}
