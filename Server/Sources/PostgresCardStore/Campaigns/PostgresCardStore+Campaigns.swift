public import CardModel
public import CardStore

extension PostgresCardStore {
    /// Reads every campaign that was ever launched, with the generation that they show and the settings.
    public func loadCatalog(since known: CatalogSource?) async throws -> CatalogSource {
        let (now, currentEpoch) = (now(), currentEpoch)
        return try await snapshot { connection in
            var reader = RowReader()
            let epoch = currentEpoch.value(in: connection.history)
            let campaigns = KnownCampaigns(known, in: epoch)
            let segments = SegmentAudiences(try SegmentRow.all(connection), &reader)
            var source = CatalogSource(
                generation: try StoreRow.generation(connection),
                campaigns: try campaigns.fetch(KnownCampaigns.launched, from: connection, &reader),
                segments: segments.audiences,
                broadcasts: try BroadcastRow.alive(at: now, in: connection, &reader),
                settings: reader.settings(try StoreRow.settingsText(connection)),
                keys: reader.values(of: try KeyRow.rows(connection), .key) { try APIKey($0) }
            )
            let blocks = try ContentBlockRow.rows(connection)
            source.contentBlocks = reader.values(of: blocks, .contentBlock, named: "name") { try ContentBlock($0) }
            source.epoch = epoch
            (source.unreadable, source.unreadableSegments) = (reader.unreadable, segments.unreadable)
            return source
        }
    }

    /// Reads the catalog's generation alone.
    public func catalogGeneration() async throws -> CatalogGeneration {
        try await read { try StoreRow.generation($0) }
    }

    /// Reads campaigns, those last changed first.
    public func listCampaigns(status: Campaign.Status?, limit: Int, offset: Int) async throws -> [Campaign] {
        try await read { connection in
            try connection.rows(
                """
                SELECT * FROM campaigns
                WHERE CASE WHEN $1::TEXT IS NULL THEN status <> 'archived' ELSE status = $1 END
                ORDER BY updated_at DESC, id LIMIT $2 OFFSET $3
                """,
                [status?.rawValue, PageLimit.clamp(limit), max(0, offset)]
            ).map(Campaign.init)
        }
    }

    /// Reads campaigns by their IDs.
    public func findCampaigns(_ ids: [CampaignID]) async throws -> [CampaignID: Campaign] {
        let wanted = ids.prefix(PageLimit.highest).map(\.rawValue)
        return try await read { connection in
            let campaigns = try connection.rows("SELECT * FROM campaigns WHERE id = ANY ($1)", [wanted])
                .map(Campaign.init)
            return Dictionary(campaigns.map { ($0.id, $0) }) { first, _ in first }
        }
    }

    /// Reads campaigns in the order in which they were made.
    public func pageCampaigns(_ page: CampaignPage) async throws -> [Campaign] {
        let direction = page.isNewestFirst ? "DESC" : "ASC"
        return try await read { connection in
            try connection.rows(
                """
                SELECT * FROM campaigns
                WHERE ($1 OR status <> 'archived') AND updated_at > coalesce($2, -1)
                ORDER BY created_at \(direction), id \(direction) LIMIT $3 OFFSET $4
                """,
                [page.includesArchived, page.changedAfter, PageLimit.clamp(page.limit), max(0, page.offset)]
            ).map(Campaign.init)
        }
    }

    /// Reads one campaign, or returns `nil`.
    public func campaign(_ id: CampaignID) async throws -> Campaign? {
        try await read { try CampaignRow.find(id, in: $0) }
    }

    /// Saves a new campaign.
    public func insertCampaign(_ campaign: Campaign, by actor: Actor) async throws {
        try await writer.writeAlone { try $0.insert(campaign, by: actor) }
    }

    /// Saves a changed campaign.
    public func updateCampaign(
        _ campaign: Campaign,
        from version: Int64,
        action: String,
        by actor: Actor
    ) async throws -> Campaign {
        try await writer.writeAlone { try $0.update(campaign, from: version, action: action, by: actor) }
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
        try await read {
            let campaigns = Array(Set(campaigns.prefix(PageLimit.highest)))
            return try CampaignVersionRow.latest(of: campaigns, limit: PageLimit.clamp(limit), in: $0)
        }
    }

    /// Reads a campaign as one of its versions was.
    public func campaignVersion(_ number: Int64, of campaign: CampaignID) async throws -> PastCampaign? {
        try await read { try CampaignVersionRow.find(number, of: campaign, in: $0) }
    }

    /// Forgets the versions of campaigns from before a moment, but for the last one of then and those after it.
    public func pruneCampaignVersions(before time: UnixTime) async throws -> Int {
        try await writer.writeAlone { session in
            // A version without a text of its own has that of the one before it. One that is newer, though a clock that
            // was set back has given its successor an older time, keeps everything from its text on.
            try session.connection.execute(
                """
                DELETE FROM campaign_versions AS old WHERE version < (
                    SELECT max(version) FROM campaign_versions
                    WHERE campaign_id = old.campaign_id AND content IS NOT NULL AND version < coalesce(
                        (
                            SELECT min(version) FROM campaign_versions
                            WHERE campaign_id = old.campaign_id AND at >= $1
                        ),
                        9223372036854775807
                    )
                ) AND at < $1
                """,
                [time]
            )
        }
    }

    /// Reads the counts of a campaign, or returns `nil` where there is none of that id.
    public func campaignReport(of campaign: CampaignID) async throws -> CampaignReport? {
        try await reportSnapshot { connection in
            guard let found = try CampaignRow.find(campaign, in: connection) else { return nil }
            var report = CampaignReport(
                campaign: found,
                rows: try ReportRow.counts(of: campaign, in: connection),
                problems: try ReportRow.problems(of: campaign, in: connection),
                conversions: try ReportRow.conversions(of: campaign, in: connection),
                amounts: try ReportRow.amounts(of: campaign, in: connection),
                allocations: try ReportRow.allocations(of: campaign, in: connection)
            )
            report.withheld = try ReportRow.withheld(of: campaign, in: connection)
            return report
        }
    }
}

extension WriteSession {
    fileprivate func insert(_ campaign: Campaign, by actor: Actor) throws {
        guard try CampaignRow.find(campaign.id, in: connection) == nil else { throw StoreError.campaignExists }
        try checkRoom(.campaigns, in: "campaigns")
        let saved = try apply(CampaignChange(adding: campaign))
        // Another node may have been quicker.
        guard try CampaignRow.insert(saved, into: connection) else { throw StoreError.campaignExists }
        try append(saved, insteadOf: nil, action: "campaign.create", at: campaign.createdAt, by: actor)
    }

    func update(
        _ campaign: Campaign,
        from version: Int64,
        action: String,
        by actor: Actor
    ) throws -> Campaign {
        guard let old = try CampaignRow.lock(campaign.id, in: connection) else { throw StoreError.noCampaign }
        guard let change = try CampaignChange(of: old, to: campaign, from: version) else { return old }
        let saved = try apply(change)
        try CampaignRow.update(saved, insteadOf: old, in: connection)
        try append(saved, insteadOf: old, action: action, at: campaign.updatedAt, by: actor)
        return saved
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
        try CampaignVersionRow.insert(campaign, insteadOf: old, action: action, by: actor, into: connection)
        try ContentNameRow.note(campaign, insteadOf: old, in: connection)
        try CampaignVersionRow.removeOldest(of: campaign, in: connection)
        audit(action, of: campaign.id.rawValue, at: time, by: actor)
    }
}
