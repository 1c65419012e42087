import CardModel
import CardStore
import Testing

/// Checks of campaign versions.
enum CampaignVersionChecks {
    static let checks: [ConformanceCheck] = [
        everyChange, ofSeveral, asItWas, restoring, pruning, clockSetBack, bound, nothing,
    ]

    private static let sale = CampaignID(rawValue: "sale")

    static let everyChange = ConformanceCheck(
        "Every change is there with who made it and what became different"
    ) { stores in
        try await stores.withStore { store in
            var campaign = try await store.launch(.sample())
            var content = campaign.content
            content.name = "Winter"
            content.tags = ["winter"]
            campaign = try await store.change(campaign, to: content, at: noon + 60, by: .member("ann@example.com"))
            _ = try await store.updateCampaign(
                campaign.applying(.stop(withdraw: true), at: noon + 120),
                from: campaign.version,
                action: "campaign.stop",
                by: command
            )

            let versions = try await store.campaignVersions(of: sale, before: nil, limit: 10)

            #expect(versions.map(\.number) == [4, 3, 2, 1])
            #expect(
                versions.map(\.action) == ["campaign.stop", "campaign.update", "campaign.launch", "campaign.create"]
            )
            #expect(versions.map(\.actor) == [command.name, "ann@example.com", command.name, command.name])
            #expect(versions.map(\.at) == [noon + 120, noon + 60, noon, noon])
            #expect(versions.map(\.status) == [.stopped, .active, .active, .draft])
            #expect(versions.map(\.changedFields) == [[], ["name", "tags"], [], []])
            #expect(try await store.campaignVersions(of: sale, before: 3, limit: 1).map(\.number) == [2])
            #expect(try await store.campaignVersions(of: CampaignID(rawValue: "none"), before: nil, limit: 10).isEmpty)
        }
    }

    static let ofSeveral = ConformanceCheck(
        "The newest versions of several campaigns are read at once, as those of each are"
    ) { stores in
        try await stores.withStore { store in
            let other = CampaignID(rawValue: "other")
            let launched = try await store.launch(.sample())
            _ = try await store.change(launched, to: Campaign.sample(title: "New").content, at: noon + 60)
            try await store.insertCampaign(.sample("other"), by: .member("ann@example.com"))
            let asked = [other, CampaignID(rawValue: "none"), sale, other]

            for limit in [1, 2, 10] {
                let found = try await store.latestCampaignVersions(of: asked, limit: limit)
                #expect(Set(found.keys) == [sale, other])
                for (id, versions) in found {
                    let alone = try await store.campaignVersions(of: id, before: nil, limit: limit)
                    #expect(versions == alone)
                }
            }
            #expect(try await store.latestCampaignVersions(of: [], limit: 1).isEmpty)
            let many = (0..<1_000).map { CampaignID(rawValue: "none-\($0)") }
            #expect(try await store.latestCampaignVersions(of: many + asked, limit: 1).isEmpty)
        }
    }

    static let asItWas = ConformanceCheck(
        "A campaign is read as it was, transitions included"
    ) { stores in
        try await stores.withStore { store in
            let draft = Campaign.sample()
            let launched = try await store.launch(draft)
            let edited = try await store.change(launched, to: Campaign.sample(title: "New").content, at: noon + 60)
            let stopped = try await store.updateCampaign(
                edited.applying(.stop(withdraw: true), at: noon + 120),
                from: edited.version,
                action: "campaign.stop",
                by: command
            )

            for then in [draft, launched, edited, stopped] {
                var expected = then
                expected.generation = 0
                let past = try #require(try await store.campaignVersion(then.version, of: sale))
                #expect(past.campaign == expected)
                #expect(past.version.number == then.version)
            }
            #expect(try await store.campaignVersion(5, of: sale) == nil)
            #expect(try await store.campaignVersion(1, of: CampaignID(rawValue: "none")) == nil)
        }
    }

    static let restoring = ConformanceCheck(
        "Content that was there before is known to be brought back"
    ) { stores in
        try await stores.withStore { store in
            let first = try await store.launch(.sample(title: "First"))
            let second = try await store.change(first, to: Campaign.sample(title: "Second").content, at: noon + 1)
            let old = try #require(try await store.campaignVersion(1, of: sale))

            let third = try await store.change(second, to: old.campaign.content, at: noon + 2)

            let versions = try await store.campaignVersions(of: sale, before: nil, limit: 10)
            #expect(versions.map(\.restores) == [1, nil, nil, nil])
            #expect(third.version == 4)
            #expect(try await store.campaignVersion(4, of: sale)?.campaign.content == first.content)
            #expect(try await store.campaignVersion(3, of: sale)?.campaign.content == second.content)
        }
    }

    static let pruning = ConformanceCheck(
        "Pruning keeps the last old version, its text, and everything newer"
    ) { stores in
        try await stores.withStore { store in
            func numbers(_ id: CampaignID) async throws -> [Int64] {
                try await store.campaignVersions(of: id, before: nil, limit: 10).map(\.number)
            }
            // 1 and 2 have the first text, 3 the second, 4 and 5 the third.
            var campaign = try await store.launch(.sample(title: "First"))
            campaign = try await store.change(campaign, to: Campaign.sample(title: "Second").content, at: noon + 10)
            campaign = try await store.change(campaign, to: Campaign.sample(title: "Third").content, at: noon + 20)
            _ = try await store.updateCampaign(
                campaign.applying(.pause, at: noon + 30),
                from: campaign.version,
                action: "campaign.pause",
                by: command
            )
            try await store.launch(.sample("other"))

            #expect(try await store.pruneCampaignVersions(before: noon) == 0)
            // The newest text from before then is the first one, whose versions stay.
            #expect(try await store.pruneCampaignVersions(before: noon + 5) == 0)
            #expect(try await store.pruneCampaignVersions(before: noon + 15) == 2)
            #expect(try await numbers(sale) == [5, 4, 3])
            #expect(try await store.campaignVersion(3, of: sale)?.campaign.content.name == "Second")
            #expect(try await store.pruneCampaignVersions(before: noon + 1_000) == 1)
            #expect(try await numbers(sale) == [5, 4])
            #expect(try await store.campaignVersion(5, of: sale)?.campaign.content.name == "Third")
            #expect(try await store.campaign(sale)?.content.name == "Third")
            #expect(try await numbers(CampaignID(rawValue: "other")) == [2, 1])
            #expect(try await store.pruneCampaignVersions(before: noon + 1_000) == 0)
        }
    }

    static let clockSetBack = ConformanceCheck(
        "A clock that was set back makes no newer version be pruned"
    ) { stores in
        try await stores.withStore { store in
            var campaign = try await store.launch(.sample(title: "First"))
            campaign = try await store.change(campaign, to: Campaign.sample(title: "Second").content, at: noon + 10)
            campaign = try await store.updateCampaign(
                campaign.applying(.pause, at: noon + 500),
                from: campaign.version,
                action: "campaign.pause",
                by: command
            )
            _ = try await store.change(campaign, to: Campaign.sample(title: "Third").content, at: noon + 20)
            #expect(try await store.pruneCampaignVersions(before: noon + 100) == 2)
            #expect(try await store.campaignVersion(4, of: sale)?.campaign.content.name == "Second")
            #expect(try await store.campaignVersion(5, of: sale)?.campaign.content.name == "Third")
        }
    }

    /// The number of the oldest version that there is.
    private static func oldest(_ store: any CardStore) async throws -> Int64? {
        try await store.campaignVersions(of: sale, before: 40, limit: 100).last?.number
    }

    static let bound = ConformanceCheck(
        "As many versions of a campaign are kept as there is room for, with the content that they have"
    ) { stores in
        try await stores.withStore { store in
            try await store.insertCampaign(.sample(title: "First"), by: command)
            var campaign = try #require(try await store.campaign(sale))
            // 2 to 20 have contents of their own, 21 to 519 that of 20.
            for number in 2...20 {
                let content = Campaign.sample(title: "Title \(number)").content
                campaign = try await store.change(campaign, to: content, at: noon + Double(number))
            }
            for number in 21...519 {
                var next = campaign
                (next.updatedAt, next.isWithdrawn) = (noon + Double(number), !campaign.isWithdrawn)
                campaign = try await store.updateCampaign(
                    next,
                    from: campaign.version,
                    action: "campaign.update",
                    by: command
                )
            }
            #expect(campaign.version == 519)
            #expect(try await oldest(store) == 20)
            campaign = try await store.change(campaign, to: Campaign.sample(title: "Last").content, at: noon + 520)
            #expect(try await oldest(store) == 20)
            #expect(try await store.campaignVersion(30, of: sale)?.campaign.content.name == "Title 20")
            #expect(try await store.campaignVersion(19, of: sale) == nil)
        }
    }

    static let nothing = ConformanceCheck(
        "What was refused and what changed nothing made no version"
    ) { stores in
        try await stores.withStore { store in
            let launched = try await store.launch(.sample())
            _ = try await store.change(launched, to: launched.content, at: noon)
            await expectFailure(.conflict) {
                try await store.updateCampaign(launched, from: 1, action: "campaign.update", by: command)
            }
            await expectFailure(.exists) { try await store.insertCampaign(.sample(title: "Other"), by: command) }

            #expect(try await store.campaignVersions(of: sale, before: nil, limit: 10).count == 2)
        }
    }
}

extension CardStore {
    /// Changes what a person wrote of a campaign.
    func change(
        _ campaign: Campaign,
        to content: Campaign.Content,
        at time: UnixTime,
        by actor: Actor = command
    ) async throws -> Campaign {
        try await updateCampaign(
            campaign.updating(content, at: time),
            from: campaign.version,
            action: "campaign.update",
            by: actor
        )
    }
}
