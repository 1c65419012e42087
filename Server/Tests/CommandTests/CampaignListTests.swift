import CardModel
import Testing
import WireJSON

@testable import PlacardCommands

@Suite("The list of campaigns")
struct CampaignListTests {
    private static let now = 1_800_000_000.0

    private func state(_ delivery: Campaign.DeliveryMode, _ status: Campaign.Status = .active) -> String {
        var card = CardTemplate(layout: .classic)
        (card.title, card.description) = ("T", "D")
        let variants = [Campaign.Variant(id: VariantID(rawValue: "a"), card: card)]
        let content = Campaign.Content(name: "x", delivery: delivery, audience: .everyone, variants: variants)
        var campaign = Campaign(id: CampaignID(rawValue: "x"), content: content, createdAt: 0)
        campaign.status = status
        return CampaignList.state(of: campaign.json, at: Self.now)
    }

    @Test("says of active ones whether they are still to start or over")
    func schedule() {
        #expect(state(.scheduled(start: Self.now + 60, end: nil)) == "scheduled")
        #expect(state(.scheduled(start: Self.now - 60, end: Self.now + 60)) == "active")
        #expect(state(.apiTriggered(.init(end: Self.now))) == "ended")
        #expect(state(.scheduled(start: Self.now + 60, end: nil), .paused) == "paused")
    }

    @Test("shows the status as it is where it can't read the campaign")
    func unknown() {
        #expect(CampaignList.state(of: ["status": "active", "delivery": "?"], at: Self.now) == "active")
        #expect(CampaignList.state(of: [:], at: Self.now).isEmpty)
    }
}
