import CardModel
import Testing

@testable import CardServer

extension CatalogCacheTests {
    @Test("A connection that remembers its key keeps no campaigns in memory that were replaced")
    func remembered() async throws {
        try await Workspace.run { [second] workspace in
            let source = Source([second.key])
            let catalog = try await CatalogCache(source.reading)
            let authenticator = Authenticator(catalog: catalog, store: workspace.store, clock: { 10 })
            var memory = ShortcutMemory()
            weak var before: CatalogCache.Snapshot?
            before = catalog.current
            let header = "Bearer \(second.text)"
            let isAllowed = authenticator.allows(.device, header, catalog.current, at: 10, &memory)
            #expect(isAllowed && memory.snapshot == before?.number)
            source.set { $0.generation = 2 }
            try await catalog.reload()
            #expect(before == nil && memory.authorization == header)
            source.set { $0.keys = [] }
            try await catalog.reload()
            let isStillAllowed = authenticator.allows(.device, header, catalog.current, at: 10, &memory)
            #expect(!isStillAllowed)
        }
    }
}
