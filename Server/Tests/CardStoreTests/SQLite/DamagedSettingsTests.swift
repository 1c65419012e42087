import CardModel
import CardStore
import CardStoreConformance
import GRDB
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: damaged settings")
struct DamagedSettingsTests {
    private func damage(_ store: SQLiteCardStore, _ settings: String) async throws {
        try await store.writer.write { session in
            try session.database.execute(sql: "UPDATE store SET settings = ?", arguments: [settings])
        }
    }

    @Test(
        "A damaged value of who gets in is no default, and saving settings repairs it",
        arguments: [
            #"{"user_tokens": "requried"}"#, #"{"user_tokens": 1}"#, #"{"public_keys": {}}"#, #"{"jwks_url": 1}"#,
            #"{"token_issuer": []}"#, #"{"token_audience": 1}"#, #"{"token_max_lifetime_seconds": "60"}"#,
            #"{"require_two_factor": "on"}"#, #"{"mask_personal_data": 1}"#, "[]", "",
        ]
    )
    func access(_ text: String) async throws {
        try await withFolder { folder in
            let store = try SQLiteCardStore(path: folder + "/placard.sqlite")
            try await damage(store, text)
            await #expect(throws: StoreError.self) { try await store.settings() }
            let source = try await store.loadCatalog()
            #expect(source.unreadable == [UnreadableRow(.settings, id: "")])
            #expect(source.settings.userTokens == .required && source.settings.masksPersonalData)
            #expect(source.settings.requiresTwoFactor && source.settings.launchApproval == .everyone)
            // The keys, by which an operator repairs them, can be read.
            #expect(try await store.apiKeys().isEmpty)
            var settings = Settings()
            settings.masksPersonalData = true
            try await store.saveSettings(settings, at: noon, by: command)
            #expect(try await store.settings() == settings)
            #expect(try await store.loadCatalog().settings == settings)
            try await store.close()
        }
    }

    @Test("What is absent has its default")
    func absent() async throws {
        try await withFolder { folder in
            let store = try SQLiteCardStore(path: folder + "/placard.sqlite")
            try await damage(store, #"{"jwks_url": null}"#)
            #expect(try await store.settings() == Settings())
            try await store.close()
        }
    }
}
