public import CardModel
public import CardStore
import GRDB

extension SQLiteCardStore {
    /// Reads every campaign that was ever launched, with the generation that they show and the settings.
    public func loadCatalog(since known: CatalogSource?) async throws -> CatalogSource {
        let (now, epoch) = (now(), epoch)
        return try await read { database in
            var reader = RowReader()
            let campaigns = KnownCampaigns(known, in: epoch)
            let segments = SegmentAudiences(try SegmentRow.all(database), &reader)
            var source = CatalogSource(
                generation: try StoreRow.generation(database),
                campaigns: try campaigns.fetch(SQL.launchedCampaigns, from: database, &reader),
                segments: segments.audiences,
                broadcasts: try BroadcastRow.alive(at: now, in: database, &reader),
                settings: reader.settings(try StoreRow.settingsText(database)),
                keys: reader.values(of: try KeyRow.rows(database), .key) { try APIKey($0) }
            )
            let blocks = try ContentBlockRow.rows(database)
            source.contentBlocks = reader.values(of: blocks, .contentBlock, named: "name") { try ContentBlock($0) }
            source.epoch = epoch
            (source.unreadable, source.unreadableSegments) = (reader.unreadable, segments.unreadable)
            return source
        }
    }

    /// Reads campaigns, those last changed first.
    public func listCampaigns(status: Campaign.Status?, limit: Int, offset: Int) async throws -> [Campaign] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM campaigns
                    WHERE status = coalesce(?1, status) AND (?1 IS NOT NULL OR status <> 'archived')
                    ORDER BY updated_at DESC, id LIMIT ?2 OFFSET ?3
                    """,
                arguments: [status?.rawValue, PageLimit.clamp(limit), max(0, offset)]
            ).map(Campaign.init)
        }
    }

    /// Reads campaigns in the order in which they were made.
    public func pageCampaigns(_ page: CampaignPage) async throws -> [Campaign] {
        let direction = page.isNewestFirst ? "DESC" : "ASC"
        return try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM campaigns
                    WHERE (?1 OR status <> 'archived') AND updated_at > coalesce(?2, -1)
                    ORDER BY created_at \(direction), id \(direction) LIMIT ?3 OFFSET ?4
                    """,
                arguments: [
                    page.includesArchived, page.changedAfter, PageLimit.clamp(page.limit), max(0, page.offset),
                ]
            ).map(Campaign.init)
        }
    }

    /// Reads one campaign, or returns `nil`.
    public func campaign(_ id: CampaignID) async throws -> Campaign? {
        try await read { try CampaignRow.find(id, in: $0) }
    }

    /// Reads campaigns by their IDs.
    public func findCampaigns(_ ids: [CampaignID]) async throws -> [CampaignID: Campaign] {
        try await read { database in
            var found: [CampaignID: Campaign] = [:]
            for id in ids.prefix(PageLimit.highest) { found[id] = try CampaignRow.find(id, in: database) }
            return found
        }
    }

    /// Keeps a new campaign.
    public func insertCampaign(_ campaign: Campaign, by actor: Actor) async throws {
        try await writer.write { try $0.insert(campaign, by: actor) }
    }

    /// Keeps a changed campaign.
    public func updateCampaign(
        _ campaign: Campaign,
        from version: Int64,
        action: String,
        by actor: Actor
    ) async throws -> Campaign {
        try await writer.write { try $0.update(campaign, from: version, action: action, by: actor) }
    }

    /// Reads the versions of a campaign, the newest first.
    public func campaignVersions(
        of campaign: CampaignID,
        before number: Int64?,
        limit: Int
    ) async throws -> [CampaignVersion] {
        try await read {
            try CampaignVersionRow.list(of: campaign, before: number, limit: PageLimit.clamp(limit), in: $0)
        }
    }

    /// Reads the newest versions of several campaigns.
    public func latestCampaignVersions(
        of campaigns: [CampaignID],
        limit: Int
    ) async throws -> [CampaignID: [CampaignVersion]] {
        let limit = PageLimit.clamp(limit)
        return try await read { database in
            var found: [CampaignID: [CampaignVersion]] = [:]
            for id in campaigns.prefix(PageLimit.highest) {
                let versions = try CampaignVersionRow.list(of: id, before: nil, limit: limit, in: database)
                if !versions.isEmpty { found[id] = versions }
            }
            return found
        }
    }

    /// Reads a campaign as one of its versions was.
    public func campaignVersion(_ number: Int64, of campaign: CampaignID) async throws -> PastCampaign? {
        try await read { try CampaignVersionRow.find(number, of: campaign, in: $0) }
    }

    /// Reads the counts of a campaign, or returns `nil` where there is none of that id.
    public func campaignReport(of campaign: CampaignID) async throws -> CampaignReport? {
        try await read { database in
            guard let found = try CampaignRow.find(campaign, in: database) else { return nil }
            var report = CampaignReport(
                campaign: found,
                rows: try ReportRow.counts(of: campaign, in: database),
                problems: try ReportRow.problems(of: campaign, in: database),
                conversions: try ReportRow.conversions(of: campaign, in: database),
                amounts: try ReportRow.amounts(of: campaign, in: database),
                allocations: try ReportRow.allocations(of: campaign, in: database)
            )
            report.withheld = try WithheldRow.counts(of: campaign, in: database)
            return report
        }
    }
}

extension WriteSession {
    func insert(_ campaign: Campaign, by actor: Actor) throws {
        guard try CampaignRow.find(campaign.id, in: database) == nil else { throw StoreError.campaignExists }
        try checkRoom(.campaigns, in: "campaigns")
        let kept = try apply(CampaignChange(adding: campaign))
        try CampaignRow.insert(kept, into: database)
        try append(kept, insteadOf: nil, action: "campaign.create", at: campaign.createdAt, by: actor)
    }

    func update(_ campaign: Campaign, from version: Int64, action: String, by actor: Actor) throws -> Campaign {
        guard let old = try CampaignRow.find(campaign.id, in: database) else { throw StoreError.noCampaign }
        guard let change = try CampaignChange(of: old, to: campaign, from: version) else { return old }
        let kept = try apply(change)
        try CampaignRow.update(kept, in: database)
        try append(kept, insteadOf: old, action: action, at: campaign.updatedAt, by: actor)
        return kept
    }

    /// Makes room for a change, gives the catalog the generation that it asks for, and returns the campaign to write.
    private func apply(_ change: CampaignChange) throws -> Campaign {
        try checkRoom(.launchedContents, for: change.growth, in: "campaigns WHERE launched_at IS NOT NULL")
        return try change.campaign(in: change.advancesCatalog ? advanceCatalog() : nil)
    }

    /// Notes a change of a campaign in its history and in the audit log.
    private func append(
        _ campaign: Campaign,
        insteadOf old: Campaign?,
        action: String,
        at time: UnixTime,
        by actor: Actor
    ) throws {
        try CampaignVersionRow.insert(campaign, insteadOf: old, action: action, by: actor, into: database)
        try ContentNameRow.note(campaign, insteadOf: old, in: database)
        try CampaignVersionRow.removeOldest(of: campaign, in: database)
        try audit(action, of: campaign.id.rawValue, at: time, by: actor)
    }

    func advanceCatalog() throws -> CatalogGeneration {
        changes.catalog = true
        changes.readsConversionRules = true
        return try StoreRow.advanceGeneration(database)
    }
}
