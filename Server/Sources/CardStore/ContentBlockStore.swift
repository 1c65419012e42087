public import CardModel

/// Keeps the content blocks that templates include.
public protocol ContentBlockStore: Sendable {
    /// Reads the content blocks, by name.
    func contentBlocks() async throws -> [ContentBlock]

    /// Saves a content block, in place of one of that name, and gives the catalog the next generation.
    func saveContentBlock(_ block: ContentBlock, by actor: Actor) async throws

    /// Removes a content block and gives the catalog the next generation.
    ///
    /// - Returns: Whether there was one of that name.
    func deleteContentBlock(_ name: String, at now: UnixTime, by actor: Actor) async throws -> Bool
}
