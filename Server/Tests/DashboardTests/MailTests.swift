import CardModel
import CardServer
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: messages to members")
struct MailTests {
    private static let chosen = "kettle drawer walrus"

    /// The path of the only link of a message, which leads to the operator's address.
    static func path(_ message: MailMessage) throws -> String {
        let base = "https://cards.example.com/dashboard/"
        let links = message.text.text.split(separator: "\n").filter { $0.hasPrefix("http") }
        let link = try #require(links.first)
        #expect(links.count == 1 && link.hasPrefix(base))
        return "/dashboard/" + link.dropFirst(base.count)
    }

    @Test("An invitation goes by e-mail too, with the same link, in the language of whoever invites")
    func invitation() async throws {
        try await Workplace.run(mail: true) { place in
            let admin = try await place.member(.admin)
            _ = try await admin.post("/dashboard/language", from: "/dashboard/account", ["language": "ja"])
            let fields = ["email": "new@example.com", "role": "editor"]
            let page = try await admin.post("/dashboard/team", from: "/dashboard/team", fields)
            #expect(page.status == 201)
            let mail = await place.mail.next()
            #expect(mail.recipient.path == "new@example.com")
            #expect(mail.text.subject == "admin@example.comさんがあなたをPlacardに招待しました")
            let path = try Self.path(mail)
            #expect(page.text.contains(path) && page.text.contains("メールを送信しました"))
            #expect(try await Visitor(client: place.client).get(path).text.contains("new@example.com"))
        }
    }

    @Test("A member gets a link for a forgotten password, at the operator's address, and chooses another one")
    func forgotten() async throws {
        try await Workplace.run(mail: true) { place in
            let editor = try await place.member(.editor)
            #expect(try await editor.get("/dashboard").status == 200)
            let visitor = Visitor(client: place.client)
            #expect(try await visitor.get("/dashboard/sign-in").text.contains("href=\"/dashboard/forgot\""))
            let fields = ["email": " Editor@Example.com "]
            let page = try await visitor.post("/dashboard/forgot", from: "/dashboard/forgot", fields)
            #expect(page.status == 200 && page.text.contains("If there is an account"))
            let mail = await place.mail.next()
            #expect(mail.recipient.path == "editor@example.com")
            // Nothing has changed so far.
            #expect(try await editor.get("/dashboard").status == 200)

            let path = try Self.path(mail)
            let token = String(path.split(separator: "=").last ?? "")
            let chosen = ["token": token, "password": Self.chosen]
            #expect(try await visitor.post("/dashboard/password", from: path, chosen).status == 303)
            #expect(try await visitor.get(path).status == 404)
            #expect(await place.mail.next().text.subject == "Placard: your password was changed")
            #expect(try await editor.get("/dashboard").status == 303)
            #expect(try await visitor.signIn("editor@example.com", password: Self.chosen).status == 303)
        }
    }

    @Test("The answer doesn't say whether there is an account, and nothing is left for a stranger")
    func unknown() async throws {
        try await Workplace.run(mail: true) { place in
            _ = try await place.member(.editor)
            var texts: [String] = []
            for email in ["nobody@example.com", "editor@example.com"] {
                let visitor = Visitor(client: place.client)
                let page = try await visitor.post("/dashboard/forgot", from: "/dashboard/forgot", ["email": email])
                #expect(page.status == 200)
                texts.append(page.text.replacing(email, with: "…"))
            }
            #expect(texts.first == texts.last)
            #expect(await place.mail.next().recipient.path == "editor@example.com")
            #expect(try await place.audit().filter { $0 == "member.reset-link" }.count <= 1)
        }
    }

    @Test("Links are asked for a few times, of one account and from one address, whether there is an account or not")
    func throttled() async throws {
        try await Workplace.run(mail: true) { place in
            _ = try await place.member(.editor)
            for email in ["editor@example.com", "nobody@example.com"] {
                func ask(from addresses: [Int]) async throws -> [Int] {
                    var statuses: [Int] = []
                    for number in addresses {
                        let visitor = Visitor(client: place.client, address: "192.0.2.\(number)")
                        let fields = ["email": email]
                        let page = try await visitor.post("/dashboard/forgot", from: "/dashboard/forgot", fields)
                        statuses.append(page.status)
                    }
                    return statuses
                }
                #expect(try await ask(from: [0, 0, 0, 0]) == [200, 200, 200, 429])
                // A stranger doesn't lock out others, and the messages to one account are bounded.
                #expect(try await ask(from: Array(1...17)).allSatisfy { $0 == 200 })
                #expect(try await ask(from: [18, 19]) == [429, 429])
            }
            var statuses: [Int] = []
            for number in 0..<12 {
                let visitor = Visitor(client: place.client, address: "192.0.2.99")
                let fields = ["email": "other\(number)@example.com"]
                statuses.append(try await visitor.post("/dashboard/forgot", from: "/dashboard/forgot", fields).status)
            }
            #expect(statuses == Array(repeating: 200, count: 10) + [429, 429])
        }
    }

    @Test("A link that was asked for works for an hour, and only the last one")
    func expiry() async throws {
        try await Workplace.run(mail: true) { place in
            _ = try await place.member(.editor)
            let visitor = Visitor(client: place.client)
            var paths: [String] = []
            for _ in 0..<2 {
                let fields = ["email": "editor@example.com"]
                _ = try await visitor.post("/dashboard/forgot", from: "/dashboard/forgot", fields)
                paths.append(try Self.path(await place.mail.next()))
            }
            #expect(try await visitor.get(paths[0]).status == 404)
            #expect(try await visitor.get(paths[1]).status == 200)
            place.time.advance(by: PasswordLink.requestedLifetime)
            #expect(try await visitor.get(paths[1]).status == 404)
        }
    }

    @Test("Who was invited and didn't come in time has to ask an admin, and no link of an invitation is shortened")
    func invited() async throws {
        try await Workplace.run(mail: true) { place in
            let admin = try await place.member(.admin)
            let fields = ["email": "new@example.com", "role": "editor"]
            _ = try await admin.post("/dashboard/team", from: "/dashboard/team", fields)
            _ = await place.mail.next()
            let visitor = Visitor(client: place.client)
            _ = try await visitor.post("/dashboard/forgot", from: "/dashboard/forgot", ["email": "new@example.com"])
            let path = try Self.path(await place.mail.next())
            place.time.advance(by: PasswordLink.invitationLifetime - 1)
            #expect(try await visitor.get(path).status == 200)
            place.time.advance(by: 1)
            // Another's message comes, and none for this one, who asked before.
            _ = try await visitor.post("/dashboard/forgot", from: "/dashboard/forgot", ["email": "new@example.com"])
            _ = try await visitor.post("/dashboard/forgot", from: "/dashboard/forgot", ["email": "admin@example.com"])
            #expect(await place.mail.next().recipient.path == "admin@example.com")
            #expect(try await place.audit().filter { $0 == "member.reset-link" }.count == 2)
        }
    }

    @Test("A member gets a message of each change of the account, whoever made it")
    func changes() async throws {
        try await Workplace.run(mail: true) { place in
            let admin = try await place.member(.admin)
            _ = try await place.member(.viewer)
            try await place.store.setLanguage("ja", of: "viewer@example.com")
            let path = "/dashboard/team/viewer%40example.com/role"
            #expect(try await admin.post(path, from: "/dashboard/team", ["role": "editor"]).status == 303)
            let role = await place.mail.next()
            #expect(role.recipient.path == "viewer@example.com")
            #expect(role.text.subject == "Placard：ロールが変更されました")
            #expect(try Self.path(role) == "/dashboard/account")
            let change = ["current": Workplace.password, "password": Self.chosen]
            #expect(
                try await admin.post("/dashboard/account/password", from: "/dashboard/account", change).status == 303
            )
            let password = await place.mail.next()
            #expect(password.recipient.path == "admin@example.com")
            #expect(password.text.text.contains("cards.example.com: your password was changed."))
        }
    }

    @Test("Without a mail server no link is offered, and nothing is left")
    func off() async throws {
        try await Workplace.run { place in
            let admin = try await place.member(.admin)
            let visitor = Visitor(client: place.client)
            #expect(try await !visitor.get("/dashboard/sign-in").text.contains("href=\"/dashboard/forgot\""))
            let fields = ["email": "new@example.com", "role": "editor"]
            _ = try await admin.post("/dashboard/team", from: "/dashboard/team", fields)
            #expect(try await place.store.mailQueue().waiting == 0)
        }
    }

    @Test("A message is written in the language of its reader, and what others typed stays within its line")
    func texts() {
        let writer = MailWriter(timeZone: "Asia/Tokyo")
        let letter = ApprovalLetter(
            campaign: "Sale\r\nBcc: eve@example.com",
            link: "https://cards.example.com/dashboard/campaigns/sale/approval",
            isEdit: true,
            author: "emil@example.com",
            comment: "Please\nhttps://evil.example/"
        )
        let english = writer.text(.approvalRequested(letter))
        #expect(english.subject == "Approval requested: edit of “Sale  Bcc: eve@example.com”")
        #expect(english.text.contains("\n\n> Please\n> https://evil.example/\n\n"))
        let japanese = TextCatalog.$current.withValue(.japanese) {
            writer.text(.passwordReset(PasswordLetter(link: "https://cards.example.com/x", expiresAt: 1_800_000_000)))
        }
        #expect(japanese.subject == "Placardのパスワードの再設定")
        #expect(japanese.text.contains("cards.example.com") && japanese.text.contains("2027年1月15日"))
    }

    @Test(
        "Administrators get a message of a request, and whoever asked gets one of the decision",
        arguments: [true, false]
    )
    func approvals(isApproved: Bool) async throws {
        try await Workplace.run(mail: true) { place in
            try await place.store.insertCampaign(Self.sale(at: place.time.now), by: .command)
            let anna = try await place.member(.admin, email: "anna@example.com")
            _ = try await place.member(.admin, email: "alma@example.com")
            let emil = try await place.member(.editor, email: "emil@example.com")
            let settings = ApprovalPageTests.settings(.editors)
            #expect(try await anna.post("/dashboard/settings", from: "/dashboard/settings", settings).status == 303)
            let path = "/dashboard/campaigns/sale"
            let asked = ["version": "1", "comment": "Please"]
            #expect(try await emil.post("\(path)/approval", from: "\(path)/launch", asked).status == 303)
            var recipients: Set<String> = []
            for _ in 0..<2 {
                let mail = await place.mail.next()
                recipients.insert(mail.recipient.path)
                #expect(mail.text.subject == "Approval requested: launch of “Sale”")
                #expect(mail.text.text.contains("\n> Please\n") && mail.text.text.contains("emil@example.com asks"))
                #expect(try Self.path(mail) == "\(path)/approval")
            }
            #expect(recipients == ["anna@example.com", "alma@example.com"])

            let id = try #require(try await place.store.pendingApprovals(limit: 1).first).id
            let action = "\(path)/approval/\(isApproved ? "approve" : "reject")"
            let fields = ["approval": id, "comment": "Fine"]
            #expect(try await anna.post(action, from: "\(path)/approval", fields).status == 303)
            let answer = await place.mail.next()
            #expect(answer.recipient.path == "emil@example.com" && answer.text.text.contains("\n> Fine\n"))
            #expect(answer.text.subject == "\(isApproved ? "Approved" : "Rejected"): launch of “Sale”")
        }
    }

    @Test(
        "Whoever asks for approval again and again has twenty messages sent to an administrator; others' still arrive"
    )
    func manyApprovals() async throws {
        try await Workplace.run(mail: true) { place in
            try await place.store.insertCampaign(Self.sale(at: place.time.now), by: .command)
            try await place.store.insertCampaign(Self.sale("other", at: place.time.now), by: .command)
            let anna = try await place.member(.admin, email: "anna@example.com")
            let (emil, eva) = (
                try await place.member(.editor, email: "emil@example.com"),
                try await place.member(.editor, email: "eva@example.com")
            )
            let settings = ApprovalPageTests.settings(.editors)
            #expect(try await anna.post("/dashboard/settings", from: "/dashboard/settings", settings).status == 303)
            let path = "/dashboard/campaigns/sale"
            for _ in 0..<25 {
                let asked = try await emil.post("\(path)/approval", from: "\(path)/approval", ["version": "1"])
                #expect(asked.status == 303)
            }
            let other = "/dashboard/campaigns/other/approval"
            #expect(try await eva.post(other, from: other, ["version": "1"]).status == 303)
            var authors: [String: Int] = [:]
            for _ in 0..<21 {
                let text = await place.mail.next().text.text
                authors[text.contains("eva@example.com") ? "eva" : "emil", default: 0] += 1
            }
            #expect(authors == ["emil": 20, "eva": 1])
            // Each of them is a request all the same, the last of which waits.
            let requests = try await place.store.approvals(of: CampaignID(rawValue: "sale"), limit: 50)
            #expect(requests.count { $0.status == .pending } == 1 && requests.count > 20)
        }
    }

    private static func sale(_ id: String = "sale", at time: UnixTime) -> Campaign {
        var card = CardTemplate(layout: .classic)
        card.title = "Hello"
        card.description = "World"
        let variant = Campaign.Variant(id: VariantID(rawValue: "a"), name: "Variant A", card: card)
        let content = Campaign.Content(name: "Sale", variants: [variant])
        return Campaign(id: CampaignID(rawValue: id), content: content, createdAt: time)
    }
}
