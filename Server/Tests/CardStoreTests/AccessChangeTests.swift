import CardModel
import CardStore
import CardStoreConformance
import Testing
import WireJSON

@Suite("What changes of settings and keys write")
struct AccessChangeTests {
    // MARK: Settings

    @Test("Settings that are the same write nothing, also where a row leaves out what is as it is by default")
    func sameSettings() {
        var settings = Settings()
        #expect(SettingsChange(of: settings.stored.text, to: settings) == nil)
        #expect(SettingsChange(of: "{}", to: settings) == nil)
        settings.cardLimit = 7
        #expect(SettingsChange(of: #"{"card_limit":7}"#, to: settings) == nil)
    }

    @Test("Other settings are written whole, and the audit log gets what is different")
    func otherSettings() throws {
        var settings = Settings()
        settings.cardLimit = 7
        let change = try #require(SettingsChange(of: "{}", to: settings))
        #expect(change.text == settings.stored.text)
        #expect(change.details["changes"] == settings.changes(from: Settings()))
    }

    @Test("Settings that can't be read are replaced, as if they had been the default ones")
    func damagedSettings() throws {
        for text in ["", "[]", #"{"user_tokens":"other"}"#] {
            let change = try #require(SettingsChange(of: text, to: Settings()), "\(text)")
            #expect(change.text == Settings().stored.text && change.details["changes"] == .array([]))
        }
    }

    @Test("Settings that were made from others than the stored ones are refused")
    func conflict() throws {
        var other = Settings()
        try Settings().check(other)
        other.cardLimit = 7
        let error = #expect(throws: StoreError.self) { try Settings().check(other) }
        #expect(error?.code == .conflict)
    }

    @Test("Keys that were fetched are taken where the settings name their address, and where they are others")
    func keySets() throws {
        func set(_ id: String) throws -> JSONWebKeySet {
            let key: JSONValue = [
                "kty": "EC", "crv": "P-256", "kid": .string(id), "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
            ]
            return try JSONWebKeySet(json: ["keys": [key]], at: "jwks")
        }
        let (one, two) = (try set("1"), try set("2"))
        var settings = Settings()
        #expect(settings.taking(one, of: "https://a.example/jwks") == nil)
        settings.keySetURL = "https://a.example/jwks"
        settings.keySet = one
        #expect(settings.taking(one, of: "https://a.example/jwks") == nil)
        #expect(settings.taking(two, of: "https://b.example/jwks") == nil)
        let taken = settings.taking(two, of: "https://a.example/jwks")
        settings.keySet = two
        #expect(taken == settings)
    }

    // MARK: Keys

    private var key: APIKey {
        APIKey(
            id: "key_a",
            name: "Backend",
            kind: .secret,
            permissions: [.read],
            hash: [1],
            hint: "wxyz",
            createdAt: noon
        )
    }

    @Test("An edit of a key says what is different; one that leaves everything as it is writes nothing")
    func keyEdits() throws {
        let keeping = try KeyEdit(json: ["name": "Backend"], of: key, at: noon)
        let same = try #require(KeyChange(of: key, by: keeping))
        #expect(same.isEmpty && same.key == key)
        let renaming = try KeyEdit(json: ["name": "Other"], of: key, at: noon)
        let renamed = try #require(KeyChange(of: key, by: renaming))
        #expect(!renamed.isEmpty && renamed.key.name == "Other")
        #expect(renamed.details["changes"] == .array(renamed.key.changes(from: key)))
    }

    @Test("A key that was revoked stays as it is")
    func revokedKeys() throws {
        var revoked = key
        revoked.revokedAt = noon
        #expect(try KeyChange(of: revoked, by: KeyEdit(json: ["name": "Other"], of: revoked, at: noon)) == nil)
    }
}
