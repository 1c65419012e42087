import CardModel
import CardStore
import CardStoreConformance
import Foundation
import PostgresTesting
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: another key for the secrets of several nodes", .timeLimit(.minutes(20)))
struct KeyRotationTests {
    private static let seed = Array("12345678901234567890".utf8)

    private func open(_ url: String, key file: String) async throws -> PostgresCardStore {
        var options = PostgresCardStore.Options()
        options.secretsKey = .file(path: file)
        return try await PostgresCardStore.open(url: url, options: options)
    }

    private func withFiles(_ body: (_ first: String, _ second: String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder + "/first.key", folder + "/second.key")
    }

    @Test("A key that was prepared is used once every node has it, and no node is ever without")
    func prepared() async throws {
        try await withFiles { file, copy in
            try await TemplateDatabase.withCopy { url in
                let first = try await open(url, key: file)
                try FileManager.default.copyItem(atPath: file, toPath: copy)
                let second = try await open(url, key: copy)
                var member = TeamMember(email: "ann@example.com", role: .viewer, passwordHash: "", createdAt: testTime)
                member.codeSecret = Self.seed
                try await first.insertMember(member, by: .command)

                let unprepared = await #expect(throws: StoreError.self) {
                    _ = try await first.rotateSecretsKey(
                        to: .prepared,
                        forgettingOldKeys: false,
                        at: testTime,
                        by: .command
                    )
                }
                #expect(unprepared?.code == .notFound)
                let key = try await first.prepareSecretsKey()
                #expect(try await first.prepareSecretsKey() == key)
                #expect(try SecretsKeyFile(path: file).read()?.keys.count == 2)
                #expect(try await second.member("ann@example.com")?.codeSecret == Self.seed)

                try FileManager.default.removeItem(atPath: copy)
                try FileManager.default.copyItem(atPath: file, toPath: copy)
                let change = try await first.rotateSecretsKey(
                    to: .prepared,
                    forgettingOldKeys: false,
                    at: testTime,
                    by: .command
                )
                #expect(change.key == key && change.count >= 1)
                // What the other node encrypts is read here, and the other way round.
                #expect(try await second.member("ann@example.com")?.codeSecret == Self.seed)
                member.email = "bob@example.com"
                try await second.insertMember(member, by: .command)
                #expect(try await first.member("bob@example.com")?.codeSecret == Self.seed)
                #expect(try SecretsKeyFile(path: file).read()?.keys.count == 2)
                try await first.close()
                try await second.close()
            }
        }
    }

    @Test("A key is not made for servers on several hosts, which couldn't have it")
    func severalHosts() async throws {
        let server = try await PostgresServer.start(access: ["host all all 127.0.0.1/32 trust"])
        try await server.execute("CREATE DATABASE app")
        try await withFiles { file, _ in
            let here = "postgresql://placard@/app?host=\(server.folder)&port=\(server.port)"
            let first = try await open(here, key: file)
            let second = try await open("postgresql://placard@127.0.0.1:\(server.port)/app", key: file)
            let refusal = await #expect(throws: StoreError.self) {
                _ = try await first.rotateSecretsKey(to: .new, forgettingOldKeys: false, at: testTime, by: .command)
            }
            #expect(refusal?.code == .conflict && refusal?.message.contains("placard secrets prepare") == true)
            #expect(try SecretsKeyFile(path: file).read()?.keys.count == 1)
            try await second.close()
            // The server notices a little later that a client is gone.
            try await server.execute(
                """
                DO $$ BEGIN
                    WHILE EXISTS (SELECT FROM pg_stat_activity WHERE datname = 'app' AND client_addr IS NOT NULL) LOOP
                        PERFORM pg_sleep(0.01);
                        PERFORM pg_stat_clear_snapshot();
                    END LOOP;
                END $$
                """
            )
            _ = try await first.rotateSecretsKey(to: .new, forgettingOldKeys: false, at: testTime, by: .command)
            #expect(try SecretsKeyFile(path: file).read()?.keys.count == 2)
            try await first.close()
        }
    }
}
