import CardModel
import Testing
import WireJSON

@Suite("Requests for keys")
struct KeyRequestTests {
    private let now = 1_800_000_000.0

    private func new(_ members: JSONObject) throws(ModelError) -> NewKey {
        try NewKey(json: .object(members), at: now)
    }

    /// The place of what is wrong in a request for a new key, or `nil`.
    private func wrong(_ members: JSONObject) -> String? {
        do throws(ModelError) {
            _ = try new(members)
            return nil
        } catch {
            return error.path
        }
    }

    /// The place of what is wrong in a request to edit a key, or `nil`.
    private func wrong(_ json: JSONValue, of key: APIKey) -> String? {
        do throws(ModelError) {
            _ = try KeyEdit(json: json, of: key, at: now)
            return nil
        } catch {
            return error.path
        }
    }

    private func key(_ kind: APIKey.KeyKind) -> APIKey {
        APIKey(id: "key_1", name: "One", kind: kind, permissions: [], hash: [], hint: "abcd", createdAt: now - 100)
    }

    @Test func `A key has what its kind can have unless it names its permissions`() throws {
        #expect(try new(["name": "k", "kind": "secret"]).permissions == [.manage])
        #expect(try new(["name": "k", "kind": "publishable"]).permissions == [.device])
        #expect(try new(["name": "k", "kind": "secret", "permissions": ["read", "read"]]).permissions == [.read])
        let all = Permission.allCases.map { JSONValue.string($0.rawValue) }
        let most = try new(["name": "k", "kind": "secret", "permissions": .array(all)])
        #expect(most.permissions == Set(Permission.allCases))
    }

    @Test(
        arguments: [
            (["kind": "secret"], "name"), (["name": "", "kind": "secret"], "name"),
            (["name": "a\nb", "kind": "secret"], "name"), (["name": 7, "kind": "secret"], "name"),
            (["name": "k"], "kind"),
            (["name": "k", "kind": "Secret"], "kind"),
            (["name": "k", "kind": "secret", "permissions": []], "permissions"),
            (["name": "k", "kind": "secret", "permissions": ["everything"]], "permissions"),
            (["name": "k", "kind": "secret", "permissions": "read"], "permissions"),
            (["name": "k", "kind": "secret", "permissions": [1]], "permissions[0]"),
            (["name": "k", "kind": "publishable", "permissions": []], "permissions"),
            (["name": "k", "kind": "publishable", "permissions": ["device", "read"]], "permissions"),
            (["name": "k", "kind": "secret", "expires_at": 1_800_000_000], "expires_at"),
            (["name": "k", "kind": "secret", "expires_at": "soon"], "expires_at"),
            (["name": "k", "kind": "secret", "allowed_addresses": ["10.0.0.0/33"]], "allowed_addresses[0]"),
            (["name": "k", "kind": "secret", "allowed_addresses": ["::1", "x"]], "allowed_addresses[1]"),
            (["name": "k", "kind": "publishable", "allowed_addresses": ["::1"]], "allowed_addresses"),
            (["name": "k", "kind": "secret", "secret": "s"], "secret"),
        ] as [(JSONObject, String)]
    )
    func `What no key can have is named`(members: JSONObject, place: String) {
        #expect(wrong(members) == place)
    }

    @Test func `Names, permissions and addresses are taken up to their limits, and each address once`() throws {
        let longest = String(repeating: "\u{E9}", count: 127) + "x"
        #expect(try new(["name": .string(longest), "kind": "secret"]).name == longest)
        #expect(wrong(["name": .string(longest + "x"), "kind": "secret"]) == "name")
        let addresses = (0..<APIKey.maximumAddresses).map { JSONValue.string("10.0.0.\($0)") }
        var members: JSONObject = ["name": "k", "kind": "secret", "allowed_addresses": .array(addresses)]
        #expect(try new(members).allowedAddresses.count == APIKey.maximumAddresses)
        members["allowed_addresses"] = .array(addresses + ["10.1.0.0"])
        #expect(wrong(members) == "allowed_addresses")
        members["allowed_addresses"] = ["10.1.2.3/8", "10.0.0.0/8", "::ffff:10.0.0.1", "10.0.0.1"]
        #expect(try new(members).allowedAddresses.map(\.description) == ["10.0.0.0/8", "10.0.0.1"])
        #expect(try new(["name": "k", "kind": "secret", "expires_at": .number(now + 1)]).expiresAt == now + 1)
    }

    @Test func `An edit leaves what it doesn't name, and never is not the same as nothing`() throws {
        var key = key(.secret)
        key.permissions = [.read, .report]
        key.expiresAt = now + 50
        key.allowedAddresses = [try #require(AddressRange("10.0.0.0/8"))]
        func edited(_ members: JSONObject) throws -> APIKey {
            key.applying(try KeyEdit(json: .object(members), of: key, at: now))
        }
        #expect(try edited([:]) == key)
        let named = try edited(["name": "Two"])
        #expect(named.name == "Two" && named.changes(from: key).count == 1)
        #expect(try edited(["expires_at": .null]).expiresAt == nil)
        #expect(try edited(["expires_at": .number(now + 9)]).expiresAt == now + 9)
        #expect(try edited(["allowed_addresses": .null]).allowedAddresses.isEmpty)
        #expect(try edited(["allowed_addresses": []]).allowedAddresses.isEmpty)
        #expect(try edited(["permissions": ["report", "read"]]).changes(from: key).isEmpty)
        // What doesn't change isn't listed, and what does has both values.
        let changes = try edited(["name": "Two", "permissions": ["read"]]).changes(from: key)
        #expect(changes.map { $0["field"]?.string } == ["name", "permissions"])
        #expect(changes.last?["previous"] == ["read", "report"] && changes.last?["current"] == ["read"])
    }

    @Test func `An edit may keep a time that is over, and set no other that is`() throws {
        var key = key(.secret)
        key.expiresAt = now - 10
        let same = try KeyEdit(json: ["expires_at": .number(now - 10), "name": "n"], of: key, at: now)
        #expect(key.applying(same).expiresAt == now - 10)
        for time in [now - 11, now - 9, now] {
            let json: JSONValue = ["expires_at": .number(time)]
            #expect(wrong(json, of: key) == "expires_at")
        }
        for (json, place) in [
            (["kind": "secret"], "kind"), (["name": .null], "name"), (["permissions": .null], "permissions"),
            (["permissions": []], "permissions"), (["expires_at": "x"], "expires_at"), ([], ""),
        ] as [(JSONValue, String)] {
            #expect(wrong(json, of: key) == place)
        }
        let app = self.key(.publishable)
        let json: JSONValue = ["permissions": ["read"]]
        #expect(wrong(json, of: app) == "permissions")
    }

    @Test func `A key is shown without its hashes`() {
        var key = key(.secret)
        key.hash = [0xDE, 0xAD, 0xBE, 0xEF]
        key.previousSecret = APIKey.PreviousSecret(hash: [0xCA, 0xFE], expiresAt: now + 5)
        let text = key.json.text
        #expect(!text.contains("hash") && !text.lowercased().contains("dead") && !text.contains("222,173"))
        #expect(key.json["previous_secret_expires_at"] == .number(now + 5) && key.json["hint"] == "abcd")
    }
}
