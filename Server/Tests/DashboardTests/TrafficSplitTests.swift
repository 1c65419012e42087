import CardModel
import CardStore
import Testing
import WireJSON

@testable import Dashboard

@Suite("Dashboard: the traffic split of existing campaigns")
struct TrafficSplitTests {
    private func campaign(_ weights: [Int]) -> Campaign {
        var card = CardTemplate(layout: .classic)
        (card.title, card.description) = ("Hello", "You")
        let variants = zip("abcdef", weights).map { letter, weight in
            Campaign.Variant(id: VariantID(rawValue: String(letter)), name: "Card", weight: weight, card: card)
        }
        let content = Campaign.Content(name: "Split", audience: .everyone, variants: variants)
        return Campaign(id: CampaignID(rawValue: "split"), content: content, createdAt: 1_800_000_000)
    }

    private func draft(_ weights: [Int]) -> CampaignDraft {
        CampaignDraft(campaign: campaign(weights).json, timeZone: "UTC")
    }

    private func shown(_ draft: CampaignDraft) -> [String] { draft.variants.map { $0.value(.weight) } }

    @Test(
        "Weights that divide into whole per cents are shown as such, and saved as they were",
        arguments: [
            ([2, 2, 1], ["40", "40", "20"]), ([4, 1], ["80", "20"]), ([1], ["100"]), ([1, 0], ["100", "0"]),
            ([90, 10], ["90", "10"]), ([1_000_000, 1_000_000], ["50", "50"]),
        ]
    )
    func percents(weights: [Int], expected: [String]) throws {
        let draft = draft(weights)
        #expect(shown(draft) == expected && draft.isSplitInPercent)
        let label = EditorView(draft, .init()).variants.first?.weight.label
        #expect(label == "Traffic split (%)")
        #expect(try draft.content().variants.map(\.weight) == weights)
    }

    @Test("Weights that don't are shown as they are", arguments: [[3, 2, 2], [1, 1, 1], [999, 1]])
    func weights(weights: [Int]) throws {
        let draft = draft(weights)
        #expect(shown(draft) == weights.map(String.init) && !draft.isSplitInPercent)
        #expect(try draft.content().variants.map(\.weight) == weights)
    }

    @Test("What another member changed of the split is merged in its unit")
    func merged() throws {
        var draft = draft([2, 2, 1])
        draft.traffic.isPercent = true
        let theirs = draft.rebased(on: campaign([3, 2, 2]).json)
        #expect(shown(theirs) == ["3", "2", "2"] && theirs.problems.isEmpty)
        let others = draft.rebased(on: campaign([1, 2, 2]).json)
        #expect(shown(others) == ["20", "40", "40"] && others.problems.isEmpty)
        #expect(try others.content().variants.map(\.weight) == [1, 2, 2])
    }

    @Test("Versions are compared by shares, whatever the weights are written in")
    func compared() {
        let changes = CampaignDifference.list(campaign([1, 1]).json, campaign([2, 1]).json, timeZone: "UTC")
        #expect(changes.map { [$0.before, $0.after] } == [["50.0%", "66.7%"], ["50.0%", "33.3%"]])
    }

    @Test("Saving without an edit keeps the stored weights, and an edited split is stored in per cent")
    func saved() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let stored = campaign([2, 2, 1])
            try await place.store.insertCampaign(stored, by: .command)
            let edit = "/dashboard/campaigns/split/edit"
            let page = try await visitor.get(edit).text
            #expect(page.contains("name=\"split\" value=\"percent\"") && page.contains("data-share>40.0%<"))
            func weights(_ shown: [String]) async throws -> [Int]? {
                let campaign = try #require(try await place.store.campaign(stored.id))
                var form = ["split": "percent", "base": campaign.json.text, "c.name": "Split"]
                form["c.delivery.kind"] = "scheduled"
                form["c.audience.kind"] = "all"
                for (index, weight) in shown.enumerated() {
                    let row = "c.variants[\(index)]"
                    form["\(row).id"] = ["a", "b", "c"][index]
                    form["\(row).name"] = "Card"
                    form["\(row).weight"] = weight
                    form["\(row).card.type"] = "classic"
                    form["\(row).card.title"] = "Hello"
                    form["\(row).card.description"] = "You"
                }
                #expect(try await visitor.post(edit, from: edit, form).status == 303)
                return try await place.store.campaign(stored.id)?.content.variants.map(\.weight)
            }
            #expect(try await weights(["40", "40", "20"]) == [2, 2, 1])
            #expect(try await weights(["50", "30", "20"]) == [50, 30, 20])
        }
    }
}
