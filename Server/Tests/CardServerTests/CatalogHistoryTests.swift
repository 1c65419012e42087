import CardModel
import CardStore
import Synchronization
import Testing

@testable import CardServer

@Suite("The catalog where another server takes the place of the database's")
struct CatalogHistoryTests {
    /// What the store has, which a test changes.
    private final class Source: Sendable {
        struct State {
            var epoch: UInt64 = 1
            var generation: CatalogGeneration = 9
            var settings = Settings()
        }

        let state = Mutex(State())

        var reading: CatalogCache.Reading {
            .init(
                catalog: { [self] _ in
                    let now = state.withLock { $0 }
                    var source = CatalogSource(
                        generation: now.generation,
                        campaigns: [],
                        settings: now.settings,
                        keys: []
                    )
                    source.epoch = now.epoch
                    return source
                },
                generation: { [self] in state.withLock { $0.generation } },
                epoch: { [self] in state.withLock { $0.epoch } },
                keys: { [] },
                settings: { [self] in state.withLock { $0.settings } }
            )
        }

        /// Becomes what a standby has that lacks the last changes.
        func promoteStandby(generation: CatalogGeneration) {
            state.withLock {
                $0.epoch += 1
                $0.generation = generation
                $0.settings.cardSizeLimit = 4096
            }
        }
    }

    @Test("Campaigns of a standby that lacks the last changes replace those that were known, by either way")
    func lowerGeneration() async throws {
        for isAsked in [true, false] {
            let source = Source()
            let catalog = try await CatalogCache(source.reading, isShared: true)
            source.promoteStandby(generation: 7)
            if isAsked {
                #expect(try await catalog.latest().catalog.generation == 7)
            } else {
                try await catalog.reload()
            }
            #expect(catalog.current.catalog.generation == 7)
            #expect(catalog.current.settings.cardSizeLimit == 4096)
        }
    }

    @Test("Campaigns of a standby whose generation is the same by chance are read, too")
    func sameGeneration() async throws {
        let source = Source()
        let catalog = try await CatalogCache(source.reading, isShared: true)
        source.promoteStandby(generation: 9)
        #expect(try await catalog.latest().settings.cardSizeLimit == 4096)
    }

    @Test("In one history of the store, older campaigns never replace newer ones")
    func oneHistory() async throws {
        let source = Source()
        let catalog = try await CatalogCache(source.reading, isShared: true)
        source.state.withLock { $0.generation = 7 }
        try await catalog.reload()
        #expect(try await catalog.latest().catalog.generation == 9)
    }
}
