import CardStore
import Foundation
import PostgresTesting
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: fewer connections than a node would like", .timeLimit(.minutes(20)))
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

    @Test("No more reads wait for the connections that there are than may, and the workers stay one each")
    func bounded() async throws {
        let cluster = try await PostgresCluster.shared()
        try await cluster.withDatabase { url in
            let database = try #require(URL(string: url)).lastPathComponent
            let role = "bounded_\(database)"
            try await cluster.execute("CREATE ROLE \(role) LOGIN CONNECTION LIMIT 1", in: database)
            let settings = ConnectionSettings(url: url.replacing("placard@", with: "\(role)@"))
            let source = ConnectionSource(settings) { _ in }
            let pool = ConnectionPool(source, settings, size: 2, waitingLimit: 1)
            for _ in 0..<20 {
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<10 {
                        group.addTask { _ = try? await pool.read { try $0.row("SELECT pg_sleep(0.005)") != nil } }
                    }
                }
            }
            #expect(pool.load.waiting == 0)
            // A worker answers before it has nothing to do.
            while pool.idleCount < 2 { await Task.yield() }
            #expect(pool.idleCount == 2)
            let last = try await pool.read { try $0.row("SELECT 1::BIGINT AS one")?.integer("one") }
            #expect(last == 1)
            pool.close()
        }
    }

    @Test("Reads of a pool that gets no connection go to the pool that may do them")
    func fallback() async throws {
        let cluster = try await PostgresCluster.shared()
        try await cluster.withDatabase { url in
            let database = try #require(URL(string: url)).lastPathComponent
            let role = "fallback_\(database)"
            try await cluster.execute("CREATE ROLE \(role) LOGIN CONNECTION LIMIT 1", in: database)
            let settings = ConnectionSettings(url: url.replacing("placard@", with: "\(role)@"))
            let source = ConnectionSource(settings) { _ in }
            let pool = ConnectionPool(source, settings, size: 1)
            let other = ConnectionPool(source, settings, size: 1, label: "other", fallback: pool)
            #expect(try await pool.read { try $0.row("SELECT 1::BIGINT AS one")?.integer("one") } == 1)
            #expect(try await other.read { try $0.row("SELECT 2::BIGINT AS two")?.integer("two") } == 2)
            pool.close()
            other.close()
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
