public import CardModel

/// Keeps the content blocks that templates include.
public protocol ContentBlockStore: Sendable {
    /// Reads the content blocks, by name.
    func contentBlocks() async throws -> [ContentBlock]

    /// Saves a content block, in place of one of that name, and gives the catalog the next generation.
    ///
    /// - Parameters:
    ///   - block: The block.
    ///   - generation: The generation of the catalog with which it was checked, or `nil` to save it whatever else there
    ///     is.
    ///   - actor: Who saves it.
    /// - Throws: `StoreError.conflict` where the catalog has another generation by now, `limitReached` where there are
    ///   1,000.
    func saveContentBlock(_ block: ContentBlock, checkedAt generation: CatalogGeneration?, by actor: Actor) async throws

    /// Removes a content block and gives the catalog the next generation.
    ///
    /// - Parameters:
    ///   - name: The block's name.
    ///   - generation: The generation of the catalog in which nothing includes it, or `nil` to remove it all the same.
    ///   - now: The moment.
    ///   - actor: Who removes it.
    /// - Returns: Whether there was one of that name.
    /// - Throws: `StoreError.conflict` where the catalog has another generation by now.
    func deleteContentBlock(
        _ name: String,
        checkedAt generation: CatalogGeneration?,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> Bool
}

extension ContentBlockStore {
    /// Saves a content block, whatever else there is.
    public func saveContentBlock(_ block: ContentBlock, by actor: Actor) async throws {
        try await saveContentBlock(block, checkedAt: nil, by: actor)
    }

    /// Removes a content block, whatever includes it.
    ///
    /// - Returns: Whether there was one of that name.
    public func deleteContentBlock(_ name: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await deleteContentBlock(name, checkedAt: nil, at: now, by: actor)
    }
}
