public import CardModel

/// Reads what feeds are decided from, and keeps the settings.
public protocol CatalogStore: Sendable {
    /// Reads every campaign that was ever launched, with the generation that they show and the settings.
    ///
    /// A row that can't be read is left out and named in ``CatalogSource/unreadable``; it stays as it is. Settings that
    /// can't be read are those that let no device in.
    ///
    /// - Parameter known: What was read before, or `nil`. A store may take the campaigns from it that are as they were,
    ///   so that a change of one among many costs no more than that one; none of another history.
    /// - Returns: The whole catalog.
    /// - Throws: An error that keeps the store from reading.
    func loadCatalog(since known: CatalogSource?) async throws -> CatalogSource

    /// Reads the generation that ``loadCatalog(since:)`` would find, which costs next to nothing.
    func catalogGeneration() async throws -> CatalogGeneration

    /// Reads the settings alone.
    func settings() async throws -> Settings

    /// Saves the settings.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - expected: The settings that they were made from, or `nil` to save them in place of any.
    ///   - now: The time.
    ///   - actor: Who saves them.
    /// - Throws: `StoreError.conflict` where others have saved settings since `expected` was read.
    func saveSettings(
        _ settings: Settings,
        inPlaceOf expected: Settings?,
        at now: UnixTime,
        by actor: Actor
    ) async throws

    /// Saves the keys of user tokens that were fetched from an address, in place of the older ones.
    ///
    /// - Returns: Whether the settings name that address and had other keys.
    func saveUserTokenKeys(_ keys: JSONWebKeySet, of url: String, at now: UnixTime) async throws -> Bool
}

extension CatalogStore {
    /// Reads every campaign that was ever launched, with the generation that they show and the settings.
    public func loadCatalog() async throws -> CatalogSource { try await loadCatalog(since: nil) }

    /// Saves the settings in place of any.
    public func saveSettings(_ settings: Settings, at now: UnixTime, by actor: Actor) async throws {
        try await saveSettings(settings, inPlaceOf: nil, at: now, by: actor)
    }

    /// Reads the settings with all else of the catalog.
    public func settings() async throws -> Settings { try await loadCatalog().settings }
}

/// The rows that a catalog is made of.
public struct CatalogSource: Sendable {
    /// The generation that the campaigns show.
    public var generation: CatalogGeneration
    /// The store's name for its history when it was read: another history may give the same generations and versions
    /// to other campaigns.
    public var epoch: UInt64 = 0
    /// Every campaign that was ever launched.
    public var campaigns: [Campaign]
    /// The audience of every saved segment that can be read, and whose parts can be.
    public var segments: [SegmentID: Audience]
    /// The broadcasts that may still give a card, the oldest first.
    public var broadcasts: [Broadcast]
    /// The content blocks, by name.
    public var contentBlocks: [ContentBlock] = []
    /// The settings.
    public var settings: Settings
    /// Every key.
    public var keys: [APIKey]
    /// The rows that were left out because they can't be read.
    public var unreadable: [UnreadableRow] = []
    /// The segments that can't be read, with those that they are part of.
    public var unreadableSegments: Set<SegmentID> = []

    /// Creates a source.
    public init(
        generation: CatalogGeneration,
        campaigns: [Campaign],
        segments: [SegmentID: Audience] = [:],
        broadcasts: [Broadcast] = [],
        settings: Settings,
        keys: [APIKey]
    ) {
        self.generation = generation
        self.campaigns = campaigns
        self.segments = segments
        self.broadcasts = broadcasts
        self.settings = settings
        self.keys = keys
    }
}
