import CardModel
import Testing
import WireJSON

@Suite("HTTP: help for authors")
struct AuthoringTests {
    @Test("A campaign that is not kept is looked at as a whole, templates with line and column")
    func check() async throws {
        try await Workspace.run { workspace in
            func check(_ card: JSONValue, _ more: (String, JSONValue)...) async throws -> JSONValue {
                var body = JSONValue.object(["name": "c", "variants": [["card": card]]]).object ?? [:]
                for (name, value) in more { body[name] = value }
                return try await workspace.manage(.post, "/v1/checks", .object(body)).json
            }
            let good = try await check(["type": "classic", "title": "t", "description": "d"])
            #expect(good == ["valid": true, "launchable": true, "checks": []])

            // The title is missing, and the templates are looked at all the same.
            let broken = try await check([
                "type": "classic", "description": "One\n日本 {{ x | nope }}",
                "translations": ["ja": ["extras": ["k": "{% nope %}"]]],
            ])
            #expect(broken["valid"] == false)
            let found = broken["checks"]?.array ?? []
            #expect(
                found.compactMap { $0["path"]?.string } == [
                    "variants[0].card.description", "variants[0].card.translations.ja.extras.k",
                    "variants[0].card.title",
                ]
            )
            #expect(found.first?["line"] == 2)
            #expect(found.first?["column"]?.integer ?? 0 > 3)
            #expect(found.last?["code"] == "field_missing")

            let card: JSONValue = [
                "type": "classic", "title": "t", "description": "d", "image": "https://x.example/i.png",
            ]
            let over = try await check(card, ("delivery", ["end_at": 1]))
            #expect(over["valid"] == true)
            #expect(over["launchable"] == false)
            #expect(over["checks"]?.array?.compactMap { $0["severity"]?.string } == ["error", "warning"])
            let segment = try await check(card, ("audience", ["all": [["segment": "none"]]]))
            #expect(segment["valid"] == false)
            #expect(segment["checks"]?.array?.first?["code"] == "segment_unknown")
            #expect(try await workspace.manage(.get, "/v1/campaigns").json["campaigns"] == [])
        }
    }

    @Test("A text that is blank for some users is warned of, in every language, and launches")
    func missingDefault() async throws {
        try await Workspace.run { workspace in
            let card: JSONValue = [
                "type": "classic", "title": "Hi {{${first_name}}}", "description": "{{${user_id}}}",
                "translations": ["ja": ["title": "{{${first_name} | default: 'お客様'}}"]],
            ]
            let body: JSONValue = ["name": "c", "variants": [["card": card]]]
            let found = try await workspace.manage(.post, "/v1/checks", body).json
            #expect(found["launchable"] == true)
            let checks = found["checks"]?.array ?? []
            #expect(checks.map { $0["code"] } == ["default_missing"])
            #expect(checks.first?["path"] == "variants[0].card.title" && checks.first?["severity"] == "warning")
        }
    }

    @Test("Nothing is created under a name that is taken out of an address", arguments: [".", ".."])
    func reservedNames(name: String) async throws {
        try await Workspace.run { workspace in
            let card: JSONValue = ["type": "classic", "title": "t", "description": "d"]
            let campaign: JSONValue = ["id": .string(name), "name": "n", "variants": [["card": card]]]
            let segment: JSONValue = ["id": .string(name), "name": "n", "audience": [:]]
            for (path, body) in [("/v1/campaigns", campaign), ("/v1/segments", segment)] {
                let refused = try await workspace.manage(.post, path, body)
                #expect(refused.status == 400 && refused.code == "field_invalid" && refused.path == "id")
            }
        }
    }

    @Test("A card that is too large since the limit was lowered isn't launched, which its checks say")
    func lowerSizeLimit() async throws {
        try await Workspace.run { workspace in
            let text = JSONValue.string(String(repeating: "a", count: 1_000))
            let card: JSONValue = ["type": "classic", "title": "t", "description": text]
            let campaign: JSONValue = ["id": "c", "name": "c", "variants": [["card": card]]]
            #expect(try await workspace.manage(.post, "/v1/campaigns", campaign).status == 201)
            #expect(try await workspace.manage(.get, "/v1/campaigns/c/checks").json["launchable"] == true)
            var settings = try #require(try await workspace.manage(.get, "/v1/settings").json.object)
            settings["card_size_limit"] = 256
            #expect(try await workspace.manage(.put, "/v1/settings", .object(settings)).status == 200)
            let checks = try await workspace.manage(.get, "/v1/campaigns/c/checks").json
            #expect(checks["launchable"] == false)
            #expect(checks["checks"]?.array?.first?["code"] == "card_too_large")
            #expect(checks["checks"]?.array?.first?["path"] == "variants[0].card")
            let refused = try await workspace.manage(.post, "/v1/campaigns/c/launch", ["force": true])
            #expect(refused.status == 400 && refused.code == "card_too_large")
        }
    }

    @Test("Names are offered that users, events, content blocks and other templates have")
    func names() async throws {
        try await Workspace.run { workspace in
            _ = try await workspace.manage(.patch, "/v1/users/ann", ["custom_attributes": ["plan": "gold"]])
            _ = try await workspace.manage(
                .put,
                "/v1/content-blocks/footer",
                ["content": "Bye", "description": "The end"]
            )
            let card: JSONValue = [
                "type": "classic", "title": "{{api_trigger_properties.${tile_id}}}", "description": "d",
            ]
            _ = try await workspace.manage(.post, "/v1/campaigns", ["name": "c", "variants": [["card": card]]])
            let names = try await workspace.manage(.get, "/v1/templates/names").json
            #expect(names["custom_attributes"] == ["plan"])
            #expect(names["trigger_properties"] == ["tile_id"])
            #expect(names["content_blocks"] == [["name": "footer", "description": "The end"]])
            #expect(names["attributes"]?.array?.contains("first_name") == true)
            #expect(names["filters"]?.array?.contains("md5") == true)
            #expect(names["tags"]?.array?.contains("abort_message") == true)
            #expect(names["tags"]?.array?.contains("connected_content") == false)
        }
    }

    @Test("Every tag that is offered is one")
    func tags() {
        let engine = TemplateEngine()
        for tag in engine.tagNames {
            let problems = engine.problems(in: "{% \(tag) %}", at: "x")
            #expect(!problems.contains { $0.code == "unknown_tag" }, "\(tag)")
        }
    }
}
