import CardModel
import CardServer
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: what is wrong is said at the field, which gets the focus")
struct FormMarkTests {
    /// Expects that a page marks one field, and returns what it says there.
    @discardableResult
    private static func expect(
        _ page: Visitor.Page,
        marks name: String,
        _ text: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> String {
        let marks = FormMarks(of: page.text)
        let isOne = page.status >= 400 && marks.problems.count == 1 && marks.focused == name
        #expect(isOne, "\(page.status) \(marks)", sourceLocation: sourceLocation)
        let said = marks.problems[name] ?? ""
        if let text { #expect(said == text, sourceLocation: sourceLocation) }
        #expect(!said.isEmpty, sourceLocation: sourceLocation)
        return said
    }

    @Test("Inviting a member")
    func team() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            let path = "/dashboard/team"
            #expect(FormMarks(of: try await anna.get(path).text).problems.isEmpty)
            let bad = try await anna.post(path, from: path, ["name": "Emil", "email": "emil", "role": "editor"])
            Self.expect(bad, marks: "email", "Enter an email address, such as anna@example.com.")
            #expect(bad.text.contains("value=\"Emil\""))
            let twice = try await anna.post(path, from: path, ["email": "admin@example.com", "role": "editor"])
            let taken = "A member with this email address already exists. Enter another address."
            Self.expect(twice, marks: "email", taken)
            let long = String(repeating: "あ", count: 80)
            let fields = ["name": long, "email": "emil@example.com", "role": "editor"]
            Self.expect(try await anna.post(path, from: path, fields), marks: "name")
        }
    }

    @Test("An invitation and a key that are refused keep the role and the expiry that were chosen")
    func choices() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            let (team, keys) = ("/dashboard/team", "/dashboard/keys")
            #expect(FormReader.fields(of: try await anna.get(team).text, to: team)["role"] == "editor")
            for role in Role.allCases {
                let taken = ["email": "admin@example.com", "role": role.rawValue]
                let page = try await anna.post(team, from: team, taken)
                #expect(FormReader.fields(of: page.text, to: team)["role"] == role.rawValue)
            }
            let fresh = FormReader.fields(of: try await anna.get(keys).text, to: keys)
            #expect(fresh["lifetime"] == "")
            for days in ["30", "90", "365", ""] {
                let form = ["name": " ", "kind": "publishable", "lifetime": days]
                let page = try await anna.post(keys, from: keys, form)
                #expect(page.status == 400)
                #expect(FormReader.fields(of: page.text, to: keys)["lifetime"] == days)
            }
            // The page that shows the secret has a form that begins again.
            let good = ["name": "App", "kind": "publishable", "lifetime": "30"]
            let page = try await anna.post(keys, from: keys, good)
            #expect(page.status == 201)
            #expect(FormReader.fields(of: page.text, to: keys)["lifetime"] == "")
        }
    }

    @Test("Changing the own password and the second factor")
    func account() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            let (page, password, factor) = (
                "/dashboard/account", "/dashboard/account/password", "/dashboard/account/factor"
            )
            let new = ["current": "wrong", "password": "kettle drawer walrus"]
            let answer = try await anna.post(password, from: page, new)
            Self.expect(answer, marks: "current", "The current password is wrong.")
            let weak = ["current": Workplace.password, "password": "short"]
            Self.expect(try await anna.post(password, from: page, weak), marks: "password")

            var form = FormReader.fields(of: try await anna.get(page).text, to: factor)
            form.merge(["current": "wrong", "code": "000000"]) { $1 }
            Self.expect(try await anna.post(factor, form), marks: "current", "The password is wrong.")
            form = FormReader.fields(of: try await anna.get(page).text, to: factor)
            form.merge(["current": Workplace.password, "code": "x"]) { $1 }
            Self.expect(try await anna.post(factor, form), marks: "code")

            _ = try await place.addFactor(to: "admin@example.com", keeping: anna)
            let wrong = ["current": Workplace.password, "code": "x"]
            Self.expect(try await anna.post(factor, from: page, wrong), marks: "code")
            let renewed = try await anna.post("/dashboard/account/recovery", from: page, ["current": "x", "code": "x"])
            Self.expect(renewed, marks: "current", "The password is wrong.")
        }
    }

    @Test("Creating and editing a key")
    func keys() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            let path = "/dashboard/keys"
            let app = ["name": " ", "kind": "publishable"]
            let unnamed = "Name is required, with at most 255 characters."
            Self.expect(try await anna.post(path, from: path, app), marks: "name", unnamed)
            let backend = ["name": "Backend", "kind": "secret"]
            let none = try await anna.post(path, from: path, backend)
            Self.expect(none, marks: "permission", "Choose at least one permission.")
            let nowhere = backend.merging(["permission": "read", "addresses": "nowhere"]) { $1 }
            Self.expect(try await anna.post(path, from: path, nowhere), marks: "addresses")

            let good = backend.merging(["permission": "read"]) { $1 }
            #expect(try await anna.post(path, from: path, good).status == 201)
            let edit = "\(path)/\(try #require(try await place.store.apiKeys().last).id)"
            let form = FormReader.fields(of: try await anna.get(edit).text, to: edit)
            Self.expect(try await anna.post(edit, form.merging(["name": ""]) { $1 }), marks: "name", unnamed)
            let again = FormReader.fields(of: try await anna.get(edit).text, to: edit)
            Self.expect(try await anna.post(edit, again.merging(["addresses": "nowhere"]) { $1 }), marks: "addresses")
        }
    }

    @Test("Saving and renaming a filter")
    func filters() async throws {
        try await Workplace.run { place in
            let emil = try await place.member(.editor)
            let path = "/dashboard/filters"
            let new = ["list": "campaigns", "query": "q=Sale", "name": " ", "share": "on"]
            let page = try await emil.post(path, from: "/dashboard/campaigns?q=Sale", new)
            let text = "Enter a name of at most \(SavedFilter.longestName) bytes."
            Self.expect(page, marks: "name", text)
            // The form that comes back saves it.
            let form = FormReader.fields(of: page.text, to: path)
            #expect(form["query"] == "q=Sale" && form["list"] == "campaigns" && form["share"] == "on")
            #expect(try await emil.post(path, form.merging(["name": "Sales"]) { $1 }).status == 303)
            let filter = try #require(try await place.store.savedFilters(of: "editor@example.com").first)
            let renamed = try await emil.post("\(path)/\(filter.id)", from: path, ["name": "a\u{1}b"])
            Self.expect(renamed, marks: "name", text)
            #expect(renamed.text.contains("<details open>"))
        }
    }

    @Test("Sending a test")
    func testSends() async throws {
        try await Workplace.run { place in
            let emil = try await place.member(.editor)
            var card = CardTemplate(layout: .classic)
            (card.title, card.description) = ("Hello", "World")
            let variant = Campaign.Variant(id: VariantID(rawValue: "a"), card: card)
            let content = Campaign.Content(name: "Sale", variants: [variant])
            let campaign = Campaign(id: CampaignID(rawValue: "sale"), content: content, createdAt: place.time.now)
            try await place.store.insertCampaign(campaign, by: .command)
            let path = "/dashboard/campaigns/sale/test"
            let users = try await emil.post(path, from: path, ["users": " ", "to": "users"])
            Self.expect(users, marks: "users", "Choose a group or a user, or enter a user ID.")
            let code = try await emil.post(path, from: path, ["code": "", "to": "code"])
            Self.expect(code, marks: "code", "Enter the code that the app shows.")
            Self.expect(try await emil.post(path, from: path, ["code": "KM4T", "to": "code"]), marks: "code")
        }
    }

    @Test("Creating the first account")
    func setup() async throws {
        try await Workplace.run { place in
            let anna = Visitor(client: place.client)
            let path = "/dashboard/setup"
            let fields = [
                "code": Workplace.setupCode, "name": "Anna", "email": "anna@example.com",
                "password": "kettle drawer walrus",
            ]
            let wrong = ["code": "x", "email": "anna", "password": "short", "name": String(repeating: "x", count: 201)]
            for (name, value) in wrong {
                Self.expect(try await anna.post(path, from: path, fields.merging([name: value]) { $1 }), marks: name)
            }
        }
    }

    @Test("Signing in with a password and a code, and confirming that it's the member")
    func signIn() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            let stranger = Visitor(client: place.client)
            let wrong = FormMarks(of: try await stranger.signIn("admin@example.com", password: "wrong").text)
            let text = "The email address or the password is wrong."
            #expect(wrong.problems == ["email": text, "password": text] && wrong.focused == "password")

            place.time.advance(by: 700)
            let key = ["name": "App", "kind": "publishable", "confirm_password": "wrong"]
            let unconfirmed = try await anna.post("/dashboard/keys", from: "/dashboard/keys", key)
            Self.expect(unconfirmed, marks: "confirm_password", "The password is wrong.")

            _ = try await place.addFactor(to: "admin@example.com", keeping: anna)
            let asked = try await stranger.signIn("admin@example.com")
            let path = "/dashboard/sign-in/code"
            let form = FormReader.fields(of: asked.text, to: path)
            Self.expect(try await stranger.post(path, form.merging(["code": "x"]) { $1 }), marks: "code")
        }
    }

    @Test("Choosing a password by a link, and asking for one")
    func links() async throws {
        try await Workplace.run(mail: true) { place in
            let anna = try await place.member(.admin)
            let invited = try await anna.post("/dashboard/team", from: "/dashboard/team", ["email": "e@example.com"])
            let found = invited.text.firstMatch(of: /\/dashboard\/password\?token=([A-Za-z0-9_-]{43})/)
            let token = String(try #require(found).1)
            let stranger = Visitor(client: place.client)
            let weak = ["token": token, "password": "short"]
            let page = "/dashboard/password?token=\(token)"
            Self.expect(try await stranger.post("/dashboard/password", from: page, weak), marks: "password")
            let lost = try await stranger.post("/dashboard/forgot", from: "/dashboard/forgot", ["email": "anna"])
            Self.expect(lost, marks: "email", "Enter an email address, such as anna@example.com.")
        }
    }
}
