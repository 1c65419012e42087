import CardModel
import CardServer
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: test sends")
struct TestSendPageTests {
    private static func insert(_ place: Workplace) async throws {
        var card = CardTemplate(layout: .classic)
        card.title = "Hello"
        card.description = "World"
        let variant = Campaign.Variant(id: VariantID(rawValue: "a"), name: "Variant A", card: card)
        let content = Campaign.Content(name: "Sale", variants: [variant])
        let campaign = Campaign(id: CampaignID(rawValue: "sale"), content: content, createdAt: place.time.now)
        try await place.store.insertCampaign(campaign, by: .command)
        try await place.store.updateUsers([UserUpdate(id: UserID(rawValue: "anna"))], at: place.time.now)
    }

    @Test("An editor sends a test of a draft, and is told who got it and who did not")
    func sends() async throws {
        try await Workplace.run { place in
            try await Self.insert(place)
            let editor = try await place.member(.editor)
            #expect(try await editor.get("/dashboard/campaigns/sale").text.contains("/dashboard/campaigns/sale/test"))
            let path = "/dashboard/campaigns/sale/test"
            let fields = ["users": " anna \r\nnobody\r\n", "variant": "a", "language": ""]
            let page = try await editor.post(path, from: path, fields)
            #expect(page.status == 200 && page.text.contains("Test sent to 1 user."))
            #expect(page.text.contains("nobody: There is no such user."))
            let state = try #require(try await place.store.userState(of: UserID(rawValue: "anna"), including: []))
            #expect(state.testCards.count == 1)
            #expect(try await place.store.testUsers().isEmpty)
            #expect(try await place.audit().contains("campaign.test-send"))

            let empty = try await editor.post(path, from: path, ["users": " \n"])
            #expect(empty.status == 400 && empty.text.contains("Choose a group or a user, or enter a user ID."))
        }
    }

    @Test("A variant that was given no name of its own has one in the language of the page")
    func variantNames() async throws {
        try await Workplace.run { place in
            try await Self.insert(place)
            var campaign = try #require(try await place.store.campaign(CampaignID(rawValue: "sale")))
            campaign.content.variants[0].name = "Variant a"
            campaign.version += 1
            _ = try await place.store.updateCampaign(campaign, from: 1, action: "campaign.update", by: .command)
            _ = try await place.member(.editor)
            let kenji = Visitor(client: place.client, languages: "ja")
            _ = try await kenji.signIn("editor@example.com")
            let page = try await kenji.get("/dashboard/campaigns/sale/test").text
            #expect(page.contains(">バリアントa<") && !page.contains("Variant a"))
        }
    }

    @Test("Users are kept as named groups, which are chosen, replaced and removed; only who exists is in one")
    func groups() async throws {
        try await Workplace.run { place in
            try await Self.insert(place)
            let bob = UserUpdate(id: UserID(rawValue: "bob"), standard: [.firstName: "Bob", .lastName: "Ito"])
            try await place.store.updateUsers([bob], at: place.time.now)
            let editor = try await place.member(.editor)
            let path = "/dashboard/campaigns/sale/test"
            let typed = ["users": "anna\nnobody\nnone", "group_name": "QA <team>", "to": "users"]
            let refused = try await editor.post(path, from: path, typed)
            #expect(refused.status == 400)
            #expect(refused.text.contains("There are no users with these IDs: nobody, none. Correct or remove them."))
            #expect(try await Self.tests(place) == 0)
            #expect(try await place.store.testUsers().isEmpty)

            let found = try await editor.post(path, from: path, ["q": "ito", "to": "find"])
            #expect(found.text.contains("name=\"user\" value=\"bob\"") && found.text.contains("Bob Ito"))
            // Enter presses the first button, which sends to a code.
            let entered = try await editor.post(path, from: path, ["q": "ito", "to": "code", "code": ""])
            #expect(entered.status == 200 && entered.text.contains("Bob Ito"))
            #expect(try await place.audit().contains("user.list"))

            let fields = ["users": "anna", "user": "bob", "group_name": "QA <team>", "to": "users"]
            let saved = try await editor.post(path, from: path, fields)
            #expect(saved.text.contains("Test sent to 2 users."))
            #expect(saved.text.contains("Saved as the test group “QA &lt;team&gt;”."))
            let page = try await editor.get(path).text
            #expect(page.contains("name=\"group\" value=\"QA &lt;team&gt;\">") && page.contains("2 users"))
            let again = try await editor.post(path, from: path, ["group": "QA <team>", "to": "users"])
            #expect(again.text.contains("Test sent to 2 users."))
            _ = try await editor.post(path, from: path, ["users": "bob", "group_name": "QA <team>", "to": "users"])
            #expect(try await place.store.testUsers() == [TestUser(UserID(rawValue: "bob"), groups: ["QA <team>"])])
            let removed = try await editor.post(path, from: path, ["remove_group": "QA <team>"])
            #expect(removed.status == 303)
            #expect(try await place.store.testUsers().isEmpty)
        }
    }

    @Test("Test users of before there were groups are one, which is chosen at first")
    func ungrouped() async throws {
        try await Workplace.run { place in
            try await Self.insert(place)
            let anna = TestUserChange.replacement([TestUser(UserID(rawValue: "anna"))])
            #expect(try await place.store.changeTestUsers(anna, at: place.time.now, by: .command).isMade)
            let editor = try await place.member(.editor)
            let path = "/dashboard/campaigns/sale/test"
            let page = try await editor.get(path).text
            #expect(page.contains("name=\"group\" value=\"\" checked") && page.contains("Test users"))
            #expect(try await editor.post(path, from: path, ["group": ""]).text.contains("Test sent to 1 user."))
            _ = try await editor.post(path, from: path, ["remove_group": ""])
            #expect(try await place.store.testUsers().isEmpty)
        }
    }

    private static func saveCode(_ place: Workplace, _ text: String = "KM4T-9XWD") async throws {
        let code = try #require(TestCode(typed: text))
        let holder = TestCodeHolder(user: UserID(rawValue: "anna"), device: "phone", client: nil)
        #expect(try await place.store.insertTestCode(code, of: holder, at: place.time.now) == .saved)
    }

    private static func tests(_ place: Workplace) async throws -> Int {
        try await place.store.userState(of: UserID(rawValue: "anna"), including: [])?.testCards.count ?? 0
    }

    @Test("An editor sends a test by the code of a phone, which is kept under a name and gets the next without a code")
    func code() async throws {
        try await Workplace.run { place in
            try await Self.insert(place)
            try await Self.saveCode(place)
            let editor = try await place.member(.editor)
            let path = "/dashboard/campaigns/sale/test"
            let sent = try await editor.post(path, from: path, ["code": " km4t 9xwd ", "variant": "a", "to": "code"])
            #expect(sent.status == 200 && sent.text.contains("Test sent to the phone."))
            #expect(try await Self.tests(place) == 1)
            let fields = ["code": "KM4T-9XWD", "device_name": "Anna’s <iPhone>", "to": "code"]
            let kept = try await editor.post(path, from: path, fields)
            #expect(kept.text.contains("which is now the test device “Anna’s &lt;iPhone&gt;”."))
            #expect(try await place.store.testUsers() == [TestUser(UserID(rawValue: "anna"), name: "Anna’s <iPhone>")])

            let page = try await editor.get(path).text
            #expect(page.contains("name=\"device\" value=\"anna\" checked"))
            let again = try await editor.post(path, from: path, ["device": "anna", "users": "", "to": "users"])
            #expect(again.text.contains("Test sent to 1 user."))
            // Test devices stay when other users are saved, and are in groups themselves.
            try await place.store.updateUsers([UserUpdate(id: UserID(rawValue: "bob"))], at: place.time.now)
            let both = ["users": "bob", "device": "anna", "group_name": "QA", "to": "users"]
            _ = try await editor.post(path, from: path, both)
            #expect(try await place.store.testUsers().map(\.id.rawValue) == ["anna", "bob"])
            #expect(try await place.store.testUsers().first?.name == "Anna’s <iPhone>")
            let removed = try await editor.post(path, from: path, ["remove": "anna"])
            #expect(removed.status == 303)
            let left = ["anna", "bob"].map { TestUser(UserID(rawValue: $0), groups: ["QA"]) }
            #expect(try await place.store.testUsers() == left)
        }
    }

    @Test("Who is named by the form that comes back is noted as a read of users")
    func named() async throws {
        try await Workplace.run { place in
            try await Self.insert(place)
            let editor = try await place.member(.editor)
            let path = "/dashboard/campaigns/sale/test"
            _ = try await editor.post(path, from: path, ["code": "KM4T", "to": "code"])
            #expect(try await !place.audit().contains("user.list"))
            let page = try await editor.post(path, from: path, ["code": "KM4T", "to": "code", "user": "anna"])
            #expect(page.status == 400 && page.text.contains("anna"))
            #expect(try await place.audit().contains("user.list"))
        }
    }

    @Test("A page with the test users is noted as a read of users")
    func testUsers() async throws {
        try await Workplace.run { place in
            try await Self.insert(place)
            let editor = try await place.member(.editor)
            let path = "/dashboard/campaigns/sale/test"
            #expect(try await editor.get(path).status == 200)
            #expect(try await !place.audit().contains("user.list"))
            let anna = TestUserChange.replacement([TestUser(UserID(rawValue: "anna"), name: "Phone")])
            #expect(try await place.store.changeTestUsers(anna, at: place.time.now, by: .command).isMade)
            #expect(try await editor.get(path).text.contains("value=\"anna\""))
            #expect(try await place.audit().contains("user.list"))
        }
    }

    @Test("A code that is wrong, missing or tried too often is said beside its field, and nothing is sent")
    func wrongCode() async throws {
        try await Workplace.run { place in
            try await Self.insert(place)
            try await Self.saveCode(place)
            let editor = try await place.member(.editor)
            let path = "/dashboard/campaigns/sale/test"
            func send(_ code: String) async throws -> Visitor.Page {
                try await editor.post(path, from: path, ["code": code, "to": "code"])
            }
            let missing = try await send("")
            #expect(missing.status == 400 && missing.text.contains("Enter the code that the app shows."))
            let short = try await send("KM4T")
            #expect(short.status == 400 && short.text.contains("A code has 8 letters and digits."))
            for _ in 0..<10 {
                let wrong = try await send("BBBB-BBBB")
                #expect(wrong.status == 404 && wrong.text.contains("There is no such code, or it has expired."))
                #expect(wrong.text.contains("value=\"BBBB-BBBB\""))
            }
            let slowed = try await send("KM4T-9XWD")
            #expect(slowed.status == 429 && slowed.text.contains("Too many codes were wrong."))
            #expect(slowed.headers[.retryAfter] != nil)
            #expect(try await Self.tests(place) == 0)
        }
    }

    @Test("A viewer sends no test")
    func viewers() async throws {
        try await Workplace.run { place in
            try await Self.insert(place)
            let viewer = try await place.member(.viewer)
            #expect(try await viewer.get("/dashboard/campaigns/sale/test").status == 403)
            #expect(try await !viewer.get("/dashboard/campaigns/sale").text.contains("sale/test"))
        }
    }
}
