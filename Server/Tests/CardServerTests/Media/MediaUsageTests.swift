import Foundation
import Testing
import WireJSON

@testable import CardServer

/// Which pictures are in use, by what people see and by what they may bring back.
struct MediaUsageTests {
    private static func card(_ image: String) -> JSONValue {
        ["type": "captioned_image", "title": "a", "description": "b", "image": .string(image)]
    }

    private static func withAddress(_ options: inout PlacardServer.Options) {
        options.publicURL = "https://cards.example.com"
    }

    private static func picture(_ space: Workspace) async throws -> (id: String, url: String) {
        let json = try await space.upload(Picture.alphaPNG).json
        return (try #require(json["id"]?.string), try #require(json["url"]?.string))
    }

    @Test func `A picture of frozen cards is in use after the campaign has another one`() async throws {
        try await Workspace.run(change: Self.withAddress) { space in
            let picture = try await Self.picture(space)
            try await space.launch("sale", card: Self.card(picture.url), rules: ["freeze": true])
            let given = try await space.sync("anna").cards.first?["image"]?.string
            #expect(given == picture.url)
            let present = try await space.manage(.get, "/v1/media/\(picture.id)").json["used_by"]?.array?.first
            #expect(present?["version"] == nil)

            let edited = try await space.edit("sale", card: Self.card("https://example.com/new.png"))
            #expect(edited.status == 200)

            #expect(try await space.sync("anna").cards.first?["image"]?.string == picture.url)
            let uses = try await space.manage(.get, "/v1/media/\(picture.id)").json["used_by"]?.array
            #expect(uses?.count == 1)
            #expect(uses?.first?["id"]?.string == "sale")
            #expect(uses?.first?["version"]?.integer == 1)
            let listed = try await space.manage(.get, "/v1/media").json["media"]?.array?.first?["used_by"]
            #expect(listed?.array == uses)
            let refused = try await space.manage(.delete, "/v1/media/\(picture.id)")
            #expect(refused.code == "media_in_use")
            #expect(refused.text.contains("sale (version 1)"))
            #expect(try await space.manage(.delete, "/v1/media/\(picture.id)?force=true").status == 204)
        }
    }

    @Test func `A picture that a draft had before it was launched is unused`() async throws {
        try await Workspace.run(change: Self.withAddress) { space in
            let picture = try await Self.picture(space)
            try await space.create("sale", card: Self.card(picture.url))
            #expect(try await space.edit("sale", card: Self.card("https://example.com/new.png")).status == 200)
            #expect(try await space.manage(.post, "/v1/campaigns/sale/launch").status == 200)
            #expect(try await space.manage(.get, "/v1/media/\(picture.id)").json["used_by"]?.array?.isEmpty == true)
            #expect(try await space.manage(.delete, "/v1/media/\(picture.id)").status == 204)
        }
    }

    @Test func `A picture that only an edit shows which waits for approval is in use`() async throws {
        try await Workspace.run(change: Self.withAddress) { space in
            let picture = try await Self.picture(space)
            try await space.launch("sale", card: Self.card("https://example.com/old.png"))
            #expect(try await space.manage(.patch, "/v1/settings", ["launch_approval": "everyone"]).status == 200)
            let content: JSONValue = ["name": "Sale", "variants": [["id": "a", "card": Self.card(picture.url)]]]
            let asked = try await space.manage(.post, "/v1/campaigns/sale/approvals", ["content": content])
            #expect(asked.status == 201)
            let uses = try await space.manage(.get, "/v1/media/\(picture.id)").json["used_by"]?.array
            #expect(uses?.map { $0["id"]?.string } == ["sale"])
            #expect(try await space.manage(.delete, "/v1/media/\(picture.id)").code == "media_in_use")
            let id = asked.json["id"]?.string ?? ""
            let path = "/v1/campaigns/sale/approvals/\(id)/withdraw"
            #expect(try await space.manage(.post, path, [:]).status == 200)
            #expect(try await space.manage(.delete, "/v1/media/\(picture.id)").status == 204)
        }
    }

    @Test func `However many versions there are, the newest that has the picture is named`() async throws {
        try await Workspace.run(change: Self.withAddress) { space in
            let picture = try await Self.picture(space)
            try await space.launch("sale", card: Self.card(picture.url))
            for number in 0..<60 {
                let image = picture.url + "?\(number)"
                #expect(try await space.edit("sale", card: Self.card(image)).status == 200)
            }
            #expect(try await space.edit("sale", card: Self.card("https://example.com/new.png")).status == 200)
            let uses = try await space.manage(.get, "/v1/media/\(picture.id)").json["used_by"]?.array
            #expect(uses?.count == 1)
            #expect(uses?.first?["version"]?.integer == 62)
        }
    }
}
