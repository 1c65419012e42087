import CardModel
import CardServer
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: approvals")
struct ApprovalPageTests {
    private static let sale = CampaignID(rawValue: "sale")
    private static let path = "/dashboard/campaigns/sale"

    private static func content(_ title: String) -> Campaign.Content {
        var card = CardTemplate(layout: .classic)
        card.title = title
        card.description = "World"
        return Campaign.Content(
            name: "Sale",
            variants: [Campaign.Variant(id: VariantID(rawValue: "a"), name: "Variant A", card: card)]
        )
    }

    /// A workspace that asks for approvals, with a draft, an administrator and an editor.
    private static func run(
        _ policy: ApprovalPolicy = .editors,
        isLaunched: Bool = false,
        _ body: @escaping @Sendable (_ place: Workplace, _ anna: Visitor, _ emil: Visitor) async throws -> Void
    ) async throws {
        try await Workplace.run { place in
            let draft = Campaign(id: sale, content: content("Hello"), createdAt: place.time.now)
            try await place.store.insertCampaign(draft, by: .command)
            let anna = try await place.member(.admin, email: "anna@example.com")
            let emil = try await place.member(.editor, email: "emil@example.com")
            if isLaunched {
                #expect(try await anna.post("\(path)/launch", from: "\(path)/launch", ["version": "1"]).status == 303)
            }
            let form = settings(policy)
            #expect(try await anna.post("/dashboard/settings", from: "/dashboard/settings", form).status == 303)
            try await body(place, anna, emil)
        }
    }

    /// The form of settings that ask for approvals.
    static func settings(_ policy: ApprovalPolicy) -> [String: String] {
        ["time_zone": "UTC", "launch_approval": policy.rawValue].merging(fixed) { first, _ in first }
    }

    private static let fixed = [
        "user_tokens": "disabled", "public_keys": "", "card_limit": "250", "card_size_limit": "2048", "burst": "5",
        "seconds": "180",
    ]

    /// The editor's form as a browser sends it.
    private static func form(_ visitor: Visitor) async throws -> [String: String] {
        FormReader.fields(of: try await visitor.get("\(path)/edit").text, to: "\(path)/edit")
    }

    private static func pending(_ place: Workplace) async throws -> Approval {
        try #require(try await place.store.pendingApprovals(limit: 1).first)
    }

    @Test("An editor asks for a launch with a comment, everybody sees it, and an administrator launches it")
    func launch() async throws {
        try await Self.run { place, anna, emil in
            let report = try await emil.get(Self.path).text
            #expect(report.contains("/launch\">Request approval</a>") && !report.contains("/launch\">Launch</a>"))
            for page in ["/dashboard/campaigns/new", "\(Self.path)/edit"] {
                let editor = try await emil.get(page).text
                #expect(editor.contains(">Review &amp; request approval<") && !editor.contains(">Review &amp; launch<"))
            }
            let review = try await emil.get("\(Self.path)/launch").text
            #expect(review.contains("Request approval") && !review.contains("Launch to"))
            let refused = try await emil.post("\(Self.path)/launch", from: "\(Self.path)/launch", ["version": "1"])
            #expect(refused.status == 403 && refused.text.contains("Another member has to approve this"))
            #expect(try await place.store.campaign(Self.sale)?.status == .draft)

            let asked = try await emil.post(
                "\(Self.path)/approval",
                from: "\(Self.path)/launch",
                ["version": "1", "comment": "Ready <b>now</b>\r\nas agreed"]
            )
            #expect(asked.location == "\(Self.path)/approval?done=approval-requested")
            for page in ["/dashboard", "/dashboard/campaigns", Self.path, "\(Self.path)/edit", "\(Self.path)/approval"]
            {
                let shown = try await emil.get(page).text
                let isList = page == "/dashboard/campaigns"
                #expect(shown.contains(isList ? "waiting for approval" : "asks for approval to launch"), "\(page)")
            }
            let own = try await emil.get("\(Self.path)/approval").text
            #expect(own.contains("Withdraw request") && !own.contains("Approve &amp; launch"))
            #expect(own.contains("Ready &lt;b&gt;now&lt;/b&gt;\nas agreed"))

            let id = try await Self.pending(place).id
            let page = try await anna.get("\(Self.path)/approval").text
            #expect(page.contains("Approve &amp; launch") && !page.contains("Withdraw request"))
            let fields = ["approval": id, "comment": "Good"]
            let done = try await anna.post("\(Self.path)/approval/approve", from: "\(Self.path)/approval", fields)
            #expect(done.location == "\(Self.path)?done=approval-approved")
            #expect(try await place.store.campaign(Self.sale)?.status == .active)
            #expect(try await place.audit().prefix(2) == ["approval.approve", "campaign.launch"])
            #expect(try await !anna.get("/dashboard").text.contains("asks for approval to launch"))
            let again = try await anna.post("\(Self.path)/approval/approve", from: "\(Self.path)/approval", fields)
            #expect(again.status == 409)
        }
    }

    @Test("A comment that is too long comes back as it was typed, whatever it was to go with")
    func longComment() async throws {
        try await Self.run { place, anna, emil in
            // Shorter than the field lets through, which counts characters, and longer than its bytes.
            let typed = String(repeating: "承認をお願いします。", count: 100)
            let review = "\(Self.path)/launch"
            let fields = ["version": "1", "comment": typed]
            let asked = try await emil.post("\(Self.path)/approval", from: review, fields)
            #expect(asked.status == 400 && asked.text.contains(typed))
            #expect(asked.text.contains("aria-describedby=\"wrong-comment\""))
            #expect(asked.text.contains("Request approval"))
            #expect(try await place.store.pendingApprovals(limit: 1).isEmpty)
            let again = ["version": "1", "comment": "Please"]
            #expect(try await emil.post("\(Self.path)/approval", from: review, again).status == 303)

            let request = ["approval": try await Self.pending(place).id, "comment": typed]
            for (action, visitor) in [("approve", anna), ("reject", anna), ("comment", anna), ("withdraw", emil)] {
                let page = "\(Self.path)/approval"
                let refused = try await visitor.post("\(page)/\(action)", from: page, request)
                #expect(refused.status == 400 && refused.text.contains(typed), "\(action)")
                #expect(refused.text.contains("aria-describedby=\"wrong-comment\""), "\(action)")
            }
            #expect(try await Self.pending(place).comments.map(\.text) == ["Please"])
            #expect(try await place.store.campaign(Self.sale)?.status == .draft)
        }
    }

    @Test("A comment stays on the page where its request was replaced, decided or outdated in between")
    func commentOfClosedRequest() async throws {
        try await Self.run { place, anna, emil in
            let (review, page) = ("\(Self.path)/launch", "\(Self.path)/approval")
            _ = try await emil.post(page, from: review, ["version": "1"])
            let first = try await Self.pending(place).id
            _ = try await emil.post(page, from: review, ["version": "1"])
            let second = try await Self.pending(place).id
            #expect(first != second)
            // The page has a request that can be commented on: the comment is in its field.
            for (action, visitor) in [("approve", anna), ("reject", anna), ("comment", anna), ("withdraw", emil)] {
                let late = ["approval": first, "comment": "Too <b>loud</b>"]
                let refused = try await visitor.post("\(page)/\(action)", from: page, late)
                #expect(refused.status == 409, "\(action)")
                let fields = FormReader.fields(of: refused.text, to: "\(page)/comment")
                #expect(fields["comment"] == "Too <b>loud</b>" && fields["approval"] == second, "\(action)")
                #expect(refused.text.contains("already decided, withdrawn or replaced"), "\(action)")
                #expect(!refused.text.contains("Your comment wasn’t sent"), "\(action)")
            }
            #expect(try await Self.pending(place).comments.isEmpty)

            // It has none: the comment can be copied.
            _ = try await emil.post("\(page)/withdraw", from: page, ["approval": second])
            let reject = ["approval": second, "comment": "Too <b>loud</b>"]
            let closed = try await anna.post("\(page)/reject", from: page, reject)
            #expect(closed.status == 409 && closed.text.contains("Your comment wasn’t sent"))
            #expect(closed.text.contains(">Too &lt;b&gt;loud&lt;/b&gt;<") && !closed.text.contains("<textarea"))
            let silent = try await anna.post("\(page)/reject", from: page, ["approval": second, "comment": " "])
            #expect(silent.status == 409 && !silent.text.contains("Your comment wasn’t sent"))
        }
    }

    @Test("The comment of a request stays on the review where the campaign was changed in between")
    func commentOfOutdatedReview() async throws {
        try await Self.run { place, _, emil in
            let review = "\(Self.path)/launch"
            let token = try await emil.get(review).token
            var campaign = try #require(try await place.store.campaign(Self.sale))
            campaign.content = Self.content("Changed")
            campaign.version = 2
            _ = try await place.store.updateCampaign(campaign, from: 1, action: "campaign.update", by: .command)

            let fields = ["csrf": token ?? "", "version": "1", "comment": "Ready"]
            let refused = try await emil.post("\(Self.path)/approval", fields)

            #expect(refused.status == 409 && refused.text.contains("was changed in between"))
            let form = FormReader.fields(of: refused.text, to: "\(Self.path)/approval")
            #expect(form["comment"] == "Ready" && form["version"] == "2")
            #expect(try await place.store.pendingApprovals(limit: 1).isEmpty)
        }
    }

    @Test("An edit of a campaign that users have waits, is compared, rejected with a reason, and edited further")
    func edit() async throws {
        try await Self.run(isLaunched: true) { place, anna, emil in
            let editor = try await emil.get("\(Self.path)/edit")
            #expect(editor.text.contains("waits for another member’s approval"))
            #expect(try await anna.get("\(Self.path)/edit").text.contains("reaches users at their next sync"))
            var fields = try await Self.form(emil)
            fields["c.variants[0].card.title"] = "Better"
            let saved = try await emil.post("\(Self.path)/edit", fields)
            #expect(saved.location == "\(Self.path)/approval?done=approval-requested", "\(saved.text.prefix(400))")
            #expect(try await place.store.campaign(Self.sale)?.content == Self.content("Hello"))
            let request = try await Self.pending(place)
            #expect(request.title == "Better")

            let page = try await anna.get("\(Self.path)/approval").text
            #expect(page.contains("<del>Hello</del>") && page.contains("<ins>Better</ins>"))
            #expect(page.contains("Approve edit") && page.contains("card?request=\(request.id)&amp;variant=a"))
            let card = "\(Self.path)/card?request=\(request.id)&variant=a"
            #expect(try await anna.get(card).text.contains("Better"))
            #expect(try await anna.get("\(Self.path)/card?request=apr_none").status == 404)

            let rejected = try await anna.post(
                "\(Self.path)/approval/reject",
                from: "\(Self.path)/approval",
                ["approval": request.id, "comment": "Too loud"]
            )
            #expect(rejected.status == 303)
            let after = try await emil.get("\(Self.path)/approval").text
            #expect(after.contains("Too loud") && after.contains("Rejected") && !after.contains("Approve edit"))
            #expect(try await emil.get("\(Self.path)/edit?request=\(request.id)").text.contains("Better"))
            #expect(try await place.store.campaign(Self.sale)?.content == Self.content("Hello"))
        }
    }

    @Test("An approved edit is the campaign's content, and one of an earlier version is nothing")
    func approved() async throws {
        try await Self.run(isLaunched: true) { place, anna, emil in
            func ask(_ title: String) async throws -> String {
                var fields = try await Self.form(emil)
                fields["c.variants[0].card.title"] = title
                _ = try await emil.post("\(Self.path)/edit", fields)
                return try await Self.pending(place).id
            }
            let first = try await ask("Better")
            // The page that the administrator has open is of the first request; the editor sends another.
            let token = try await anna.get("\(Self.path)/approval").token
            let second = try await ask("Best")
            let late = try await anna.post(
                "\(Self.path)/approval/approve",
                ["csrf": token ?? "", "approval": first, "comment": ""]
            )
            #expect(late.status == 409)
            #expect(try await place.store.campaign(Self.sale)?.content == Self.content("Hello"))
            let done = try await anna.post(
                "\(Self.path)/approval/approve",
                from: "\(Self.path)/approval",
                ["approval": second, "comment": ""]
            )
            #expect(done.status == 303)
            #expect(try await place.store.campaign(Self.sale)?.content.title == "Best")

            let third = try await ask("Bold")
            #expect(try await emil.post("\(Self.path)/pause", from: Self.path).status == 303)
            let page = try await anna.get("\(Self.path)/approval").text
            #expect(page.contains("Outdated") && !page.contains("Approve edit"))
            let outdated = try await anna.post(
                "\(Self.path)/approval/approve",
                from: "\(Self.path)/approval",
                ["approval": third]
            )
            #expect(outdated.status == 409)
            #expect(try await place.store.campaign(Self.sale)?.content.title == "Best")
        }
    }

    @Test("A request to launch a stopped campaign says when it will end, and not when it was stopped")
    func relaunch() async throws {
        try await Self.run(isLaunched: true) { place, _, emil in
            #expect(try await emil.post("\(Self.path)/stop", from: "\(Self.path)/stop").status == 303)
            let version = try #require(try await place.store.campaign(Self.sale)?.version)
            _ = try await emil.post("\(Self.path)/approval", from: "\(Self.path)/launch", ["version": "\(version)"])
            let page = try await emil.get("\(Self.path)/approval").text
            #expect(page.contains("No end date.") && !page.contains("Stopped on"))
        }
    }

    @Test("Where everybody needs approval, an administrator can't approve what they have asked for")
    func own() async throws {
        try await Self.run(.everyone) { place, anna, emil in
            #expect(try await anna.get("\(Self.path)/launch").text.contains("Request approval"))
            let launch = try await anna.post("\(Self.path)/launch", from: "\(Self.path)/launch", ["version": "1"])
            #expect(launch.status == 403)
            _ = try await anna.post("\(Self.path)/approval", from: "\(Self.path)/launch", ["version": "1"])
            let id = try await Self.pending(place).id
            let page = try await anna.get("\(Self.path)/approval").text
            #expect(!page.contains("Approve &amp; launch") && page.contains("Withdraw request"))
            for action in ["approve", "reject"] {
                let path = "\(Self.path)/approval/\(action)"
                #expect(try await anna.post(path, from: "\(Self.path)/approval", ["approval": id]).status == 403)
                #expect(try await emil.post(path, from: "\(Self.path)/approval", ["approval": id]).status == 403)
            }
            let taken = try await emil.post(
                "\(Self.path)/approval/withdraw",
                from: "\(Self.path)/approval",
                ["approval": id]
            )
            #expect(taken.status == 403)
            #expect(try await place.store.campaign(Self.sale)?.status == .draft)
            let other = try await place.member(.admin, email: "alma@example.com")
            let path = "\(Self.path)/approval/approve"
            #expect(try await other.post(path, from: "\(Self.path)/approval", ["approval": id]).status == 303)
            #expect(try await place.store.campaign(Self.sale)?.status == .active)
        }
    }

    @Test("Members talk about a request, viewers read along, and the one who asked takes it back")
    func comments() async throws {
        try await Self.run { place, anna, emil in
            _ = try await emil.post("\(Self.path)/approval", from: "\(Self.path)/launch", ["version": "1"])
            let id = try await Self.pending(place).id
            let page = "\(Self.path)/approval"
            let viewer = try await place.member(.viewer)
            for (visitor, text) in [(anna, "Why today?"), (emil, "It is spring.")] {
                let fields = ["approval": id, "comment": text]
                #expect(try await visitor.post("\(page)/comment", from: page, fields).status == 303)
            }
            let shown = try await viewer.get(page).text
            #expect(shown.contains("Why today?") && shown.contains("It is spring.") && !shown.contains("<textarea"))
            let empty = try await emil.post("\(page)/comment", from: page, ["approval": id, "comment": "  "])
            #expect(empty.status == 400 && empty.text.contains("Why today?"))
            #expect(FormMarks(of: empty.text).problems == ["comment": "Enter a comment."])
            #expect(try await emil.post("\(page)/withdraw", from: page, ["approval": id]).status == 303)
            #expect(try await place.store.pendingApprovals(limit: 1).isEmpty)
            #expect(try await emil.get(page).text.contains("Withdrawn"))
        }
    }
}

extension Approval {
    /// The title of the first card of the edit that is asked for.
    fileprivate var title: String? {
        if case .edit(let content) = change { content.title } else { nil }
    }
}

extension Campaign.Content {
    /// The title of the first card.
    fileprivate var title: String? { variants.first?.card?.title }
}
