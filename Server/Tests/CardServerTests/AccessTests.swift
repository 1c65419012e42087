import CardModel
import Testing
import WireJSON

@testable import CardServer

@Suite("Keys")
struct AccessTests {
    @Test("A request without a key, or with one that is not known, is refused")
    func unknown() async throws {
        try await Workspace.run { workspace in
            let body = #"{"user_id":"a","device_id":"d"}"#
            let missing = try await workspace.send(.post, "/v1/sync", raw: body, key: nil)
            #expect(missing.status == 401)
            #expect(missing.code == "key_missing")
            #expect(missing.headers[.wwwAuthenticate] == "Bearer")
            for key in ["", "pk_nonsense", workspace.publishable + "x"] {
                let answer = try await workspace.send(.post, "/v1/sync", raw: body, key: key)
                #expect(answer.status == 401)
                #expect(answer.code == "key_invalid")
            }
        }
    }

    @Test("An app's key may not manage, and a backend's key may not act as a device")
    func permissions() async throws {
        try await Workspace.run { workspace in
            let manage = try await workspace.send(.get, "/v1/campaigns", raw: nil, key: workspace.publishable)
            #expect(manage.status == 403)
            #expect(manage.code == "permission_denied")
            let body = #"{"user_id":"a","device_id":"d"}"#
            let device = try await workspace.send(.post, "/v1/sync", raw: body, key: workspace.secret)
            #expect(device.status == 403)
            #expect(device.code == "permission_denied")
        }
    }

    @Test("The secret of a key has 256 bits of chance")
    func chance() {
        let secrets = (0..<200).map { _ in
            KeySecret(name: "a", kind: .secret, permissions: [.read], createdAt: 0).text.dropFirst("sk_".count)
        }
        #expect(Set(secrets).count == secrets.count)
        #expect(secrets.allSatisfy { $0.utf8.count == 43 })
        // 43 of 62 letters and digits are 256 bits where each is as likely as the others, at every place.
        let letters = Set(secrets.joined().utf8)
        #expect(letters.count == 62)
        for place in 0..<43 {
            let found = Set(secrets.map { Array($0.utf8)[place] })
            #expect(found.count > 40, "\(place)")
        }
    }

    @Test("A new key works at once, shows its secret once, and stops working when it is revoked")
    func lifeOfAKey() async throws {
        try await Workspace.run { workspace in
            let made = try await workspace.manage(.post, "/v1/keys", ["name": "app", "kind": "publishable"])
            #expect(made.status == 201)
            let secret = try #require(made.json["secret"]?.string)
            let id = try #require(made.json["id"]?.string)
            let body = #"{"user_id":"a","device_id":"d"}"#
            #expect(try await workspace.send(.post, "/v1/sync", raw: body, key: secret).status == 200)

            let listed = try await workspace.manage(.get, "/v1/keys")
            #expect(!listed.text.contains(secret))
            #expect(listed.json["keys"]?.array?.count == 3)

            #expect(try await workspace.manage(.delete, "/v1/keys/\(id)").status == 204)
            #expect(try await workspace.send(.post, "/v1/sync", raw: body, key: secret).code == "key_invalid")
            #expect(try await workspace.manage(.delete, "/v1/keys/\(id)").status == 404)
        }
    }

    @Test("Who changed what is in the audit log")
    func audit() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("welcome")
            let entries = try await workspace.manage(.get, "/v1/audit").json["entries"]?.array ?? []
            #expect(entries.prefix(2).map { $0["action"] } == ["campaign.launch", "campaign.create"])
            #expect(entries.first?["subject"] == "welcome")
            #expect(entries.first?["actor"]?.string?.hasPrefix("key_") == true)
        }
    }
}
