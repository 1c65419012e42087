public import CardModel
public import CardStore

extension ShardedCardStore {
    /// Reads every campaign that was ever launched, with the generation that they show and the settings.
    ///
    /// Every database has what decides on the consequences of events before the catalog is returned, unless the store
    /// only reads.
    public func loadCatalog(since known: CatalogSource?) async throws -> CatalogSource {
        let source = try await home.loadCatalog(since: known)
        let moment = CatalogMoment(generation: source.generation, history: source.epoch)
        if !isReadOnly, !catalog.has(moment) { try await replicateCatalog() }
        return source
    }

    /// Reads the catalog's generation alone.
    public func catalogGeneration() async throws -> CatalogGeneration { try await home.catalogGeneration() }

    /// Reads the settings.
    public func settings() async throws -> Settings { try await home.settings() }

    /// Saves the settings.
    public func saveSettings(
        _ settings: Settings,
        inPlaceOf expected: Settings?,
        at now: UnixTime,
        by actor: Actor
    ) async throws {
        try await replicating { try await home.saveSettings(settings, inPlaceOf: expected, at: now, by: actor) }
    }

    /// Saves the keys of user tokens that were read at an address.
    public func saveUserTokenKeys(_ keys: JSONWebKeySet, of url: String, at now: UnixTime) async throws -> Bool {
        try await replicating { try await home.saveUserTokenKeys(keys, of: url, at: now) }
    }

    /// Saves a new campaign.
    public func insertCampaign(_ campaign: Campaign, by actor: Actor) async throws {
        try await replicating { try await home.insertCampaign(campaign, by: actor) }
    }

    /// Saves a changed campaign.
    public func updateCampaign(
        _ campaign: Campaign,
        from version: Int64,
        action: String,
        by actor: Actor
    ) async throws -> Campaign {
        try await replicating { try await home.updateCampaign(campaign, from: version, action: action, by: actor) }
    }

    /// Approves a request, and saves the campaign as it asks for.
    public func approve(
        _ id: String,
        saving campaign: Campaign,
        comment: String?,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> Campaign {
        try await replicating {
            try await home.approve(id, saving: campaign, comment: comment, at: now, by: actor)
        }
    }

    // MARK: Segments

    /// Reads segments, those last changed first.
    public func segments(includingArchived: Bool, limit: Int, offset: Int) async throws -> [Segment] {
        try await home.segments(includingArchived: includingArchived, limit: limit, offset: offset)
    }

    /// Reads one segment, or returns `nil`.
    public func segment(_ id: SegmentID) async throws -> Segment? { try await home.segment(id) }

    /// Reads segments by their IDs.
    public func findSegments(_ ids: [SegmentID]) async throws -> [SegmentID: Segment] {
        try await home.findSegments(ids)
    }

    /// Reads the audiences of all segments.
    public func segmentAudiences() async throws -> [SegmentID: Audience] { try await home.segmentAudiences() }

    /// Saves a new segment.
    public func insertSegment(_ segment: Segment, by actor: Actor) async throws {
        try await home.insertSegment(segment, by: actor)
    }

    /// Saves a changed segment.
    public func updateSegment(
        _ segment: Segment,
        from version: Int64,
        action: String,
        by actor: Actor
    ) async throws -> Segment {
        try await home.updateSegment(segment, from: version, action: action, by: actor)
    }
}
