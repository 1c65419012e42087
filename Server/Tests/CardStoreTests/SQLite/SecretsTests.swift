import CardModel
import CardStore
import CardStoreConformance
import Foundation
import GRDB
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: secrets")
struct SecretsTests {
    private static let seed = Array("JBSWY3DPEHPK3PXP-123".utf8)
    private static let hookSecret = "whsec_known-to-the-receiver-only"

    private func fill(_ store: SQLiteCardStore) async throws {
        var member = TeamMember(email: "ann@example.com", role: .admin, passwordHash: "scrypt$1", createdAt: noon)
        member.codeSecret = Self.seed
        try await store.insertMember(member, by: command)
        let webhook = Webhook(url: "https://example.com", secret: Self.hookSecret, createdAt: noon)
        try await store.saveWebhook(webhook, after: nil, at: noon, by: command)
    }

    private func expectFilled(_ store: SQLiteCardStore, sourceLocation: SourceLocation = #_sourceLocation) async throws
    {
        #expect(try await store.member("ann@example.com")?.codeSecret == Self.seed, sourceLocation: sourceLocation)
        #expect(try await store.members().first?.codeSecret == Self.seed, sourceLocation: sourceLocation)
        #expect(try await store.webhookState()?.webhook.secret == Self.hookSecret, sourceLocation: sourceLocation)
    }

    /// Whether a file has one of the secrets in it.
    private func showsSecret(_ path: String) throws -> Bool {
        guard let data = FileManager.default.contents(atPath: path) else { return false }
        return [Self.seed, Array(Self.hookSecret.utf8)].contains { data.range(of: Data($0)) != nil }
    }

    private func options(required: Bool = true, key: SecretsKeySource? = nil) -> SQLiteCardStore.Options {
        var options = SQLiteCardStore.Options()
        options.requiresSecretsKey = required
        options.secretsKey = key
        return options
    }

    @Test("Second factors and the webhook's secret are read back, and stand in no file as they are")
    func sealed() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            try await fill(store)
            try await expectFilled(store)
            try await store.backUp(to: folder + "/backup.sqlite")
            for file in [path, path + "-wal", folder + "/backup.sqlite"] { #expect(try !showsSecret(file), "\(file)") }
            #expect(await store.finding("secrets")?.level == .good)
            try await store.close()
            let restored = try SQLiteCardStore(
                path: folder + "/backup.sqlite",
                options: options(key: .file(path: path + ".key"))
            )
            try await expectFilled(restored)
            try await restored.close()
        }
    }

    @Test("A missing key that nothing is encrypted with is told of, and so is the one that takes its place")
    func replacedKey() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let first = try SQLiteCardStore(path: path)
            let created = try #require(first.createdSecretsKey)
            #expect(created.file == path + ".key" && created.replaced == nil)
            try await first.close()
            let again = try SQLiteCardStore(path: path)
            #expect(again.createdSecretsKey == nil)
            try await again.close()
            try FileManager.default.removeItem(atPath: path + ".key")

            let finding = await SQLiteCardStore.diagnose(path: path, isFull: false).first { $0.subject == "secrets" }
            #expect(finding?.level == .warning && finding?.message.contains("\(created.key) is missing") == true)
            let third = try SQLiteCardStore(path: path)
            #expect(third.createdSecretsKey?.replaced == created.key)
            try await third.close()
        }
    }

    @Test("What an older version left readable is encrypted when the store is opened, and nowhere readable after it")
    func olderVersion() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let pool = try DatabasePool(path: path)
            try Schema.migrator.migrate(pool)
            try await pool.write { database in
                try database.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
                try database.execute(
                    sql: """
                        INSERT INTO members (email, password_hash, created_at, code_secret, recovery_codes)
                            VALUES ('ann@example.com', 'scrypt$1', 1, ?, ?);
                        INSERT INTO webhooks (id, url, secret, types, created_at, position, failures, next_attempt_at)
                            VALUES (1, 'https://example.com', ?, '', 1, 0, 0, 0);
                        """,
                    arguments: [Data(Self.seed), Data(repeating: 7, count: 64), Self.hookSecret]
                )
            }
            try pool.close()
            #expect(try showsSecret(path))

            let lenient = try SQLiteCardStore(path: path, options: options(required: false))
            try await expectFilled(lenient)
            #expect(await lenient.finding("secrets")?.level == .warning)
            try await lenient.close()
            let store = try SQLiteCardStore(path: path)

            try await expectFilled(store)
            #expect(try await store.member("ann@example.com")?.recoveryCodes.map(\.count) == [32, 32])
            for file in [path, path + "-wal"] { #expect(try !showsSecret(file), "\(file)") }
            try await store.close()
        }
    }

    @Test("Without its key a store is refused, says where the key was looked for, and is not changed")
    func missingKey() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let first = try SQLiteCardStore(path: path)
            try await fill(first)
            try await first.close()
            let key = try Data(contentsOf: URL(fileURLWithPath: path + ".key"))
            try FileManager.default.removeItem(atPath: path + ".key")

            let error = #expect(throws: StoreError.self) { _ = try SQLiteCardStore(path: path) }
            #expect(error?.code == .locked)
            #expect(error?.message.contains("\(path).key is missing") == true)
            #expect(error?.message.contains("placard secrets reset") == true)
            #expect(!FileManager.default.fileExists(atPath: path + ".key"))
            let other = SecretsKeySource.keyring(SecretsKeyring([.random()]))
            await expectFailure(.locked) { try SQLiteCardStore(path: path, options: options(key: other)) }

            try key.write(to: URL(fileURLWithPath: path + ".key"))
            let again = try SQLiteCardStore(path: path)
            try await expectFilled(again)
            try await again.close()
        }
    }

    @Test("A store whose key is lost opens for the command line: the factor is there, fits nothing, and can be removed")
    func lostKey() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let first = try SQLiteCardStore(path: path)
            try await fill(first)
            try await first.saveWebhook(nil, after: nil, at: noon, by: command)
            try await first.close()
            try FileManager.default.removeItem(atPath: path + ".key")

            let store = try SQLiteCardStore(path: path, options: options(required: false))
            var member = try #require(try await store.member("ann@example.com"))
            let substitute = try #require(member.codeSecret)
            #expect(substitute.count >= 20 && substitute != Self.seed)
            #expect(try await store.member("ann@example.com")?.codeSecret != substitute)
            #expect(await store.finding("secrets")?.level == .bad)
            await expectFailure(.locked) {
                try await store.updateMember(member, action: "member.name", keeping: nil, at: noon, by: command)
            }
            member.codeSecret = nil
            try await store.updateMember(member, action: "member.factor-off", keeping: nil, at: noon, by: command)
            try await store.close()

            // Nothing is encrypted any more, so that a new key may take over.
            let server = try SQLiteCardStore(path: path)
            try await fill(server, into: "bob@example.com")
            #expect(try await server.member("bob@example.com")?.codeSecret == Self.seed)
            try await server.close()
        }
    }

    private func fill(_ store: SQLiteCardStore, into email: String) async throws {
        var member = TeamMember(email: email, role: .viewer, passwordHash: "scrypt$1", createdAt: noon)
        member.codeSecret = Self.seed
        try await store.insertMember(member, by: command)
    }

    @Test("The key is rotated while another process works; it goes on reading and writing")
    func rotates() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let file = SecretsKeyFile(path: path + ".key")
            let server = try SQLiteCardStore(path: path)
            try await fill(server)
            let old = try #require(try file.read()?.keys)

            let other = try SQLiteCardStore(path: path)
            let change = try await other.rotateSecretsKey(to: .new, forgettingOldKeys: false, at: noon, by: command)
            #expect(change.count == 2)
            #expect(try file.read()?.keys.count == 2)
            #expect(try file.read()?.keys.last == old.first)
            try await expectFilled(server)
            try await fill(server, into: "bob@example.com")
            try await other.close()

            let again = try SQLiteCardStore(path: path)
            let rotated = try await again.rotateSecretsKey(to: .new, forgettingOldKeys: true, at: noon, by: command)
            #expect(rotated.count == 3)
            let keys = try #require(try file.read()?.keys)
            #expect(keys.count == 1 && !old.contains(keys[0]))
            #expect(await again.finding("secrets")?.level == .good)
            try await expectFilled(again)
            #expect(try await server.member("bob@example.com")?.codeSecret == Self.seed)
            #expect(try await again.latestAuditEntries(limit: 1).map(\.action) == ["secrets.rotate"])
            try await again.close()
            try await server.close()
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains("partial") }.isEmpty
            )
        }
    }

    @Test("Keys that are kept elsewhere are rotated by naming the new one first")
    func rotatesKeyring() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let (old, new) = (SecretsKey.random(), SecretsKey.random())
            let first = try SQLiteCardStore(path: path, options: options(key: .keyring(SecretsKeyring([old]))))
            try await fill(first)
            try await first.close()
            let both = SecretsKeyring([new, old])
            let second = try SQLiteCardStore(path: path, options: options(key: .keyring(both)))
            #expect(await second.finding("secrets")?.level == .warning)
            let moved = try await second.rotateSecretsKey(to: .new, forgettingOldKeys: false, at: noon, by: command)
            #expect(moved.count == 2)
            try await second.close()
            let third = try SQLiteCardStore(path: path, options: options(key: .keyring(SecretsKeyring([new]))))
            try await expectFilled(third)
            try await third.close()
            #expect(!FileManager.default.fileExists(atPath: path + ".key"))
        }
    }

    @Test("Secrets whose key is lost are given up by name: factors are off, the webhook has another secret")
    func resets() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let first = try SQLiteCardStore(path: path)
            try await fill(first)
            try await first.insertSession(
                Session(hash: [1], email: "ann@example.com", formKey: [2], createdAt: noon, expiresAt: noon + 9)
            )
            try await first.close()
            try FileManager.default.removeItem(atPath: path + ".key")

            let store = try SQLiteCardStore(path: path, options: options(required: false))
            let change = try await store.resetSecrets(webhookSecret: "whsec_new", at: noon, by: command)
            try await store.close()

            #expect(change.members == ["ann@example.com"])
            #expect(change.webhookSecret == "whsec_new")
            let server = try SQLiteCardStore(path: path)
            #expect(try await server.member("ann@example.com")?.codeSecret == nil)
            #expect(try await server.session([1]) == nil)
            #expect(try await server.webhookState()?.webhook.secret == "whsec_new")
            let actions = try await server.latestAuditEntries(limit: 3).map(\.action)
            #expect(actions == ["secrets.reset", "webhook.rotate", "member.factor-off"])
            try await server.close()
        }
    }

    @Test("A secret that was moved to another row, or changed, is refused")
    func bound() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            try await fill(store)
            try await fill(store, into: "bob@example.com")
            try withDatabase(path) { database in
                try database.execute(
                    sql: """
                        UPDATE members SET sealed_code_secret =
                            (SELECT sealed_code_secret FROM members WHERE email = 'ann@example.com')
                        WHERE email = 'bob@example.com'
                        """
                )
            }
            await expectFailure(.corrupt) { try await store.member("bob@example.com") }
            try await expectFilled(store, only: "ann@example.com")
            try withDatabase(path) { try $0.execute(sql: "UPDATE webhooks SET sealed_secret = x'0102'") }
            await expectFailure(.corrupt) { try await store.webhookState() }
            try await store.close()
        }
    }

    private func expectFilled(_ store: SQLiteCardStore, only email: String) async throws {
        #expect(try await store.member(email)?.codeSecret == Self.seed)
    }

    @Test(
        "What is no key is refused",
        arguments: [
            "", "secret", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", String(repeating: "ab", count: 32),
            "q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZw==",
        ]
    )
    func badKeys(_ text: String) async throws {
        #expect(SecretsKey(text: text) == nil)
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: path + ".key"))
            await expectFailure(.locked) { try SQLiteCardStore(path: path) }
        }
    }

    @Test("A key is read in base 64 and in hexadecimal, between comments")
    func keyTexts() throws {
        let key = SecretsKey.random()
        let bytes = try #require(Data(base64Encoded: key.text))
        let digits = bytes.map { String(format: "%02x", $0) }.joined()
        #expect(SecretsKey(text: digits) == key)
        #expect(SecretsKey(text: " \(digits.uppercased())\n") == key)
        #expect(SecretsKeyring(text: "# ours\n\(key.text)\n\n \(SecretsKey.random().text) ,\(digits)")?.keys.count == 3)
        #expect(SecretsKeyring(text: "\(key.text)\nnonsense") == nil)
        #expect(!"\(key) \(SecretsKeyring([key]))".contains(key.text))
    }
}
