import CardModel
import Testing
import WireJSON

@testable import Dashboard

@Suite("Editing keys on the dashboard")
struct KeyEditTests {
    private func makeKey(_ place: Workplace, _ admin: Visitor) async throws -> APIKey {
        let form = ["name": "Backend", "kind": "secret", "permission": "read", "addresses": "10.0.0.0/8"]
        #expect(try await admin.post("/dashboard/keys", from: "/dashboard/keys", form).status == 201)
        return try #require(try await place.store.apiKeys().last)
    }

    @Test("An admin edits name, permissions, addresses and expiry, and the audit log shows before and after")
    func edits() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            let key = try await makeKey(place, anna)
            let path = "/dashboard/keys/\(key.id)"
            #expect(try await anna.get("/dashboard/keys").text.contains("href=\"\(path)\""))
            let page = try await anna.get(path)
            #expect(page.status == 200)
            #expect(page.text.contains("name=\"addresses\" value=\"10.0.0.0/8\""))
            #expect(page.text.contains("value=\"read\" checked"))
            #expect(!page.text.contains("value=\"users\" checked"))
            let form = ["name": "Server <b>", "permission": "users", "addresses": "", "lifetime": "30"]
            #expect(try await anna.post(path, from: path, form).location == "/dashboard/keys?done=key-saved")
            let edited = try #require(try await place.store.apiKeys().last)
            #expect(edited.name == "Server <b>" && edited.permissions == [.users])
            #expect(edited.allowedAddresses.isEmpty && edited.hash == key.hash)
            #expect(edited.expiresAt == place.time.now + 30 * 86_400)
            let log = try await anna.get("/dashboard/audit").text
            #expect(log.contains("Name: &quot;Backend&quot; → &quot;Server &lt;b&gt;&quot;"))
            #expect(log.contains("edited the key"))

            // Without another choice, the end stays.
            let choice = try await anna.get(path).text
            #expect(choice.firstMatch(of: /as now: [^<]+ \(UTC\)</) != nil)
            let same = ["name": "Server", "permission": "users", "lifetime": ""]
            #expect(try await anna.post(path, from: path, same).status == 303)
            #expect(try await place.store.apiKeys().last?.expiresAt == edited.expiresAt)
            let forever = ["name": "Server", "permission": "users", "lifetime": "never"]
            #expect(try await anna.post(path, from: path, forever).status == 303)
            #expect(try await place.store.apiKeys().last?.expiresAt == nil)
        }
    }

    @Test("A new secret key has no permission before one is chosen, and a form without one comes back as it was")
    func noneChosen() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            let page = try await anna.get("/dashboard/keys").text
            #expect(page.contains("name=\"permission\"") && !page.contains(/name="permission"[^>]*checked/))
            let form = ["name": "Backend", "kind": "secret", "addresses": "10.0.0.0/8"]
            let refused = try await anna.post("/dashboard/keys", from: "/dashboard/keys", form)
            #expect(refused.status == 400 && refused.text.contains("Choose at least one permission."))
            #expect(refused.text.contains("value=\"secret\" checked") && refused.text.contains("value=\"10.0.0.0/8\""))
            #expect(try await place.store.apiKeys().isEmpty)
        }
    }

    @Test("The page of a revoked key says so, and nothing of rotating it")
    func revoked() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            let key = try await makeKey(place, anna)
            let path = "/dashboard/keys/\(key.id)"
            let before = try await anna.get(path).text
            #expect(before.contains("rotate the key") && before.contains("<a href=\"/dashboard/keys\">Keys</a>"))
            _ = try await anna.post("\(path)/revoke", from: "/dashboard/keys")
            let after = try await anna.get(path).text
            #expect(after.contains("This key was revoked.") && !after.contains("rotate the key"))
        }
    }

    @Test("The list names the addresses of the keys that have some")
    func addresses() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            _ = try await makeKey(place, anna)
            let app = ["name": "App", "kind": "publishable"]
            #expect(try await anna.post("/dashboard/keys", from: "/dashboard/keys", app).status == 201)
            let list = try await anna.get("/dashboard/keys").text
            #expect(list.contains(">from 10.0.0.0/8<") && list.ranges(of: ">from ").count == 1)
        }
    }

    @Test("A form that is wrong comes back with what was written, and an unknown key is not found")
    func wrong() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            let key = try await makeKey(place, anna)
            let path = "/dashboard/keys/\(key.id)"
            let form = ["name": "New name", "permission": "users", "addresses": "10.0.0.0/99"]
            let page = try await anna.post(path, from: path, form)
            #expect(page.status == 400)
            #expect(page.text.contains("value=\"New name\"") && page.text.contains("10.0.0.0/99"))
            #expect(page.text.contains("value=\"users\" checked"))
            #expect(try await place.store.apiKeys().last == key)
            #expect(try await anna.get("/dashboard/keys/key_none").status == 404)
            #expect(try await anna.post("/dashboard/keys/\(key.id)/revoke", from: "/dashboard/keys").status == 303)
            #expect(try await anna.get(path).text.contains("<button class=\"primary\">Save") == false)
            #expect(try await anna.post(path, from: "/dashboard/keys", ["name": "x"]).status == 404)
        }
    }

    @Test("What others changed of a key since its page was opened stays, unless the form changes it too")
    func others() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            let key = try await makeKey(place, anna)
            let path = "/dashboard/keys/\(key.id)"
            let shown = FormReader.fields(of: try await anna.get(path).text, to: path)
            let less: JSONValue = ["permissions": ["campaigns"], "allowed_addresses": ["192.0.2.0/24"]]
            let edit = try KeyEdit(json: less, of: key, at: place.time.now)
            let theirs = try await place.store.editKey(key.id, edit, at: place.time.now, by: .command)
            #expect(theirs?.permissions == [.campaigns])

            #expect(try await anna.post(path, shown).status == 303)
            #expect(try await place.store.apiKeys().last == theirs)
            let token = try await anna.get(path).token ?? ""
            let renamed = shown.merging(["name": "Shop", "csrf": token]) { $1 }
            #expect(try await anna.post(path, renamed).status == 303)
            let named = try #require(try await place.store.apiKeys().last)
            #expect(named.name == "Shop" && named.permissions == [.campaigns])
            #expect(named.allowedAddresses == theirs?.allowedAddresses)

            let opened = renamed.merging(["addresses": "", "csrf": try await anna.get(path).token ?? ""]) { $1 }
            let answer = try await anna.post(path, opened)
            #expect(answer.status == 409 && answer.text.contains("<li>Allowed addresses</li>"))
            #expect(!answer.text.contains("<li>Permissions</li>"))
            #expect(try await place.store.apiKeys().last == named)
            let again = FormReader.fields(of: answer.text, to: path)
            #expect(again["addresses"] == "" && again["permission"] == "campaigns")
            #expect(try await anna.post(path, again).status == 303)
            let kept = try #require(try await place.store.apiKeys().last)
            #expect(kept.allowedAddresses.isEmpty && kept.permissions == [.campaigns])
        }
    }

    @Test("Only an admin who confirmed lately edits a key; others see it")
    func roles() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            let key = try await makeKey(place, anna)
            let path = "/dashboard/keys/\(key.id)"
            let kim = try await place.member(.editor)
            let page = try await kim.get(path)
            #expect(page.status == 200 && page.text.contains(" disabled"))
            #expect(!page.text.contains("<button class=\"primary\">Save"))
            #expect(try await kim.post(path, from: path, ["name": "x"]).status == 403)
            place.time.advance(by: 601)
            #expect(try await anna.post(path, from: path, ["name": "x"]).status == 401)
            #expect(try await place.store.apiKeys().last?.name == "Backend")
        }
    }
}
