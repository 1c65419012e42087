import CardStore

extension Services {
    /// The maximum number of times that something is done again that others have made outdated.
    private static let catalogAttempts = 8

    /// Changes what was checked with the catalog as it is, again where others change the catalog at the same time: two
    /// content blocks that are saved at once must not include each other.
    ///
    /// - Parameter change: Checks and changes; called with the catalog as it is by then.
    /// - Throws: What the change throws, a conflict where others were faster each time.
    func withCatalog(_ change: (CatalogCache.Snapshot) async throws -> Void) async throws {
        var attempt = 1
        while true {
            do {
                return try await change(catalog.latest())
            } catch let error as StoreError where error.code == .conflict && attempt < Self.catalogAttempts {
                attempt += 1
                try await catalog.reload()
            }
        }
    }
}
