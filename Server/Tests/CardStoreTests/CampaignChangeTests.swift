import CardModel
import CardStore
import CardStoreConformance
import Simulation
import Testing

@Suite("What saving a campaign writes")
struct CampaignChangeTests {
    private func change(_ old: Campaign, to campaign: Campaign) throws -> CampaignChange {
        try #require(try CampaignChange(of: old, to: campaign, from: old.version))
    }

    private func renamed(_ campaign: Campaign, _ name: String) throws -> Campaign {
        var content = campaign.content
        content.name = name
        return try campaign.updating(content, at: noon + 1)
    }

    @Test("A draft is added as it is; one that was launched elsewhere gives the catalog its next generation")
    func adding() throws {
        let draft = Campaign.sample()
        let added = CampaignChange(adding: draft)
        #expect(!added.advancesCatalog && added.growth == 0)
        #expect(added.campaign(in: nil) == draft)

        var launched = try draft.applying(.launch, at: noon)
        let other = CampaignChange(adding: launched)
        #expect(other.advancesCatalog && other.growth == Int64(launched.storedContent.utf8.count))
        launched.generation = 7
        #expect(other.campaign(in: 7) == launched)
    }

    @Test("A change that was made from another version than the stored one is refused, even where nothing is different")
    func conflict() throws {
        let campaign = Campaign.sample()
        for version in [0, 2] as [Int64] {
            let error = #expect(throws: StoreError.self) {
                try CampaignChange(of: campaign, to: campaign, from: version)
            }
            #expect(error?.code == .conflict)
        }
    }

    @Test("Where nothing is different, nothing is written, whatever generation the campaign was read in")
    func nothing() throws {
        let old = Campaign.sample()
        var same = old
        same.generation = 99
        #expect(try CampaignChange(of: old, to: same, from: old.version) == nil)
    }

    @Test("Each change gets the next version, also where whoever made it hasn't counted")
    func versions() throws {
        var old = Campaign.sample()
        old.version = 4
        var next = old
        next.content.name = "Other"
        #expect(try change(old, to: next).campaign(in: nil).version == 5)
        next.version = 5
        #expect(try change(old, to: next).campaign(in: nil).version == 5)
        next.version = 9
        #expect(try change(old, to: next).campaign(in: nil).version == 9)
    }

    @Test("Once it was launched, each change advances the catalog, and only what devices see the campaign's generation")
    func generations() throws {
        let draft = Campaign.sample()
        let edited = try change(draft, to: renamed(draft, "Other"))
        #expect(!edited.advancesCatalog && edited.campaign(in: nil).generation == 0)

        var live = try draft.applying(.launch, at: noon)
        live.generation = 3
        let name = try change(live, to: renamed(live, "Other"))
        #expect(name.advancesCatalog && name.campaign(in: 8).generation == 3)
        let withdrawn = try change(live, to: live.applying(.stop(withdraw: true), at: noon))
        #expect(withdrawn.advancesCatalog && withdrawn.campaign(in: 8).generation == 8)
        // A campaign that was read before may be of another generation.
        var stale = try renamed(live, "Other")
        stale.generation = 1
        #expect(try change(live, to: stale).campaign(in: 8).generation == 3)
    }

    @Test("A version has a content of its own where it is another one, and the newest 500 are kept")
    func history() throws {
        let draft = Campaign.sample()
        let other = try renamed(draft, "Other")
        #expect(CampaignVersion.storedContent(of: draft, since: nil) == draft.storedContent)
        #expect(CampaignVersion.storedContent(of: other, since: draft) == other.storedContent)
        #expect(try CampaignVersion.storedContent(of: draft.applying(.launch, at: noon), since: draft) == nil)
        let kept = ([1, 500, 501, 1_000] as [Int64]).map { version in
            var campaign = draft
            campaign.version = version
            return CampaignVersion.oldestKept(of: campaign)
        }
        #expect(kept == [nil, nil, 2, 501])
    }

    @Test("Names are replaced with the content, and are those of a launched campaign from its launch on")
    func names() throws {
        var draft = Campaign.sample()
        draft.content.variants[0].card?.title = "{{content_blocks.${greeting}}}"
        #expect(draft.content.names.count == 1)
        func rows(_ version: Int64, _ isLaunched: Bool) -> [NamedVersions.Row] {
            var named = NamedVersions()
            named.add(version, content: draft.storedContent, isLaunched: isLaunched)
            return named.rows
        }
        let launched = try draft.applying(.launch, at: noon)
        #expect(NamedVersions.change(of: draft, since: nil) == .replacement(rows(1, false)))
        #expect(NamedVersions.change(of: launched, since: nil) == .replacement(rows(2, true)))
        #expect(NamedVersions.change(of: launched, since: draft) == .launch)
        #expect(try NamedVersions.change(of: launched.applying(.pause, at: noon), since: launched) == .nothing)
        let other = try renamed(draft, "Other")
        #expect(NamedVersions.change(of: other, since: draft) == .replacement(rows(2, false)))
    }

    /// What a person may do with a campaign, and what a simple model says of it.
    private enum Edit: CaseIterable {
        case nothing, rename, retitle, launch, pause, stop, withdraw

        func apply(to campaign: Campaign, number: Int) throws -> Campaign {
            var content = campaign.content
            let now = noon + Double(number)
            switch self {
            case .nothing: return campaign
            case .rename: content.name = "Name \(number)"
            case .retitle: content.variants[0].card?.title = "Title \(number)"
            case .launch: return try campaign.applying(.launch, at: now)
            case .pause: return try campaign.applying(.pause, at: now)
            case .stop: return try campaign.applying(.stop(withdraw: false), at: now)
            case .withdraw: return try campaign.applying(.stop(withdraw: true), at: now)
            }
            return try campaign.updating(content, at: now)
        }
    }

    @Test("Of random changes, versions and generations are what counting them one by one gives", arguments: 0..<20)
    func random(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed), "campaign changes")
        var stored = Campaign.sample()
        var (catalog, version, generation): (Int64, Int64, Int64) = (0, 1, 0)
        for number in 1...60 {
            let edit = try #require(Edit.allCases.randomElement(using: &random))
            // Not everything can be done with every campaign.
            guard let next = try? edit.apply(to: stored, number: number) else { continue }
            let isDifferent = next != stored
            let isSeen = next.content.variants != stored.content.variants || next.isWithdrawn != stored.isWithdrawn
            let found = try CampaignChange(of: stored, to: next, from: stored.version)
            #expect((found != nil) == isDifferent, "\(edit)")
            guard let change = found else { continue }
            version += 1
            if next.launchedAt != nil { catalog += 1 }
            if next.launchedAt != nil, isSeen { generation = catalog }
            #expect(change.advancesCatalog == (next.launchedAt != nil), "\(edit)")
            stored = change.campaign(in: change.advancesCatalog ? catalog : nil)
            #expect((stored.version, stored.generation) == (version, generation), "\(edit)")
        }
    }
}
