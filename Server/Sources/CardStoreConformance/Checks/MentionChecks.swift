import CardModel
import CardStore
import Testing

/// Checks of what the contents of campaigns name.
enum MentionChecks {
    static let checks: [ConformanceCheck] = [sinceLaunch, order, pruning]

    private static let picture = "0123456789abcdef0123456789abcdef"
    private static let names = [
        ContentName(.picture, picture), ContentName(.contentBlock, "terms"), ContentName(.contentBlock, picture),
    ]

    private static func named(_ text: String) -> String {
        "\(text) /media/\(picture)/p.png {{content_blocks.${terms}}}"
    }

    /// The uses of the picture, such as `sale` and `sale 2`, and how many there are; the block has to have the same.
    private static func uses(
        _ store: any CardStore,
        former: Bool = true,
        limit: Int = 10
    ) async throws -> (uses: [String], count: Int) {
        let found = try await store.uses(of: names, includesFormer: former, limit: limit)
        #expect(found.count == 3)
        #expect(found[0] == found[1])
        #expect(found[2] == ContentNameUses())
        let uses = found[0].uses.map { $0.campaign.rawValue + ($0.version.map { " \($0)" } ?? "") }
        return (uses, found[0].count)
    }

    static let sinceLaunch = ConformanceCheck(
        "A campaign names what its content does, and what it did since its launch"
    ) { stores in
        try await stores.withStore { store in
            let sale = CampaignID(rawValue: "sale")
            // 1 is never launched; 3 is, with the content of 2.
            try await store.insertCampaign(.sample(title: named("First")), by: command)
            #expect(try await uses(store).uses == ["sale"])
            var campaign = try #require(try await store.campaign(sale))
            campaign = try await store.change(campaign, to: Campaign.sample(title: "None").content, at: noon + 1)
            #expect(try await uses(store).uses.isEmpty)
            campaign = try await store.change(campaign, to: Campaign.sample(title: named("2")).content, at: noon + 2)
            campaign = try await store.updateCampaign(
                campaign.applying(.launch, at: noon + 3),
                from: campaign.version,
                action: "campaign.launch",
                by: command
            )
            let use = try await store.uses(of: names, includesFormer: false, limit: 1)[0].uses.first
            #expect(use?.name == named("2"))
            campaign = try await store.change(campaign, to: Campaign.sample(title: "None").content, at: noon + 4)
            #expect(try await uses(store) == (["sale 3"], 1))
            #expect(try await uses(store, former: false) == ([], 0))
            campaign = try await store.change(campaign, to: Campaign.sample(title: named("5")).content, at: noon + 5)
            #expect(try await uses(store) == (["sale"], 1))
            campaign = try await store.change(campaign, to: Campaign.sample(title: "No more").content, at: noon + 6)
            #expect(try await uses(store) == (["sale 6"], 1))
            for transition in [.stop(withdraw: false), .archive] as [Campaign.Transition] {
                campaign = try await store.updateCampaign(
                    campaign.applying(transition, at: noon + 7),
                    from: campaign.version,
                    action: "campaign.update",
                    by: command
                )
                #expect(try await uses(store) == (["sale 6"], 1))
            }
        }
    }

    static let order = ConformanceCheck(
        "Uses are those of the campaigns that were changed last, as many as are asked for, and all are counted"
    ) { stores in
        try await stores.withStore { store in
            for id in ["a", "b", "c", "d"] { try await store.launch(.sample(id, title: named(id))) }
            let first = try #require(try await store.campaign(CampaignID(rawValue: "a")))
            _ = try await store.change(first, to: Campaign.sample("a", title: "None").content, at: noon + 90)
            let third = try #require(try await store.campaign(CampaignID(rawValue: "c")))
            _ = try await store.change(third, to: Campaign.sample("c", title: named("x")).content, at: noon + 60)
            #expect(try await uses(store) == (["c", "b", "d", "a 1"], 4))
            #expect(try await uses(store, former: false) == (["c", "b", "d"], 3))
            #expect(try await uses(store, limit: 1) == (["c"], 4))
            #expect(try await store.uses(of: [], includesFormer: true, limit: 1).isEmpty)
        }
    }

    static let pruning = ConformanceCheck(
        "What a version named that is pruned isn't named any more"
    ) { stores in
        try await stores.withStore { store in
            var campaign = try await store.launch(.sample(title: named("First")))
            campaign = try await store.change(campaign, to: Campaign.sample(title: "None").content, at: noon + 10)
            #expect(try await uses(store) == (["sale 1"], 1))
            #expect(try await store.pruneCampaignVersions(before: noon + 1_000) > 0)
            #expect(try await uses(store) == ([], 0))
        }
    }
}
