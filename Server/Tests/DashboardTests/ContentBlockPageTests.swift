import CardModel
import CardStore
import Testing
import WireJSON

@testable import Dashboard

@Suite("Dashboard: content blocks")
struct ContentBlockPageTests {
    private static let path = "/dashboard/content-blocks"

    private static func create(
        _ name: String,
        _ content: String,
        about description: String = "",
        _ visitor: Visitor
    ) async throws -> Visitor.Page {
        let fields = ["base": "", "c.name": name, "c.content": content, "c.description": description]
        return try await visitor.post("\(path)/new", from: "\(path)/new", fields)
    }

    /// The form of a block as a browser sends it.
    private static func form(_ name: String, _ visitor: Visitor) async throws -> [String: String] {
        FormReader.fields(of: try await visitor.get("\(path)/\(name)").text, to: "\(path)/\(name)")
    }

    private static func block(_ name: String, _ place: Workplace) async throws -> ContentBlock? {
        try await place.store.contentBlocks().first { $0.name == name }
    }

    /// A draft whose card includes a block.
    private static func addCampaign(_ id: String, including block: String, to place: Workplace) async throws {
        var card = CardTemplate(layout: .classic)
        card.title = "Hello"
        card.description = "{{content_blocks.${\(block)}}}"
        let variant = Campaign.Variant(id: VariantID(rawValue: "a"), card: card)
        let content = Campaign.Content(name: "Sale <\(id)>", variants: [variant])
        let campaign = Campaign(id: CampaignID(rawValue: id), content: content, createdAt: place.time.now)
        try await place.store.insertCampaign(campaign, by: .command)
    }

    @Test("A block is created, found, edited and deleted, and all of it is in the audit log")
    func life() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            #expect(try await visitor.get(Self.path).text.contains("No content blocks yet"))
            let made = try await Self.create(
                "greeting",
                "Hello\r\n{{${first_name}}}",
                about: "How we <b>greet</b>",
                visitor
            )
            #expect(made.location == "\(Self.path)/greeting?done=block-saved")
            #expect(try await Self.block("greeting", place)?.content == "Hello\n{{${first_name}}}")
            _ = try await Self.create("terms", "Until Sunday", visitor)
            let all = try await visitor.get(Self.path).text
            #expect(all.contains("How we &lt;b&gt;greet&lt;/b&gt;") && all.contains(">terms</a>"))
            let found = try await visitor.get("\(Self.path)?q=GREET&sort=name").text
            #expect(found.contains(">greeting</a>") && !found.contains(">terms</a>"))
            #expect(try await visitor.get("\(Self.path)?q=nothing").text.contains("No matching content blocks"))

            var form = try await Self.form("greeting", visitor)
            form["c.content"] = "Good morning"
            let saved = try await visitor.post("\(Self.path)/greeting", from: "\(Self.path)/greeting", form)
            #expect(saved.status == 303)
            #expect(try await Self.block("greeting", place)?.content == "Good morning")
            #expect(try await Self.block("greeting", place)?.description == "How we <b>greet</b>")

            let ask = "\(Self.path)/greeting/delete"
            #expect(try await visitor.get(ask).text.contains("No card includes it."))
            let deleted = try await visitor.post(ask, from: ask)
            #expect(deleted.location?.hasPrefix("\(Self.path)?done=block-deleted&undo=") == true)
            #expect(try await Self.block("greeting", place) == nil)
            #expect(try await visitor.get("\(Self.path)/greeting").status == 404)
            let actions = try await place.audit().filter { $0.hasPrefix("content_block") }
            #expect(
                actions == ["content_block.delete", "content_block.save", "content_block.save", "content_block.save"]
            )
            let log = try await place.member(.admin).get("/dashboard/audit").text
            #expect(log.contains("\(Self.path)/terms\"") && !log.contains("\(Self.path)/greeting\"><"))
        }
    }

    @Test("The notice of a deleted block is there where its page is loaded again, as long as it is valid")
    func loadedAgain() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let block = ContentBlock(name: "greeting", content: "Hello", description: "", updatedAt: 1)
            try await place.store.saveContentBlock(block, by: .command)
            let ask = "\(Self.path)/greeting/delete"
            let address = try #require(try await visitor.post(ask, from: ask).location)
            func offer() async throws -> String? {
                let page = try await visitor.get(address)
                #expect(page.status == 200)
                let token = page.text.firstMatch(of: /name="undo" value="([^"]+)"/).map { String($0.1) }
                #expect(page.text.contains("Content block deleted.") == (token != nil))
                return token
            }
            let first = try #require(try await offer())
            place.time.advance(by: 59)
            #expect(try await offer() == first)
            place.time.advance(by: 2)
            #expect(try await offer() == nil)
            let late = try await visitor.post("/dashboard/undo", from: Self.path, ["undo": first, "back": Self.path])
            #expect(late.location == "\(Self.path)?done=undo-late")
            // Whoever goes back to the question gets the list.
            let back = try await visitor.get(ask)
            #expect(back.status == 303 && back.location == Self.path)
        }
    }

    @Test("A block that was deleted comes back by undo, a large one too, unless another has its name by then")
    func undo() async throws {
        try await Workplace.run { place in
            let (visitor, viewer) = (try await place.member(.editor), try await place.member(.viewer))
            for content in ["Hello", String(repeating: "\"あ\"\n", count: 10_900)] {
                let before = ContentBlock(name: "greeting", content: content, description: "For all", updatedAt: 1)
                try await place.store.saveContentBlock(before, by: .command)
                let ask = "\(Self.path)/greeting/delete"
                let answer = try await visitor.post(ask, from: ask)
                let page = answer.status == 303 ? try await visitor.get(try #require(answer.location)) : answer
                #expect((answer.status == 303) == (content == "Hello"))
                #expect(page.text.contains("Content block deleted.") && page.text.contains("No content blocks yet"))
                #expect(page.text.contains("name=\"back\" value=\"\(Self.path)\""))
                #expect(try await Self.block("greeting", place) == nil)
                let token = String(try #require(page.text.firstMatch(of: /name="undo" value="([^"]+)"/)).1)
                let fields = ["undo": token, "back": Self.path]
                let other = try await viewer.post("/dashboard/undo", from: Self.path, fields)
                #expect(other.location == "\(Self.path)?done=undo-late")
                for _ in 1...2 {
                    let undone = try await visitor.post("/dashboard/undo", from: Self.path, fields)
                    let said = try await visitor.get(try #require(undone.location)).text
                    #expect(said.contains("Change undone."))
                    let after = try await Self.block("greeting", place)
                    #expect(after?.content == content && after?.description == "For all")
                }
                _ = try await visitor.post(ask, from: ask)
                _ = try await Self.create("greeting", "Another", visitor)
                let late = try await visitor.post("/dashboard/undo", from: Self.path, fields)
                #expect(try await visitor.get(try #require(late.location)).text.contains("already exists"))
                #expect(try await Self.block("greeting", place)?.content == "Another")
            }
        }
    }

    @Test("The list and the page say which campaigns and blocks include a block, which then isn't deleted")
    func uses() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            _ = try await Self.create("terms", "Until Sunday", visitor)
            _ = try await Self.create("footer", "See {{content_blocks.${terms}}}", visitor)
            try await Self.addCampaign("sale", including: "terms", to: place)
            let ask = "\(Self.path)/terms/delete"
            for page in [Self.path, "\(Self.path)/terms", ask] {
                let text = try await visitor.get(page).text
                #expect(text.contains("href=\"/dashboard/campaigns/sale\">Sale &lt;sale&gt;</a>"), "\(page)")
                #expect(text.contains("href=\"\(Self.path)/footer\">Content block footer</a>"), "\(page)")
            }
            #expect(try await !visitor.get(ask).text.contains("<button class=\"danger\">"))
            let refused = try await visitor.post(ask, from: ask)
            #expect(refused.status == 409 && refused.text.contains("Sale &lt;sale&gt;"))
            #expect(try await Self.block("terms", place) != nil)
            #expect(try await visitor.get("\(Self.path)/footer/delete").text.contains("<button class=\"danger\">"))
        }
    }

    @Test("Five uses are shown of a block, and how many there are besides")
    func manyUses() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            _ = try await Self.create("terms", "Until Sunday", visitor)
            for number in 1...7 { try await Self.addCampaign("sale-\(number)", including: "terms", to: place) }
            let text = try await visitor.get(Self.path).text
            #expect(text.matches(of: /campaigns\/sale-/).count == 5 && text.contains("and 2 more"))
        }
    }

    @Test("What is wrong stands at its field, with its line, and nothing typed is lost")
    func problems() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let wrong = try await Self.create("greeting", "One\n{{ x | nope }}", about: "<i>why</i>", visitor)
            #expect(wrong.status == 400 && wrong.text.contains("Line 2, column"))
            #expect(wrong.text.contains("&lt;i&gt;why&lt;/i&gt;") && wrong.text.contains("{{ x | nope }}"))
            let unnamed = try await Self.create("no spaces", "x", visitor)
            #expect(
                unnamed.status == 400 && unnamed.text.contains("id=\"f-c-name\" name=\"c.name\" value=\"no spaces\"")
            )
            #expect(unnamed.text.contains("aria-describedby=\"f-c-name-hint f-c-name-note-0\""))
            _ = try await Self.create("greeting", "Hello", visitor)
            let taken = try await Self.create("greeting", "Another", visitor)
            #expect(taken.status == 409 && taken.text.contains("already exists") && taken.text.contains("Another"))
            #expect(try await Self.block("greeting", place)?.content == "Hello")
            let large = try await Self.create("large", String(repeating: "あ", count: 22_000), visitor)
            #expect(large.status == 400 && large.text.contains("65,536") || large.text.contains("65536"))

            let typed = ["c.name": "", "c.content": "{{ x | nope }}", "c.description": ""]
            let check = try await visitor.post("\(Self.path)/check", from: "\(Self.path)/new", typed)
            let field = try #require(try JSONValue(parsing: check.text)["fields"]?.array?.first)
            #expect(field["id"] == "f-c-content" && field["notes"]?.array?.first?["line"] == 1)
        }
    }

    @Test("What two members change is merged, and where both change the same the second sees it first")
    func conflict() async throws {
        try await Workplace.run { place in
            let (anna, emil) = (try await place.member(.admin), try await place.member(.editor))
            _ = try await Self.create("greeting", "Hello", about: "For all", anna)
            let address = "\(Self.path)/greeting"
            let (hers, his) = (try await Self.form("greeting", anna), try await Self.form("greeting", emil))
            place.time.advance(by: 5)
            _ = try await anna.post(address, from: address, hers.merging(["c.description": "For <new>"]) { $1 })
            let merged = try await emil.post(address, from: address, his.merging(["c.content": "Hi"]) { $1 })
            #expect(merged.status == 303)
            let both = try await Self.block("greeting", place)
            #expect(both?.content == "Hi" && both?.description == "For <new>")

            let conflict = try await anna.post(address, from: address, hers.merging(["c.content": "Hey"]) { $1 })
            #expect(conflict.status == 409 && conflict.text.contains("Edit conflict"))
            #expect(conflict.text.contains("<dd>Hi</dd>") && !conflict.text.contains("<dd>For"))
            #expect(try await Self.block("greeting", place)?.content == "Hi")
            let again = FormReader.fields(of: conflict.text, to: address)
            #expect(again["c.content"] == "Hey" && again["c.description"] == "For <new>")
            #expect(try await anna.post(address, from: address, again).status == 303)
            #expect(try await Self.block("greeting", place)?.content == "Hey")

            _ = try await emil.post("\(address)/delete", from: "\(address)/delete")
            let gone = try await anna.post(address, from: "\(Self.path)/new", again)
            #expect(gone.status == 409 && gone.text.contains("was deleted") && gone.text.contains("Hey"))
            let resubmitted = FormReader.fields(of: gone.text, to: "\(Self.path)/new")
            #expect(try await anna.post("\(Self.path)/new", from: "\(Self.path)/new", resubmitted).status == 303)
            #expect(try await Self.block("greeting", place)?.content == "Hey")
        }
    }

    @Test("A block that is saved untouched is what it was, whatever line ends it has")
    func untouched() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            _ = try await Self.create("lines", "x", visitor)
            for content in ["One\r\nTwo", "\nOne\n", " One "] {
                let before = ContentBlock(name: "lines", content: content, description: "a\n b ", updatedAt: 1)
                try await place.store.saveContentBlock(before, by: .command)
                var form = try await Self.form("lines", visitor)
                form["c.content"] = Self.sent(content)
                form["c.description"] = "a\r\n b "
                let saved = try await visitor.post("\(Self.path)/lines", from: "\(Self.path)/lines", form)
                #expect(saved.status == 303)
                let after = try #require(try await Self.block("lines", place))
                #expect(after.content == content && after.description == "a\n b ", "\(content.debugDescription)")
            }
        }
    }

    /// A text as browsers send it.
    private static func sent(_ text: String) -> String {
        text.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n")
    }

    @Test("A viewer reads blocks and changes none, and an editor doesn't get around an approval")
    func roles() async throws {
        try await Workplace.run { place in
            let (anna, emil) = (try await place.member(.admin), try await place.member(.editor))
            _ = try await Self.create("greeting", "Hello", anna)
            let viewer = try await place.member(.viewer)
            let page = try await viewer.get("\(Self.path)/greeting").text
            #expect(page.contains("Only editors and administrators") && page.contains(" disabled>"))
            #expect(!page.contains("action=\"\(Self.path)/greeting\"") && !page.contains("/delete\""))
            #expect(try await !viewer.get(Self.path).text.contains("New content block"))

            try await Self.addCampaign("sale", including: "greeting", to: place)
            let launch = "/dashboard/campaigns/sale/launch"
            #expect(try await anna.post(launch, from: launch, ["version": "1"]).status == 303)
            let form = ApprovalPageTests.settings(.editors)
            #expect(try await anna.post("/dashboard/settings", from: "/dashboard/settings", form).status == 303)
            let address = "\(Self.path)/greeting"
            var typed = try await Self.form("greeting", emil)
            typed["c.content"] = "Sneaked in"
            let refused = try await emil.post(address, from: address, typed)
            #expect(refused.status == 403 && refused.text.contains("Sneaked in"))
            #expect(try await Self.block("greeting", place)?.content == "Hello")
        }
    }

    @Test("The preview shows the block as a user gets it, and the editor of campaigns offers to insert it")
    func preview() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let user = UserUpdate(id: UserID(rawValue: "kim"), standard: [.firstName: "Kim"])
            try await place.store.updateUsers([user], at: place.time.now)
            var typed = ["c.name": "greeting", "c.content": "Dear {{${first_name}}}", "preview_user": "kim"]
            let shown = try await visitor.post("\(Self.path)/preview", from: "\(Self.path)/new", typed)
            #expect(shown.text.contains("Dear Kim") && shown.text.contains("greeting"))
            typed["c.content"] = "{% abort_message('Out of stock') %}"
            let withheld = try await visitor.post("\(Self.path)/preview", from: "\(Self.path)/new", typed)
            #expect(withheld.text.contains("Out of stock"))
            _ = try await Self.create("greeting", "Hello", visitor)
            #expect(try await visitor.get("/dashboard/campaigns/new").text.contains("data-insert-block"))
            let names = try JSONValue(parsing: try await visitor.get("/dashboard/campaigns/names").text)
            #expect(names["content_blocks"]?.array?.first?["name"] == "greeting")
        }
    }

    @Test("Uses are those of all campaigns, archived ones too; the last changed are shown, and all are counted")
    func bound() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            _ = try await Self.create("terms", "Until Sunday", visitor)
            try await Self.addCampaign("oldest", including: "terms", to: place)
            let id = CampaignID(rawValue: "oldest")
            let oldest = try #require(try await place.store.campaign(id))
            _ = try await place.store.updateCampaign(
                oldest.applying(.archive, at: place.time.now),
                from: oldest.version,
                action: "campaign.archive",
                by: .command
            )
            #expect(try await visitor.get(Self.path).text.contains("campaigns/oldest\""))
            place.time.advance(by: 60)
            for number in 0..<7 { try await Self.addCampaign("c-\(number)", including: "terms", to: place) }
            let text = try await visitor.get(Self.path).text
            #expect(text.contains("and 3 more"))
            #expect(!text.contains("campaigns/oldest\""))
            // Before a block is deleted, all of them are named.
            let ask = "\(Self.path)/terms/delete"
            let refused = try await visitor.post(ask, from: ask)
            #expect(refused.status == 409 && refused.text.contains("campaigns/oldest\""))
        }
    }
}
