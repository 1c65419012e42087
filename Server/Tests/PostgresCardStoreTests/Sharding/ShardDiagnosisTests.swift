import CardModel
import CardStore
import CardStoreConformance
import Foundation
import PostgresCardStore
import PostgresTesting
import ShardedCardStore
import Testing

@Suite("Sharded: what an operator is told", .timeLimit(.minutes(20)))
struct ShardDiagnosisTests {
    private func diagnose(_ place: ShardedPlace) async throws -> [String: StoreFinding] {
        let key = try #require(place.options.secretsKey)
        let findings = await ShardedCardStore.diagnose(url: place.home, secretsKey: key, isFull: false)
        return Dictionary(findings.map { ($0.subject, $0) }, uniquingKeysWith: { first, _ in first })
    }

    @Test("Each database is looked at, and named by the number of its shard")
    func all() async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            let alone = try await diagnose(place)
            #expect(alone.keys.allSatisfy { !$0.hasPrefix("shard") })
            try await place.add(urls[1])
            let findings = try await diagnose(place)
            #expect(findings["shards"]?.message == "1 beside the home")
            let parts = Set(alone.keys).subtracting(["secrets"]).map { "shard 1 \($0)" } + ["shards", "shard 1"]
            #expect(Set(findings.keys) == Set(alone.keys).union(parts))
            #expect(findings["shard 1"]?.level == .good)
            #expect(findings["shard 1 objects"]?.level == .good)

            let database = try #require(urls[1].components(separatedBy: "@/").last?.split(separator: "?").first)
            #expect(findings["shard 1"]?.message.contains(database) == true)
            try await PostgresCluster.shared().execute("DROP INDEX users_by_email", in: String(database))
            let damaged = try await diagnose(place)
            #expect(damaged["objects"]?.level == .good)
            let finding = try #require(damaged["shard 1 objects"])
            #expect(finding.level == .bad && finding.message.contains("users_by_email"))
            // A repair meant for a shard would be run on the home otherwise.
            #expect(finding.command?.hasPrefix("psql ADDRESS-OF-SHARD-1 ") == true)
        }
    }

    @Test("A shard that can't be reached is named without the password of its address")
    func away() async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            try await place.add(urls[1])
            for url in ["postgresql://placard:hunter22@127.0.0.1:1/cards", "postgresql://placard:hunter22@[::1/cards"] {
                var options = place.options
                options.leavesUsers = true
                let home = try await PostgresCardStore.open(url: place.home, options: options)
                try await home.saveShard(ShardAddress(shard: 1, url: url), ranges: nil, at: noon, by: command)
                try await home.close()

                let findings = try await diagnose(place)
                #expect(findings["shard 1"]?.level == .bad)
                for finding in findings.values {
                    #expect(!finding.message.contains("hunter22") && finding.command?.contains("hunter22") != true)
                }
                let error = await #expect(throws: StoreError.self) { try await place.open() }
                #expect(error?.message.hasPrefix("Shard 1: ") == true)
                #expect(error?.message.contains("hunter22") == false)
            }
        }
    }

    @Test("Without the key of their addresses no database is opened")
    func locked() async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            try await place.add(urls[1])
            var options = place.options
            options.secretsKey = .keyring(SecretsKeyring())
            // As commands do that need no secret.
            options.requiresSecretsKey = false
            await expectFailure(.locked) { try await ShardedCardStore.open(url: place.home, options: options) }
            let findings = await ShardedCardStore.diagnose(
                url: place.home,
                secretsKey: .keyring(SecretsKeyring()),
                isFull: false
            )
            #expect(findings.contains { $0.subject == "shards" && $0.level == .bad })
        }
    }

    @Test("What is pending in a shard is named with its number")
    func pending() async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            let key = try #require(place.options.secretsKey)
            let alone = try await ShardedCardStore.migrationPlan(url: place.home, secretsKey: key)
            #expect(alone.steps.isEmpty)
            try await place.add(urls[1])
            let done = try await ShardedCardStore.migrationPlan(url: place.home, secretsKey: key)
            #expect(done.steps.isEmpty && done.databaseBytes > alone.databaseBytes)

            let database = try #require(urls[1].components(separatedBy: "@/").last?.split(separator: "?").first)
            try await PostgresCluster.shared().execute(
                "DELETE FROM placard_migrations WHERE identifier = '0108-folded-texts'",
                in: String(database)
            )
            let plan = try await ShardedCardStore.migrationPlan(url: place.home, secretsKey: key)
            #expect(plan.steps == ["0108-folded-texts (shard 1)"])
        }
    }
}
