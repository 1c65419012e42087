import CardModel
import CardStore
import CardStoreConformance
import Testing

@testable import PostgresCardStore
@testable import ShardedCardStore

@Suite("Sharded: commands that only read, and databases of an older version", .timeLimit(.minutes(20)))
struct ShardReadingTests {
    /// Has a database look as one of the version before.
    private func makeOlder(_ url: String) async throws {
        try await ShardedPlace.execute(
            "DELETE FROM placard_migrations WHERE identifier = (SELECT max(identifier) FROM placard_migrations)",
            in: url
        )
    }

    /// The options of a command, which never migrates.
    private func options(of place: ShardedPlace, isReadOnly: Bool) -> PostgresCardStore.Options {
        var options = place.options
        (options.migrates, options.isReadOnly) = (false, isReadOnly)
        return options
    }

    private func pending(_ url: String) async throws -> Int {
        try await PostgresCardStore.migrationPlan(url: url).steps.count
    }

    @Test("A store that only reads brings nothing from one database to another, and one that serves does")
    func reading() async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            try await place.add(urls[1])
            // The home goes on by itself, as where a node was killed before it had told the others.
            var homeOptions = place.options
            homeOptions.leavesUsers = true
            let home = try await PostgresCardStore.open(url: urls[0], options: homeOptions)
            try await home.launch(.sample())
            let newest = try await home.catalogGeneration()
            try await home.close()

            let options = options(of: place, isReadOnly: true)
            let reader = try #require(
                try await ShardedCardStore.open(url: place.home, options: options) as? ShardedCardStore
            )
            #expect(try await reader.loadCatalog().campaigns.count == 1)
            #expect(try await reader.database(1).replicatedGeneration() < newest)
            try await reader.close()

            let server = try #require(try await place.open() as? ShardedCardStore)
            #expect(try await server.database(1).replicatedGeneration() == newest)
            try await server.close()
        }
    }

    @Test("A database of an older version isn't added, nor migrated")
    func older() async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            try await makeOlder(urls[1])
            #expect(try await pending(urls[1]) == 1)
            let place = ShardedPlace(home: urls[0])
            await expectFailure(.conflict) { try await place.add(urls[1]) }
            #expect(try await pending(urls[1]) == 1)
        }
    }

    @Test("An empty database gets its tables when it is added")
    func empty() async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            try await ShardedPlace.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public", in: urls[1])
            let plan = try await PostgresCardStore.migrationPlan(url: urls[1])
            #expect(plan.isNew && !plan.steps.isEmpty)
            try await ShardedPlace(home: urls[0]).add(urls[1])
            #expect(try await pending(urls[1]) == 0)
        }
    }

    @Test("Adding a database migrates none of those that are there")
    func others() async throws {
        try await TemplateDatabase.withCopies(3) { urls in
            let place = ShardedPlace(home: urls[0])
            try await place.add(urls[1])
            try await makeOlder(urls[1])
            let options = options(of: place, isReadOnly: false)
            await expectFailure(.incompatible) {
                try await ShardedCardStore.addShard(urls[2], to: urls[0], options: options, at: noon, by: .command)
            }
            #expect(try await pending(urls[1]) == 1)
        }
    }
}
