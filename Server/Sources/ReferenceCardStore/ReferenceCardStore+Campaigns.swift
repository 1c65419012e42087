public import CardModel
public import CardStore
import WireJSON

extension ReferenceCardStore {
    /// Reads one campaign, or returns `nil`.
    public func campaign(_ id: CampaignID) async throws -> Campaign? { try read { $0.campaigns[id] } }

    /// Reads campaigns by their IDs.
    public func findCampaigns(_ ids: [CampaignID]) async throws -> [CampaignID: Campaign] {
        let wanted = Set(ids.prefix(PageLimit.highest))
        return try read { state in state.campaigns.filter { wanted.contains($0.key) } }
    }

    /// Reads campaigns, those last changed first.
    public func listCampaigns(status: Campaign.Status?, limit: Int, offset: Int) async throws -> [Campaign] {
        try read { state in
            let wanted = state.campaigns.values.filter { campaign in
                status.map { campaign.status == $0 } ?? (campaign.status != .archived)
            }
            let sorted = wanted.sorted { left, right in
                left.updatedAt == right.updatedAt ? left.id < right.id : left.updatedAt > right.updatedAt
            }
            return sorted.page(limit, after: offset)
        }
    }

    /// Reads campaigns in the order in which they were created.
    public func pageCampaigns(_ page: CampaignPage) async throws -> [Campaign] {
        try read { state in
            let sorted = state.campaigns.values.filter { campaign in
                (page.includesArchived || campaign.status != .archived) && campaign.updatedAt > page.changedAfter ?? -1
            }.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
            return (page.isNewestFirst ? sorted.reversed() : sorted).page(page.limit, after: page.offset)
        }
    }

    /// Searches campaigns, those last changed first.
    public func searchCampaigns(
        matching filter: CampaignFilter,
        after place: CampaignPlace?,
        limit: Int
    ) async throws -> [Campaign] {
        try read { state in
            state.campaigns.values.filter { campaign in
                filter.matches(campaign)
                    && (place.map { (campaign.updatedAt, campaign.id) < ($0.updatedAt, $0.id) } ?? true)
            }
            .sorted { ($0.updatedAt, $0.id) > ($1.updatedAt, $1.id) }.page(limit)
        }
    }

    /// Counts the campaigns of each status.
    public func campaignCountsByStatus() async throws -> [Campaign.Status: Int] {
        try read { Dictionary(grouping: $0.campaigns.values, by: \.status).mapValues(\.count) }
    }

    /// Reads the tags that campaigns have, by name.
    public func campaignTags(limit: Int) async throws -> [String] {
        try read { state in
            Set(state.campaigns.values.flatMap(\.content.tags).map { ByteString($0) }).sorted().map(\.text).page(limit)
        }
    }

    /// Adds a campaign.
    public func insertCampaign(_ campaign: Campaign, by actor: Actor) async throws {
        try write { state in
            guard state.campaigns[campaign.id] == nil else { throw StoreError.campaignExists }
            try WorkspaceLimit.campaigns.check(Int64(state.campaigns.count))
            let added = try state.apply(CampaignChange(adding: campaign))
            state.keep(added, insteadOf: nil, action: "campaign.create", at: campaign.createdAt, by: actor)
        }
    }

    /// Saves a changed campaign.
    public func updateCampaign(
        _ campaign: Campaign,
        from version: Int64,
        action: String,
        by actor: Actor
    ) async throws -> Campaign {
        try write { try $0.update(campaign, from: version, action: action, by: actor) }
    }

    // MARK: History

    /// Reads the versions of a campaign, the newest first.
    public func campaignVersions(
        of campaign: CampaignID,
        before number: Int64?,
        limit: Int
    ) async throws -> [CampaignVersion] {
        try read { state in
            (state.versions[campaign] ?? []).map(\.version).reversed().filter { $0.number < number ?? .max }.page(limit)
        }
    }

    /// Reads the newest versions of several campaigns.
    public func latestCampaignVersions(
        of campaigns: [CampaignID],
        limit: Int
    ) async throws -> [CampaignID: [CampaignVersion]] {
        let wanted = Set(campaigns.prefix(PageLimit.highest))
        return try read { state in
            state.versions.filter { wanted.contains($0.key) && !$0.value.isEmpty }
                .mapValues { versions in Array(versions.map(\.version).reversed()).page(limit) }
        }
    }

    /// Reads a campaign as one of its versions was.
    public func campaignVersion(_ number: Int64, of campaign: CampaignID) async throws -> PastCampaign? {
        try read { $0.versions[campaign]?.first { $0.version.number == number } }
    }

    /// Reads which campaigns name pictures or content blocks.
    public func uses(of names: [ContentName], includesFormer: Bool, limit: Int) async throws -> [ContentNameUses] {
        try read { state in
            names.prefix(PageLimit.highest).map { name in
                let found = state.versions.values.compactMap { state.use(of: name, in: $0) }
                    .filter { includesFormer || $0.use.version == nil }
                let uses = found.sorted { $0.isBefore($1) }.map(\.use)
                return ContentNameUses(uses: Array(uses.prefix(PageLimit.clamp(limit))), count: uses.count)
            }
        }
    }

    /// Removes the versions of campaigns from before a moment, but for the last one of then.
    public func pruneCampaignVersions(before time: UnixTime) async throws -> Int {
        try write { state in
            var count = 0
            for (campaign, versions) in state.versions {
                let newer = versions.first { $0.version.at >= time }?.version.number ?? .max
                // The last one of then stays, and what it took its content from.
                guard
                    let last = versions.last(where: { $0.version.number < newer && state.hasOwnContent($0, versions) })
                else { continue }
                let kept = versions.filter { $0.version.number >= last.version.number || $0.version.at >= time }
                // safe: counts of what was removed
                count += versions.count - kept.count
                state.versions[campaign] = kept
            }
            return count
        }
    }
}

extension ReferenceState {
    mutating func update(
        _ campaign: Campaign,
        from version: Int64,
        action: String,
        by actor: Actor
    ) throws -> Campaign {
        guard let old = campaigns[campaign.id] else { throw StoreError.noCampaign }
        guard let change = try CampaignChange(of: old, to: campaign, from: version) else { return old }
        let saved = try apply(change)
        keep(saved, insteadOf: old, action: action, at: campaign.updatedAt, by: actor)
        return saved
    }

    /// Makes room for a change, gives the catalog the generation that it asks for, and returns the campaign to keep.
    fileprivate mutating func apply(_ change: CampaignChange) throws(StoreError) -> Campaign {
        try checkLaunchedRoom(for: change.growth)
        return change.campaign(in: change.advancesCatalog ? advanceCatalog() : nil)
    }

    fileprivate mutating func keep(
        _ campaign: Campaign,
        insteadOf old: Campaign?,
        action: String,
        at time: UnixTime,
        by actor: Actor
    ) {
        campaigns[campaign.id] = campaign
        let former = versions[campaign.id] ?? []
        let isOther = campaign.content != old?.content
        let restored = former.last { $0.campaign.content == campaign.content }
        let version = CampaignVersion(
            number: campaign.version,
            at: campaign.updatedAt,
            actor: actor.name,
            action: action,
            status: campaign.status,
            changedFields: old.map { campaign.content.fields(differentFrom: $0.content) } ?? [],
            restores: isOther ? restored.flatMap { firstOfContent($0, former) } : nil
        )
        var past = campaign
        past.generation = 0
        versions[campaign.id] = former + [PastCampaign(version: version, campaign: past)]
        removeOldestVersions(of: campaign)
        appendAudit(action, of: campaign.id.rawValue, at: time, by: actor)
    }

    /// Removes versions beyond as many as are kept, but for those that newer ones take their content from.
    private mutating func removeOldestVersions(of campaign: Campaign) {
        guard let oldest = CampaignVersion.oldestKept(of: campaign), let all = versions[campaign.id] else { return }
        let first = all.last { $0.version.number <= oldest && hasOwnContent($0, all) }
        if let first { versions[campaign.id] = all.filter { $0.version.number >= first.version.number } }
    }

    /// The number of the version that brought the content of a version.
    private func firstOfContent(_ past: PastCampaign, _ versions: [PastCampaign]) -> Int64? {
        versions.last { $0.version.number <= past.version.number && hasOwnContent($0, versions) }?.version.number
    }

    /// A use with what uses are sorted by.
    fileprivate struct FoundUse {
        let use: ContentNameUses.Use
        let updatedAt: UnixTime

        func isBefore(_ other: Self) -> Bool {
            let isFormer = use.version != nil
            guard isFormer == (other.use.version != nil) else { return !isFormer }
            guard updatedAt == other.updatedAt else { return updatedAt > other.updatedAt }
            return use.campaign.rawValue.utf8.lexicographicallyPrecedes(other.use.campaign.rawValue.utf8)
        }
    }

    /// Whether a campaign uses a name, now or in a content that it has had since its launch.
    func isUsed(_ name: ContentName) -> Bool { versions.values.contains { use(of: name, in: $0) != nil } }

    /// Returns the way in which a campaign of some versions uses a name: now, or in a content that it has had since its
    /// launch.
    fileprivate func use(of name: ContentName, in versions: [PastCampaign]) -> FoundUse? {
        guard let last = versions.last?.campaign, let campaign = campaigns[last.id] else { return nil }
        func found(_ version: Int64?) -> FoundUse {
            FoundUse(
                use: ContentNameUses.Use(campaign: campaign.id, name: campaign.content.name, version: version),
                updatedAt: campaign.updatedAt
            )
        }
        if campaign.content.names.contains(name) { return found(nil) }
        let former = versions.last { past in
            hasOwnContent(past, versions) && past.campaign.content.names.contains(name)
                && versions.contains {
                    $0.campaign.launchedAt != nil && firstOfContent($0, versions) == past.version.number
                }
        }
        return former.map { found($0.version.number) }
    }

    /// Whether a version has another content than the one before it.
    fileprivate func hasOwnContent(_ past: PastCampaign, _ versions: [PastCampaign]) -> Bool {
        versions.last { $0.version.number < past.version.number }?.campaign.content != past.campaign.content
    }
}

extension CampaignFilter {
    fileprivate func matches(_ campaign: Campaign) -> Bool {
        guard status.map({ campaign.status == $0 }) ?? (campaign.status != .archived) else { return false }
        if let tag, !campaign.content.tags.contains(where: { ByteString($0) == ByteString(tag) }) { return false }
        guard var search = CampaignTextSearch(self) else { return true }
        return search.finds(name: campaign.content.name, id: campaign.id.rawValue)
    }
}
