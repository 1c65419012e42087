import CardStore
import Foundation
import PostgresTesting
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: fewer connections than a node would like", .timeLimit(.minutes(5)))
struct ScarceConnectionTests {
    @Test("Reads for which there is no further connection go to those that there are")
    func handedOver() async throws {
        let cluster = try await PostgresCluster.shared()
        try await cluster.withDatabase { url in
            let database = try #require(URL(string: url)).lastPathComponent
            let role = "scarce_\(database)"
            try await cluster.execute("CREATE ROLE \(role) LOGIN CONNECTION LIMIT 1", in: database)
            let settings = ConnectionSettings(url: url.replacing("placard@", with: "\(role)@"))
            let pool = ConnectionPool(ConnectionSource(settings) { _ in }, settings, size: 4)
            let first = try await pool.read { try $0.row("SELECT 1::BIGINT AS one")?.integer("one") }
            #expect(first == 1)
            try await withThrowingTaskGroup(of: Int64?.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        try await pool.read {
                            try $0.row("SELECT $1::BIGINT AS number FROM pg_sleep(0.001)", [number])?.integer("number")
                        }
                    }
                }
                var found: Set<Int64> = []
                for try await number in group { if let number { found.insert(number) } }
                #expect(found.count == 200)
            }
            pool.close()
        }
    }

    @Test("A user who may have few connections is told so, not that the server has few")
    func limitOfUser() async throws {
        try await TemplateDatabase.withCopy { url in
            let database = try #require(URL(string: url)).lastPathComponent
            let cluster = try await PostgresCluster.shared()
            let role = "limited_\(database)"
            try await cluster.execute("CREATE ROLE \(role) LOGIN CONNECTION LIMIT 3", in: database)
            let own = url.replacing("placard@", with: "\(role)@")
            let findings = await PostgresCardStore.diagnose(url: own, secretsKey: .keyring(SecretsKeyring()))
            let found = try #require(findings.first { $0.subject == "connections" })
            #expect(found.level == .bad && found.message.hasPrefix("2 of 3 are free"), "\(found.message)")
            #expect(found.command?.contains("ALTER ROLE \(role) CONNECTION LIMIT") == true)
        }
    }

    @Test("Where there is no connection at all, reads fail and say why")
    func none() async throws {
        let cluster = try await PostgresCluster.shared()
        try await cluster.withDatabase { url in
            let database = try #require(URL(string: url)).lastPathComponent
            let role = "barred_\(database)"
            try await cluster.execute("CREATE ROLE \(role) LOGIN CONNECTION LIMIT 0", in: database)
            let settings = ConnectionSettings(url: url.replacing("placard@", with: "\(role)@"))
            let pool = ConnectionPool(ConnectionSource(settings) { _ in }, settings, size: 3)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        await #expect(throws: StoreError.self) { try await pool.read { _ = try $0.row("SELECT 1") } }
                    }
                }
            }
            #expect(pool.load.waiting == 0)
            pool.close()
        }
    }
}
