import CardModel
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: the history of a campaign")
struct VersionPageTests {
    /// Saves edits of a campaign until it has a version.
    private static func edit(_ campaign: Campaign, until version: Int64, _ place: Workplace) async throws -> Campaign {
        var campaign = campaign
        while campaign.version < version {
            var content = campaign.content
            content.name = "Name \(campaign.version)"
            let next = try campaign.updating(content, at: place.time.now)
            let from = campaign.version
            _ = try await place.store.updateCampaign(next, from: from, action: "campaign.update", by: .command)
            campaign = next
        }
        return campaign
    }

    @Test("The last version of a page is compared with the one before it, and only what is there is led to")
    func pages() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.viewer)
            let first = CampaignRunTests.campaign("sale", .scheduled(start: nil, end: nil))
            try await place.store.insertCampaign(first, by: .command)
            let campaign = try await Self.edit(first, until: 50, place)
            let address = "/dashboard/campaigns/sale/versions"
            let whole = try await visitor.get(address).text
            #expect(whole.contains("Compare from version 1\"") && !whole.contains("\(address)?before="))
            _ = try await Self.edit(campaign, until: 52, place)
            let page = try await visitor.get(address).text
            #expect(page.contains("Compare from version 3\"") && !page.contains("Compare from version 2\""))
            #expect(page.contains("\(address)?from=2&amp;to=3#differences"))
            #expect(page.contains("\(address)?before=3\""))
            let rest = try await visitor.get("\(address)?before=3").text
            #expect(rest.contains("\(address)?from=1&amp;to=2#differences") && !rest.contains("\(address)?before=1\""))
        }
    }
}
