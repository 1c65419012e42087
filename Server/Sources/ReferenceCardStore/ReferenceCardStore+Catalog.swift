public import CardModel
public import CardStore
import WireJSON

extension ReferenceCardStore {
    /// Reads every campaign that was ever launched, with the generation that they show and the settings.
    public func loadCatalog(since known: CatalogSource?) async throws -> CatalogSource {
        let now = now()
        return try read { state in
            var source = CatalogSource(
                generation: state.generation,
                campaigns: state.campaigns.values.filter { $0.launchedAt != nil }
                    .sorted { ($0.launchedAt ?? 0, $0.id) < ($1.launchedAt ?? 0, $1.id) },
                segments: state.audiences,
                broadcasts: state.openBroadcasts(at: now),
                settings: state.settings,
                keys: state.keys
            )
            source.epoch = epoch
            source.contentBlocks = state.contentBlocks.sorted { $0.key < $1.key }.map(\.value)
            return source
        }
    }

    /// Reads the catalog's generation alone.
    public func catalogGeneration() async throws -> CatalogGeneration {
        try read { $0.generation }
    }

    /// Saves the settings.
    public func saveSettings(
        _ settings: Settings,
        inPlaceOf expected: Settings?,
        at now: UnixTime,
        by actor: Actor
    ) async throws {
        try write { state in
            try expected?.check(state.settings)
            state.save(settings, at: now, by: actor)
        }
    }

    /// Saves the keys of user tokens that were fetched from an address.
    public func saveUserTokenKeys(_ keys: JSONWebKeySet, of url: String, at now: UnixTime) async throws -> Bool {
        try write { state in
            guard let settings = state.settings.taking(keys, of: url) else { return false }
            state.save(settings, at: now, by: .server)
            return true
        }
    }

    // MARK: Segments

    /// Reads segments, those last changed first.
    public func segments(includingArchived: Bool, limit: Int, offset: Int) async throws -> [Segment] {
        try read { state in
            state.segments.values.filter { includingArchived || !$0.isArchived }
                .sorted { $0.updatedAt == $1.updatedAt ? $0.id < $1.id : $0.updatedAt > $1.updatedAt }
                .page(limit, after: offset)
        }
    }

    /// Reads one segment, or returns `nil`.
    public func segment(_ id: SegmentID) async throws -> Segment? { try read { $0.segments[id] } }

    /// Reads segments by their IDs.
    public func findSegments(_ ids: [SegmentID]) async throws -> [SegmentID: Segment] {
        let wanted = Set(ids.prefix(PageLimit.highest))
        return try read { state in state.segments.filter { wanted.contains($0.key) } }
    }

    /// Reads the audiences of all segments.
    public func segmentAudiences() async throws -> [SegmentID: Audience] { try read(\.audiences) }

    /// Adds a segment.
    public func insertSegment(_ segment: Segment, by actor: Actor) async throws {
        try write { state in
            guard state.segments[segment.id] == nil else { throw StoreError.segmentExists }
            try WorkspaceLimit.segments.check(Int64(state.segments.count))
            try state.apply(SegmentChange(adding: segment))
            state.appendAudit("segment.create", of: segment.id.rawValue, at: segment.createdAt, by: actor)
            state.changes.catalog = true
        }
    }

    /// Saves a changed segment.
    public func updateSegment(
        _ segment: Segment,
        from version: Int64,
        action: String,
        by actor: Actor
    ) async throws -> Segment {
        try write { state in
            guard let old = state.segments[segment.id] else { throw StoreError.noSegment }
            guard let change = try SegmentChange(of: old, to: segment, from: version) else { return old }
            try state.apply(change)
            state.changes.catalog = true
            if change.reaches(state.audiencesInUse, through: state.audiences) { state.advanceCatalog() }
            state.appendAudit(action, of: segment.id.rawValue, at: segment.updatedAt, by: actor)
            return change.segment
        }
    }

    // MARK: Content blocks

    /// Reads the content blocks, by name.
    public func contentBlocks() async throws -> [ContentBlock] {
        try read { $0.contentBlocks.sorted { $0.key < $1.key }.map(\.value) }
    }

    /// Saves a content block.
    public func saveContentBlock(
        _ block: ContentBlock,
        checkedAt generation: CatalogGeneration?,
        by actor: Actor
    ) async throws {
        try write { state in
            if let generation, generation != state.generation { throw StoreError.catalogChanged }
            if state.contentBlocks[ByteString(block.name)] == nil {
                try WorkspaceLimit.contentBlocks.check(Int64(state.contentBlocks.count))
            }
            state.contentBlocks[ByteString(block.name)] = block
            state.advanceCatalog()
            state.appendAudit("content_block.save", of: block.name, at: block.updatedAt, by: actor)
        }
    }

    /// Removes a content block.
    public func deleteContentBlock(
        _ name: String,
        checkedAt generation: CatalogGeneration?,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> Bool {
        try write { state in
            if let generation, generation != state.generation { throw StoreError.catalogChanged }
            guard state.contentBlocks.removeValue(forKey: ByteString(name)) != nil else { return false }
            state.advanceCatalog()
            state.appendAudit("content_block.delete", of: name, at: now, by: actor)
            return true
        }
    }
}

extension ReferenceState {
    var audiences: [SegmentID: Audience] { segments.mapValues(\.content.audience) }

    func openBroadcasts(at now: UnixTime) -> [Broadcast] {
        broadcasts.filter { $0.trigger.until > now }
            .sorted { ($0.trigger.at, $0.trigger.id) < ($1.trigger.at, $1.trigger.id) }
    }

    /// Makes room for a change of a segment, and keeps it.
    fileprivate mutating func apply(_ change: SegmentChange) throws(StoreError) {
        try checkSegmentRoom(for: change.growth)
        try change.segment.checkCycle(among: audiences)
        segments[change.segment.id] = change.segment
    }

    /// The audiences of launched campaigns, and of open broadcasts.
    fileprivate var audiencesInUse: [Audience] {
        campaigns.values.filter { $0.launchedAt != nil }.map(\.content.audience)
            + openBroadcasts(at: now).map(\.audience)
    }

    mutating func save(_ settings: Settings, at now: UnixTime, by actor: Actor) {
        guard let change = SettingsChange(of: self.settings.stored.text, to: settings) else { return }
        self.settings = settings
        appendAudit("settings.update", of: "settings", details: change.details, at: now, by: actor)
        // What a user may have depends on the settings, so devices have to ask again.
        advanceCatalog()
    }
}
