import CardModel
import CardStore
import Testing

/// Checks of campaigns.
enum CampaignChecks {
    static let checks: [ConformanceCheck] = [
        roundTrip, several, unique, drafts, generations, knownCatalog, conflict, oneUpdateWins, noChange, lists,
        noReport,
    ]

    static let roundTrip = ConformanceCheck(
        "A campaign is read back as it was written"
    ) { stores in
        try await stores.withStore { store in
            let campaign = Campaign.sample(title: "Größe \u{1F600} \"quoted\"")

            try await store.insertCampaign(campaign, by: command)

            #expect(try await store.campaign(campaign.id) == campaign)
            #expect(try await store.campaign(CampaignID(rawValue: "none")) == nil)
        }
    }

    static let several = ConformanceCheck(
        "Several campaigns are read at once, without those that there aren't"
    ) { stores in
        try await stores.withStore { store in
            for id in ["sale", "news", "other"] { try await store.insertCampaign(.sample(id), by: command) }
            let ids = ["news", "none", "sale", "news", "Sale"].map { CampaignID(rawValue: $0) }

            let found = try await store.findCampaigns(ids)

            #expect(Set(found.keys.map(\.rawValue)) == ["news", "sale"])
            for (id, campaign) in found {
                let alone = try await store.campaign(id)
                #expect(campaign == alone)
            }
            #expect(try await store.findCampaigns([]).isEmpty)
            let many = (0..<1_000).map { CampaignID(rawValue: "none-\($0)") }
            #expect(try await store.findCampaigns(many + ids).isEmpty)
        }
    }

    static let unique = ConformanceCheck(
        "There is one campaign of an id"
    ) { stores in
        try await stores.withStore { store in
            try await store.insertCampaign(.sample(title: "First"), by: command)

            await expectFailure(.exists) { try await store.insertCampaign(.sample(title: "Second"), by: command) }

            #expect(try await store.campaign(CampaignID(rawValue: "sale"))?.content.name == "First")
            #expect(try await store.latestAuditEntries(limit: 10).count == 1)
        }
    }

    static let drafts = ConformanceCheck(
        "A draft is not in the catalog, and what is done to it leaves the generation"
    ) { stores in
        try await stores.withStore { store in
            let before = try await store.loadCatalog().generation
            let draft = Campaign.sample()
            try await store.insertCampaign(draft, by: command)
            _ = try await store.updateCampaign(
                draft.updating(Campaign.sample(title: "Other").content, at: noon + 1),
                from: 1,
                action: "campaign.update",
                by: command
            )

            let source = try await store.loadCatalog()
            #expect(source.generation == before)
            #expect(source.campaigns.isEmpty)
        }
    }

    static let generations = ConformanceCheck(
        "Every change of a launched campaign raises the catalog's generation, and its own where devices see it"
    ) { stores in
        try await stores.withStore { store in
            let before = try await store.loadCatalog().generation
            let launched = try await store.launch(.sample())
            let afterLaunch = try await store.loadCatalog().generation
            #expect(afterLaunch > before)

            let paused = try await store.updateCampaign(
                launched.applying(.pause, at: noon),
                from: launched.version,
                action: "campaign.pause",
                by: command
            )
            let afterPause = try await store.loadCatalog().generation
            #expect(afterPause > afterLaunch)
            #expect(paused.generation == launched.generation)

            let edited = try await store.updateCampaign(
                paused.updating(Campaign.sample(title: "New").content, at: noon),
                from: paused.version,
                action: "campaign.update",
                by: command
            )
            let source = try await store.loadCatalog()
            #expect(source.generation > afterPause)
            #expect(edited.generation == source.generation)
            #expect(source.campaigns == [edited])

            let withdrawn = try await store.updateCampaign(
                edited.applying(.stop(withdraw: true), at: noon),
                from: edited.version,
                action: "campaign.stop",
                by: command
            )
            #expect(withdrawn.generation > edited.generation)
        }
    }

    static let knownCatalog = ConformanceCheck(
        "Whoever knew the catalog learns every change as if they had not"
    ) { stores in
        try await stores.withStore { store in
            func agree(since known: CatalogSource) async throws -> CatalogSource {
                let (whole, change) = (try await store.loadCatalog(), try await store.loadCatalog(since: known))
                #expect(change.campaigns == whole.campaigns && change.generation == whole.generation)
                #expect(try await store.catalogGeneration() == whole.generation)
                #expect(change.segments == whole.segments && change.settings == whole.settings)
                return change
            }
            var known = try await agree(since: try await store.loadCatalog())
            let first = try await store.launch(.sample("first"))
            let second = try await store.launch(.sample("second"))
            known = try await agree(since: known)
            let edited = try await store.updateCampaign(
                first.updating(Campaign.sample("first", title: "New").content, at: noon + 1),
                from: first.version,
                action: "campaign.update",
                by: command
            )
            known = try await agree(since: known)
            #expect(known.campaigns == [edited, second])
            _ = try await store.updateCampaign(
                second.applying(.stop(withdraw: true), at: noon + 2),
                from: second.version,
                action: "campaign.stop",
                by: command
            )
            known = try await agree(since: known)
            #expect(known.campaigns.map(\.isWithdrawn) == [false, true])
            try await store.insertCampaign(.sample("draft"), by: command)
            _ = try await agree(since: known)
            // Another history of the store may have other campaigns of the same ids and versions.
            known.epoch ^= 1
            known.campaigns[0].content = Campaign.sample("first", title: "Lost").content
            _ = try await agree(since: known)
        }
    }

    static let conflict = ConformanceCheck(
        "An update that was made from an older version changes nothing"
    ) { stores in
        try await stores.withStore { store in
            let launched = try await store.launch(.sample())
            let generation = try await store.loadCatalog().generation

            await expectFailure(.conflict) {
                try await store.updateCampaign(launched, from: 1, action: "campaign.update", by: command)
            }
            await expectFailure(.notFound) {
                try await store.updateCampaign(.sample("none"), from: 1, action: "campaign.update", by: command)
            }

            #expect(try await store.campaign(launched.id) == launched)
            #expect(try await store.loadCatalog().generation == generation)
        }
    }

    static let oneUpdateWins = ConformanceCheck(
        "Of many updates from one version at once, one wins"
    ) { stores in
        try await stores.withStore { store in
            let launched = try await store.launch(.sample())

            let wins = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<12 {
                    group.addTask {
                        let content = Campaign.sample(title: "Title \(number)").content
                        let next = try? launched.updating(content, at: noon)
                        guard let next else { return false }
                        let kept = try? await store.updateCampaign(
                            next,
                            from: launched.version,
                            action: "campaign.update",
                            by: command
                        )
                        return kept != nil
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }

            #expect(wins == 1)
            #expect(try await store.campaign(launched.id)?.version == launched.version + 1)
        }
    }

    static let noChange = ConformanceCheck(
        "An update that changes nothing is not one"
    ) { stores in
        try await stores.withStore { store in
            let launched = try await store.launch(.sample())
            let (generation, audit) = (
                try await store.loadCatalog().generation, try await store.latestAuditEntries(limit: 10).count
            )

            let kept = try await store.updateCampaign(
                launched,
                from: launched.version,
                action: "campaign.update",
                by: command
            )

            #expect(kept == launched)
            #expect(try await store.loadCatalog().generation == generation)
            #expect(try await store.latestAuditEntries(limit: 10).count == audit)
        }
    }

    static let lists = ConformanceCheck(
        "Lists come page by page, those last changed first, without the archived"
    ) { stores in
        try await stores.withStore { store in
            for index in 0..<5 { try await store.insertCampaign(.sample("c\(index)"), by: command) }
            let first = try #require(try await store.campaign(CampaignID(rawValue: "c0")))
            _ = try await store.updateCampaign(
                first.applying(.launch, at: noon + 5),
                from: 1,
                action: "campaign.launch",
                by: command
            )
            let last = try #require(try await store.campaign(CampaignID(rawValue: "c4")))
            _ = try await store.updateCampaign(
                last.applying(.archive, at: noon + 6),
                from: 1,
                action: "campaign.archive",
                by: command
            )
            func ids(_ status: Campaign.Status?, _ limit: Int, _ offset: Int) async throws -> [String] {
                try await store.listCampaigns(status: status, limit: limit, offset: offset).map(\.id.rawValue)
            }

            #expect(try await ids(nil, 10, 0) == ["c0", "c1", "c2", "c3"])
            #expect(try await ids(nil, 2, 1) == ["c1", "c2"])
            #expect(try await ids(.active, 10, 0) == ["c0"])
            #expect(try await ids(.archived, 10, 0) == ["c4"])
            #expect(try await ids(.draft, 10, 0) == ["c1", "c2", "c3"])
            #expect(try await ids(nil, 10, 9).isEmpty)
        }
    }

    static let noReport = ConformanceCheck(
        "There is no report of a campaign that is not there"
    ) { stores in
        try await stores.withStore { store in
            #expect(try await store.campaignReport(of: CampaignID(rawValue: "none")) == nil)
            try await store.insertCampaign(.sample(), by: command)
            let report = try #require(try await store.campaignReport(of: CampaignID(rawValue: "sale")))
            #expect(report.rows.isEmpty && report.problems.isEmpty)
        }
    }
}
