import Testing
import WireJSON

@testable import CardServer

@Suite("Content blocks that others include")
struct ContentBlockTests {
    /// A block that includes another one, and a campaign of that id that includes the first.
    private static func prepare(_ space: Workspace, campaign: String) async throws {
        for (name, content) in [("inner", "A"), ("outer", "B{{content_blocks.${inner}}}")] {
            let saved = try await space.manage(.put, "/v1/content-blocks/\(name)", ["content": .string(content)])
            try #require(saved.status == 200)
        }
        let card: JSONValue = ["type": "classic", "title": "{{content_blocks.${outer}}}", "description": "D"]
        let created = try await space.manage(
            .post,
            "/v1/campaigns",
            ["id": .string(campaign), "name": "Spring", "variants": [["card": card]]]
        )
        try #require(created.status == 201)
    }

    @Test("can't be deleted but by force, and what includes them is named")
    func inUse() async throws {
        try await Workspace.run { space in
            try await Self.prepare(space, campaign: "c")
            let inner = try await space.manage(.delete, "/v1/content-blocks/inner")
            #expect(inner.status == 409 && inner.code == "content_block_in_use")
            #expect(
                inner.json["error"]?["used_by"] == [["type": "content_block", "id": "outer", "name": "outer"]]
            )
            let outer = try await space.manage(.delete, "/v1/content-blocks/outer")
            #expect(outer.status == 409)
            #expect(outer.json["error"]?["used_by"] == [["type": "campaign", "id": "c", "name": "Spring"]])
            #expect(try await space.manage(.post, "/v1/campaigns/c/archive").status == 200)
            #expect(try await space.manage(.delete, "/v1/content-blocks/outer").status == 409)
            #expect(try await space.manage(.delete, "/v1/content-blocks/outer?force=maybe").status == 400)
            #expect(try await space.manage(.delete, "/v1/content-blocks/outer?force=true").status == 204)
            #expect(try await space.manage(.delete, "/v1/content-blocks/inner").status == 204)
            #expect(try await space.manage(.delete, "/v1/content-blocks/inner").status == 404)
        }
    }

    @Test("can't be made to contain themselves, whatever active campaigns show of them")
    func loops() async throws {
        try await Workspace.run { space in
            try await Self.prepare(space, campaign: "c")
            #expect(try await space.manage(.post, "/v1/campaigns/c/launch").status == 200)
            let refused = try await space.manage(
                .put,
                "/v1/content-blocks/inner",
                ["content": "A{{content_blocks.${outer}}}"]
            )
            #expect(refused.code == "template_invalid" && refused.path == "content")
            #expect(refused.json["error"]?["reason"] == "cyclic_template")
            let itself = try await space.manage(
                .put,
                "/v1/content-blocks/inner",
                ["content": "{{content_blocks.${inner}}}"]
            )
            #expect(itself.json["error"]?["reason"] == "cyclic_template")
            #expect(try await space.sync("u").cards.map { $0["title"] } == ["BA"])
        }
    }

    @Test("and are missing keep a campaign from being launched, which its checks say")
    func missing() async throws {
        try await Workspace.run { space in
            try await Self.prepare(space, campaign: "c")
            #expect(try await space.manage(.get, "/v1/campaigns/c/checks").json["launchable"] == true)
            #expect(try await space.manage(.delete, "/v1/content-blocks/inner?force=true").status == 204)
            let checks = try await space.manage(.get, "/v1/campaigns/c/checks").json
            #expect(checks["launchable"] == false)
            #expect(checks["checks"]?.array?.first?["path"] == "variants[0].card.title")
            let message = "The content block 'outer' includes 'inner', which doesn't exist."
            #expect(checks["checks"]?.array?.first?["message"] == .string(message))
            for body in [[:], ["force": true]] as [JSONValue] {
                let refused = try await space.manage(.post, "/v1/campaigns/c/launch", body)
                #expect(refused.code == "template_invalid")
                #expect(refused.json["error"]?["reason"] == "missing_content_block")
            }
        }
    }
}
